"""The native table against a plain NumPy twin, by each of its routes."""

from __future__ import annotations

import dataclasses

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

from seedbed._core._criteria import count_pairs
from seedbed.criteria import Contingency, contingency

WIDE = np.array([-(2**63), -(2**63) + 1, -(2**40), -1, 0, 3, 2**32, 2**63 - 2, 2**63 - 1])


def numpy_contingency(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> npt.NDArray[np.int64]:
    classes, rows = np.unique(truth, return_inverse=True)
    clusters, columns = np.unique(predicted, return_inverse=True)
    table = np.zeros((classes.size, clusters.size), dtype=np.int64)
    np.add.at(table, (rows, columns), 1)
    return table


def assert_is_table_of(
    table: Contingency, truth: npt.NDArray[np.int64], predicted: npt.NDArray[np.int64]
) -> None:
    twin = numpy_contingency(truth, predicted)
    np.testing.assert_array_equal(table.to_array(), twin)
    np.testing.assert_array_equal(table.classes, np.unique(truth))
    np.testing.assert_array_equal(table.clusters, np.unique(predicted))
    np.testing.assert_array_equal(np.transpose(np.nonzero(twin)), np.c_[table.rows, table.columns])
    np.testing.assert_array_equal(table.row_margins, twin.sum(axis=1))
    np.testing.assert_array_equal(table.column_margins, twin.sum(axis=0))
    assert table.n == len(truth)
    assert table.shape == twin.shape


def label_pairs(elements: st.SearchStrategy[int]) -> st.SearchStrategy[npt.NDArray[np.int64]]:
    return st.integers(1, 60).flatmap(
        lambda n: hnp.arrays(np.int64, (2, n), elements=elements, fill=st.nothing())
    )


@given(label_pairs(st.integers(-3, 6)) | label_pairs(st.sampled_from(WIDE.tolist())))
def test_agrees_with_numpy(labels: npt.NDArray[np.int64]) -> None:
    assert_is_table_of(contingency(labels[0], labels[1]), labels[0], labels[1])


@given(label_pairs(st.integers(-(2**31), 2**31 - 1)))
def test_narrow_and_wide_integers_agree(labels: npt.NDArray[np.int64]) -> None:
    narrow = labels.astype(np.int32)
    assert_is_table_of(contingency(narrow[0], narrow[1]), labels[0], labels[1])
    assert_is_table_of(contingency(narrow[0], labels[1]), labels[0], labels[1])


@pytest.mark.parametrize(
    ("first", "second"),
    [(12, 7), (1500, 3), (1500, 1500), (10**6, 4), (10**6, 10**6), (2**62, 1500), (2**62, 2**62)],
    ids=lambda k: f"up_to_{k}_labels",
)
def test_few_and_many_labels(first: int, second: int) -> None:
    random = np.random.default_rng(3)
    truth, predicted = random.integers(first, size=1500), random.integers(second, size=1500)
    assert_is_table_of(contingency(truth, predicted), truth, predicted)


def test_a_table_too_large_to_write_out_keeps_only_its_cells() -> None:
    n = 200_000  # n x n cells of 8 bytes would need 320 GB
    names = np.random.default_rng(0).permutation(n)
    table = contingency(np.arange(n), names)
    np.testing.assert_array_equal(table.columns, names)
    assert table.counts.sum() == table.counts.size == n


def test_a_million_labels() -> None:
    random = np.random.default_rng(1)
    truth = random.integers(12, size=10**6, dtype=np.int32)
    predicted = np.where(random.random(10**6) < 0.3, random.integers(9, size=10**6), truth)
    twin = np.bincount(truth * 12 + predicted, minlength=144).reshape(12, 12)
    np.testing.assert_array_equal(contingency(truth, predicted).to_array(), twin)
    np.testing.assert_array_equal(
        contingency(truth.astype(np.int64) << 40, predicted).to_array(), twin
    )


def test_strided_and_read_only_labels() -> None:
    labels = np.arange(20, dtype=np.int32).reshape(10, 2) % 3
    labels.flags.writeable = False
    assert_is_table_of(contingency(labels[:, 0], labels[::-1, 1]), labels[:, 0], labels[::-1, 1])


def test_a_table_cannot_be_changed() -> None:
    table = contingency([0, 1], [0, 0])
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.counts = table.rows  # type: ignore[misc]
    for field in dataclasses.fields(table):
        with pytest.raises(ValueError, match="read-only"):
            getattr(table, field.name)[0] = 5


@given(st.lists(st.integers(0, 2**62), max_size=20))
def test_pairs_are_exact_beyond_64_bits(counts: list[int]) -> None:
    assert count_pairs(np.array(counts, dtype=np.int64)) == sum(c * (c - 1) // 2 for c in counts)
