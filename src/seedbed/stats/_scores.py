"""A table of scores from whatever the user has: rows are data sets, columns are methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MISSING = ("error", "drop")


@dataclass(frozen=True, eq=False)
class Scores:
    """A full table of finite scores, and how many rows were dropped to make it full."""

    values: NDArray[np.float64]
    names: tuple[str, ...]
    n_dropped: int = 0


def as_scores(table: Any, *, names: Sequence[str] | None = None, missing: str = "error") -> Scores:
    """Check a table (NumPy, pandas, polars or nested lists) and drop incomplete rows if asked."""
    if missing not in MISSING:
        raise ValueError(f"missing={missing!r} is unknown; use one of {', '.join(MISSING)}")
    if np.ndim(table) == 0:
        raise TypeError(f"scores={table!r} is not a table; give rows of data sets × methods")
    columns = _column_names(table)
    values = _as_numbers(table, columns)
    if values.ndim != 2:
        raise ValueError(
            f"scores have {values.ndim} dimension(s) but must have 2, data sets × methods"
        )
    labels = _checked_names(columns if names is None else names, values.shape[1])
    incomplete: NDArray[np.bool_] = np.isnan(values).sum(axis=1, keepdims=True) > 0
    n_dropped = int(incomplete.sum())
    if n_dropped and missing == "error":
        raise ValueError(
            f"the score {_place(np.isnan(values), labels)} is missing, and {n_dropped} "
            f'of {len(values)} rows are incomplete; fill them in, or pass missing="drop" to leave '
            "those data sets out"
        )
    infinite = np.isinf(values) & ~incomplete
    if infinite.any():
        raise ValueError(
            f"the score {_place(infinite, labels)} is infinite; ranks need no infinity: "
            "give a run that failed a finite score worse than all others"
        )
    values = values[~incomplete[:, 0]]
    _check_size(values, n_dropped=n_dropped)
    return Scores(np.ascontiguousarray(values), labels, n_dropped)


def _column_names(table: Any) -> list[str] | None:
    if isinstance(table, np.ndarray) or not hasattr(table, "columns"):
        return None
    return [str(name) for name in table.columns]


def _as_numbers(table: Any, columns: list[str] | None) -> NDArray[np.float64]:
    if isinstance(table, np.ma.MaskedArray):
        return np.ma.filled(table.astype(np.float64), np.nan)
    array = np.asarray(table.to_numpy() if columns is not None else table)
    if array.dtype.kind in "fiu":
        return array.astype(np.float64)
    if array.dtype.kind == "O":  # pandas with missing values, polars with a column of text
        for (i, j), value in np.ndenumerate(array.reshape(len(array), -1)):
            if not _is_number(value):
                name = f"{columns[j]!r}" if columns is not None else f"{j}"
                raise TypeError(
                    f"column {name} of the scores holds {value!r} at row {i}, which is no number; "
                    "leave out columns that are not scores of a method"
                )
        empty = np.frompyfunc(_is_missing, 1, 1)(array).astype(bool)
        return np.where(empty, np.nan, array).astype(np.float64)
    raise TypeError(f"scores have dtype {array.dtype}, but must be real numbers")


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType"


def _is_number(value: Any) -> bool:
    if _is_missing(value):
        return True
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _checked_names(names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"m{j}" for j in range(1, n + 1))
    labels = tuple(str(name) for name in names)
    if len(labels) != n:
        raise ValueError(f"{len(labels)} names were given for {n} columns; give one for each")
    twice = sorted({name for name in labels if labels.count(name) > 1})
    if twice:
        raise ValueError(f"the name {twice[0]!r} stands over several columns; rename all but one")
    if not all(name.strip() for name in labels):
        raise ValueError(f"column {[bool(s.strip()) for s in labels].index(False)} has no name")
    return labels


def _place(bad: NDArray[np.bool_], names: tuple[str, ...]) -> str:
    i, j = np.unravel_index(int(bad.argmax()), bad.shape)
    return f"of row {i}, column {names[j]!r}"


def _check_size(values: NDArray[np.float64], *, n_dropped: int) -> None:
    rows, columns = values.shape
    if columns < 2:
        raise ValueError(f"scores have {columns} column(s); there must be two methods at least")
    if rows < 2:
        dropped = f" after {n_dropped} incomplete ones were dropped" * bool(n_dropped)
        raise ValueError(
            f"scores have {rows} row(s){dropped}; there must be two data sets at least"
        )
