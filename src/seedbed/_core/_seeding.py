"""The thin typed face of the native seeding kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

if TYPE_CHECKING:
    from seedbed._core._native import DatasetDouble, DatasetFloat


def distinct_rows(data: DatasetFloat | DatasetDouble, limit: int) -> NDArray[np.int64]:
    """The first ``limit`` rows that differ from all rows before them, or all such rows."""
    return _native.distinct_rows(data, limit)
