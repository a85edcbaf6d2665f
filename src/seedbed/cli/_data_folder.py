"""The option --folder: other folders than the usual ones, for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seedbed.data import set_folder


@contextmanager
def in_folder(folder: Path | None) -> Iterator[None]:
    """Keep and look for data sets there; None leaves the folders as they are."""
    if folder is None:
        yield
        return
    set_folder(folder)
    try:
        yield
    finally:
        set_folder()
