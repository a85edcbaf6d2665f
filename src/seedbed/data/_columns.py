"""From the columns of a table to what clustering needs: points, weights, known classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt
import polars as pl

from seedbed._formats import did_you_mean, listed
from seedbed.data._frames import Frame
from seedbed.exceptions import TableError


@dataclass(frozen=True)
class Choice:
    """Which columns play which part, as it was asked for."""

    columns: tuple[str, ...] = ()  # empty: all that have no other part
    drop: tuple[str, ...] = ()
    label: str | None = None
    weight: str | None = None


@dataclass(frozen=True, eq=False)
class Columns:
    """What is clustered: the rows, the names of their attributes, and what goes with them.

    ``classes`` are coded from 0 in the order of ``class_names``.
    """

    x: npt.NDArray[np.float64]
    names: tuple[str, ...]
    weight: npt.NDArray[np.float64] | None
    classes: npt.NDArray[np.int64] | None
    class_names: tuple[str, ...] = ()


def choose(table: Frame, choice: Choice) -> Columns:
    """Take the chosen columns of a table, all of which must be numbers without gaps."""
    names = _attributes(table, choice)
    numbers = _as_numbers(table, names)
    for name, column in zip(names, numbers.iter_columns(), strict=True):
        _check_finite(table, name, column)
    classes: npt.NDArray[np.int64] | None = None
    class_names: tuple[str, ...] = ()
    if choice.label is not None:
        classes, class_names = _classes(table, choice.label)
    return Columns(
        x=numbers.to_numpy(order="c"),
        names=tuple(names),
        weight=None if choice.weight is None else _weights(table, choice.weight),
        classes=classes,
        class_names=class_names,
    )


def _attributes(table: Frame, choice: Choice) -> list[str]:
    words = table.words
    parts = {words.label: choice.label, words.weight: choice.weight}
    roles = {option: name for option, name in parts.items() if name is not None}
    for option, names in (
        (words.columns, choice.columns),
        (words.drop, choice.drop),
        *((option, (name,)) for option, name in roles.items()),
    ):
        _check_known(table, option, names)
    for option, name in roles.items():
        if name in choice.columns:
            raise TableError(
                f"column {name!r} is given to both {words.columns} and {option}; choose one"
            )
    taken = {*choice.drop, *roles.values()}
    candidates = dict.fromkeys(choice.columns or table.frame.columns)
    left = [name for name in candidates if name not in taken]
    if not left:
        raise TableError(f"no column of {table.path} is left to cluster; see {words.columns}")
    return left


def _check_known(table: Frame, option: str, names: Sequence[str]) -> None:
    known = table.frame.columns
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; it has {listed(known)}"
            raise TableError(f"{option}: {table.path} has no column {name!r}{hint}")


def _as_numbers(table: Frame, names: list[str]) -> pl.DataFrame:
    """The named columns in float64; text counts as a number where every value of it is one."""
    numbers = {name: _number_column(table.frame[name]) for name in names}
    bad = [name for name, column in numbers.items() if column is None]
    if bad:
        raise TableError(_not_numbers(table, bad))
    return pl.DataFrame({name: column for name, column in numbers.items() if column is not None})


def _number_column(column: pl.Series) -> pl.Series | None:
    if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
        return column.cast(pl.Float64)
    if column.dtype != pl.String:
        return None
    text = column.str.strip_chars()
    numbers = text.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == text.replace("", None).null_count() else None


def _not_numbers(table: Frame, bad: list[str]) -> str:
    frame = table.frame
    message = f"column(s) {listed(bad)} of {table.path} are not numbers{_example(frame[bad[0]])}"
    if table.frame.width == 1 and ";" in bad[0]:
        semicolon = table.words.given(table.words.separator, ";")
        return f"{message}; the fields seem to be separated by ';': pass {semicolon}"
    return (
        f"{message}; leave them out with {table.words.naming(table.words.drop, bad)}, or choose "
        f"with {table.words.columns}"
    )


def _example(column: pl.Series) -> str:
    """Where a column that should be numbers holds something else."""
    if column.dtype != pl.String:
        return f" ({column.name!r} holds {column.dtype})"
    text = column.str.strip_chars().fill_null("")
    row = (text.cast(pl.Float64, strict=False).is_null() & (text != "")).arg_true()[0]
    return f" (row {row + 1} of {column.name!r} holds {column[row]!r})"


def _check_finite(table: Frame, name: str, column: pl.Series) -> None:
    if not column.is_finite().fill_null(False).all():
        _refuse_gap(table, name, column)


def _refuse_gap(table: Frame, name: str, column: pl.Series) -> NoReturn:
    wrong = ~column.is_finite().fill_null(False)
    row = int(wrong.arg_true()[0])
    value = column[row]
    what = "is missing" if value is None else "is NaN" if value != value else "is infinite"
    raise TableError(
        f"{table.path}: row {row + 1}, column {name!r} {what} ({wrong.sum()} such value(s) in this "
        "column); fill in or remove such rows, or leave the column out with "
        f"{table.words.naming(table.words.drop, [name])}"
    )


def _weights(table: Frame, name: str) -> npt.NDArray[np.float64]:
    column = _number_column(table.frame[name])
    if column is None:
        raise TableError(
            f"{table.words.weight}: column {name!r} is not numbers{_example(table.frame[name])}"
        )
    _check_finite(table, name, column)
    weights = column.to_numpy()
    low, high = weights.min(), weights.max()
    if low < 0.0 or high == 0.0:
        raise TableError(
            f"{table.words.weight}: the weights in {name!r} run from {low:g} to {high:g}; they "
            "must not be negative, and some must be positive"
        )
    return weights


def _classes(table: Frame, name: str) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """Known classes of any type, coded from 0 in sorted order: 9 comes before 10 where they are
    numbers."""
    column = table.frame[name]
    try:
        text = column.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise TableError(f"{table.words.label}: column {name!r} cannot be used: {error}") from error
    missing = text.is_null() | text.is_in(["", "NaN"])
    if missing.any():
        row = int(missing.arg_true()[0])
        raise TableError(
            f"{table.words.label}: row {row + 1} of column {name!r} is missing; every row needs a "
            "class"
        )
    ordered = column if column.dtype.is_numeric() else text
    values, codes = np.unique(ordered.to_numpy(), return_inverse=True)
    return codes.astype(np.int64), tuple(str(value) for value in values.tolist())
