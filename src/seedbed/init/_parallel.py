"""k-means‖: a few rounds that each draw many candidates at once, which are then clustered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._search import lower_nearest, nearest
from seedbed._validation import FloatArray, Points, is_integer, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._draws import Plain, draw_by_weight, plain
from seedbed.init._inner import run_inner_once
from seedbed.init._plus_plus import KMeansPlusPlus
from seedbed.init._registry import register
from seedbed.init._shortfall import add_drawn, replace_repeats


@register
@dataclass(frozen=True, kw_only=True)
class KMeansParallel(Method):
    """Candidates drawn in rounds, weighed by the rows they attract, and clustered to K.

    By default it is faster than k-means++ for hundreds of clusters, and its seeds are better; the
    paper's five rounds of twice as many candidates take longer and give better seeds still.
    """

    meta = Meta(
        id="k-means||",
        name="k-means‖",
        aliases=("k-means-parallel", "scalable-k-means++"),
        family="modern",
        reference=Reference(
            authors="Bahmani, B., Moseley, B., Vattani, A., Kumar, R. & Vassilvitskii, S.",
            title="Scalable k-means++",
            venue="Proceedings of the VLDB Endowment 5(7), 622–633",
            year=2012,
            doi="10.14778/2180912.2180915",
        ),
        summary="a few rounds of many D² draws at once, clustered to K",
        complexity="O(NKD) per round, in few passes over the data",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="part",
        selects_rows=False,
        use="for hundreds of clusters in much data: few passes, and better than k-means++",
        avoid="with few clusters or little data, where greedy k-means++ is as good and simpler",
    )

    oversampling: float = parameter(
        1.0,
        "candidates expected per round, as a multiple of the number of clusters; 2 in the paper",
        allowed="a number > 0",
        accepts=lambda v: isinstance(v, float | int) and not isinstance(v, bool) and v > 0,
    )
    rounds: int = parameter(
        3,
        "rounds of draws; 5 in the paper",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        rows, mass = self._candidates(safe, n_clusters, rng, n_threads)
        centers = _reclustered(safe, rows, mass, n_clusters, rng, n_threads)
        centers, shortfall = replace_repeats(points, safe.restored(centers), rng)
        shortfall += max(0, n_clusters - len(rows))
        return Seeds(centers, info={"candidates": len(rows), "shortfall": shortfall})

    def _candidates(
        self, safe: Plain, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rows and the mass that each attracts; those that coincide with another attract nothing
        and are left out."""
        points = safe.points
        rows = np.array([draw_by_weight(safe, rng)])
        near = nearest(points.data, points.x[rows], n_threads)
        for _ in range(self.rounds):
            share = near.squares if points.weight is None else safe.mass * near.squares
            drawn = draw_each(share, self.oversampling * n_clusters, rng)
            if len(drawn) == 0:
                continue
            near = lower_nearest(points.data, points.x[rows], points.x[drawn], near, n_threads)
            rows = np.concatenate([rows, drawn])
        weights = None if points.weight is None else safe.mass
        attracted: Any = np.bincount(near.labels, weights, len(rows)).astype(np.float64)
        kept = attracted > 0
        return rows[kept], attracted[kept]


def keep_chance(share: NDArray[np.float64], expected: float, total: float) -> NDArray[np.float64]:
    """Probability to keep rows: proportional to their share of the total, and 1 at most.

    Unless some are cut off at 1 they sum to ``expected`` over all rows.
    """
    chance: NDArray[np.float64] = np.minimum(1.0, expected / total * share)
    return chance


def draw_each(
    share: NDArray[np.float64], expected: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Rows, each kept or not independently of the others with its `keep_chance`, in order.

    As many candidates are drawn as if all had the greatest chance, which is that of few rows; each
    is then kept with its own chance over the greatest. That needs no random number for most rows.
    """
    total = float(share.sum())
    if total == 0.0:
        return np.empty(0, np.int64)
    greatest = float(keep_chance(share.max(), expected, total))
    drawn = rng.choice(len(share), rng.binomial(len(share), greatest), replace=False, shuffle=False)
    chance = keep_chance(share[drawn], expected, total)
    return np.sort(drawn[rng.random(len(drawn)) * greatest < chance])


def _reclustered(
    safe: Plain,
    rows: NDArray[np.int64],
    mass: NDArray[np.float64],
    n_clusters: int,
    rng: np.random.Generator,
    n_threads: int,
) -> FloatArray:
    """Weighted k-means++ and k-means on the candidates; D² draws from all rows where too few."""
    x = safe.points.x[rows]
    if len(rows) <= n_clusters:
        return add_drawn(safe.points, x, n_clusters, rng)
    candidates = points_of(x, mass, n_threads=n_threads)
    seeds = KMeansPlusPlus()._seed(candidates, n_clusters, rng, n_threads)
    return run_inner_once(candidates, seeds.centers, n_threads, max_iter=30).centers
