"""The native side of the criteria: counting label pairs, and the sum of squared errors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from seedbed._core import _native

Counts = npt.NDArray[np.int64]


class Cells(NamedTuple):
    """The occupied cells of a contingency table, in row-major order, and its margins."""

    classes: Counts
    clusters: Counts
    rows: Counts
    columns: Counts
    counts: Counts
    row_margins: Counts
    column_margins: Counts


def count_cells(truth: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> Cells:
    """Count the pairs of labels of two integer vectors of equal length (int32 or wider)."""
    both_narrow = truth.dtype == np.int32 and predicted.dtype == np.int32
    kind = np.int32 if both_narrow else np.int64
    return Cells(
        *_native.contingency(
            np.ascontiguousarray(truth, dtype=kind), np.ascontiguousarray(predicted, dtype=kind)
        )
    )


def sum_of_largest(counts: Counts, groups: Counts, n_groups: int) -> int:
    """Add up the largest count of each group, whose numbers go from 0 to ``n_groups`` - 1."""
    return _native.sum_of_largest(counts, groups, n_groups)


def count_pairs(counts: Counts) -> int:
    """Sum c(c-1)/2 over the counts as an exact integer of any size."""
    return _native.pairs(np.ascontiguousarray(counts, dtype=np.int64))


def sum_of_squares(
    X: npt.NDArray[Any],
    labels: npt.NDArray[np.int32],
    centers: npt.NDArray[Any],
    weight: npt.NDArray[np.float64] | None,
) -> float:
    """Sum w·|x − centre of x|² in double precision, from the differences.

    `X` and `centers` are C-contiguous and both float32 or both float64; labels index `centers`.
    """
    if X.dtype == np.float32:
        return _native.DatasetFloat(X, weight, 1).sse(centers, labels, 1)
    return _native.DatasetDouble(X, weight, 1).sse(centers, labels, 1)
