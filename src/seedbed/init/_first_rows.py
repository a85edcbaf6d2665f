"""MacQueen's first method: the first rows of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._seeding import distinct_rows
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Seeds, parameter, rows_as_seeds
from seedbed.init._macqueen import MacQueen
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class FirstRows(Method):
    """The first rows that differ from each other, or simply the first.

    Often given as the default of SPSS's quick cluster; that makes a pass for well separated cases
    instead, and takes the first rows only when told NOINITIAL.
    """

    meta = Meta(
        id="macqueen-1",
        name="MacQueen 1",
        aliases=("first-k", "first-k-rows"),
        family="linear",
        reference=MacQueen.meta.reference,
        summary="the first rows of the data",
        complexity="O(KD)",
        cost="linear",
        deterministic=True,
        order_sensitive=True,
        weights="no",
        selects_rows=True,
        use="where rows come in random order and seeds must be the same every time for nothing",
        avoid="where rows are sorted or grouped: the first ones then belong together",
    )

    distinct: bool = parameter(
        True,
        "whether to pass over rows equal to an earlier one; if not, seeds may coincide",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool | np.bool_),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        if self.distinct:
            return rows_as_seeds(points, distinct_rows(points.data, n_clusters))
        return rows_as_seeds(points, np.arange(n_clusters, dtype=np.int64))
