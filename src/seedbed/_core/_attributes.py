"""The thin typed face of the native look at attributes: range and spread, and grids over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

if TYPE_CHECKING:
    from seedbed._core._native import DatasetDouble, DatasetFloat

    Dataset = DatasetFloat | DatasetDouble

MOST_CELLS = 1 << 16  # along an attribute: positions are 16-bit numbers


class Attributes(NamedTuple):
    """Each attribute's range, and its weighted mean and (population) standard deviation.

    The same bits for any order of rows and any number of threads.
    """

    least: NDArray[np.float32] | NDArray[np.float64]
    greatest: NDArray[np.float32] | NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]

    def widest(self, count: int) -> NDArray[np.int64]:
        """The ``count`` attributes of largest variance, in order of their number."""
        ranked = np.argsort(-self.deviation, kind="stable")[:count]
        return np.sort(ranked).astype(np.int64)


class Groups(NamedTuple):
    """Equal rows: the group of each row, numbered by appearance, and the first row of each."""

    labels: NDArray[np.int32]
    first: NDArray[np.int64]


def describe_attributes(data: Dataset, n_threads: int) -> Attributes:
    """Range, mean and deviation of every attribute."""
    found = _native.describe_attributes(data, n_threads)
    return Attributes(found["least"], found["greatest"], found["mean"], found["deviation"])


def mean_of_attributes(data: Dataset, n_threads: int) -> NDArray[np.float64]:
    """The weighted mean of every attribute, the same bits as in `describe_attributes`."""
    return _native.mean_of_attributes(data, n_threads)


def range_of_attributes(data: Dataset) -> tuple[NDArray[Any], NDArray[Any]]:
    """The least and the greatest value of every attribute, known without looking at the rows."""
    return _native.range_of_attributes(data)


def largest_magnitude(data: Dataset) -> float:
    """The greatest absolute value of all."""
    return _native.largest_magnitude(data)


def unit_of(data: Dataset) -> float:
    """A power of two by which rows can be divided so that their differences lie within ±2; it is
    less than twice what it need be, within 2^±1000."""
    return _native.unit_of(data)


def cell_positions(
    data: Dataset, attributes: NDArray[np.int64], cells: int, n_threads: int
) -> NDArray[np.uint16]:
    """In which of ``cells`` equal intervals of each attribute's range every row lies."""
    return _native.grid_positions(
        data, attributes, steps=float(cells), offset=0.0, top=cells - 1, n_threads=n_threads
    )


def nearest_levels(
    data: Dataset, attributes: NDArray[np.int64], levels: int, n_threads: int
) -> NDArray[np.uint16]:
    """Which of ``levels`` equally spaced values of each attribute's range is nearest."""
    top = levels - 1
    return _native.grid_positions(
        data, attributes, steps=float(top), offset=0.5, top=top, n_threads=n_threads
    )


def group_rows(rows: NDArray[np.uint16], shift: int = 0) -> Groups:
    """Groups of rows that are equal once ``shift`` bits are dropped from every value."""
    return Groups(*_native.group_rows(np.ascontiguousarray(rows), shift))


def fewest_groups(rows: NDArray[np.uint16], shift: int = 0) -> int:
    """A number of such groups that there are at least, some per cent below what it is; the same for
    any order of rows, and found many times faster."""
    return _native.fewest_groups(np.ascontiguousarray(rows), shift)
