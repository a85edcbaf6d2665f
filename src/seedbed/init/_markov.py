"""AFK-MC² and k-MC²: k-means++ whose D² draws are approximated by short Markov chains, so that only
a few rows, not all, are compared with the seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seedbed._core._search import nearest
from seedbed._core._seeding import draw_seeds
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._draws import Plain, draw, draw_one, plain, squares_about
from seedbed.init._registry import register
from seedbed.init._shortfall import add_distinct


@register
@dataclass(frozen=True, kw_only=True)
class AFKMC2(Method):
    """Seeds from chains of proposals, drawn with regard to the first seed.

    ``proposal="uniform"`` is k-MC²: Bachem, O., Lucic, M., Hassani, S. H. & Krause, A. (2016).
    Approximate k-means++ in sublinear time. AAAI Conference on Artificial Intelligence. Each
    proposal then costs no pass over the data, but far clusters may be missed.
    """

    meta = Meta(
        id="afk-mc2",
        name="AFK-MC²",
        aliases=("afkmc2", "assumption-free-k-mc2"),
        presets={"k-mc2": {"proposal": "uniform"}},
        family="modern",
        reference=Reference(
            authors="Bachem, O., Lucic, M., Hassani, S. H. & Krause, A.",
            title="Fast and provably good seedings for k-means",
            venue="Advances in Neural Information Processing Systems 29",
            year=2016,
        ),
        summary="D² draws approximated by Markov chains over few rows",
        complexity="O(ND + mK²D) for chains of length m",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="for hundreds of clusters in much data: after one pass it hardly looks at the rows",
        avoid="where clusters times chain length exceed twice the rows: k-means++ is cheaper",
    )

    chain_length: int = parameter(
        200,
        "proposals per seed; more come nearer to k-means++",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )
    proposal: Literal["afk", "uniform"] = parameter(
        "afk",
        "where proposals come from: half D² from the first seed, half by weight ('afk'), or by "
        "weight alone ('uniform')",
        allowed="'afk' or 'uniform'",
        accepts=lambda v: isinstance(v, str) and v in ("afk", "uniform"),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        first = draw_one(safe.mass, rng)
        chance = self.proposal_chance(safe, first, n_threads)
        cumulative = np.cumsum(chance)
        rows = np.array([first])
        while len(rows) < n_clusters:
            uniforms = rng.random((2, self.chain_length))
            row = _end_of_chain(safe, rows, draw(cumulative, uniforms[0]), chance, uniforms[1])
            if row is None:
                break
            rows = np.append(rows, row)
        stuck = n_clusters - len(rows)
        if stuck:  # every proposal coincides with a seed: the draws themselves, over all rows
            uniforms = rng.random((n_clusters, 1))
            rows = draw_seeds(safe.points.data, uniforms, n_threads, given=rows).rows
        rows, shortfall = add_distinct(points, rows, n_clusters)
        return rows_as_seeds(points, rows, drawn_from_all_rows=stuck, shortfall=shortfall)

    def proposal_chance(self, safe: Plain, first: int, n_threads: int) -> NDArray[np.float64]:
        """The probability with which each row is proposed."""
        by_weight: NDArray[np.float64] = safe.mass / safe.mass.sum()
        if self.proposal == "uniform":
            return by_weight
        share = safe.mass * squares_about(safe.points, safe.points.x[[first]], n_threads)
        total = share.sum()
        return 0.5 * share / total + 0.5 * by_weight if total > 0 else by_weight


def _end_of_chain(
    safe: Plain,
    rows: NDArray[np.int64],
    proposed: NDArray[np.int64],
    chance: NDArray[np.float64],
    uniforms: NDArray[np.float64],
) -> int | None:
    """The row where a chain ends; None where all that are proposed coincide with a seed."""
    squares = nearest(safe.points.take(proposed).data, safe.points.x[rows], 1).squares
    worth = squares * safe.mass[proposed] / chance[proposed]
    at = end_of_chain(worth.tolist(), uniforms.tolist())
    return int(proposed[at]) if worth[at] > 0 else None


def end_of_chain(worth: list[float], uniforms: list[float]) -> int:
    """Metropolis and Hastings: move on to a proposal with probability its worth over that of the
    present place, and always from a place without worth."""
    at = 0
    for i in range(1, len(worth)):
        if worth[at] == 0 or uniforms[i] * worth[at] < worth[i]:
            at = i
    return at
