"""Labels of any kind that people keep (numbers, words, truth values, frame columns) as integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_INT64 = np.iinfo(np.int64)


@dataclass(frozen=True, eq=False)
class IntegerLabels:
    """Integer labels, and the names they stand for where they are not the labels themselves."""

    values: npt.NDArray[Any]
    names: npt.NDArray[Any] | None = None

    def name(self, values: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Give back the labels as the caller wrote them."""
        return values if self.names is None else self.names[values]


def integer_labels(labels: npt.ArrayLike, name: str) -> IntegerLabels:
    """Check one labelling, called `name` in messages, and write it in integers."""
    array = label_vector(labels, name)
    kind = array.dtype.kind
    if kind == "b":
        return IntegerLabels(array.astype(np.int32), names=np.array([False, True]))
    if kind == "f":
        return IntegerLabels(_whole_numbers(array, name))
    if kind in "iu" and np.can_cast(array.dtype, np.int32):
        return IntegerLabels(array.astype(np.int32, copy=False))
    if kind == "i" or (kind == "u" and array.max() <= _INT64.max):
        return IntegerLabels(array.astype(np.int64, copy=False))
    if kind in "OSTUu":
        return _numbered(array, name)
    raise TypeError(
        f"{name} has dtype {array.dtype}; labels may be integers, whole floating-point numbers, "
        "truth values or strings. Convert them to one of these."
    )


def label_vector(labels: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """Return the labels as an array, which must be one-dimensional, not empty and not masked."""
    if np.ma.is_masked(labels):
        position = int(np.flatnonzero(np.ma.getmask(labels))[0])
        raise ValueError(_missing(name, "masked", position))
    try:
        array = np.asarray(labels)
        if array.dtype.kind in "SU" and not hasattr(labels, "__array__"):
            array = np.asarray(labels, dtype=object)  # NumPy would make the word "nan" of a NaN
    except ValueError as error:
        raise ValueError(f"{name} cannot be read as a vector of labels: {error}") from error
    if array.ndim != 1:
        raise ValueError(
            f"{name} has shape {array.shape}; it must be one-dimensional, one label per point. "
            "Pass a single column, or use .ravel()."
        )
    if array.size == 0:
        raise ValueError(f"{name} is empty; at least one labelled point is needed.")
    return array


def _whole_numbers(array: npt.NDArray[Any], name: str) -> npt.NDArray[np.int64]:
    wide = array.astype(np.result_type(array.dtype, np.float64), copy=False)
    if np.isnan(wide).any():
        raise ValueError(_missing(name, "nan", int(np.argmax(np.isnan(wide)))))
    good = (wide == np.floor(wide)) & (wide >= -(2.0**63)) & (wide < 2.0**63)
    if not good.all():
        raise ValueError(_not_whole(name, array[np.argmin(good)]))
    return wide.astype(np.int64)


def _numbered(array: npt.NDArray[Any], name: str) -> IntegerLabels:
    """Number the distinct labels in ascending order."""
    given = array.tolist()
    try:
        # Backwards, so that the first position of each label is the one that stays.
        first = dict(zip(reversed(given), range(len(given) - 1, -1, -1), strict=True))
        for label, position in first.items():
            if _is_missing(label):
                raise ValueError(_missing(name, repr(label), position))
            if isinstance(label, float | np.floating) and not label.is_integer():
                raise ValueError(_not_whole(name, label))
        distinct = sorted(first)
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in given})
        raise TypeError(
            f"{name} holds labels of type {', '.join(kinds)} that cannot be told apart and sorted; "
            "use labels of one type, such as strings or integers."
        ) from error
    number = {label: i for i, label in enumerate(distinct)}
    values = np.fromiter(map(number.__getitem__, given), dtype=np.int64, count=len(given))
    return IntegerLabels(values, names=array[[first[label] for label in distinct]])


def _is_missing(label: Any) -> bool:
    """Whether this is None, a NaN or the like: something that does not equal itself."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas.NA refuses to be true or false
        return True


def _missing(name: str, what: str, position: int) -> str:
    return (
        f"{name} has a missing value ({what}) at position {position}; every point needs a label. "
        "Drop such points from both labellings, or give them a label of their own."
    )


def _not_whole(name: str, label: Any) -> str:
    return (
        f"{name} holds {label!s}; floating-point labels must be whole numbers within the range of "
        "64-bit integers. Round or bin the values first."
    )
