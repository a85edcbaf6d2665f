"""Passes over all pairs of rows, block by block, so that no N × N matrix is ever held.

Distances come from differences; with many attributes from products, which are much faster, and
from differences again where products would lose digits. Each row's sum is taken in the same order
whatever the block. Where only the best row is asked for, products in single precision tell which
rows it may be.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 1 << 19  # pairs at a time: 4 MiB, which a cache may hold
MANY = 64  # attributes from which products pay: at 617 they take a seventeenth of the time
_NEAR = 1e-6  # share of the norms below which a square from products has lost too many digits
_FEW = 0.02  # share of near pairs up to which they are computed one by one
_SINGLE = float(np.finfo(np.float32).eps)


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


class Pairs:
    """All pairs of rows of ``x``."""

    def __init__(self, x: Floats) -> None:
        self.x = x
        self.by_products = x.shape[1] >= MANY
        if self.by_products:
            self.centred = x - x.mean(axis=0)
            self.norms = np.square(self.centred).sum(axis=1)

    def squares(self, rows: Ints | None = None) -> Iterator[tuple[Ints, Floats]]:
        """Squared distances from the rows (None: every one) to all, some rows at a time."""
        rows = np.arange(len(self.x)) if rows is None else rows
        step = max(1, _BLOCK // len(self.x))
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            pair = self._products(some) if self.by_products else None
            yield some, cdist(self.x[some], self.x, "sqeuclidean") if pair is None else pair

    def _products(self, rows: Ints) -> Floats | None:
        """Squared distances by way of products, those of near pairs by differences.

        None where near pairs are so many that products do not pay.
        """
        size = self.norms[rows, np.newaxis] + self.norms
        pair: Floats = size - 2 * (self.centred[rows] @ self.centred.T)
        first, second = np.nonzero(pair < _NEAR * size)
        if len(first) > _FEW * pair.size + len(pair):
            return None
        pair[first, second] = np.square(self.x[rows[first]] - self.x[second]).sum(axis=1)
        return pair

    def gains(
        self, mass: Floats, nearest: Floats, power: int = 2, rows: Ints | None = None
    ) -> Floats:
        """By how much each row, as a further centre, would lower Σ w·dᵖ at once.

        ``nearest`` are the dissimilarities of all rows to their nearest centre so far, squared
        distances for ``power`` 2 and distances for 1.
        """
        found = np.empty(len(self.x) if rows is None else len(rows))
        done = 0
        for some, pair in self.squares(rows):
            if power == 1:
                np.sqrt(pair, out=pair)
            np.subtract(nearest, pair, out=pair)
            np.maximum(pair, 0.0, out=pair)
            pair *= mass
            gain = pair.sum(axis=1)
            gain[nearest[some] == 0.0] = 0.0  # a centre already, whatever rounding says
            found[done : done + len(some)] = gain
            done += len(some)
        return found

    def best_gain(self, mass: Floats, nearest: Floats) -> tuple[int, float]:
        """The row whose gain is greatest, the first among equals, and that gain."""
        rows = self._screened(mass, nearest) if self.by_products else None
        gain = self.gains(mass, nearest, rows=rows)
        best = int(gain.argmax())
        return best if rows is None else int(rows[best]), float(gain[best])

    def _screened(self, mass: Floats, nearest: Floats) -> Ints:
        """The rows that may have the greatest gain, as far as single precision can tell.

        Every pair is looked at once, for the gains of both rows.
        """
        unit, heaviest = float(self.norms.max()), float(mass.max())
        if not unit > 0.0:
            return np.arange(len(self.x))
        x = (self.centred / np.sqrt(unit)).astype(np.float32)
        norms, near = ((v / unit).astype(np.float32) for v in (self.norms, nearest))
        weight = (mass / heaviest).astype(np.float32)
        gain, step = np.zeros(len(x)), max(1, _BLOCK // len(x))
        room = np.empty((2, step, len(x)), dtype=np.float32)
        for start in range(0, len(x), step):
            some, rest = slice(start, start + step), slice(start, None)
            pair, lower = room[:, : len(x[some]), rest]
            np.matmul(x[some] * -2, x[rest].T, out=pair)
            pair += norms[rest]
            pair += norms[some, np.newaxis]
            np.maximum(np.subtract(near[rest], pair, out=lower), 0, out=lower)
            gain[some] += lower @ weight[rest]
            np.maximum(np.subtract(near[some, np.newaxis], pair, out=lower), 0, out=lower)
            gain[start + step :] += weight[some] @ lower[:, step:]
        # A pair's terms are at most 4 and the nearest square: each is rounded a few times, products
        # once for every attribute, and sums once for every row.
        attributes, n = self.x.shape[1], len(x)
        each = (attributes + 16) * 4 * _SINGLE + 4 * _SINGLE * near.astype(np.float64)
        error = float(weight.astype(np.float64) @ each) + n * _SINGLE * gain
        return np.flatnonzero(gain + error >= (gain - error).max())
