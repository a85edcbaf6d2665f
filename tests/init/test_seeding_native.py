"""The native kernels against plain NumPy: the same rows for the same uniform numbers."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import seeding_twin as twin
from fixtures import F9, G6, RUSP, blobs
from scipy import stats

from seedbed._core import _native, _seeding
from seedbed._validation import as_points
from seedbed.init._inner import run_inner


def uniform(n, d, seed=0):
    return np.random.default_rng(seed).random((n, d))


CASES = {
    "one attribute": (uniform(5000, 1), 6),
    "two attributes": (uniform(300, 2), 9),
    "three attributes": (uniform(4097, 3), 5),
    "tail of two": (uniform(9001, 10), 7),
    "more attributes than rows": (uniform(20, 37), 8),
    "blobs": (blobs(6000, 5, 12), 12),
    "few seeds, many attributes": (blobs(5000, 21, 8, spread=0.3), 10),
    "nearly equal rows": (np.array([0, 1, *np.arange(1, 20) * 2.0**-100]).reshape(-1, 1), 9),
    "many seeds, sketched": (uniform(5000, 17), 60),
    "many blobs, sketched": (blobs(5000, 32, 40), 48),
    "sketch too coarse": (np.vstack([blobs(4000, 16, 40, spread=1e-4), [[1e4] * 16]]), 40),
    "lattice full of ties": (np.random.default_rng(1).integers(0, 4, (4500, 3)) * 1.0, 30),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("trials", [1, 2, 3, 4, 6, 31])
@pytest.mark.parametrize("name", CASES)
def test_draws_equal_numpy(name, trials, dtype):
    X, k = CASES[name]
    X = X.astype(dtype)
    uniforms = np.random.default_rng(7).random((k, trials))
    rows, potential = twin.draw_seeds(X, uniforms)
    drawn = _seeding.draw_seeds(as_points(X).data, uniforms, 1)
    np.testing.assert_array_equal(drawn.rows, rows)
    np.testing.assert_allclose(drawn.potential, potential, rtol=1e-11)


@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.parametrize("name", ["tail of two", "blobs", "many blobs, sketched"])
def test_weighted_draws_equal_numpy(name, trials):
    X, k = CASES[name]
    weight = np.random.default_rng(3).gamma(1.0, size=len(X)) * 1e30
    uniforms = np.random.default_rng(8).random((k, trials))
    rows, potential = twin.draw_seeds(X, uniforms, weight)
    drawn = _seeding.draw_seeds(as_points(X, weight).data, uniforms, 1)
    np.testing.assert_array_equal(drawn.rows, rows)
    np.testing.assert_allclose(drawn.potential, potential, rtol=1e-11)


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.parametrize("name", CASES)
def test_starts_drawn_together_are_those_drawn_alone(name, trials, n_threads):
    X, k = CASES[name]
    uniforms = np.random.default_rng(4).random((5, k, trials))
    kept = as_points(X).data
    together = _seeding.draw_starts(kept, uniforms, n_threads)
    assert len(together) == 5
    for drawn, of_start in zip(together, uniforms, strict=True):
        alone = _seeding.draw_seeds(as_points(X).data, of_start, 1)
        again = _seeding.draw_seeds(kept, of_start, 1)  # by the sketch that is kept from now on
        assert drawn.rows.tobytes() == alone.rows.tobytes() == again.rows.tobytes()
        assert drawn.potential.tobytes() == alone.potential.tobytes() == again.potential.tobytes()


def test_seeding_the_same_data_again_costs_less():
    data = as_points(blobs(20_000, 16, 12)).data
    uniforms = np.random.default_rng(2).random((12, 4))
    first, second = (_seeding.draw_seeds(data, uniforms, 1) for _ in range(2))
    assert second.rows.tobytes() == first.rows.tobytes()
    assert second.distances < first.distances / 2


def test_no_start_at_all_is_refused():
    with pytest.raises(ValueError, match="one start at least"):
        _seeding.draw_starts(as_points(F9).data, np.empty((0, 2, 1)), 1)


@pytest.mark.parametrize("n", [60, 64, 65, 100, 4096 + 4, 4096 + 64])
def test_draws_reach_the_last_rows(n):
    """Sums are kept for words of 64 rows, of which the last may be of any length."""
    X = uniform(n, 8)
    for u in (0.5, 1 - 2**-53):
        uniforms = np.full((4, 2), u)
        rows, _ = twin.draw_seeds(X, uniforms)
        drawn = _seeding.draw_seeds(as_points(X).data, uniforms, 1)
        np.testing.assert_array_equal(drawn.rows, rows)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_farthest_rows_equal_numpy(name, dtype):
    X, k = CASES[name]
    X = X.astype(dtype)
    rows, radii = twin.farthest_seeds(X, k, 3)
    found = _seeding.farthest_seeds(as_points(X).data, k, 3, 1)
    np.testing.assert_array_equal(found.rows, rows)
    np.testing.assert_allclose(found.radii, radii, rtol=1e-12)


@pytest.mark.parametrize("n_threads", [2, 3, 8])
@pytest.mark.parametrize(("n", "d", "k"), [(70_000, 10, 7), (20_000, 24, 40)])
def test_any_number_of_threads_gives_the_same_bytes(n, d, k, n_threads):
    X = blobs(n, d, k)
    data, other = as_points(X).data, as_points(X).data
    for trials in (1, 4):
        uniforms = np.random.default_rng(5).random((k, trials))
        one = _seeding.draw_seeds(data, uniforms, 1)
        many = _seeding.draw_seeds(other, uniforms, n_threads)
        assert one.rows.tobytes() == many.rows.tobytes()
        assert one.potential.tobytes() == many.potential.tobytes()
        assert one.distances == many.distances
    one, many = (_seeding.farthest_seeds(data, k, 0, t) for t in (1, n_threads))
    assert one.rows.tobytes() == many.rows.tobytes()
    assert one.radii.tobytes() == many.radii.tobytes()


@pytest.mark.parametrize("exponent", [-600, -200, 200, 500])
@pytest.mark.parametrize("name", ["tail of two", "many blobs, sketched"])
def test_powers_of_two_change_nothing(name, exponent):
    X, k = CASES[name]
    uniforms = np.random.default_rng(9).random((k, 3))
    plain = _seeding.draw_seeds(as_points(X).data, uniforms, 1)
    scaled = _seeding.draw_seeds(as_points(np.ldexp(X, exponent)).data, uniforms, 1)
    np.testing.assert_array_equal(scaled.rows, plain.rows)
    far = _seeding.farthest_seeds(as_points(X).data, k, 0, 1)
    far_scaled = _seeding.farthest_seeds(as_points(np.ldexp(X, exponent)).data, k, 0, 1)
    np.testing.assert_array_equal(far_scaled.rows, far.rows)
    np.testing.assert_allclose(np.ldexp(far_scaled.radii, -exponent), far.radii, rtol=1e-15)


def test_pruning_saves_distances_and_counts_them():
    X = blobs(20_000, 8, 50, spread=0.01)
    drawn = _seeding.draw_seeds(as_points(X).data, np.random.default_rng(0).random((50, 1)), 1)
    assert len(X) < drawn.distances < 0.5 * len(X) * 50


def test_the_best_of_all_rows_is_the_greatest_gain():
    # Uniform numbers in the middle of every row's share of D² from row 0: each row is drawn once.
    share = np.array([0, 1, 4, 100, 121, 144]) / 370
    middle = np.cumsum(share)[1:] - share[1:] / 2
    uniforms = np.vstack([np.zeros(5), middle])
    drawn = _seeding.draw_seeds(as_points(G6).data, uniforms, 1)
    after = [np.minimum(G6[:, 0] ** 2, (G6[:, 0] - c) ** 2).sum() for c in G6[:, 0]]
    assert drawn.rows.tolist() == [0, int(np.argmin(after))]
    assert drawn.potential[1] == min(after)


@pytest.mark.parametrize("u", [0.0, 1.0 - 2**-53])
def test_extreme_uniform_numbers_never_draw_a_seed_again(u):
    X = np.vstack([G6[[0, 5]], G6, G6[[5]]])  # rows without mass first and last, after seeding
    drawn = _seeding.draw_seeds(as_points(X).data, np.array([[0.0], [u], [u], [u]]), 1)
    assert len(np.unique(X[drawn.rows])) == 4


def test_draws_stop_when_every_row_is_a_seed():
    X = np.repeat(F9[:3], 4, axis=0)
    drawn = _seeding.draw_seeds(as_points(X).data, np.full((5, 2), 0.5), 1)
    assert len(drawn.rows) == 3
    assert drawn.potential[-1] == 0


def test_distinct_rows_in_order():
    X = np.array([[1.0, 2], [1, 2], [0, 0], [-0.0, 0], [3, 4], [1, 2], [5, 6]])
    data = as_points(X).data
    assert _seeding.distinct_rows(data, 3).tolist() == [0, 2, 4]
    assert _seeding.distinct_rows(data, 7).tolist() == [0, 2, 4, 6]
    assert _seeding.count_distinct(data, 3) == 3
    assert _seeding.count_distinct(data, 7) == 4


def test_distinct_rows_among_some():
    X = np.array([[1.0, 2], [1, 2], [0, 0], [-0.0, 0], [3, 4], [1, 2], [5, 6]])
    data = as_points(X).data
    rows = np.array([5, 3, 1, 2, 6, 0, 4])
    assert _seeding.distinct_among(data, rows, 7).tolist() == [0, 1, 4, 6]
    assert _seeding.distinct_among(data, rows, 2).tolist() == [0, 1]
    assert len(_seeding.distinct_among(data, rows[:0], 2)) == 0
    with pytest.raises(ValueError, match="no such row"):
        _seeding.distinct_among(data, np.array([0, 7]), 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_spreading_equals_numpy(name, dtype):
    X, k = CASES[name]
    X = X.astype(dtype)
    first = _seeding.distinct_rows(as_points(X).data, min(k, 12))
    expected, replaced = twin.spread_seeds(X, first)
    found, times = _seeding.spread_seeds(as_points(X).data, first)
    assert found.tolist() == expected.tolist()
    assert times == replaced


@pytest.mark.parametrize("exponent", [-900, 700])
def test_spreading_does_not_depend_on_the_unit(exponent):
    X = blobs(3000, 3, 5)
    rows = np.arange(4)
    plain, _ = _seeding.spread_seeds(as_points(X).data, rows)
    scaled, _ = _seeding.spread_seeds(as_points(np.ldexp(X, exponent)).data, rows)
    assert plain.tolist() == scaled.tolist()


def test_spreading_needs_two_rows_that_exist():
    data = as_points(F9).data
    for rows in ([0], [0, 9], [-1, 2]):
        with pytest.raises(ValueError, match=r"two seeds|no such row"):
            _seeding.spread_seeds(data, np.array(rows))


def parts_of(*rows):
    return _seeding.Parts(
        np.concatenate(rows).astype(np.int64), np.cumsum([len(part) for part in rows])
    )


@pytest.mark.parametrize(("n", "n_parts"), [(1, 1), (7, 3), (12, 4), (5000, 10), (9, 9)])
def test_parts_hold_every_row_once_and_are_equally_large(n, n_parts):
    parts = _seeding.draw_parts(n, n_parts, np.random.default_rng(n)).split()
    assert [len(rows) for rows in parts] == [len(p) for p in np.array_split(range(n), n_parts)]
    assert all((np.diff(rows) > 0).all() for rows in parts)
    assert sorted(np.concatenate(parts)) == list(range(n))


def test_every_split_is_equally_likely():
    rng = np.random.default_rng(5)
    count = Counter(
        tuple(tuple(rows) for rows in _seeding.draw_parts(5, 2, rng).split()) for _ in range(4000)
    )
    assert len(count) == 10
    assert stats.chisquare(list(count.values())).pvalue > 1e-3


def test_dealing_checks_what_it_is_given():
    none, labels = np.empty(0, np.int64), np.array([0, 1, 1], np.uint16)
    with pytest.raises(ValueError, match="a label is out of range"):
        _native.count_labels(labels, 1)
    for ends in ([2, 3], [1, 4], [3]):  # too little room, too much, a label without a part
        ends = np.array(ends)
        with pytest.raises(ValueError, match="do not fit together"):
            _native.deal_rows(labels, none, none, np.zeros_like(ends), ends)
    rows = _native.deal_rows(
        labels, np.array([1]), np.array([0]), np.array([0, 1]), ends=np.array([2, 3])
    )
    assert rows.tolist() == [0, 2, 1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_parts_are_clustered_as_data_of_their_own(dtype, weighted, n_threads):
    rng = np.random.default_rng(0)
    X = blobs(3000, 4, 6).astype(dtype)
    weight = rng.gamma(2.0, size=len(X)) if weighted else None
    points = as_points(X, weight)
    parts = np.array_split(rng.permutation(len(X))[:2900], 7)  # some rows in no part
    starts = np.array([part[:5] for part in parts])
    parts = [np.sort(part) for part in parts]
    found = _seeding.cluster_parts(
        points.data, parts_of(*parts), starts, tol=1e-6, max_iter=100, n_threads=n_threads
    )
    for part, rows, centers in zip(parts, starts, found, strict=True):
        (alone,) = run_inner(points.take(part), X[rows][np.newaxis], 1)
        assert centers.tobytes() == alone.centers.tobytes()


def test_parts_of_too_few_distinct_rows_keep_them():
    X = np.array([[0.0], [0], [1], [1], [5], [6], [7], [8]])
    parts = parts_of([0, 1, 2, 3], [4, 5, 6, 7])
    starts = np.array([[0, 2, 0], [4, 5, 6]])
    data = as_points(X).data
    found = _seeding.cluster_parts(data, parts, starts, tol=1e-6, max_iter=100, n_threads=1)
    assert found[0].ravel().tolist() == [0, 1, 0]
    assert found[1].ravel().tolist() == [5, 6, 7.5]


def test_rows_of_a_part_must_exist_and_increase():
    data, starts = as_points(F9).data, np.zeros((2, 1), np.int64)
    for rows in ([1, 0], [1, 1], [-1, 0], [8, 9]):
        with pytest.raises(ValueError, match="exist and increase"):
            _seeding.cluster_parts(
                data, parts_of([0, 1], rows), starts, tol=0, max_iter=1, n_threads=1
            )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_label_means(dtype):
    rng = np.random.default_rng(0)
    X = (RUSP + 1e4).astype(dtype)
    labels = np.concatenate([np.arange(5), rng.integers(0, 5, len(X) - 5)]).astype(np.int32)
    weight = rng.gamma(1.0, size=len(X))
    means = _seeding.label_means(as_points(X, weight).data, labels, 5)
    expected = [np.average(X[labels == c], axis=0, weights=weight[labels == c]) for c in range(5)]
    np.testing.assert_allclose(means, expected, rtol=2 * np.finfo(dtype).eps)
    order = rng.permutation(len(X))
    again = _seeding.label_means(as_points(X[order], weight[order]).data, labels[order], 5)
    assert means.tobytes() == again.tobytes()


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_longest_row(scale):
    assert _seeding.longest_row(as_points(scale * F9).data) == 4
    assert _seeding.longest_row(as_points(scale * (F9 - 20)).data) == 0


def test_threads_may_seed_the_same_data_at_once():
    data = as_points(blobs(20_000, 16, 12)).data
    uniforms = np.random.default_rng(2).random((24, 12, 4))
    alone = [_seeding.draw_seeds(as_points(blobs(20_000, 16, 12)).data, u, 1) for u in uniforms]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda u: _seeding.draw_seeds(data, u, 1), uniforms))
    assert [f.rows.tobytes() for f in found] == [a.rows.tobytes() for a in alone]


def test_a_sketch_that_tells_nothing_is_not_made_again():
    """Rows apart by less than its steps, beside one far away."""
    X = np.concatenate([blobs(5_000, 4, 6), [[1e6] * 4]])
    data = as_points(X).data
    uniforms = np.random.default_rng(3).random((20, 3))
    fresh, first, second = (
        _seeding.draw_seeds(d, uniforms, 1) for d in (as_points(X).data, data, data)
    )
    assert first.rows.tobytes() == second.rows.tobytes() == fresh.rows.tobytes()
    assert first.distances > second.distances
