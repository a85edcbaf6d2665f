"""MacQueen's second method: rows drawn at random without replacement.

This is what scikit-learn calls "random" and what many programs call "Forgy".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_among
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, rows_as_seeds
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class MacQueen(Method):
    """Distinct rows drawn at random, with weights: heavier rows sooner."""

    meta = Meta(
        id="macqueen",
        letter="M",
        name="MacQueen",
        aliases=("random", "macqueen-2", "random-rows", "random-points", "sample"),
        family="linear",
        reference=Reference(
            authors="MacQueen, J.",
            title="Some methods for classification and analysis of multivariate observations",
            venue="Proceedings of the 5th Berkeley Symposium on Mathematical Statistics and "
            "Probability 1, 281–297",
            year=1967,
        ),
        summary="rows drawn at random without replacement",
        complexity="O(KD)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="part",
        selects_rows=True,
        use="as a baseline, or with many restarts where seeding must cost nothing",
        avoid="for many or unequal clusters: small ones are easily missed",
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        rows = draw_rows(points, n_clusters, rng)
        return rows_as_seeds(points, rows)


def draw_rows(
    points: Points,
    count: int,
    rng: np.random.Generator,
    among: NDArray[np.intp] | None = None,
) -> NDArray[np.int64]:
    """``count`` distinct rows at random, without replacement; the data must have as many.

    With weights, rows come in the order of keys e/w with e exponential: each next row is drawn
    with probability proportional to weight among those left. A row equal to an earlier one is
    passed over. They are drawn ``among`` some rows, where these are given.
    """
    n = points.n if among is None else len(among)
    order: NDArray[Any]
    if points.weight is None:
        order = rng.choice(n, count, replace=False)
        if not _all_distinct(points, _rows_at(order, among)):
            left = np.delete(np.arange(n), order)
            order = np.concatenate([order, rng.permutation(left)])
    else:
        weight = points.weight if among is None else points.weight[among]
        order = np.argsort(rng.standard_exponential(n) / weight, kind="stable")
    rows = _rows_at(order, among)
    if _all_distinct(points, rows[:count]):
        return rows[:count]
    return rows[distinct_among(points.data, rows, count)]


def _rows_at(places: NDArray[Any], among: NDArray[np.intp] | None) -> NDArray[np.int64]:
    rows: NDArray[Any] = places if among is None else among[places]
    return rows.astype(np.int64)


def _all_distinct(points: Points, rows: NDArray[np.int64]) -> bool:
    return len(distinct_among(points.data, rows, len(rows))) == len(rows)
