"""The sum of squared errors against NumPy, and its errors."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given

from seedbed.criteria import sse

X = np.array([[0.0, 0.0], [2.0, 0.0], [5.0, 5.0]])
LABELS = [0, 0, 1]
CENTERS = np.array([[1.0, 0.0], [5.0, 3.0]])


def numpy_sse(
    X: npt.NDArray[Any], labels: Any, centers: npt.NDArray[Any], weight: Any = 1.0
) -> float:
    difference = X.astype(np.float64) - centers.astype(np.float64)[labels]
    return float((weight * (difference**2).sum(axis=1)).sum())


def test_by_hand() -> None:
    assert sse(X, LABELS, CENTERS) == 1 + 1 + 4
    assert sse(X, LABELS, CENTERS, sample_weight=[1, 0, 2.5]) == 1 + 0 + 10


@given(
    st.integers(1, 200),
    st.integers(1, 9),
    st.integers(1, 7),
    st.sampled_from(["f4", "f8"]),
    st.integers(0, 99),
)
def test_agrees_with_numpy(n: int, d: int, k: int, dtype: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, d)).astype(dtype)
    centers = random.normal(size=(k, d)).astype(dtype)
    labels, weight = random.integers(k, size=n), random.random(n)
    assert sse(points, labels, centers) == pytest.approx(
        numpy_sse(points, labels, centers), rel=1e-12
    )
    assert sse(points, labels, centers, weight) == pytest.approx(
        numpy_sse(points, labels, centers, weight), rel=1e-12
    )


def test_far_from_the_origin_no_digits_are_lost() -> None:
    assert sse(X + 1e8, LABELS, CENTERS + 1e8) == 6.0


def test_float32_data_and_float64_centers_meet_in_float64() -> None:
    centers = CENTERS + 1e-12
    expected = numpy_sse(X, LABELS, centers)
    assert expected != 6.0
    assert sse(X.astype(np.float32), LABELS, centers) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("points", "labels"),
    [
        (X.tolist(), tuple(LABELS)),
        (X.astype(int), np.array(LABELS, dtype=np.int8)),
        (np.asfortranarray(X), np.array(LABELS, dtype=float)),
        (X.astype(np.float32), np.array([0, 9, 0, 9, 1, 9])[::2]),
        (pd.DataFrame(X), pd.Series(LABELS, dtype="Int64")),
        (pl.DataFrame(X), pl.Series(LABELS)),
    ],
    ids=["lists", "integers", "Fortran order", "float32, strided", "pandas", "polars"],
)
def test_kinds_of_input(points: Any, labels: Any) -> None:
    assert sse(points, labels, CENTERS) == 6.0


def test_weights_count_like_repetitions() -> None:
    repeated = sse(np.repeat(X, [2, 1, 3], axis=0), [0, 0, 0, 1, 1, 1], CENTERS)
    assert sse(X, LABELS, CENTERS, sample_weight=[2, 1, 3]) == repeated


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 0, 2], "labels run from 0 to 2, but there are 2 centers"),
        ([-1, 0, 1], "labels run from -1 to 1"),
        ([0, 2**32, 1], "labels run from 0 to 4294967296"),
        ([0, 1], "X has 3 rows and labels has 2 entries"),
        ([0, np.nan, 1], "missing value"),
        ([[0], [0], [1]], "one-dimensional"),
    ],
)
def test_labels_must_name_centers(labels: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sse(X, labels, CENTERS)


def test_words_cannot_name_centers() -> None:
    with pytest.raises(TypeError, match="row numbers of centers"):
        sse(X, ["a", "a", "b"], CENTERS)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_data_and_centers_must_be_finite(bad: float) -> None:
    broken = X.copy()
    broken[1, 1] = bad
    with pytest.raises(ValueError, match="X contains"):
        sse(broken, LABELS, CENTERS)
    with pytest.raises(ValueError, match="centers contains"):
        sse(X, LABELS, broken)


def test_shapes_must_fit() -> None:
    with pytest.raises(ValueError, match="X has 2 columns and centers 3"):
        sse(X, LABELS, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="Expected 2D array"):
        sse(X[:, 0], LABELS, CENTERS)


def test_sparse_data_are_refused() -> None:
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        sse(scipy.sparse.csr_array(X), LABELS, CENTERS)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0, -1.0, 1.0], "must not be negative"),
        ([0.0, 0.0, 0.0], "at least one must be positive"),
        ([1.0, 1.0], r"sample_weight has shape \(2,\); it must be \(3,\)"),
        ([[1.0], [1.0], [1.0]], r"sample_weight has shape \(3, 1\)"),
        ([1.0, np.nan, 1.0], "sample_weight contains NaN"),
    ],
    ids=["negative", "all zero", "short", "column", "nan"],
)
def test_weights_must_be_weights(weight: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sse(X, LABELS, CENTERS, sample_weight=weight)
