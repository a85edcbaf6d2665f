"""The thin typed face of pictures of rows on a grid, each coarser than the one before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

Floats = NDArray[np.float64]


class Cells(NamedTuple):
    """Occupied cells of a picture, sorted by their bits so that those of any coarser one are
    neighbours."""

    level: int  # of the picture: finer ones are not known
    means: Floats  # cells × features: the mean position of the rows in each
    mass: Floats  # their weight
    joins: NDArray[np.uint8]  # the level from which a cell is one with the cell before it

    def sizes(self, levels: int) -> NDArray[np.int64]:
        """How many cells the pictures of so many levels have, the finest first; those of levels
        that are not known have at least as many as given."""
        joined = np.cumsum(np.bincount(self.joins, minlength=levels))[:levels]
        sizes: NDArray[np.int64] = len(self.joins) - joined
        return sizes

    def coarser(self, level: int) -> Cells:
        """The cells of a coarser picture."""
        size = int(self.sizes(level + 1)[level])
        made = np.empty((size, self.means.shape[1])), np.empty(size), np.empty(size, np.uint8)
        _native.make_picture(self.means, self.mass, self.joins, level, *made)
        return Cells(level, *made)


def sort_cells(
    positions: NDArray[np.uint16],
    bits: int,
    keys: NDArray[np.int64],
    weight: Floats | None,
    *,
    least: int,
    most: float,
) -> Cells:
    """Cells of rows at ``positions`` below ``2**bits``.

    Rows are one cell of a level where the attributes that are ``keys`` differ in no more than so
    many of their lowest bits; of level 0, where all attributes are equal. The cells are those of
    the finest picture of at most ``most`` of them, or of a finer one where that has fewer than
    ``least``.
    """
    positions, keys = np.ascontiguousarray(positions), np.ascontiguousarray(keys, np.int64)
    return Cells(*_native.sort_cells(positions, bits, keys, weight, least=least, most=most))
