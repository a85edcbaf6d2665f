"""Var-Part and PCA-Part: split the cluster of largest error until there are K (Su & Dy 2007).

The cut lies at the mean, as published, or where Otsu's criterion puts it (Celebi & Kingravi 2012), or
where the squared error of the two sides is least. Deterministic, and free of the order of rows to the
last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seedbed._core._partition import Axis, Threshold, partition
from seedbed._validation import FloatArray, Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._registry import register

SU_DY = Reference(
    authors="T. Su and J. G. Dy",
    title="In search of deterministic methods for initializing k-means and Gaussian mixture "
    "clustering",
    venue="Intelligent Data Analysis 11:319–338",
    year=2007,
)
CELEBI_KINGRAVI = Reference(
    authors="M. E. Celebi and H. A. Kingravi",
    title="Deterministic initialization of the k-means algorithm using hierarchical clustering",
    venue="International Journal of Pattern Recognition and Artificial Intelligence 26(7):1250018",
    year=2012,
)


@dataclass(frozen=True, kw_only=True)
class _Divisive(Method):
    """What the two methods share: everything but the axis."""

    axis: ClassVar[Axis]

    threshold: Threshold = parameter(
        "mean",
        "where to cut: at the mean (as published), by Otsu's histogram (Celebi & Kingravi 2012), "
        "or exactly where the squared error of the two sides is least",
        allowed="'mean', 'otsu' or 'exact'",
        accepts=lambda value: value in ("mean", "otsu", "exact"),
    )
    bins: int = parameter(
        256,
        "bins of Otsu's histogram; the others have none",
        allowed="an int between 2 and 65536",
        accepts=lambda value: is_integer(value) and 2 <= value <= 65536,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        found = partition(
            points.data,
            n_clusters,
            axis=self.axis,
            threshold=self.threshold,
            bins=self.bins,
            n_threads=n_threads,
        )
        info = {"splits": found.splits, "sizes": found.sizes, "errors": found.errors}
        missing = n_clusters - len(found.centers)
        if missing == 0:
            return Seeds(found.centers, info=info)
        centers = _completed(points, found.centers, missing, n_threads)
        return Seeds(centers, info={**info, "shortfall": missing})


def _completed(points: Points, centers: FloatArray, missing: int, n_threads: int) -> FloatArray:
    """The centres and then the rows farthest from all before, the least row among equals.

    Splitting ends early only where weights differ by so much (more than 2⁸⁰) that the error of
    some distinct rows vanishes beside the others.
    """
    for _ in range(missing):
        nearest = points.data.assign(centers, n_threads)  # type: ignore[arg-type]
        offset = points.x.astype(np.float64) - centers[nearest]
        square = np.square(offset / np.abs(offset).max()).sum(axis=1)
        farthest = points.x[square == square.max()]
        least = farthest[np.lexsort(farthest.T[::-1])[:1]]
        centers = np.concatenate([centers, least])
    return centers


@register
@dataclass(frozen=True, kw_only=True)
class VarPart(_Divisive):
    """Split across the attribute of largest variance."""

    axis: ClassVar[Axis] = "attribute"
    meta: ClassVar[Meta] = Meta(
        id="var-part",
        letter="V",
        name="Var-Part",
        reference=SU_DY,
        summary="split the worst cluster across its widest attribute",
        family="divisive",
        complexity="O(N·D·log K), at worst O(N·D·K)",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        presets={
            "otsu-var-part": {"threshold": "otsu"},
            "OV": {"threshold": "otsu"},
            "exact-var-part": {"threshold": "exact"},
        },
        use="one good start, the same every time, at the cost of a few iterations of k-means",
        avoid="when the attributes are strongly correlated: PCA-Part finds the direction that matters",
    )


@register
@dataclass(frozen=True, kw_only=True)
class PCAPart(_Divisive):
    """Split across the principal axis."""

    axis: ClassVar[Axis] = "principal"
    meta: ClassVar[Meta] = Meta(
        id="pca-part",
        letter="P",
        name="PCA-Part",
        reference=SU_DY,
        summary="split the worst cluster across its principal axis",
        family="divisive",
        complexity="O(N·D²·log K) up to 128 attributes, O(N·D·log K) per step of an iteration beyond",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        presets={
            "otsu-pca-part": {"threshold": "otsu"},
            "OP": {"threshold": "otsu"},
            "exact-pca-part": {"threshold": "exact"},
        },
        use="one good start, the same every time, also where attributes are correlated",
        avoid="when there are thousands of attributes and time is short: Var-Part is cheaper",
    )
