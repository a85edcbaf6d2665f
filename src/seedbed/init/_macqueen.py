"""MacQueen's second method: rows drawn at random without replacement.

This is what scikit-learn calls "random" and what many programs call "Forgy".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
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


def draw_rows(points: Points, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """``count`` distinct rows at random, without replacement; the data must have as many.

    With weights, rows come in the order of keys e/w with e exponential: each next row is drawn
    with probability proportional to weight among those left. A row equal to an earlier one is
    passed over.
    """
    if points.weight is None:
        order = rng.choice(points.n, count, replace=False)
        if not _all_distinct(points, order):
            left = np.delete(np.arange(points.n), order)
            order = np.concatenate([order, rng.permutation(left)])
    else:
        order = np.argsort(rng.standard_exponential(points.n) / points.weight, kind="stable")
    if _all_distinct(points, order[:count]):
        return order[:count].astype(np.int64)
    return order[distinct_rows(points.take(order).data, count)].astype(np.int64)


def _all_distinct(points: Points, rows: NDArray[np.int64]) -> bool:
    return len(distinct_rows(points.take(rows).data, len(rows))) == len(rows)
