"""The sum of squared errors, the criterion that k-means minimises."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array

from seedbed._core._criteria import sum_of_squares
from seedbed.criteria._labels import integer_labels


def sse(
    X: npt.ArrayLike,
    labels: npt.ArrayLike,
    centers: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Sum of squared distances of the points to the centres their labels name; smaller is better.

    The sum is made in double precision from the differences, whatever the type of ``X``, so it
    loses no digits far from the origin.

    Parameters
    ----------
    X : array-like, rows × features
        The points.
    labels : array-like of int
        ``labels[i]`` is the row of ``centers`` that point ``i`` belongs to.
    centers : array-like, clusters × features
        The centres.
    sample_weight : array-like of one weight per row, optional
        Each squared distance counts that many times.

    Returns
    -------
    float
        The error that k-means minimises.

    Examples
    --------
    >>> sse([[0.0], [1.0], [10.0]], [0, 0, 1], [[0.5], [10.0]])
    0.5
    """
    kinds = [np.float64, np.float32]
    points = check_array(X, dtype=kinds, order="C", input_name="X")
    means = check_array(centers, dtype=kinds, order="C", input_name="centers")
    if points.shape[1] != means.shape[1]:
        raise ValueError(
            f"X has {points.shape[1]} columns and centers {means.shape[1]}; "
            "centers must be given in the same attributes as the points."
        )
    kind = np.result_type(points, means)
    return sum_of_squares(
        points.astype(kind, copy=False),
        _center_of_each(labels, n_points=points.shape[0], n_centers=means.shape[0]),
        means.astype(kind, copy=False),
        None if sample_weight is None else _weights(sample_weight, n_points=points.shape[0]),
    )


def _center_of_each(
    labels: npt.ArrayLike, *, n_points: int, n_centers: int
) -> npt.NDArray[np.int32]:
    given = integer_labels(labels, "labels")
    if given.names is not None:
        raise TypeError("labels must be row numbers of centers: integers from 0 upwards.")
    values = given.values
    if values.size != n_points:
        raise ValueError(
            f"X has {n_points} rows and labels has {values.size} entries; they must be equal."
        )
    low, high = int(values.min()), int(values.max())
    if low < 0 or high >= n_centers:
        raise ValueError(
            f"labels run from {low} to {high}, but there are {n_centers} centers; "
            f"every label must be from 0 to {n_centers - 1}."
        )
    return np.ascontiguousarray(values, dtype=np.int32)


def _weights(sample_weight: npt.ArrayLike, *, n_points: int) -> npt.NDArray[np.float64]:
    weights: npt.NDArray[Any] = check_array(
        sample_weight, dtype=np.float64, ensure_2d=False, order="C", input_name="sample_weight"
    )
    if weights.shape != (n_points,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; it must be ({n_points},), one per row of X."
        )
    if weights.min() < 0.0 or weights.max() == 0.0:
        raise ValueError(
            f"sample_weight runs from {weights.min()} to {weights.max()}; weights must not be "
            "negative and at least one must be positive."
        )
    return weights
