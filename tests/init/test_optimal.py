"""The exact optimum against brute force and against what no method may undercut."""

import itertools

import numpy as np
import pytest
from fixtures import F9, G6, RUSP, blobs, sse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from seedbed.exceptions import TooManyRowsError
from seedbed.init import Optimal, get
from seedbed.init._optimal import best_intervals, best_partition


def error_of(X, mass, labels):
    total = 0.0
    for c in np.unique(labels):
        rows = labels == c
        mean = np.average(X[rows], axis=0, weights=mass[rows])
        total += mass[rows] @ ((X[rows] - mean) ** 2).sum(axis=1)
    return total


def least_error_of_intervals(values, mass, k):
    order = np.argsort(values)
    X, mass = values[order][:, None], mass[order]
    return min(
        error_of(X, mass, np.searchsorted(cuts, np.arange(len(X)), side="right"))
        for cuts in itertools.combinations(range(1, len(X)), k - 1)
    )


def least_error_of_partitions(X, mass, k):
    labellings = itertools.product(range(k), repeat=len(X) - 1)
    return min(
        error_of(X, mass, np.array([0, *rest])) for rest in labellings if len({0, *rest}) == k
    )


def test_known_answers():
    assert Optimal().seed(G6, 2).centers[:, 0].tolist() == [1, 11]
    assert Optimal().seed(G6, 6).info["sse"].tolist() == [154, 4, 2.5, 1, 0.5, 0]
    nine = Optimal().seed(F9, 3)
    np.testing.assert_allclose(nine.info["sse"], [404, 154, 4])
    assert sse(F9, nine.centers) == pytest.approx(4)
    assert nine.info["way"] == "enumeration"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_on_a_line_no_intervals_are_better(data):
    n = data.draw(st.integers(1, 9))
    integers = st.lists(st.integers(-20, 20), min_size=n, max_size=n, unique=True)
    values = np.array(data.draw(integers), dtype=float)
    mass = np.array(data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n)), dtype=float)
    k = data.draw(st.integers(1, n))
    labels, errors = best_intervals(values, mass, k)
    assert len(np.unique(labels)) == k
    expected = [least_error_of_intervals(values, mass, j) for j in range(1, k + 1)]
    np.testing.assert_allclose(errors, expected, atol=1e-9)
    assert error_of(values[:, None], mass, labels) == pytest.approx(errors[-1], abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_partition_of_a_few_rows_is_better(data):
    n, seed = data.draw(st.integers(1, 6)), data.draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    X, mass = rng.integers(-5, 6, size=(n, 2)).astype(float), rng.integers(1, 4, n).astype(float)
    k = data.draw(st.integers(1, n))
    labels, errors = best_partition(X, mass, k)
    assert len(np.unique(labels)) == k
    assert errors[-1] == pytest.approx(least_error_of_partitions(X, mass, k), abs=1e-9)
    assert error_of(X, mass, labels) == pytest.approx(errors[-1], abs=1e-9)


def test_both_ways_agree():
    values = np.random.default_rng(0).normal(size=12)
    mass = np.random.default_rng(1).gamma(2.0, size=12)
    line, _ = best_intervals(values, mass, 5)
    subsets, _ = best_partition(values[:, None], mass, 5)
    for labels in (line, subsets):
        same = labels[:, None] == labels
        np.testing.assert_array_equal(same, line[:, None] == line)


def test_many_values_beat_many_starts():
    values = np.random.default_rng(0).gamma(1.0, size=(3000, 1))
    best = sse(values, Optimal().seed(values, 8).centers)
    restarted = KMeans(8, n_init=20, random_state=0, tol=0).fit(values)
    assert best <= restarted.inertia_ * (1 + 1e-12)
    again = KMeans(8, init=Optimal().seed(values, 8).centers, n_init=1, tol=0).fit(values)
    assert again.inertia_ == pytest.approx(best, rel=1e-10)


def test_a_line_among_constant_attributes_far_from_the_origin():
    X = np.column_stack([np.full(75, 7.0), RUSP[:, 1] + 1e9])
    seeds = Optimal().seed(X, 4)
    assert seeds.info["way"] == "dynamic programming"
    plain = Optimal().seed(RUSP[:, 1:], 4)
    np.testing.assert_allclose(seeds.centers[:, 1] - 1e9, plain.centers[:, 0], atol=1e-6)
    assert (seeds.centers[:, 0] == 7.0).all()


def test_equal_values_are_never_split():
    X = np.repeat([[0.0], [1.0], [5.0]], [50, 1, 30], axis=0)
    assert Optimal().seed(X, 3).centers[:, 0].tolist() == [0, 1, 5]
    weighted = Optimal().seed([[0.0], [1], [5]], 2, sample_weight=[50, 1, 30])
    assert Optimal().seed(X, 2).centers.tobytes() == weighted.centers.tobytes()


def test_order_of_rows_does_not_matter_in_the_plane():
    X = np.random.default_rng(3).normal(size=(12, 2))
    order = np.random.default_rng(4).permutation(12)
    found, shuffled = (np.sort(Optimal().seed(Y, 4).centers, axis=0) for Y in (X, X[order]))
    np.testing.assert_allclose(found, shuffled, rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-180, 1e150])
def test_sizes_of_values(scale):
    expected = np.sort(Optimal().seed(F9, 3).centers, axis=0)
    found = np.sort(Optimal().seed(F9 * scale, 3).centers, axis=0)
    np.testing.assert_allclose(found / scale, expected, atol=1e-12)


def test_what_cannot_be_had_is_refused():
    said = r"at most n_max=12 distinct rows .*of 13 rows, 2 attributes.*'global-k-means\+\+'"
    with pytest.raises(TooManyRowsError, match=said) as refusal:
        Optimal().seed(RUSP[:13], 2)
    assert refusal.value.allowed == 12
    assert Optimal(n_max=13).seed(RUSP[:13], 2).info["way"] == "enumeration"
    assert Optimal().seed(np.repeat(RUSP[:12], 5, axis=0), 2).centers.shape == (2, 2)
    with pytest.raises(ValueError, match=r"n_max=16 is not allowed for optimal; use an int betw"):
        Optimal(n_max=16)


@pytest.mark.parametrize("name", ["k-means++", "ward", "kaufman", "fast-global-k-means", "lbg"])
def test_nothing_is_better(name):
    for r in range(5):
        X = blobs(12, 2, 4, seed=r, spread=0.4)
        start = get(name).seed(X, 4, random_state=r).centers
        found = KMeans(4, init=start, n_init=1, tol=0).fit(X).inertia_
        assert sse(X, Optimal().seed(X, 4).centers) <= found * (1 + 1e-12)
