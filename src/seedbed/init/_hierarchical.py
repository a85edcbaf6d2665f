"""Hierarchical start: cut an agglomerative tree where it has K branches (Lance & Williams 1967)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from seedbed._core._seeding import distinct_rows, draw_seeds, label_means
from seedbed._validation import Points, is_integer, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import ADVICE, distinct_frame, frame, n_max_parameter
from seedbed.init._linkage import agglomerate
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Hierarchical(Method):
    """The means of the clusters of an agglomerative tree.

    Recommended by Milligan (1980), who compared starts for k-means. Rows beyond ``n_max`` are
    refused unless ``micro_clusters`` says how to summarise them; then the seeds are random.
    """

    meta = Meta(
        id="hierarchical",
        name="Hierarchical",
        aliases=("lance-williams", "agglomerative"),
        presets={
            "ward": {"linkage": "ward"},
            "average-linkage": {"linkage": "average"},
            "complete-linkage": {"linkage": "complete"},
            "single-linkage": {"linkage": "single"},
        },
        family="quadratic",
        reference=Reference(
            authors="Lance, G. N. & Williams, W. T.",
            title="A general theory of classificatory sorting strategies: II. Clustering systems",
            venue="The Computer Journal 10, 271–277",
            year=1967,
            doi="10.1093/comjnl/10.3.271",
        ),
        summary="the means of the branches of an agglomerative tree, Ward's by default",
        complexity="O(N²D), N² numbers of memory",
        cost="quadratic",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for a few thousand rows: Ward's linkage lowers the same error as k-means and often "
        "ends near the best solution",
        avoid="for large data; and single linkage, which chains clusters that touch",
    )

    linkage: Literal["ward", "average", "complete", "single"] = parameter(
        "ward",
        "how far apart two clusters are: by the error that joining them adds (ward), or by the "
        "average, the largest (complete) or the smallest (single) distance of their rows",
        allowed="'ward', 'average', 'complete' or 'single'",
        accepts=lambda v: isinstance(v, str) and v in ("ward", "average", "complete", "single"),
    )
    n_max: int = n_max_parameter(5_000)
    micro_clusters: int | None = parameter(
        None,
        "what to do with more than n_max rows: None to refuse them, or m to build the tree over "
        "the means of m·K micro-clusters around k-means++ seeds (20 is usual)",
        allowed="None or an int >= 2",
        accepts=lambda v: v is None or (is_integer(v) and v >= 2),
    )

    @property
    def deterministic(self) -> bool:
        return self.micro_clusters is None

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        if (
            self.micro_clusters is not None
            and len(distinct_rows(points.data, self.n_max + 1)) > self.n_max
        ):
            whole = frame(points, n_threads)
            count = max(n_clusters, min(self.micro_clusters * n_clusters, self.n_max))
            leaves = _micro_clusters(whole.points, count, rng, n_threads)
        else:
            whole = distinct_frame(
                points,
                self.n_max,
                self.meta.id,
                n_threads,
                why="it holds the distances of all pairs of rows",
                advice=f"pass micro_clusters=20 to build the tree over a summary, {ADVICE}",
            )
            leaves = whole.points
        x: Any = leaves.x
        mass = np.ones(leaves.n) if leaves.weight is None else leaves.weight
        branches = min(n_clusters, leaves.n)
        labels = agglomerate(x, mass, branches, self.linkage)
        means: Any = label_means(leaves.data, labels, branches)
        sizes = np.bincount(labels, weights=mass)
        info = {"linkage": self.linkage, "leaves": leaves.n, "sizes": sizes}
        return whole.mean_seeds(means, n_clusters, n_threads, **info)


def _micro_clusters(points: Points, count: int, rng: np.random.Generator, n_threads: int) -> Points:
    """The means of the rows nearest to each k-means++ seed, with the weight of those rows."""
    drawn = draw_seeds(points.data, rng.random((count, 1)), n_threads)
    nearest = points.data.assign(points.x[drawn.rows], n_threads)
    used, inverse = np.unique(nearest, return_inverse=True)
    labels = inverse.reshape(-1).astype(np.int32)
    means = label_means(points.data, labels, len(used))
    mass = np.bincount(labels, weights=points.weight).astype(np.float64)
    return points_of(means, mass, n_threads=n_threads)
