"""What a user may hand over, and what the rest of the library can rely on afterwards.

Every room takes its data through `as_points`. A clean C-ordered float array passes in microseconds:
the native constructor checks for NaN and infinity on its way, and only when it finds one is the
offender looked up to name it in the error.
"""

from __future__ import annotations

import numbers
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native
from seedbed._core._engine import MOST_THREADS, default_threads

FloatArray: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
Dataset: TypeAlias = "_native.DatasetFloat | _native.DatasetDouble"

_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_LEAST_WEIGHT, _MOST_WEIGHT = 1e-290, 1e290  # of the largest, and in all: sums keep their digits


@dataclass(frozen=True, eq=False)
class Points:
    """Validated rows, their weights, and the native data set made of both."""

    x: FloatArray
    weight: NDArray[np.float64] | None
    data: Dataset
    kept: NDArray[np.intp] | None = (
        None  # where rows were left out: their places in the user's data
    )

    @property
    def n(self) -> int:
        return int(self.x.shape[0])

    @property
    def d(self) -> int:
        return int(self.x.shape[1])

    def take(self, rows: NDArray[np.intp], n_threads: int = 1) -> Points:
        """Some of the rows, as points of their own."""
        weight = None if self.weight is None else self.weight[rows]
        return points_of(self.x[rows], weight, n_threads=n_threads)

    def of_positive_weight(self, n_threads: int = 1) -> Points:
        """These points without the rows of weight zero, which no method may choose."""
        if self.weight is None or self.weight.all():
            return self
        kept = np.flatnonzero(self.weight)
        return replace(self.take(kept, n_threads), kept=kept)

    def position(self, row: int) -> int:
        """Where row ``row`` of the user's data is among these points."""
        if self.kept is None:
            if row >= self.n:
                raise ValueError(
                    f"row {row} does not exist; X has {self.n} rows, 0 to {self.n - 1}"
                )
            return row
        at = int(np.searchsorted(self.kept, row))
        if at == self.n or self.kept[at] != row:
            raise ValueError(f"row {row} does not exist or has weight zero; choose another")
        return at


def as_points(X: Any, sample_weight: Any = None, *, n_threads: int | None = None) -> Points:
    """Check data and weights and make a native data set of them."""
    x = as_matrix(X)
    weight = as_weights(sample_weight, x.shape[0])
    names = None if x is X else _column_names(X)
    return points_of(x, weight, n_threads=as_threads(n_threads), names=names)


def points_of(
    x: FloatArray,
    weight: NDArray[np.float64] | None,
    *,
    n_threads: int = 1,
    names: Sequence[str] | None = None,
) -> Points:
    """Points of arrays that `as_matrix` and `as_weights` returned; finds NaN and infinity."""
    kind: Any = _native.DatasetFloat if x.dtype == np.float32 else _native.DatasetDouble
    try:
        return Points(x, weight, kind(x, weight, n_threads))
    except ValueError:
        if np.isfinite(x).all():  # another complaint, such as an unknown SEEDBED_ISA
            raise
        raise _not_finite(x, names) from None


def as_matrix(X: Any) -> FloatArray:
    """A C-ordered float32 or float64 matrix; finiteness is left to `points_of`."""
    if _is_ready(X):
        return X  # type: ignore[no-any-return]
    if hasattr(X, "toarray") and hasattr(X, "tocsr"):
        raise TypeError("X is sparse, which is not supported yet; convert it with X.toarray()")
    if hasattr(X, "collect") and not hasattr(X, "to_numpy"):
        raise TypeError("X is a lazy frame, whose rows are not there yet; call .collect() first")
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise ValueError("X is a masked array with masked values; fill them or drop those rows")
    names = _column_names(X)
    array = np.asarray(X.to_numpy() if names is not None else X)
    _check_shape(array)
    _check_kind(array, names)
    dtype = array.dtype if array.dtype in _FLOATS else np.dtype(np.float64)
    try:
        return np.require(array, dtype=dtype, requirements=["C", "A"])
    except OverflowError:
        raise _too_large(array, names) from None


def as_weights(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    """Weights as float64, finite, not negative, not all zero; None stays None (unit weights), and
    a number is the weight of every row."""
    if sample_weight is None:
        return None
    weight = _weights_of_floats(sample_weight)
    if weight.ndim == 0:
        weight = np.full(n, weight)
    if weight.shape != (n,):
        raise ValueError(
            f"sample_weight has shape {weight.shape}; give one weight for each of the {n} rows, "
            f"shape ({n},), or one number for all"
        )
    _check_weights(weight)
    return np.ascontiguousarray(weight)


def _weights_of_floats(sample_weight: Any) -> NDArray[np.float64]:
    if isinstance(sample_weight, np.ma.MaskedArray) and np.ma.is_masked(sample_weight):
        raise ValueError("sample_weight is a masked array with masked values; fill them")
    try:
        array = np.asarray(sample_weight)
    except ValueError as error:
        raise ValueError(f"sample_weight is not an array of numbers: {error}") from None
    if array.dtype == np.float64:
        return array
    if array.dtype.kind == "O":
        _check_weight_objects(array)
    elif array.dtype.kind not in "fiub":
        raise ValueError(
            f"sample_weight has dtype {array.dtype}; weights must be real numbers, finite and >= 0"
        )
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ValueError(
            "sample_weight holds an integer beyond the range of float64; divide all weights by the "
            "largest, as only their ratios matter"
        ) from None


def _check_weight_objects(array: NDArray[Any]) -> None:
    found = _first_not_real(array)
    if found is None:
        return
    place = "sample_weight" + "".join(f"[{i}]" for i in found.place)
    if _means_missing(type(found.value)):
        raise ValueError(f"{place} is missing; fill it in, or drop that row")
    raise ValueError(
        f"{place}={found.value!r} is not a real number; weights must be finite numbers >= 0"
    )


def _check_weights(weight: NDArray[np.float64]) -> None:
    for bad, what in ((~np.isfinite(weight), "not finite"), (weight < 0, "negative")):
        if bad.any():
            i = int(bad.argmax())
            raise ValueError(
                f"sample_weight[{i}]={weight[i]} is {what}; weights must be finite and >= 0"
            )
    greatest = weight.max()
    if greatest == 0:
        raise ValueError("sample_weight is zero everywhere; some row needs a positive weight")
    if greatest < _LEAST_WEIGHT or greatest > _MOST_WEIGHT / len(weight):
        raise ValueError(
            f"sample_weight of up to {greatest} leaves float64 no room for sums; divide all "
            "weights by the largest, as only their ratios matter"
        )


def as_centers(
    centers: NDArray[Any], points: Points, *, what: str, n_clusters: int | None = None
) -> FloatArray:
    """Starting centres (the last two axes are clusters × features) in the dtype of the data.

    With ``n_clusters``, exactly one start of so many centres.
    """
    if n_clusters is not None and centers.shape != (n_clusters, points.d):
        raise ValueError(
            f"{what} has shape {centers.shape}, but n_clusters={n_clusters} centres of "
            f"{points.d} feature(s) need shape ({n_clusters}, {points.d})"
        )
    k, d = centers.shape[-2:]
    if d != points.d:
        raise ValueError(
            f"{what} has {d} feature(s) (shape {centers.shape}), X has {points.d}; give centres "
            "with the features of X"
        )
    if not 1 <= k <= points.n or len(centers) == 0:
        raise ValueError(
            f"{what} has shape {centers.shape}, that is {k} cluster(s), for n_samples={points.n}; "
            f"give at least one start with 1 to {points.n} centres"
        )
    if centers.dtype.kind not in "fiub":
        raise ValueError(f"{what} has dtype {centers.dtype}; give real numbers")
    with np.errstate(over="ignore") if centers.dtype != points.x.dtype else nullcontext():
        made = np.ascontiguousarray(centers, dtype=points.x.dtype)
    if not np.isfinite(made).all():
        raise ValueError(f"{what} contains NaN or infinity (as {made.dtype}); give finite centres")
    return cast(FloatArray, made)


def as_n_clusters(n_clusters: Any, n: int) -> int:
    """The number of clusters as an int in 1..n."""
    if not is_integer(n_clusters):
        raise TypeError(f"n_clusters={n_clusters!r} is not an integer; give one between 1 and {n}")
    if n_clusters < 1:
        raise ValueError(f"n_clusters={n_clusters} is less than 1; give one between 1 and {n}")
    if n_clusters > n:
        raise ValueError(
            f"n_clusters={n_clusters} is more than the rows of X, n_samples={n}; "
            f"ask for {n} clusters at most"
        )
    return int(n_clusters)


def as_threads(n_threads: int | None) -> int:
    """The number of threads: None means as many as this process may run on."""
    if n_threads is None:
        return default_threads()
    if not is_integer(n_threads) or not 1 <= n_threads <= MOST_THREADS:
        raise ValueError(
            f"n_threads={n_threads!r} is not usable; give an int >= 1, or None for all available "
            f"({MOST_THREADS} at most, as so many threads would be started)"
        )
    return int(n_threads)


def is_integer(value: Any) -> bool:
    """Whether a value is an integer of Python or NumPy (and not a truth value)."""
    return type(value) is int or (
        isinstance(value, int | np.integer) and not isinstance(value, bool)
    )


def _is_ready(X: Any) -> bool:
    if type(X) is not np.ndarray or X.ndim != 2 or X.dtype not in _FLOATS or X.size == 0:
        return False
    flags = X.flags
    return flags.c_contiguous and flags.aligned


def _column_names(X: Any) -> list[str] | None:
    """Names of a data frame's columns (pandas, polars, and whatever looks like them)."""
    if type(X) is np.ndarray or not (hasattr(X, "columns") and hasattr(X, "to_numpy")):
        return None
    return [str(name) for name in X.columns]


def _check_shape(array: NDArray[Any]) -> None:
    if array.ndim != 2:
        raise ValueError(
            f"X has {array.ndim} dimension(s) but must have 2, rows × features. Reshape your data: "
            "X.reshape(-1, 1) if it is one feature, X.reshape(1, -1) if it is one row"
        )
    for count, what in zip(array.shape, ("sample(s)", "feature(s)"), strict=True):
        if count == 0:
            raise ValueError(
                f"X has 0 {what} (shape={array.shape}) while a minimum of 1 is required."
            )


def _check_kind(array: NDArray[Any], names: Sequence[str] | None) -> None:
    kind = array.dtype.kind
    if kind in "fiub":
        return
    if kind == "c":
        raise ValueError("Complex data not supported: give X.real, X.imag or np.abs(X)")
    if kind != "O":
        raise ValueError(
            f"X has dtype {array.dtype}, but clustering needs numbers; encode or drop such columns"
        )
    found = _first_not_real(array)
    if found is None:
        return
    i, j = found.place
    if _means_missing(type(found.value)):
        raise ValueError(
            f"X contains a missing value at row {i}, {_column(j, names)} ({found.how_many} "
            "value(s) in all are missing); drop those rows or fill them in before clustering"
        )
    error = ValueError if isinstance(found.value, str) else TypeError
    raise error(
        f"X has dtype object, and row {i}, {_column(j, names)} holds {found.value!r}; every "
        "argument must be a real number (a string is not turned into a number): "
        "convert X to float, and encode or drop text columns"
    )


class _Odd(NamedTuple):
    """An object in an array that is no real number, and how many of the kind there are."""

    place: tuple[int, ...]
    value: Any
    how_many: int


def _first_not_real(array: NDArray[Any]) -> _Odd | None:
    """The first object that is no real number; a missing one only where there is nothing else."""
    objects = array.ravel().tolist()
    odd = {kind for kind in set(map(type, objects)) if not issubclass(kind, numbers.Real)}
    if not odd:
        return None
    kinds = {kind for kind in odd if not _means_missing(kind)} or odd
    places = [i for i, value in enumerate(objects) if type(value) in kinds]
    place = tuple(int(i) for i in np.unravel_index(places[0], array.shape))
    return _Odd(place, objects[places[0]], len(places))


def _means_missing(kind: type) -> bool:
    """Whether it is that of None, or of the NA of pandas, which need not be imported for that."""
    return kind is type(None) or kind.__name__ == "NAType"


def _too_large(array: NDArray[Any], names: Sequence[str] | None) -> ValueError:
    """For an object array with an integer that no float can hold."""
    large = [abs(value) > sys.float_info.max for value in array.ravel().tolist()]
    i, j = np.unravel_index(large.index(True), array.shape)
    return ValueError(
        f"X holds an integer beyond the range of float64 at row {i}, {_column(int(j), names)} "
        f"({sum(large)} such value(s) in all); rescale that column"
    )


def _not_finite(x: FloatArray, names: Sequence[str] | None) -> ValueError:
    bad = ~np.isfinite(x)
    i, j = np.unravel_index(int(bad.argmax()), x.shape)
    value = "NaN" if np.isnan(x[i, j]) else "infinity"
    return ValueError(
        f"X contains {value} at row {i}, {_column(int(j), names)} ({int(bad.sum())} value(s) in "
        "all are NaN or infinity); drop those rows or fill them in before clustering"
    )


def _column(j: int, names: Sequence[str] | None) -> str:
    return f"column {j}" if names is None else f"column {j} ({names[j]!r})"
