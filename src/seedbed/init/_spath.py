"""Späth's systematic partition: deal the rows out in turn and start from the means of the hands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._seeding import label_means
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Spath(Method):
    """Row i has label i mod K; a label's seed is the weighted mean of its rows."""

    meta = Meta(
        id="spath",
        name="Späth",
        aliases=("spaeth", "systematic-partition"),
        family="linear",
        reference=Reference(
            authors="Späth, H.",
            title="Computational experiences with the exchange method: applied to four commonly "
            "used partitioning cluster analysis criteria",
            venue="European Journal of Operational Research 1, 23–31",
            year=1977,
            doi="10.1016/S0377-2217(77)81005-9",
        ),
        summary="means of the rows dealt out in turn",
        complexity="O(ND)",
        cost="linear",
        deterministic=True,
        order_sensitive=True,
        weights="part",
        selects_rows=False,
        use="as a baseline that is the same every time",
        avoid="in general: all seeds lie near the mean of the data; and where the order of the "
        "rows has a period",
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        labels = np.arange(points.n, dtype=np.int64) % n_clusters
        return Seeds(label_means(points.data, labels.astype(np.int32), n_clusters))
