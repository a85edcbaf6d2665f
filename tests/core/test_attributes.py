"""Attributes and grids natively against the same in plain NumPy."""

import numpy as np
import pytest
from fixtures import F9, RUSP, blobs

from seedbed._core._attributes import (
    cell_positions,
    describe_attributes,
    fewest_groups,
    group_rows,
    largest_magnitude,
    mean_of_attributes,
    nearest_levels,
    range_of_attributes,
    unit_of,
)
from seedbed._validation import as_points


def all_attributes(X):
    return np.arange(X.shape[1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_range_mean_and_deviation(dtype, weighted, offset):
    X = (blobs(9000, 5, 4) + offset).astype(dtype)
    weight = np.random.default_rng(1).gamma(2.0, size=len(X)) if weighted else None
    found = describe_attributes(as_points(X, weight).data, 2)
    exact = X.astype(np.longdouble)
    mean = np.average(exact, axis=0, weights=weight)
    deviation = np.sqrt(np.average((exact - mean) ** 2, axis=0, weights=weight))
    np.testing.assert_array_equal(found.least, X.min(axis=0))
    np.testing.assert_array_equal(found.greatest, X.max(axis=0))
    np.testing.assert_allclose(found.mean, mean.astype(float), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(found.deviation, deviation.astype(float), rtol=1e-12)


def test_neither_order_nor_threads_change_a_bit():
    X, weight = blobs(20_000, 3, 4), np.random.default_rng(0).gamma(1.0, size=20_000)
    order = np.random.default_rng(1).permutation(len(X))
    found = [
        describe_attributes(as_points(X[rows], weight[rows]).data, threads)
        for rows in (slice(None), order)
        for threads in (1, 3)
    ]
    for part in zip(*found, strict=True):
        assert len({values.tobytes() for values in part}) == 1


@pytest.mark.parametrize("scale", [1e-180, 1.0, 1e150])
def test_any_scale(scale):
    found = describe_attributes(as_points(RUSP * scale).data, 1)
    np.testing.assert_allclose(found.deviation, RUSP.std(axis=0) * scale, rtol=1e-12)
    cells = cell_positions(as_points(RUSP * scale).data, all_attributes(RUSP), 7, 1)
    np.testing.assert_array_equal(
        cells, cell_positions(as_points(RUSP).data, all_attributes(RUSP), 7, 1)
    )


def test_widest_attributes_come_in_order_and_the_first_of_equals():
    found = describe_attributes(as_points(np.hstack([F9, 3 * F9[:, :1], F9])).data, 1)
    assert found.widest(1).tolist() == [2]
    assert found.widest(3).tolist() == [0, 1, 2]
    assert found.deviation[0] == found.deviation[1]


def test_a_constant_attribute():
    X = np.hstack([F9, np.full((9, 1), 0.1)])
    found = describe_attributes(as_points(X).data, 1)
    assert (found.mean[2], found.deviation[2]) == (0.1, 0.0)
    assert not cell_positions(as_points(X).data, np.array([2]), 4, 1).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("cells", [1, 2, 7, 65536])
def test_cells(dtype, cells):
    X = blobs(5000, 4, 3).astype(dtype)
    wide = X.astype(float)
    part = (wide - wide.min(axis=0)) * cells / (wide.max(axis=0) - wide.min(axis=0))
    expected = np.minimum(np.floor(part), cells - 1)
    for threads in (1, 2):
        found = cell_positions(as_points(X).data, np.array([3, 1]), cells, threads)
        np.testing.assert_array_equal(found, expected[:, [3, 1]])


def test_values_on_the_edge_of_a_cell_belong_to_the_next():
    X = np.arange(50.0)[:, None]
    assert cell_positions(as_points(X).data, np.array([0]), 49, 1)[:, 0].tolist() == [
        *range(49),
        48,
    ]


def test_levels():
    X = np.array([[0.0], [0.49], [0.51], [2.0], [2.5], [3.0]])
    found = nearest_levels(as_points(X).data, np.array([0]), 4, 1)
    assert found[:, 0].tolist() == [0, 0, 1, 2, 3, 3]


@pytest.mark.parametrize("d", [1, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("shift", [0, 1, 5, 16])
def test_groups(shift, d):
    rows = np.random.default_rng(0).integers(0, 40, size=(3000, d)).astype(np.uint16)
    rows[:, 3:] //= 20  # so that some are equal
    labels, first = group_rows(rows, shift)
    _, index, inverse = np.unique(rows >> shift, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(first, np.sort(index))
    by_appearance = np.argsort(np.argsort(index))
    np.testing.assert_array_equal(labels, by_appearance[inverse.ravel()])
    fewest = fewest_groups(rows, shift)
    assert 0.9 * len(first) <= fewest <= len(first)
    assert fewest_groups(rows[::-1], shift) == fewest


def test_arguments_that_do_not_fit_are_refused():
    data = as_points(F9).data
    with pytest.raises(ValueError, match="attribute out of range"):
        cell_positions(data, np.array([2]), 4, 1)
    for find in (group_rows, fewest_groups):
        with pytest.raises(ValueError, match="shift out of range"):
            find(np.zeros((2, 2), np.uint16), 17)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_mean_alone_is_the_same(dtype, weighted):
    X = blobs(5000, 70, 4).astype(dtype)
    weight = np.random.default_rng(1).gamma(2.0, size=len(X)) if weighted else None
    data = as_points(X, weight).data
    alone = mean_of_attributes(data, 2)
    assert alone.tobytes() == describe_attributes(data, 1).mean.tobytes()
    np.testing.assert_allclose(
        alone, np.average(X.astype(float), axis=0, weights=weight), rtol=1e-12
    )


@pytest.mark.parametrize("X", [F9, -F9, F9 - 1000, 1e-200 * RUSP])
def test_magnitude_and_unit(X):
    data = as_points(X).data
    assert largest_magnitude(data) == np.abs(X).max()
    for found, expected in zip(
        range_of_attributes(data), (X.min(axis=0), X.max(axis=0)), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    unit = unit_of(data)
    assert np.frexp(unit)[0] == 0.5
    assert np.ptp(X, axis=0).max() <= 2 * unit <= 8 * np.ptp(X, axis=0).max()
