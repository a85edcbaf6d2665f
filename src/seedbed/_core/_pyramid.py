"""The thin typed face of pictures of rows on a grid, each coarser than the one before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

Floats = NDArray[np.float64]


class Cells(NamedTuple):
    """Occupied cells of the finest picture, sorted by their bits so that those of any coarser one
    are neighbours."""

    positions: NDArray[np.uint16]  # cells × features
    mass: Floats  # the weight of the rows in each
    joins: NDArray[np.uint8]  # the level from which a cell is one with the cell before it

    def sizes(self, levels: int) -> NDArray[np.int64]:
        """How many cells the pictures of so many levels have, the finest first."""
        joined = np.cumsum(np.bincount(self.joins, minlength=levels))[:levels]
        sizes: NDArray[np.int64] = len(self.joins) - joined
        return sizes

    def picture(self, level: int, means: Floats, masses: Floats) -> None:
        """Write the picture of a level: the weighted mean position of each of its cells, and their
        masses. The room must be of the right size."""
        _native.make_picture(self.positions, self.mass, self.joins, level, means, masses)


def sort_cells(
    positions: NDArray[np.uint16],
    bits: int,
    keys: NDArray[np.int64],
    weight: Floats | None,
) -> Cells:
    """Cells of rows at ``positions`` below ``2**bits``; the attributes that are ``keys`` decide
    which of them are one in coarser pictures."""
    positions, keys = np.ascontiguousarray(positions), np.ascontiguousarray(keys, np.int64)
    return Cells(*_native.sort_cells(positions, bits, keys, weight))
