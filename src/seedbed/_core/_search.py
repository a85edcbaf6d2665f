"""The thin typed face of the native local search: nearest centres, swaps, Hartigan's moves."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native
from seedbed._core._engine import MOST_ITERATIONS

FloatArray: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
Dataset: TypeAlias = "_native.DatasetFloat | _native.DatasetDouble"


class Nearest(NamedTuple):
    """Every row's nearest centre (the lowest index among equals) and the square of its distance."""

    labels: NDArray[np.int32]
    squares: NDArray[np.float64]


class TwoNearest(NamedTuple):
    """The same for the two nearest; ``second`` is -1, infinitely far, where there is one centre."""

    first: NDArray[np.int32]
    squares: NDArray[np.float64]
    second: NDArray[np.int32]
    next_squares: NDArray[np.float64]


class Swapped(NamedTuple):
    """What swapping centres for rows led to."""

    centers: FloatArray
    rows: NDArray[np.int64]  # the row in each centre's place, -1 where the centre was kept
    cost: NDArray[np.float64]  # at the start and after each step: never rises
    distances: int


class Refined(NamedTuple):
    """What Hartigan's passes led to."""

    centers: FloatArray  # the means of the labels
    labels: NDArray[np.int32]
    passes: NDArray[np.float64]  # a row per pass: SSE after it, rows moved, distances


def nearest(data: Dataset, centers: FloatArray, n_threads: int) -> Nearest:
    """The nearest centre of every row."""
    return Nearest(*_native.nearest(data, np.ascontiguousarray(centers), n_threads))


def lower_nearest(
    data: Dataset, old: FloatArray, fresh: FloatArray, near: Nearest, n_threads: int
) -> Nearest:
    """The nearest of old and fresh centres, numbered in this order, from the nearest old one."""
    return Nearest(*_native.lower_nearest(data, old, fresh, *near, n_threads))


def two_nearest(data: Dataset, centers: FloatArray, n_threads: int) -> TwoNearest:
    """The two nearest centres of every row."""
    return TwoNearest(*_native.two_nearest(data, np.ascontiguousarray(centers), n_threads))


def swap_search(
    data: Dataset, centers: FloatArray, uniforms: NDArray[np.float64], n_threads: int
) -> Swapped:
    """A step of local search for each row of ``uniforms`` (steps × swaps at once)."""
    found: dict[str, Any] = _native.swap_search(
        data, np.ascontiguousarray(centers), uniforms, n_threads
    )
    return Swapped(found["centers"], found["rows"], found["cost"], found["distances"])


def best_mean_swap(
    data: Dataset, centers: FloatArray, row: int, n_threads: int
) -> tuple[int, FloatArray]:
    """The centre to swap for a row (-1 for none) so that the error about the new means is least,
    and those means."""
    return _native.best_mean_swap(data, np.ascontiguousarray(centers), row, n_threads)


def hartigan(
    data: Dataset,
    centers: FloatArray,
    labels: NDArray[np.int32],
    max_passes: int,
    n_threads: int,
) -> Refined:
    """Move single rows between clusters while that lowers the error, ``max_passes`` at most."""
    passes = min(max_passes, MOST_ITERATIONS)
    return Refined(
        *_native.hartigan(data, np.ascontiguousarray(centers), labels, passes, n_threads)
    )
