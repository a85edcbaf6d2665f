"""The contingency table of two labellings: the only thing the external criteria look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from seedbed._core._criteria import Counts, count_cells
from seedbed.criteria._labels import integer_labels


@dataclass(frozen=True, eq=False)
class Contingency:
    """How many points of each class each cluster holds.

    Only occupied cells are kept: cell ``i`` lies in row ``rows[i]`` (class ``classes[rows[i]]``)
    and column ``columns[i]`` (cluster ``clusters[columns[i]]``) and holds ``counts[i]`` points.
    Cells come row by row; classes and clusters in ascending order, without empty ones. All counts
    are 64-bit and all arrays read-only.

    Attributes
    ----------
    classes, clusters : ndarray
        The labels, as they were given.
    rows, columns, counts : ndarray of int64
        Where each cell is, and how many points it holds.
    row_margins, column_margins : ndarray of int64
        Points of each class, and of each cluster.
    """

    classes: npt.NDArray[Any]
    clusters: npt.NDArray[Any]
    rows: Counts
    columns: Counts
    counts: Counts
    row_margins: Counts
    column_margins: Counts

    @cached_property
    def n(self) -> int:
        """Number of points."""
        return int(self.row_margins.sum())

    @property
    def shape(self) -> tuple[int, int]:
        """Number of classes and number of clusters."""
        return self.row_margins.size, self.column_margins.size

    def to_array(self) -> Counts:
        """Return the whole table, empty cells included, as an array of this shape.

        Returns
        -------
        ndarray of int64, classes × clusters
            A new array.
        """
        table = np.zeros(self.shape, dtype=np.int64)
        table[self.rows, self.columns] = self.counts
        return table


def contingency(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> Contingency:
    """Count how the labels of two labellings of the same points meet.

    Labels may be integers of any size, whole floating-point numbers, truth values or strings, in
    anything NumPy can read: lists, arrays, pandas or polars columns. The two labellings need not
    be of the same kind.

    Parameters
    ----------
    labels_true : array-like
        The classes.
    labels_pred : array-like
        The clusters of the same points.

    Returns
    -------
    Contingency
        The table.

    Examples
    --------
    >>> contingency(["a", "a", "b"], [1, 1, 2]).to_array().tolist()
    [[2, 0], [0, 1]]
    """
    truth = integer_labels(labels_true, "labels_true")
    predicted = integer_labels(labels_pred, "labels_pred")
    if truth.values.size != predicted.values.size:
        raise ValueError(
            f"labels_true has {truth.values.size} labels and labels_pred {predicted.values.size}; "
            "both must label the same points, in the same order."
        )
    cells = count_cells(truth.values, predicted.values)
    table = Contingency(
        classes=truth.name(cells.classes),
        clusters=predicted.name(cells.clusters),
        rows=cells.rows,
        columns=cells.columns,
        counts=cells.counts,
        row_margins=cells.row_margins,
        column_margins=cells.column_margins,
    )
    for array in vars(table).values():
        array.flags.writeable = False
    return table
