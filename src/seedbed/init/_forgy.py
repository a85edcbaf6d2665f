"""Forgy's random partition: label every row at random and start from the means of the labels.

The name means other things elsewhere: random rows (which is MacQueen's second method here), or an
alias of Lloyd's iterations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import label_means
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Forgy(Method):
    """Means of a random partition of the rows."""

    meta = Meta(
        id="forgy",
        letter="F",
        name="Forgy",
        aliases=("random-partition",),
        family="linear",
        reference=Reference(
            authors="Forgy, E.",
            title="Cluster analysis of multivariate data: efficiency vs. interpretability of "
            "classifications",
            venue="Biometrics 21, 768",
            year=1965,
        ),
        summary="means of a random partition of the rows",
        complexity="O(ND)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="part",
        selects_rows=False,
        use="as a baseline; it costs one pass over the data",
        avoid="in general: all seeds lie near the mean of the data",
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        labels = rng.integers(0, n_clusters, size=points.n, dtype=np.int32)
        filled = _fill_empty(labels, n_clusters, rng)
        return Seeds(label_means(points.data, labels, n_clusters), info={"filled": filled})


def _fill_empty(labels: NDArray[np.int32], n_labels: int, rng: np.random.Generator) -> int:
    """Give each unused label one random row of a label that has two or more; how many there were.

    Walking through the rows in random order draws uniformly from those that may move: a row that
    may not move now never may later.
    """
    counts = np.bincount(labels, minlength=n_labels)
    empty = list(np.flatnonzero(counts == 0)[::-1])
    found = len(empty)
    if not found:
        return 0
    for row in rng.permutation(len(labels)):
        if counts[labels[row]] < 2:
            continue
        counts[labels[row]] -= 1
        labels[row] = empty.pop()
        counts[labels[row]] = 1
        if not empty:
            break
    return found
