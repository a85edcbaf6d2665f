"""Arrays on the disk, ready to be read again in milliseconds: X.npy, y.npy and meta.json.

They were checked when they were written. Their sizes and times of change are noted then, and a
reader trusts them only while these are the same, as git does with its index.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from seedbed.exceptions import DataError

_ARRAYS = ("X.npy", "y.npy")
_PATIENCE = 200  # milliseconds for others who put something else there meanwhile

Read = TypeVar("Read")


@dataclass(frozen=True, eq=False)
class Stored:
    """What a folder of the store holds."""

    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.int64] | None
    meta: Mapping[str, Any]
    untouched: bool


def has(folder: Path) -> bool:
    """Whether a data set was written there."""
    return (folder / "meta.json").is_file()


def read_meta(folder: Path) -> dict[str, Any]:
    """What was written along with the arrays."""
    return _in_one_piece(folder, _read_meta)


def read(folder: Path) -> Stored:
    """The arrays, and whether they are as they were written."""
    return _in_one_piece(folder, _read)


def _in_one_piece(folder: Path, reading: Callable[[Path], Read]) -> Read:
    """What is read from a folder that nobody replaced meanwhile."""
    for _ in range(_PATIENCE):
        before = _identity(folder)
        try:
            found = reading(folder)
        except DataError:
            if before is not None and before == _identity(folder):
                raise
        else:
            if before == _identity(folder):
                return found
        time.sleep(0.001)
    return reading(folder)


def _identity(folder: Path) -> tuple[int, ...] | None:
    """Tells one folder of this name from the next; None between two of them."""
    try:
        status = folder.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _read_meta(folder: Path) -> dict[str, Any]:
    with _damage_told(folder):
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        if not isinstance(meta, dict) or "stamps" not in meta:
            raise ValueError("meta.json is not what seedbed writes")
        return meta


def _read(folder: Path) -> Stored:
    meta = _read_meta(folder)
    with _damage_told(folder):
        X = np.load(folder / "X.npy", allow_pickle=False)
        y = None
        if "y.npy" in meta["stamps"]:
            y = np.load(folder / "y.npy", allow_pickle=False)
        return Stored(X, y, meta, untouched=_stamps(folder) == meta["stamps"])


def write(
    folder: Path,
    X: npt.NDArray[np.float64],
    y: npt.NDArray[np.int64] | None,
    meta: Mapping[str, Any],
) -> None:
    """Put a data set there, whole or not at all, in place of what was there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        np.save(new / "X.npy", X)
        if y is not None:
            np.save(new / "y.npy", y)
        record = {**meta, "stamps": _stamps(new)}
        (new / "meta.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
        new.chmod(0o755)  # as any other folder, so that others may read a shared cache
        _swap(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _swap(new: Path, folder: Path) -> None:
    """Put a folder in the place of another. Where several processes do so, one of them wins."""
    old = new.with_name(f"{new.name}.old")
    with suppress(FileNotFoundError):
        os.rename(folder, old)
    try:
        os.rename(new, folder)
    except OSError:
        if not has(folder):
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _stamps(folder: Path) -> dict[str, list[int]]:
    """Size and time of change of each array."""
    found = {}
    for name in _ARRAYS:
        if (folder / name).is_file():
            status = (folder / name).stat()
            found[name] = [status.st_size, status.st_mtime_ns]
    return found


@contextmanager
def _damage_told(folder: Path) -> Iterator[None]:
    """Turn what goes wrong while reading into one error that says what to do."""
    try:
        yield
    except (OSError, ValueError, EOFError) as error:
        raise DataError(
            f"the data set kept in {folder} is damaged ({error}); delete that folder"
        ) from error
