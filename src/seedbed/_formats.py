"""Which files can be read as tables, told by their names; imports nothing heavy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from seedbed.exceptions import TableError

SEPARATORS = {".csv": ",", ".tsv": "\t", ".csv.gz": ",", ".tsv.gz": "\t"}
READABLE = (*SEPARATORS, ".parquet", ".npy")


def extension(path: Path, allowed: Sequence[str], *, what: str) -> str:
    """The extension of a file name, which must be among those allowed."""
    name = path.name.lower()
    for suffix in sorted(allowed, key=len, reverse=True):
        if name.endswith(suffix):
            return suffix
    raise TableError(f"{path} cannot be {what}: the name must end in one of {', '.join(allowed)}")


def check_readable(path: Path) -> None:
    """Refuse what is no file of a known kind, or has nothing in it."""
    if path.is_dir():
        raise TableError(f"{path} is a directory; give a file")
    extension(path, READABLE, what="read")
    if not path.exists():
        hint = ""
        if path.parent.is_dir():
            hint = did_you_mean(path.name, (p.name for p in path.parent.iterdir()))
        raise TableError(f"{path} does not exist{hint}")
    if path.is_file() and path.stat().st_size == 0:
        raise TableError(f"{path} is empty")


def listed(names: Iterable[str], *, most: int = 8) -> str:
    """Names in quotes, the first few of many."""
    quoted = [f"'{name}'" for name in names]
    rest = f" and {len(quoted) - most} more" if len(quoted) > most else ""
    return ", ".join(quoted[:most]) + rest


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the nearest known names, or nothing."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=3)
    return f"; did you mean {' or '.join(repr(by_lower[n]) for n in near)}?" if near else ""
