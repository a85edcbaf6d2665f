"""`read_table`: from a file of one's own to numbers, or to an error that names the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

from seedbed.data._extras import require


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """The numbers of a file.

    Attributes
    ----------
    path : Path
        Where they come from.
    X : ndarray of shape (n, d)
        Attributes in float64.
    feature_names : tuple of str
        One for each column of ``X``.
    y : ndarray of shape (n,) or None
        Codes of the classes, from 0.
    class_names : tuple of str
        One for each code, in sorted order.
    weight : ndarray of shape (n,) or None
        Weights of the rows.
    notes : tuple of str
        What should be known about how the file was read.
    """

    path: Path
    X: npt.NDArray[np.float64]
    feature_names: tuple[str, ...]
    y: npt.NDArray[np.int64] | None
    class_names: tuple[str, ...]
    weight: npt.NDArray[np.float64] | None
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        n, d = self.X.shape
        classes = f", {len(self.class_names)} classes" if self.y is not None else ""
        return f"Table({self.path.name!r}: {n:,} rows × {d:,} attribute{'s' * (d != 1)}{classes})"


def read_table(
    path: str | PathLike[str],
    *,
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
    label: str | None = None,
    weight: str | None = None,
    separator: str | None = None,
    header: bool | None = None,
) -> Table:
    """Read the numbers of a file: .csv, .tsv (also .gz), .parquet or .npy.

    Every attribute must be a finite number in every row. Text, a missing value or infinity is
    refused with the column and the row, which counts from 1 without the header.

    Parameters
    ----------
    path : str or path
        The file.
    columns : sequence of str, default=()
        Attributes to take; all that have no other part by default.
    drop : sequence of str, default=()
        Columns to leave out.
    label : str or None, default=None
        The column with known classes, of any type.
    weight : str or None, default=None
        The column with weights of the rows.
    separator : str or None, default=None
        That of a CSV file, if not that of its extension.
    header : bool or None, default=None
        Whether a CSV file has one. If None, a first row of numbers only is data.

    Returns
    -------
    Table
        Its numbers.

    Raises
    ------
    TableError
        The file is not such a table; the message says where and what to do.
    """
    require("polars", "to read tables")
    from seedbed.data._columns import Choice, choose
    from seedbed.data._frames import read_frame

    frame = read_frame(Path(path), separator=separator, header=header)
    chosen = choose(frame, Choice(_names(columns), _names(drop), label, weight))
    return Table(
        path=Path(path),
        X=chosen.x,
        feature_names=chosen.names,
        y=chosen.classes,
        class_names=chosen.class_names,
        weight=chosen.weight,
        notes=frame.notes,
    )


def _names(given: Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
