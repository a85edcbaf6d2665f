"""The thin typed face of what FastICA has to know of all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

if TYPE_CHECKING:
    from seedbed._core._native import DatasetDouble

Floats = NDArray[np.float64]

TILE_ROWS = _native.TILE_ROWS


class Tiles(NamedTuple):
    """Whitened rows, ``TILE_ROWS`` at a time and attribute by attribute, and their shares.

    The last tile is filled up with rows of zeros that have no share.
    """

    values: Floats  # tiles × attributes × TILE_ROWS
    share: Floats  # tiles × TILE_ROWS, adding up to one


class Contrast(NamedTuple):
    """Sums over rows ``z`` of share ``p``, with ``g`` a curve at ``rotation @ z``."""

    bend: Floats  # Σ p·g·zᵀ
    slope: Floats  # Σ p·g'


class Leading(NamedTuple):
    """The greatest cosine between rows and a direction, and the rows that have it."""

    cosine: float  # minus infinity where none counts
    rows: NDArray[np.int64]


def covariance(data: DatasetDouble, mean: Floats, n_threads: int) -> Floats:
    """The weighted mean of products of attributes, less the mean of each."""
    found = _native.second_moments(data, _plain(mean), n_threads)
    d = len(mean)
    square, below = np.empty((d, d)), np.tril_indices(d)
    square[below] = found
    square.T[below] = found
    return square


def fourth_moments(data: DatasetDouble, mean: Floats, axes: Floats, n_threads: int) -> Floats:
    """The mean of z_i·z_j·z_k·z_l, with ``z = axes @ (x - mean)``, as r² × r²: row i·r + j, column
    k·r + l."""
    found = _native.fourth_moments(data, _plain(mean), _plain(axes), n_threads)
    r = len(axes)
    codes = np.ravel_multi_index(
        list(np.sort(np.indices((r,) * 4).reshape(4, -1), axis=0)), (r,) * 4
    )
    place = np.unique(codes, return_inverse=True)[1].reshape(-1)
    return found[place].reshape(r * r, r * r)


def whitened(data: DatasetDouble, mean: Floats, axes: Floats, n_threads: int) -> Tiles:
    """Rows less the mean as coordinates along axes."""
    return Tiles(*_native.whiten(data, _plain(mean), _plain(axes), n_threads))


def contrast(tiles: Tiles, rotation: Floats, n_threads: int, *, cube: bool = False) -> Contrast:
    """What a step of FastICA needs to know of all rows; the same bits for any ``n_threads``.

    The curve is tanh, or the cube.
    """
    found = _native.contrast(
        tiles.values, tiles.share, _plain(rotation), cube=cube, n_threads=n_threads
    )
    return Contrast(found[:, :-1], found[:, -1])


def leading_rows(
    data: DatasetDouble,
    origin: Floats,
    directions: Floats,
    ceiling: Floats,
    n_threads: int,
    *,
    absolute: bool,
    tie: float,
) -> list[Leading]:
    """For each direction (of length one) the rows, seen from the origin, of greatest cosine.

    Only cosines below a direction's ``ceiling`` count; those closer than ``tie`` are equal.
    """
    found = _native.leading_rows(
        data,
        _plain(origin),
        _plain(directions),
        _plain(ceiling),
        absolute=absolute,
        tie=tie,
        n_threads=n_threads,
    )
    return [Leading(*one) for one in found]


def _plain(values: Any) -> Floats:
    return np.ascontiguousarray(values, np.float64)
