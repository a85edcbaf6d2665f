"""Passes over all pairs of rows, block by block, so that no N × N matrix is ever held.

Distances come from differences; with many attributes from products, which are much faster, and
from differences again where products would lose digits. Each row's sum is taken in the same order
whatever the block.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]

_BLOCK = 1 << 21  # pairs at a time: 16 MiB


_MANY = 64  # attributes from which products pay: at 617 they take a seventeenth of the time
_NEAR = 1e-6  # share of the norms below which a square from products has lost too many digits
_FEW = 0.02  # share of near pairs up to which they are computed one by one


def square_blocks(x: Floats) -> Iterator[tuple[slice, Floats]]:
    """Squared distances from some rows to all, block after block, with the rows they are from."""
    step = max(1, _BLOCK // len(x))
    centred = x - x.mean(axis=0) if x.shape[1] >= _MANY else None
    for start in range(0, len(x), step):
        block = slice(start, min(start + step, len(x)))
        pair = None if centred is None else _by_products(centred, block)
        yield block, cdist(x[block], x, "sqeuclidean") if pair is None else pair


def _by_products(x: Floats, block: slice) -> Floats | None:
    """Squared distances by way of products, those of near pairs by differences.

    None where near pairs are so many that products do not pay.
    """
    norms = np.square(x).sum(axis=1)
    size = norms[block, np.newaxis] + norms
    pair: Floats = size - 2 * (x[block] @ x.T)
    rows, columns = np.nonzero(pair < _NEAR * size)
    if len(rows) > _FEW * pair.size + len(pair):
        return None
    pair[rows, columns] = np.square(x[block][rows] - x[columns]).sum(axis=1)
    return pair


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
    found[nearest == 0.0] = 0.0  # a centre already, whatever rounding says
    return found
