"""The native local search against plain NumPy."""

import numpy as np
import pytest
import search_twin as twin
from fixtures import RUSP, blobs

from seedbed._core import _search, _seeding
from seedbed._validation import as_points

CASES = {
    "ruspini": (RUSP, 5),
    "blobs": (blobs(200, 3, 6), 6),
    "lattice": (np.random.default_rng(1).integers(0, 5, (150, 2)) * 1.0, 4),
    "one attribute": (blobs(120, 1, 4), 3),
    "one centre": (RUSP, 1),
}
every_case = pytest.mark.parametrize("name", CASES)
weights = pytest.mark.parametrize("weighted", [False, True])


def problem(name, weighted):
    X, k = CASES[name]
    rng = np.random.default_rng(4)
    weight = rng.integers(1, 6, len(X)) * 0.5 if weighted else np.ones(len(X))
    points = as_points(X, weight if weighted else None)
    return X, k, weight, points, rng


@every_case
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nearest_and_second_nearest(name, dtype):
    X, k = CASES[name]
    X = X.astype(dtype)
    centers = X[:k].copy()
    squares = twin.squares(X.astype(float), centers.astype(float))
    data = as_points(X).data
    two, one = _search.two_nearest(data, centers, 2), _search.nearest(data, centers, 2)
    np.testing.assert_array_equal(one.labels, squares.argmin(axis=1))
    np.testing.assert_allclose(one.squares, squares.min(axis=1), rtol=1e-12)
    np.testing.assert_array_equal(two.first, one.labels)
    np.testing.assert_array_equal(two.squares, one.squares)
    if k == 1:
        assert (two.second == -1).all()
        assert np.isinf(two.next_squares).all()
    else:
        np.testing.assert_allclose(two.next_squares, np.sort(squares, axis=1)[:, 1], rtol=1e-12)
        at_second = np.take_along_axis(squares, two.second[:, None], axis=1)[:, 0]
        np.testing.assert_allclose(at_second, two.next_squares, rtol=1e-12)


@pytest.mark.parametrize("spread", [0.02, 5.0])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_lowering_gives_the_nearest_of_all(spread, n_threads):
    X = blobs(6000, 4, 40, spread=spread)  # tight clusters are pruned, wide ones are not
    centers = X[:300].copy()
    data = as_points(X).data
    old = _search.nearest(data, centers[:120].copy(), 1)
    lowered = _search.lower_nearest(
        data, centers[:120].copy(), centers[120:].copy(), old, n_threads
    )
    expected = _search.nearest(data, centers, 1)
    np.testing.assert_array_equal(lowered.labels, expected.labels)
    np.testing.assert_array_equal(lowered.squares, expected.squares)


@every_case
@weights
@pytest.mark.parametrize("swaps", [1, 2, 3])
def test_swaps_equal_numpy(name, weighted, swaps):
    X, k, weight, points, rng = problem(name, weighted)
    start, uniforms = X[:k].copy(), rng.random((10, swaps))
    centers, costs = twin.swap_search(X, start, uniforms, weight)
    for n_threads in (1, 3):
        found = _search.swap_search(points.data, start, uniforms, n_threads)
        np.testing.assert_allclose(found.cost, costs, rtol=1e-9)
        np.testing.assert_array_equal(found.centers[found.rows < 0], start[found.rows < 0])
        np.testing.assert_array_equal(
            found.centers[found.rows >= 0], X[found.rows[found.rows >= 0]]
        )
        assert set(map(tuple, found.centers)) == set(map(tuple, centers))


@every_case
@weights
def test_the_best_swap_after_the_means(name, weighted):
    X, k, weight, points, rng = problem(name, weighted)
    for row in rng.integers(len(X), size=5):
        replaced, means = _search.best_mean_swap(points.data, X[:k].copy(), int(row), 2)
        least = twin.best_means(X, X[:k], row, weight)
        assert twin.cost(X, means, weight) <= least * (1 + 1e-12)
        assert -1 <= replaced < k


@every_case
@weights
def test_hartigan_equals_numpy(name, weighted):
    X, k, weight, points, rng = problem(name, weighted)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, len(X) - k)]).astype(np.int32)
    expected, errors = twin.hartigan(X, labels, k, weight)
    for n_threads in (1, 3):
        found = _search.hartigan(points.data, X[:k].copy(), labels, 1000, n_threads)
        np.testing.assert_array_equal(found.labels, expected)
        np.testing.assert_allclose(found.passes[:, 0], errors, rtol=1e-9)
        assert found.passes[-1, 1] == 0


def test_hartigan_leaves_an_empty_cluster_and_a_lone_row_alone():
    X = np.array([[0.0], [1], [2], [50]])
    labels = np.array([0, 0, 0, 2], dtype=np.int32)
    centers = np.array([[1.0], [70], [50]])
    found = _search.hartigan(as_points(X).data, centers, labels, 10, 1)
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_array_equal(found.centers, centers)


def test_draws_after_given_rows():
    X = blobs(3000, 4, 8)
    data = as_points(X).data
    uniforms = np.random.default_rng(0).random((12, 1))
    plain = _seeding.draw_seeds(data, uniforms, 1)
    given = _seeding.draw_seeds(data, uniforms, 1, given=plain.rows[:5])
    assert given.rows.tobytes() == plain.rows.tobytes()
    with pytest.raises(ValueError, match="no such row"):
        _seeding.draw_seeds(data, uniforms, 1, given=np.array([3000]))


def test_centres_that_do_not_fit_are_refused():
    data = as_points(RUSP).data
    with pytest.raises(ValueError, match="as many columns"):
        _search.nearest(data, np.zeros((2, 3)), 1)
    with pytest.raises(ValueError, match="label out of range"):
        _search.hartigan(data, RUSP[:2].copy(), np.full(75, 2, np.int32), 5, 1)
    with pytest.raises(ValueError, match="differ in length"):
        _search.hartigan(data, RUSP[:2].copy(), np.zeros(7, np.int32), 5, 1)
