"""Reading files into frames: CSV and TSV (gzipped or not, with a header or without), Parquet, npy.

Needs polars. `seedbed.data.read_table` goes on from here to numbers.
"""

from __future__ import annotations

import csv
import gzip
import shlex
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import polars as pl

from seedbed._formats import READABLE, SEPARATORS, check_readable, extension
from seedbed.exceptions import TableError


@dataclass(frozen=True)
class Words:
    """What the options are called where a table is asked for, so that errors say what to do.

    With ``assigned`` they are written ``drop=['a', 'b']``, without ``--drop a,b``.
    """

    columns: str = "columns"
    drop: str = "drop"
    label: str = "label"
    weight: str = "weight"
    separator: str = "separator"
    header: str = "header"
    no_header: str = "header=False"
    assigned: bool = True

    def given(self, option: str, value: str) -> str:
        """An option with a value, as a reader would write it."""
        return f"{option}={value!r}" if self.assigned else f"{option} {value!r}"

    def naming(self, option: str, names: Sequence[str]) -> str:
        """An option with names of columns; on a command line, quoted for CSV and for the shell."""
        if self.assigned:
            return f"{option}={list(names)!r}"
        return f"{option} {shlex.quote(','.join(map(_quoted, names)))}"


def _quoted(name: str) -> str:
    """A name as a field of CSV."""
    plain = name == name.strip() and not set(name) & set(',"\r\n')
    return name if plain else '"' + name.replace('"', '""') + '"'


PYTHON = Words()


@dataclass(frozen=True, eq=False)
class Frame:
    """The columns of a file, what should be known about how it was read, and what the options are
    called."""

    path: Path
    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    words: Words = PYTHON


def read_frame(
    path: Path,
    *,
    separator: str | None = None,
    header: bool | None = None,
    words: Words = PYTHON,
) -> Frame:
    """Read a file of one of the `READABLE` kinds, told by its name.

    ``separator`` and ``header`` are for CSV and TSV. By default they follow from the extension and
    from the first row, which is no header when all its fields are numbers. Errors say what to do in
    ``words``.
    """
    check_readable(path)
    kind = extension(path, READABLE, what="read")
    try:
        if kind == ".npy":
            read = Frame(path, _read_npy(path), words=words)
        elif kind == ".parquet":
            read = Frame(path, _read_parquet(path), words=words)
        else:
            read = _read_csv(path, separator or SEPARATORS[kind], header, words)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror or error}") from error
    if read.frame.height == 0 or read.frame.width == 0:
        raise TableError(f"{path} has no rows of data; give a file with at least one")
    return read


def column_names(n: int) -> list[str]:
    """Names for columns that have none, counting from 1."""
    return [f"column_{i}" for i in range(1, n + 1)]


def _read_npy(path: Path) -> pl.DataFrame:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise TableError(f"{path} is not a NumPy array file of numbers: {error}") from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiub":
        kind = getattr(array, "dtype", "an archive of arrays")
        raise TableError(f"{path} holds {kind}; clustering needs one array of real numbers")
    if array.ndim != 2:
        raise TableError(
            f"{path} holds an array of shape {array.shape}; it must have two dimensions, "
            "rows × attributes"
        )
    return pl.from_numpy(array.astype(np.float64), schema=column_names(array.shape[1]))


def _read_parquet(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise TableError(f"{path} is not a Parquet file: {error}") from error


def _read_csv(path: Path, separator: str, header: bool | None, words: Words) -> Frame:
    first = _first_row(path, separator)
    if not first:
        raise TableError(f"{path} has only blank lines")
    numbers = sum(_is_number(field) for field in first)
    has_header = numbers < len(first) if header is None else header
    frame = _parse_csv(path, separator, has_header, words)
    names = frame.columns if has_header else column_names(frame.width)
    named = [name or default for name, default in zip(names, column_names(len(names)), strict=True)]
    # Blank lines come as rows without any value.
    filled = frame.rename(dict(zip(frame.columns, named, strict=True))).filter(
        ~pl.all_horizontal(pl.all().is_null())
    )
    notes = _header_notes(first, numbers, words) if has_header else []
    if filled.height < frame.height:
        notes.append(f"{frame.height - filled.height} blank row(s) were skipped")
    return Frame(path, filled, tuple(notes), words)


def _parse_csv(path: Path, separator: str, has_header: bool, words: Words) -> pl.DataFrame:
    try:
        return pl.read_csv(
            path,
            separator=separator,
            has_header=has_header,
            infer_schema_length=None,
            eol_char=_line_end(path),
        )
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        if "more fields" in reason:
            reason = _longer_row(path, separator)
        raise TableError(
            f"{path} is not a table separated by {separator!r}: {reason}; "
            f"see {words.separator} and {words.header}"
        ) from error


def _longer_row(path: Path, separator: str) -> str:
    with _opened(path) as file:
        rows = csv.reader(file, delimiter=separator)
        expected = len(next(row for row in rows if row))
        for row in rows:
            if len(row) > expected:
                return (
                    f"line {rows.line_num} has {len(row)} fields, more than the {expected} of the "
                    "first one"
                )
    return "some row has more fields than the first one"


def _header_notes(first: list[str], numbers: int, words: Words) -> list[str]:
    notes = []
    if numbers:
        notes.append(
            f"the first row was taken as the header although {numbers} of its {len(first)} fields "
            f"are numbers; pass {words.no_header} if it is data"
        )
    notes += [
        f"column {i} has no name and is called {name!r}; drop it with {words.drop} if it only "
        "numbers the rows"
        for i, (field, name) in enumerate(zip(first, column_names(len(first)), strict=True), 1)
        if not field.strip()
    ]
    return notes


def _first_row(path: Path, separator: str) -> list[str]:
    try:
        with _unpacking(path), _opened(path) as file:
            rows = csv.reader(file, delimiter=separator)
            return next((row for row in rows if any(field.strip() for field in row)), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise TableError(f"{path} is not text in UTF-8: {error}") from error


def _line_end(path: Path) -> str:
    """What ends the lines: carriage returns where there is nothing else, as on old Macs."""
    returns = False
    with _unpacking(path), _opener(path)(path, "rb") as file:
        while block := file.read(1 << 16):
            if b"\n" in block:
                return "\n"
            returns = returns or b"\r" in block
    return "\r" if returns else "\n"


@contextmanager
def _unpacking(path: Path) -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise TableError(f"{path} is not a gzip file: {error}") from error


def _opened(path: Path) -> IO[str]:
    file: IO[str] = _opener(path)(path, "rt", encoding="utf-8-sig", newline="")
    return file


def _opener(path: Path) -> Any:
    return gzip.open if path.suffix.lower() == ".gz" else open


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
