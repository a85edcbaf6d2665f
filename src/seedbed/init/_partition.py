"""Var-Part and PCA-Part: split the cluster of largest error until there are K (Su & Dy 2007).

The cut lies at the mean, as published, or where Otsu's criterion puts it (Celebi & Kingravi 2012),
or where the squared error of the two sides is least. No bit of the result depends on the order of
the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seedbed._core._partition import Axis, partition
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._registry import register
from seedbed.init._shortfall import add_farthest

_SU_DY = Reference(
    authors="Su, T. & Dy, J. G.",
    title="In search of deterministic methods for initializing k-means and Gaussian mixture "
    "clustering",
    venue="Intelligent Data Analysis 11, 319–338",
    year=2007,
)


@dataclass(frozen=True, kw_only=True)
class _Divisive(Method):
    """What the two methods share: everything but the axis.

    ``threshold="otsu"``: Celebi, M. E. & Kingravi, H. A. (2012). Deterministic initialization of
    the k-means algorithm using hierarchical clustering. International Journal of Pattern
    Recognition and Artificial Intelligence 26(7), 1250018.
    """

    axis: ClassVar[Axis]

    threshold: Literal["mean", "otsu", "exact"] = parameter(
        "mean",
        "where to cut: at the mean (as published), by Otsu's histogram (Celebi & Kingravi 2012), "
        "or exactly where the squared error of the two sides is least",
        allowed="'mean', 'otsu' or 'exact'",
        accepts=lambda v: isinstance(v, str) and v in ("mean", "otsu", "exact"),
    )
    bins: int = parameter(
        256,
        "bins of Otsu's histogram; the other thresholds have none",
        allowed="an int between 2 and 65536",
        accepts=lambda v: is_integer(v) and 2 <= v <= 65536,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        found = partition(
            points.data,
            n_clusters,
            axis=self.axis,
            threshold=self.threshold,
            bins=int(self.bins),
            n_threads=n_threads,
        )
        # Splitting ends early only where weights differ by so much (more than 2⁸⁰) that the error
        # of distinct rows vanishes beside that of others.
        centers, added = add_farthest(points, found.centers, n_clusters, n_threads)
        info = {
            "splits": found.splits,
            "sizes": found.sizes,
            "errors": found.errors,
            "shortfall": len(added),
        }
        return Seeds(centers + 0, info=info)  # -0 becomes 0


@register
@dataclass(frozen=True, kw_only=True)
class VarPart(_Divisive):
    """Split across the attribute of largest variance."""

    axis = "attribute"
    meta = Meta(
        id="var-part",
        letter="V",
        name="Var-Part",
        aliases=("variance-partition",),
        presets={
            "otsu-var-part": {"threshold": "otsu"},
            "ov": {"threshold": "otsu"},
            "exact-var-part": {"threshold": "exact"},
        },
        family="linear",
        reference=_SU_DY,
        summary="split the worst cluster across its attribute of largest variance",
        complexity="O(ND log K), at worst O(NDK)",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for one good start, always the same, at the cost of a few iterations",
        avoid="where attributes are strongly correlated: PCA-Part sees directions, this does not",
    )


@register
@dataclass(frozen=True, kw_only=True)
class PCAPart(_Divisive):
    """Split across the principal axis."""

    axis = "principal"
    meta = Meta(
        id="pca-part",
        letter="P",
        name="PCA-Part",
        aliases=("pca-partition",),
        presets={
            "otsu-pca-part": {"threshold": "otsu"},
            "op": {"threshold": "otsu"},
            "exact-pca-part": {"threshold": "exact"},
        },
        family="linear",
        reference=_SU_DY,
        summary="split the worst cluster across its principal axis",
        complexity="O(ND² log K) up to D=128, then O(ND log K) times the steps of an iteration",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for one good start, always the same, also where attributes are correlated",
        avoid="with thousands of attributes when time is short: Var-Part is far cheaper",
    )
