"""Tables as they are asked for on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from seedbed.cli._errors import as_user_error
from seedbed.data._columns import Choice, Columns
from seedbed.data._columns import choose as _choose
from seedbed.data._frames import Frame, Words, read_frame
from seedbed.exceptions import TableError

__all__ = ["Choice", "Columns", "Frame", "choose", "read", "split_names"]

_OPTIONS = Words(
    columns="--columns",
    drop="--drop-columns",
    label="--label-column",
    weight="--weight-column",
    separator="--separator",
    header="--header",
    no_header="--no-header",
    assigned=False,
)


def read(path: Path, *, separator: str | None = None, header: bool | None = None) -> Frame:
    """Read a file; what is wrong with it is the user's to mend."""
    with as_user_error(TableError):
        return read_frame(path, separator=separator, header=header, words=_OPTIONS)


def choose(table: Frame, choice: Choice) -> Columns:
    """Take the chosen columns of a table."""
    with as_user_error(TableError):
        return _choose(table, choice)


def split_names(given: Iterable[str]) -> tuple[str, ...]:
    """Column names from options that may be repeated and may hold several, with commas between."""
    return tuple(name.strip() for text in given for name in text.split(",") if name.strip())
