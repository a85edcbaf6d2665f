"""Every kind of label that scikit-learn's metrics take, and clear words for those nobody can."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from seedbed.criteria import compare, contingency

PLAIN = [2, 0, 2, 1, 0, 2]
WORDS = ["c", "a", "c", "b", "a", "c"]
OTHER = [0, 0, 1, 1, 0, 1]

SAME_PARTITION = {
    "list": PLAIN,
    "tuple": tuple(PLAIN),
    "int8": np.array(PLAIN, dtype=np.int8),
    "int16, other byte order": np.array(PLAIN, dtype=">i2"),
    "uint32": np.array(PLAIN, dtype=np.uint32),
    "uint64": np.array(PLAIN, dtype=np.uint64),
    "uint64 beyond int64": np.array(PLAIN, dtype=np.uint64) + np.uint64(2**63),
    "whole floats": [2.0, 0.0, 2.0, 1.0, 0.0, 2.0],
    "float16": np.array(PLAIN, dtype=np.float16),
    "object integers": np.array(PLAIN, dtype=object),
    "strings": WORDS,
    "fixed-width strings": np.array(WORDS),
    "bytes": np.array(WORDS, dtype="S1"),
    "object strings": np.array(WORDS, dtype=object),
    "masked array without a mask": np.ma.array(PLAIN),
    "pandas": pd.Series(PLAIN, index=range(10, 16)),
    "pandas nullable": pd.Series(PLAIN, dtype="Int64"),
    "pandas strings": pd.Series(WORDS),
    "pandas categories": pd.Series(WORDS, dtype="category"),
    "polars": pl.Series(PLAIN),
    "polars strings": pl.Series(WORDS),
    "polars categories": pl.Series(WORDS, dtype=pl.Categorical),
}


@pytest.mark.parametrize("labels", SAME_PARTITION.values(), ids=SAME_PARTITION)
def test_kind_of_label_does_not_matter(labels: Any) -> None:
    expected = contingency(PLAIN, OTHER).to_array()
    np.testing.assert_array_equal(contingency(labels, OTHER).to_array(), expected)
    np.testing.assert_array_equal(contingency(OTHER, labels).to_array(), expected.T)
    assert compare(labels, WORDS).complexity == 0.0


@pytest.mark.parametrize(
    "labels",
    [
        [True, False, True],
        pd.Series([True, False, True], dtype="boolean"),
        pl.Series([True, False, True]),
    ],
    ids=["list", "pandas", "polars"],
)
def test_truth_values(labels: Any) -> None:
    table = contingency(labels, [1, 0, 1])
    assert table.classes.tolist() == [False, True]
    assert table.to_array().tolist() == [[1, 0], [0, 2]]


def test_the_table_names_the_labels_as_given() -> None:
    table = contingency(np.array(WORDS), np.array(PLAIN, dtype=float) - 1)
    assert table.classes.tolist() == ["a", "b", "c"]
    assert table.clusters.tolist() == [-1, 0, 1]
    assert contingency(["b", "b"], [False, False]).classes.tolist() == ["b"]


def test_words_are_not_cut_short_nor_numbers_taken_for_words() -> None:
    assert contingency(["a", "a" * 50], [0, 1]).shape == (2, 2)
    assert contingency(["1", "01"], [1, 1]).shape == (2, 1)


MISSING = {
    "nan": ([0.0, np.nan, 1.0], "nan"),
    "None": ([0, None, 1], "None"),
    "nan among words": (["a", np.nan, "b"], "nan"),
    "None among words": (["a", None, "b"], "None"),
    "masked": (np.ma.array([0, 1, 1], mask=[False, True, False]), "masked"),
    "pandas nullable": (pd.Series([0, None, 1], dtype="Int64"), "nan|NA"),
    "pandas.NA as object": (np.array(["a", pd.NA, "b"], dtype=object), "NA"),
    "pandas strings": (pd.Series(["a", None, "b"]), "nan|None"),
    "polars": (pl.Series([0, None, 1]), "nan"),
    "polars strings": (pl.Series(["a", None, "b"]), "None"),
}


@pytest.mark.parametrize(("labels", "what"), MISSING.values(), ids=MISSING)
def test_missing_labels_are_refused_with_their_position(labels: Any, what: str) -> None:
    with pytest.raises(
        ValueError, match=rf"labels_true has a missing value \(.*({what}).*\) at position 1"
    ):
        contingency(labels, [0, 0, 1])
    with pytest.raises(ValueError, match="labels_pred has a missing value"):
        contingency([0, 0, 1], labels)


@pytest.mark.parametrize(
    "labels",
    [
        [0.5, 1.0, 2.0],
        [np.inf, 1.0, 2.0],
        np.array([-np.inf, 1.0, 2.0], dtype=np.float16),
        [1e300, 1.0, 2.0],
        np.array([0.5, 1.0, 2.0], dtype=object),
    ],
    ids=["half", "inf", "-inf in float16", "too large", "object"],
)
def test_fractions_are_no_labels(labels: Any) -> None:
    with pytest.raises(ValueError, match="must be whole numbers"):
        contingency(labels, [0, 0, 1])


@pytest.mark.parametrize(
    ("labels", "shape"),
    [([[0, 1, 1]], r"\(1, 3\)"), (np.zeros((3, 1)), r"\(3, 1\)"), (5, r"\(\)"), ("abc", r"\(\)")],
    ids=["row", "column", "number", "word"],
)
def test_labels_must_be_a_vector(labels: Any, shape: str) -> None:
    with pytest.raises(ValueError, match=f"labels_pred has shape {shape}"):
        contingency([0, 0, 1], labels)


def test_data_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="one-dimensional"):
        contingency(pd.DataFrame({"label": [0, 0, 1]}), [0, 0, 1])


def test_ragged_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be read as a vector of labels"):
        contingency([[0], [0, 1], [1]], [0, 0, 1])


def test_empty_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="labels_true is empty"):
        contingency([], [])


def test_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="labels_true has 3 labels and labels_pred 2"):
        contingency([0, 0, 1], [0, 0])


@pytest.mark.parametrize(
    "labels",
    [[1, "a", 2], np.array([1, "a", 2], dtype=object), np.array([[1], [2, 3], 3], dtype=object)],
    ids=["mixed list", "mixed objects", "lists"],
)
def test_labels_of_several_types_are_refused(labels: Any) -> None:
    with pytest.raises(TypeError, match="cannot be told apart and sorted"):
        contingency(labels, [0, 0, 1])


@pytest.mark.parametrize("dtype", [np.complex128, "M8[D]"])
def test_other_dtypes_are_refused(dtype: Any) -> None:
    with pytest.raises(TypeError, match="labels_true has dtype"):
        contingency(np.zeros(3, dtype=dtype), [0, 0, 1])
