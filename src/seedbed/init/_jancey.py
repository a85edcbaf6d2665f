"""Jancey's method: points drawn uniformly in the bounding box of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from seedbed._core._attributes import range_of_attributes
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Jancey(Method):
    """Every coordinate of every seed is drawn by itself, uniformly between the attribute's ends."""

    meta = Meta(
        id="jancey",
        name="Jancey",
        aliases=("uniform-box", "bounding-box"),
        family="linear",
        reference=Reference(
            authors="Jancey, R. C.",
            title="Multidimensional group analysis",
            venue="Australian Journal of Botany 14, 127–130",
            year=1966,
            doi="10.1071/BT9660127",
        ),
        summary="points drawn uniformly in the bounding box of the data",
        complexity="O(ND + KD)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="no",
        selects_rows=False,
        use="as a baseline, or where the data fill their bounding box",
        avoid="with more than a few attributes: most of the box is empty, and so are clusters that "
        "start there",
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        low, high = (edge.astype(np.float64) for edge in range_of_attributes(points.data))
        part = rng.random((n_clusters, points.d))
        # Not low + part·(high − low), which may overflow, and may miss a constant by rounding.
        drawn: Any = np.clip(low * (1.0 - part) + high * part, low, high)
        return Seeds(drawn.astype(points.x.dtype))
