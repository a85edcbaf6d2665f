"""Tables as they are asked for on the command line."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from seedbed.cli._errors import UserError, as_user_error
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
    """Take the chosen columns of a table; the choice has their names as the options gave them."""
    known = table.frame.columns
    named = replace(
        choice,
        columns=split_names(choice.columns, known),
        drop=split_names(choice.drop, known),
    )
    with as_user_error(TableError):
        return _choose(table, named)


def split_names(given: Iterable[str], known: Collection[str] = ()) -> tuple[str, ...]:
    """Names from options that may be repeated and may hold several, with commas between.

    Quotes hold a name with a comma together, as in CSV; a text that is itself one of the known
    names needs none.
    """
    return tuple(name for text in given for name in _names_in(text, known))


def _names_in(text: str, known: Collection[str]) -> list[str]:
    if text in known:
        return [text]
    try:
        fields = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error as error:
        raise UserError(f"{text!r} is not a list of names with commas between: {error}") from None
    names = [field if field in known else field.strip() for field in fields]
    return [name for name in names if name]
