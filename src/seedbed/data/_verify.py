"""Telling by its content whether a copy is the data set: shape, class counts, hash of the numbers.

The file format and the source do not matter, so any mirror will do.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seedbed.data._catalogue import Entry
from seedbed.exceptions import WrongDataError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Fingerprint:
    """Hashes of attributes and classes: with the order of rows, and without it.

    Attributes
    ----------
    sha256 : str
        Of the rows in their order.
    content : str
        The same for any order of rows.
    """

    sha256: str
    content: str


def fingerprint(X: FloatArray, y: IntArray | None = None) -> Fingerprint:
    """Hash the content of a data set, the same on every machine.

    Parameters
    ----------
    X : ndarray of float64, rows × attributes
        The attributes.
    y : ndarray of int64, optional
        The classes.

    Returns
    -------
    Fingerprint
        ``sha256`` is of X as little-endian float64 in C order followed by y as int64; ``content``
        of the rows (with their class in float64 at the end) in the order of their bytes.
    """
    return Fingerprint(ordered_hash(X, y), content_hash(X, y))


def ordered_hash(X: FloatArray, y: IntArray | None) -> str:
    """The hash that knows the order of rows."""
    digest = hashlib.sha256(_numbers(X).data)
    if y is not None:
        digest.update(np.ascontiguousarray(y, dtype="<i8").data)
    return digest.hexdigest()


def content_hash(X: FloatArray, y: IntArray | None) -> str:
    """The hash that is the same for any order of rows."""
    table = X if y is None else np.column_stack([X, y])
    numbers = _numbers(table)
    rows = numbers.view(np.dtype((np.void, 8 * numbers.shape[1]))).ravel()
    return hashlib.sha256(np.sort(rows).tobytes()).hexdigest()


def check(entry: Entry, X: FloatArray, y: IntArray | None, *, origin: str) -> bool:
    """Refuse, by name, what is not this data set; whether the rows are in the catalogue's order.

    Where the catalogue has no hash (recipe untested), only shape and class counts are compared.
    """
    _check_shape(entry, X, origin)
    _check_classes(entry, y, origin)
    if not np.isfinite(X).all():
        raise _refusal(entry, origin, "it has values that are missing or infinite")
    if entry.sha256 is None or ordered_hash(X, y) == entry.sha256:
        return True
    if content_hash(X, y) == entry.content:
        return False
    raise _refusal(
        entry,
        origin,
        f"its shape {X.shape} and classes are right but some of its values are not "
        f"(SHA-256 {ordered_hash(X, y)}, expected {entry.sha256})",
    )


def _check_shape(entry: Entry, X: FloatArray, origin: str) -> None:
    if X.shape == entry.shape:
        return
    for copy in entry.wrong:
        if X.shape == copy.shape:
            raise _refusal(entry, origin, f"this is {copy.note}")
    raise _refusal(
        entry, origin, f"it has {X.shape[0]} rows × {X.shape[1]} attributes after cleaning"
    )


def _check_classes(entry: Entry, y: IntArray | None, origin: str) -> None:
    if (y is None) != (not entry.class_names):
        what = "it has no classes" if y is None else "it has classes, which the set does not"
        raise _refusal(entry, origin, what)
    if y is None:
        return
    found = np.unique(y, return_counts=True)
    if not np.array_equal(found[0], np.arange(len(entry.class_names))):
        raise _refusal(entry, origin, f"its classes are {found[0].tolist()}")
    counts = tuple(found[1].tolist())
    if entry.class_counts is not None and counts != entry.class_counts:
        raise _refusal(
            entry, origin, f"its classes have {counts} rows, expected {entry.class_counts}"
        )


def _refusal(entry: Entry, origin: str, what: str) -> WrongDataError:
    n, d = entry.shape
    return WrongDataError(
        f"{origin} is not the data set {entry.slug!r} ({entry.name}, {n} rows × {d} attributes): "
        f"{what}. {entry.recipe}"
    )


def _numbers(table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Contiguous little-endian float64, without negative zeros."""
    return np.ascontiguousarray(table, dtype="<f8") + 0.0
