"""Which files may be read and written, checked by their names before anything is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from seedbed.cli._errors import UserError, did_you_mean

SEPARATORS = {".csv": ",", ".tsv": "\t", ".csv.gz": ",", ".tsv.gz": "\t"}
READABLE = (*SEPARATORS, ".parquet", ".npy")
WRITABLE = (".csv", ".tsv", ".parquet", ".npy")
STATISTICS = (".txt", ".csv", ".tsv", ".parquet", ".tex", ".svg", ".pdf", ".png")


def extension(path: Path, allowed: Sequence[str], *, what: str) -> str:
    """The extension of a file name, which must be among those allowed."""
    name = path.name.lower()
    for suffix in sorted(allowed, key=len, reverse=True):
        if name.endswith(suffix):
            return suffix
    raise UserError(f"{path} cannot be {what}: the name must end in one of {', '.join(allowed)}")


def check_input(path: Path) -> None:
    """Refuse what is no file of a known kind, or has nothing in it."""
    if path.is_dir():
        raise UserError(f"{path} is a directory; give a file")
    extension(path, READABLE, what="read")
    if not path.exists():
        hint = ""
        if path.parent.is_dir():
            hint = did_you_mean(path.name, (p.name for p in path.parent.iterdir()))
        raise UserError(f"{path} does not exist{hint}")
    if path.is_file() and path.stat().st_size == 0:
        raise UserError(f"{path} is empty")


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
