"""Completing seeds that a method could not place itself."""

import numpy as np
import pytest
from fixtures import F9, G6, RUSP
from seeding_twin import farthest_seeds

from seedbed._validation import as_points
from seedbed.init._shortfall import add_farthest


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_farthest_rows_are_those_of_maximin(dtype):
    points = as_points(RUSP.astype(dtype))
    expected, _ = farthest_seeds(RUSP, 9, 30)
    centers, rows = add_farthest(points, points.x[[30]], 9)
    assert rows.tolist() == expected[1:].tolist()
    assert centers.dtype == dtype
    np.testing.assert_array_equal(centers, RUSP[expected])


def test_nothing_is_added_where_nothing_is_missing():
    centers, rows = add_farthest(as_points(G6), G6[:3], 3)
    np.testing.assert_array_equal(centers, G6[:3])
    assert rows.tolist() == []


def test_centres_need_not_be_rows():
    centers, rows = add_farthest(as_points(F9), np.array([[11 / 3, 11 / 3]]), 3)
    assert rows.tolist() == [8, 4]  # (0, 11) and (11, 0) are as far; the first comes first
    np.testing.assert_array_equal(centers[1:], [[0, 11], [11, 0]])


def test_ties_do_not_depend_on_the_order_of_rows():
    mean = np.array([[11 / 3, 11 / 3]])
    expected, _ = add_farthest(as_points(F9), mean, 9)
    for r in range(10):
        shuffled = np.random.default_rng(r).permutation(F9)
        centers, rows = add_farthest(as_points(shuffled), mean, 9)
        assert centers.tobytes() == expected.tobytes()
        np.testing.assert_array_equal(shuffled[rows], centers[1:])


def test_rows_whose_distances_vanish():
    X = np.array([[0.0], [3e-200], [1.0], [1e-200]])
    centers, rows = add_farthest(as_points(X), X[:1], 4)
    assert rows.tolist() == [2, 3, 1]
    np.testing.assert_array_equal(centers, X[[0, 2, 3, 1]])
