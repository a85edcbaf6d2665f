"""Hartigan's refinement after k-means."""

import numpy as np
import pytest
from fixtures import G6, RUSP, blobs

from seedbed import KMeans, run_many
from seedbed.exceptions import ParameterError


def fit_both(X, k, weight=None, **options):
    plain = KMeans(k, **options).fit(X, sample_weight=weight)
    refined = KMeans(k, refine="hartigan", **options).fit(X, sample_weight=weight)
    return plain, refined


def best_gain(X, labels, weight):
    """By how much the best move of a single row would lower the error."""
    k = labels.max() + 1
    mass = np.bincount(labels, weights=weight, minlength=k)
    sums = np.stack([weight[labels == c] @ X[labels == c] for c in range(k)])
    away = ((X[:, None] - (sums / mass[:, None])[None]) ** 2).sum(axis=2)
    own = mass[labels]
    with np.errstate(divide="ignore", invalid="ignore"):
        leaving = weight * own / (own - weight) * away[np.arange(len(X)), labels]
    joining = weight[:, None] * mass / (mass + weight[:, None]) * away
    joining[np.arange(len(X)), labels] = np.inf
    gains = np.where(own > weight, leaving - joining.min(axis=1), -np.inf)
    return gains[weight > 0].max()


def test_a_fixed_point_of_lloyd_can_improve():
    # 3 is nearer to the mean 4/3 than to 5, but without it that mean is 1/2.
    X = np.array([[0.0], [1], [3], [5]])
    start = np.array([[4 / 3], [5]])
    plain, refined = fit_both(X, 2, init=start, stop="labels")
    assert plain.stop_reason_ == "labels"
    assert plain.inertia_ == pytest.approx(14 / 3)
    assert refined.inertia_ == pytest.approx(0.5 + 2)
    # The error falls by exactly the difference of the two terms.
    leaving, joining = 3 / 2 * (3 - 4 / 3) ** 2, 1 / 2 * (3 - 5) ** 2
    assert plain.inertia_ - refined.inertia_ == pytest.approx(leaving - joining)
    assert refined.n_moved_ == 1
    assert refined.stop_reason_ == "hartigan"
    assert refined.converged_
    assert "hartigan" not in plain.stop_reason_
    assert plain.n_moved_ == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("stop", ["centers", "sse", "labels"])
def test_never_worse_consistent_and_optimal(dtype, weighted, stop):
    improved = 0
    for seed in range(6):
        X = blobs(300, 3, 5, spread=0.5, seed=seed).astype(dtype)
        rng = np.random.default_rng(seed)
        weight = rng.integers(0, 4, len(X)) * 1.0 if weighted else np.ones(len(X))
        options = {"init": "macqueen", "n_init": 1, "random_state": seed, "stop": stop}
        plain, refined = fit_both(X, 8, weight if weighted else None, **options)
        assert refined.inertia_ <= plain.inertia_
        improved += refined.inertia_ < plain.inertia_
        np.testing.assert_array_equal(refined.predict(X), refined.labels_)
        assert refined.init_inertia_ == plain.init_inertia_
        assert len(np.unique(refined.labels_[weight > 0])) == 8
        slack = 1e-5 if dtype == np.float32 else 1e-10
        assert best_gain(X.astype(float), refined.labels_, weight) <= slack
        squares = ((X - refined.cluster_centers_[refined.labels_]).astype(float) ** 2).sum(axis=1)
        assert refined.inertia_ == pytest.approx(weight @ squares, rel=1e-6)
    assert improved >= 4


def test_history_has_every_iteration_and_pass():
    _, refined = fit_both(RUSP, 10, init="macqueen", n_init=1, random_state=29)
    history = refined.history_
    assert len(history) == refined.n_iter_
    assert (np.diff(history.sse) <= 1e-9 * history.sse[0]).all()
    assert history.sse[-1] == pytest.approx(refined.inertia_)
    assert history.changed[-1] == 0
    assert history.distances.sum() == refined.n_distances_
    assert 0 < refined.n_moved_ < history.changed.sum()
    plain = KMeans(10, init="macqueen", n_init=1, random_state=29).fit(RUSP)
    np.testing.assert_array_equal(history.table[: plain.n_iter_], plain.history_.table)


def test_better_in_the_mean():
    plain, refined = (
        np.mean(
            [
                KMeans(10, init="macqueen", n_init=1, random_state=r, refine=refine)
                .fit(RUSP)
                .inertia_
                for r in range(30)
            ]
        )
        for refine in (None, "hartigan")
    )
    assert refined < 0.97 * plain


def test_same_bytes_for_any_number_of_threads_and_algorithm():
    X = blobs(9000, 4, 6, spread=0.5)
    results = {
        (
            km := KMeans(6, random_state=0, refine="hartigan", n_threads=t, algorithm=a).fit(X)
        ).labels_.tobytes()
        + km.cluster_centers_.tobytes()
        for t in (1, 3)
        for a in ("lloyd", "hamerly", "tree")
    }
    assert len(results) == 1


def test_the_limit_of_iterations_holds():
    X = blobs(2000, 3, 5, spread=0.6)
    free = KMeans(9, init="macqueen", n_init=1, random_state=0, refine="hartigan").fit(X)
    assert free.stop_reason_ == "hartigan"
    for limit in range(1, free.n_iter_ + 3):
        km = KMeans(
            9, init="macqueen", n_init=1, random_state=0, refine="hartigan", max_iter=limit
        ).fit(X)
        assert km.n_iter_ <= limit
        assert len(km.history_) == km.n_iter_
        np.testing.assert_array_equal(km.predict(X), km.labels_)
        assert km.converged_ == (km.stop_reason_ != "max_iter")
    assert km.stop_reason_ == "hartigan"


def test_many_runs():
    rng = np.random.default_rng(0)
    starts = np.stack([RUSP[rng.choice(75, 7, replace=False)] for _ in range(9)])
    plain, refined = run_many(RUSP, starts), run_many(RUSP, starts, refine="hartigan")
    assert (refined.sse <= plain.sse).all()
    assert (refined.sse < plain.sse).any()
    assert set(refined.stop_reason) == {"hartigan"}
    assert refined.n_moved.shape == (9,)
    assert refined.n_moved.sum() > 0
    assert (plain.n_moved == 0).all()
    assert [run.labels is not None for run in refined] == [r == refined.best for r in range(9)]
    assert all(len(h) == 0 for h in refined.histories)
    kept = run_many(RUSP, starts, refine="hartigan", keep_labels=True, history=True)
    for r, run in enumerate(kept):
        assert run.sse == refined.sse[r]
        single = KMeans(
            7, init=starts[r], stop="sse", tol=1e-6, max_iter=100, refine="hartigan"
        ).fit(RUSP)
        assert single.labels_.tobytes() == run.labels.tobytes()
        np.testing.assert_array_equal(single.history_.table[:, :2], run.history[:, :2])


@pytest.mark.parametrize("policy", ["keep", "drop"])
def test_clusters_without_rows(policy):
    start = np.array([[1.0], [2.0], [500.0]])
    with pytest.warns(UserWarning, match="1 of the 3 clusters"):
        km = KMeans(3, init=start, empty_cluster=policy, refine="hartigan").fit(G6)
    assert km.inertia_ == 4
    assert len(np.unique(km.labels_)) == 2
    if policy == "keep":
        assert 500.0 in km.cluster_centers_


def test_ordered_labels_and_one_cluster():
    km = KMeans(
        4, init="macqueen", n_init=3, random_state=0, refine="hartigan", order_labels="size"
    ).fit(RUSP)
    sizes = np.bincount(km.labels_)
    assert (np.diff(sizes) <= 0).all()
    one = KMeans(1, refine="hartigan").fit(RUSP)
    np.testing.assert_allclose(one.cluster_centers_[0], RUSP.mean(axis=0))
    assert one.n_moved_ == 0
    every = KMeans(6, refine="hartigan", random_state=0).fit(G6)
    assert every.inertia_ == 0


def test_refused_values():
    with pytest.raises(ParameterError, match=r"refine='hartigen' .*did you mean 'hartigan'"):
        KMeans(2, refine="hartigen").fit(G6)
    with pytest.raises(ParameterError, match="refine=True is not allowed in run_many"):
        run_many(G6, G6[None, :2], refine=True)
