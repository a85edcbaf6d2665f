"""Passes over all pairs of rows, block by block, so that no N × N matrix is ever held.

Distances come from differences, and each row's sum is taken in the same order whatever the block.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]

_BLOCK = 1 << 21  # pairs at a time: 16 MiB


def square_blocks(x: Floats) -> Iterator[tuple[slice, Floats]]:
    """Squared distances from some rows to all, block after block, with the rows they are from."""
    step = max(1, _BLOCK // len(x))
    for start in range(0, len(x), step):
        block = slice(start, min(start + step, len(x)))
        yield block, cdist(x[block], x, "sqeuclidean")


def squares_to(x: Floats, center: Floats) -> Floats:
    """Squared distances of all rows to one point."""
    squares: Floats = cdist(x, center[np.newaxis], "sqeuclidean")[:, 0]
    return squares


def nearest_squares(x: Floats, centers: Floats) -> Floats:
    """Squared distances of all rows to the nearest of the centres."""
    nearest = squares_to(x, centers[0])
    for center in centers[1:]:
        np.minimum(nearest, squares_to(x, center), out=nearest)
    return nearest


def gains(x: Floats, mass: Floats, nearest: Floats, power: int = 2) -> Floats:
    """By how much each row, as a further centre, would lower Σ w·dᵖ at once.

    ``nearest`` are the rows' dissimilarities to their nearest centre so far, squared distances for
    ``power`` 2 and distances for 1.
    """
    found = np.empty(len(x))
    for block, pair in square_blocks(x):
        if power == 1:
            np.sqrt(pair, out=pair)
        np.subtract(nearest, pair, out=pair)
        np.maximum(pair, 0.0, out=pair)
        pair *= mass
        found[block] = pair.sum(axis=1)
    return found
