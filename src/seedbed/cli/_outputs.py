"""Writing results so that a file is either complete or not there at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from seedbed.cli._errors import as_user_error
from seedbed.cli._paths import WRITABLE, extension


def write_all(contents: Mapping[Path, pl.DataFrame | pl.Series | bytes]) -> None:
    """Write all files or none: each under a temporary name first, then renamed."""
    temporary = {path: _temporary_name(path.resolve()) for path in contents}
    try:
        for path, content in contents.items():
            with as_user_error(OSError, pl.exceptions.PolarsError, prefix=f"cannot write {path}: "):
                if isinstance(content, bytes):
                    _write_bytes(content, temporary[path])
                else:
                    _write(content, temporary[path], extension(path, WRITABLE, what="written"))
        for path, name in temporary.items():
            with as_user_error(OSError, prefix=f"cannot write {path}: "):
                os.replace(name, path.resolve())
    finally:
        for name in temporary.values():
            name.unlink(missing_ok=True)


def _temporary_name(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _write_bytes(content: bytes, path: Path) -> None:
    with open(path, "xb") as file:
        file.write(content)


def _write(content: pl.DataFrame | pl.Series, path: Path, kind: str) -> None:
    """A series becomes a column in a table and a vector in an npy file."""
    frame = content.to_frame() if isinstance(content, pl.Series) else content
    with open(path, "xb") as file:
        if kind == ".npy":
            np.save(file, content.to_numpy() if frame is not content else frame.to_numpy(order="c"))
        elif kind == ".parquet":
            frame.write_parquet(file)
        else:
            frame.write_csv(file, separator="\t" if kind == ".tsv" else ",")
