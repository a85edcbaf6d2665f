"""Which files may be read and written, checked by their names before anything is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from seedbed import _formats
from seedbed.cli._errors import UserError, as_user_error
from seedbed.exceptions import TableError

WRITABLE = (".csv", ".tsv", ".parquet", ".npy")
TABLES = (".csv", ".tsv", ".parquet")
PICTURES = (".svg", ".pdf", ".png")
PAGES = (".html",)
STATISTICS = (".txt", ".csv", ".tsv", ".parquet", ".tex", ".svg", ".pdf", ".png")


def extension(path: Path, allowed: Sequence[str], *, what: str) -> str:
    """The extension of a file name, which must be among those allowed."""
    with as_user_error(TableError):
        return _formats.extension(path, allowed, what=what)


def check_input(path: Path) -> None:
    """Refuse what is no file of a known kind, or has nothing in it."""
    with as_user_error(TableError):
        _formats.check_readable(path)


def check_outputs(
    outputs: Mapping[str, Path | None], *, source: Path, allowed: Sequence[str] = WRITABLE
) -> None:
    """Refuse, before any work is done, what could not be written at the end."""
    seen = {source.resolve(): f"the input {source}"}
    for option, path in outputs.items():
        if path is None:
            continue
        extension(path, allowed, what="written")
        parent = path.resolve().parent
        if not parent.is_dir():
            raise UserError(f"{option}: the directory {parent} does not exist; create it first")
        if path.is_dir() or not os.access(path if path.exists() else parent, os.W_OK):
            raise UserError(f"{option}: {path} cannot be written")
        if path.resolve() in seen:
            raise UserError(f"{option}: {path} is also {seen[path.resolve()]}; choose another name")
        seen[path.resolve()] = f"the file of {option}"
