"""Rejection sampling for k-means++: rows are proposed by their distance to the mean and accepted so
that seeds have exactly the distribution of D² draws, without a pass over the data per seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._search import nearest
from seedbed._core._seeding import draw_seeds
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._draws import Plain, draw, draw_one, mean_of, plain, squares_about
from seedbed.init._registry import register
from seedbed.init._shortfall import add_distinct

_BATCH = 64  # proposals looked at together, at first


@register
@dataclass(frozen=True, kw_only=True)
class RejectionKMeansPlusPlus(Method):
    """k-means++, draw for draw in distribution, at a cost that hardly depends on the rows.

    Once a seed takes more than ``tries`` proposals, it and those after it are drawn over all rows
    as k-means++ does; that leaves the distribution as it is. (The paper then draws uniformly.)
    """

    meta = Meta(
        id="rs-k-means++",
        name="RS-k-means++",
        aliases=("rejection-sampling-k-means++", "rs-kmpp"),
        family="modern",
        reference=Reference(
            authors="Shah, P., Agrawal, S. & Jaiswal, R.",
            title="A new rejection sampling approach to k-means++ with improved trade-offs",
            venue="arXiv:2502.02085",
            year=2025,
            doi="10.48550/arXiv.2502.02085",
        ),
        summary="k-means++ by proposing rows and rejecting most, not by passes",
        complexity="O(ND + βK²D), β the error of one cluster over that of K",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="for hundreds of clusters in much data without clear clusters, in place of k-means++",
        avoid="where clusters are tight: nearly all proposals are then rejected",
    )

    tries: int | None = parameter(
        None,
        "proposals for one seed before all rows are looked at; None for a tenth of the rows, where "
        "that costs about as much",
        allowed="None or an int >= 1",
        accepts=lambda v: v is None or (is_integer(v) and v >= 1),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        rows = np.array([draw_one(safe.mass, rng)])
        proposals = _Proposals.about(safe, int(rows[0]), n_threads)
        limit = max(_BATCH, points.n // 10) if self.tries is None else self.tries
        proposed = 0
        while len(rows) < n_clusters:
            row, looked_at = proposals.accepted(safe, rows, limit, rng)
            proposed += looked_at
            if row is None:
                break
            rows = np.append(rows, row)
        left = n_clusters - len(rows)
        if left:
            uniforms = rng.random((n_clusters, 1))
            rows = draw_seeds(safe.points.data, uniforms, n_threads, given=rows).rows
        rows, shortfall = add_distinct(points, rows, n_clusters)
        return rows_as_seeds(
            points, rows, proposals=proposed, drawn_from_all_rows=left, shortfall=shortfall
        )


@dataclass(frozen=True, eq=False)
class _Proposals:
    """Rows drawn by w(‖x‖² + ‖c₀‖²), norms about the mean: at least half of w·md², whatever the
    seeds, as long as c₀ is one of them."""

    bound: NDArray[np.float64]  # ‖x‖² + ‖c₀‖²
    cumulative: NDArray[np.float64]

    @classmethod
    def about(cls, safe: Plain, first: int, n_threads: int) -> _Proposals:
        squares = squares_about(safe.points, mean_of(safe.points), n_threads)
        bound = squares + squares[first]
        return cls(bound, np.cumsum(safe.mass * bound))

    def accepted(
        self, safe: Plain, rows: NDArray[np.int64], limit: int, rng: np.random.Generator
    ) -> tuple[int | None, int]:
        """The first proposal that is accepted (None if there is none) and how many were made."""
        made, batch = 0, _BATCH
        while made < limit and self.cumulative[-1] > 0:
            uniforms = rng.random((2, min(batch, limit - made)))
            proposed = draw(self.cumulative, uniforms[0])
            squares = nearest(safe.points.take(proposed).data, safe.points.x[rows], 1).squares
            accept = 2 * uniforms[1] * self.bound[proposed] < squares
            if accept.any():
                first = int(accept.argmax())
                return int(proposed[first]), made + first + 1
            made += len(proposed)
            batch *= 2
        return None, made
