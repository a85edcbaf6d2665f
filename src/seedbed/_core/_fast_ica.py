"""The thin typed face of a native step of FastICA."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

Floats = NDArray[np.float64]

TILE_ROWS = _native.TILE_ROWS


class Tiles(NamedTuple):
    """Whitened rows, ``TILE_ROWS`` at a time and attribute by attribute, and their shares.

    The last tile is filled up with rows of zeros that have no share.
    """

    values: Floats  # tiles × attributes × TILE_ROWS
    share: Floats  # tiles × TILE_ROWS, adding up to one


class Contrast(NamedTuple):
    """Sums over rows ``z`` of share ``p``, with ``g = tanh(rotation @ z)``."""

    bend: Floats  # Σ p·g·zᵀ
    slope: Floats  # Σ p·(1 - g²)


def empty_tiles(n: int, n_attributes: int) -> Tiles:
    """Room for ``n`` rows, all zeros."""
    count = -(-n // TILE_ROWS)
    return Tiles(np.zeros((count, n_attributes, TILE_ROWS)), np.zeros((count, TILE_ROWS)))


def contrast(tiles: Tiles, rotation: Floats, n_threads: int) -> Contrast:
    """What a step of FastICA needs to know of all rows; the same bits for any ``n_threads``."""
    rotation = np.ascontiguousarray(rotation, np.float64)
    found = _native.contrast(tiles.values, tiles.share, rotation, n_threads)
    return Contrast(found[:, :-1], found[:, -1])
