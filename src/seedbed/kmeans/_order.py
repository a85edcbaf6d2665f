"""Numbering clusters in an order that means something."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seedbed._validation import FloatArray, Points


def cluster_order(
    how: str, centers: FloatArray, labels: NDArray[np.int32], weight: NDArray[np.float64] | None
) -> NDArray[np.intp]:
    """Which cluster becomes number 0, 1, …: the heaviest first ("size"), or centres in the order
    of their first, then second, … feature ("lexicographic"). Equals keep their order."""
    if how == "size":
        mass = np.bincount(labels, weights=weight, minlength=len(centers))
        return np.argsort(-mass, kind="stable")
    return np.lexsort(centers.T[::-1])


def renumbered(
    points: Points, centers: FloatArray, order: NDArray[np.intp], n_threads: int
) -> tuple[FloatArray, NDArray[np.int32]]:
    """Centres in the new order and the labels they give.

    Labels are found anew rather than translated: a point halfway between two centres belongs to
    the one of the lower number, and that may now be the other one.
    """
    centers = centers[order]
    return centers, points.data.assign(centers, n_threads)
