"""The thin typed face of native sorting: rows in the order of one number each, all or a few."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

Keys = NDArray[np.float32] | NDArray[np.float64]


class Order(NamedTuple):
    """Rows in the order of their keys, equal keys in the order of the rows; and the sorted keys."""

    rows: NDArray[np.int64]
    keys: NDArray[Any]


def argsort(keys: Keys, n_threads: int) -> Order:
    """The stable order of float32 or float64 ``keys``, as by ``np.argsort(keys, kind="stable")``.

    Time is linear in their number. NaN is refused with a ValueError.
    """
    return Order(*_native.argsort(np.ascontiguousarray(keys), n_threads))


def rows_at(places: NDArray[np.intp], keys: Keys, n_threads: int) -> NDArray[np.int64]:
    """The rows at some ``places`` of that order, ``argsort(keys).rows[places]`` without sorting
    what lies between them. Places must be in ``0..len(keys) - 1``."""
    places = np.ascontiguousarray(places, np.int64)
    return _native.select_rows(np.ascontiguousarray(keys), places, n_threads)
