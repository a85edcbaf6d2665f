"""Reading tables: CSV and TSV (gzipped or not, with a header or without), Parquet, npy."""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from seedbed.cli._errors import UserError, as_user_error
from seedbed.cli._paths import READABLE, SEPARATORS, check_input, extension


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a file, and what should be known about how it was read."""

    path: Path
    frame: pl.DataFrame
    notes: tuple[str, ...] = ()


def read_table(path: Path, *, separator: str | None = None, header: bool | None = None) -> Table:
    """Read a file of one of the `READABLE` kinds, told by its name.

    ``separator`` and ``header`` are for CSV and TSV. By default they follow from the extension and
    from the first row, which is no header when all its fields are numbers.
    """
    check_input(path)
    kind = extension(path, READABLE, what="read")
    with as_user_error(OSError, prefix=f"{path} cannot be read: "):
        if kind == ".npy":
            table = Table(path, _read_npy(path))
        elif kind == ".parquet":
            table = Table(path, _read_parquet(path))
        else:
            table = _read_csv(path, separator or SEPARATORS[kind], header)
    if table.frame.height == 0 or table.frame.width == 0:
        raise UserError(f"{path} has no rows of data")
    return table


def column_names(n: int) -> list[str]:
    """Names for columns that have none, counting from 1."""
    return [f"column_{i}" for i in range(1, n + 1)]


def _read_npy(path: Path) -> pl.DataFrame:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise UserError(f"{path} is not a NumPy array file of numbers: {error}") from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiub":
        kind = getattr(array, "dtype", "an archive of arrays")
        raise UserError(f"{path} holds {kind}; clustering needs one array of real numbers")
    if array.ndim != 2:
        raise UserError(
            f"{path} holds an array of shape {array.shape}; it must have two dimensions, "
            "rows × attributes"
        )
    return pl.from_numpy(array.astype(np.float64), schema=column_names(array.shape[1]))


def _read_parquet(path: Path) -> pl.DataFrame:
    with as_user_error(pl.exceptions.PolarsError, prefix=f"{path} is not a Parquet file: "):
        return pl.read_parquet(path)


def _read_csv(path: Path, separator: str, header: bool | None) -> Table:
    first = _first_row(path, separator)
    if not first:
        raise UserError(f"{path} has only blank lines")
    numbers = sum(_is_number(field) for field in first)
    has_header = numbers < len(first) if header is None else header
    frame = _parse_csv(path, separator, has_header)
    names = frame.columns if has_header else column_names(frame.width)
    named = [name or default for name, default in zip(names, column_names(len(names)), strict=True)]
    # Blank lines come as rows without any value.
    filled = frame.rename(dict(zip(frame.columns, named, strict=True))).filter(
        ~pl.all_horizontal(pl.all().is_null())
    )
    notes = _header_notes(first, numbers) if has_header else []
    if filled.height < frame.height:
        notes.append(f"{frame.height - filled.height} blank row(s) were skipped")
    return Table(path, filled, tuple(notes))


def _parse_csv(path: Path, separator: str, has_header: bool) -> pl.DataFrame:
    try:
        return pl.read_csv(
            path, separator=separator, has_header=has_header, infer_schema_length=None
        )
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        if "more fields" in reason:
            reason = "some row has more fields than the first one"
        raise UserError(
            f"{path} is not a table separated by {separator!r}: {reason}; "
            "see --separator and --header"
        ) from error


def _header_notes(first: list[str], numbers: int) -> list[str]:
    notes = []
    if numbers:
        notes.append(
            f"the first row was taken as the header although {numbers} of its {len(first)} fields "
            "are numbers; pass --no-header if it is data"
        )
    notes += [
        f"column {i} has no name and is called {name!r}; drop it with --drop-columns if it only "
        "numbers the rows"
        for i, (field, name) in enumerate(zip(first, column_names(len(first)), strict=True), 1)
        if not field.strip()
    ]
    return notes


def _first_row(path: Path, separator: str) -> list[str]:
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter=separator)
            return next((row for row in rows if any(field.strip() for field in row)), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} is not text in UTF-8: {error}") from error
    except (gzip.BadGzipFile, EOFError) as error:
        raise UserError(f"{path} is not a gzip file: {error}") from error


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
