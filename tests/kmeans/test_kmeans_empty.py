"""Clusters that lose all their points."""

import warnings

import numpy as np
import pytest
from lloyd_twin import blobs, nearest, sse

from seedbed import KMeans, run_many
from seedbed._core._engine import ALGORITHMS
from seedbed.exceptions import DistinctRowsError, EmptyClusterError, EmptyClusterWarning

FAR = 1e6


def far_start(n_far, k=6, **options):
    X, start = blobs(n=300, k=k, **options)
    start[-n_far:] = FAR * (1 + np.arange(n_far))[:, None]
    return X, start


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("n_far", [1, 3, 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_relocate_fills_every_cluster(algorithm, n_far, dtype):
    X, start = far_start(n_far, dtype=dtype)
    km = KMeans(6, init=start, algorithm=algorithm).fit(X)
    assert len(np.unique(km.labels_)) == 6
    assert km.history_.relocated[0] == n_far == km.runs_.n_relocated[0]
    assert np.abs(km.cluster_centers_).max() < 100
    np.testing.assert_array_equal(km.labels_, nearest(X, km.cluster_centers_))
    assert (np.diff(km.history_.sse) <= 1e-12 * km.history_.sse[:-1]).all()


@pytest.mark.parametrize("algorithm", [a for a in ALGORITHMS if a != "lloyd"])
@pytest.mark.parametrize("policy", ["relocate", "keep", "drop"])
@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
def test_every_algorithm_treats_empty_clusters_alike(algorithm, policy):
    X, start = far_start(3)
    for max_iter in (1, 2, 3, 4, 300):
        a, b = (
            KMeans(6, init=start, algorithm=name, empty_cluster=policy, max_iter=max_iter).fit(X)
            for name in ("lloyd", algorithm)
        )
        assert a.labels_.tobytes() == b.labels_.tobytes()
        assert a.cluster_centers_.tobytes() == b.cluster_centers_.tobytes()
        np.testing.assert_array_equal(a.history_.sse, b.history_.sse)


def test_relocate_takes_the_farthest_point():
    X = np.array([[0.0], [1.0], [2.0], [50.0], [51.0]])
    start = np.array([[1.0], [FAR]])
    km = KMeans(2, init=start, max_iter=1).fit(X)
    # All five belong to centre 0; the last is farthest and becomes cluster 1, then one update.
    np.testing.assert_allclose(km.cluster_centers_, [[53 / 4], [51.0]])
    np.testing.assert_array_equal(km.labels_, [0, 0, 0, 1, 1])


def test_relocate_weighs_distance_with_mass():
    X = np.array([[0.0], [10.0], [-4.0]])
    start = np.array([[0.0], [FAR]])
    heavy = KMeans(2, init=start, max_iter=1).fit(X, sample_weight=[1.0, 1.0, 10.0])
    assert heavy.cluster_centers_[1, 0] == -4.0  # 10 · 16 > 1 · 100
    light = KMeans(2, init=start, max_iter=1).fit(X)
    assert light.cluster_centers_[1, 0] == 10.0


def test_keep_leaves_the_centre_and_tells():
    X, start = far_start(2)
    with pytest.warns(EmptyClusterWarning, match="2 of the 6 clusters have no points"):
        km = KMeans(6, init=start, empty_cluster="keep").fit(X)
    np.testing.assert_array_equal(km.cluster_centers_[-2:], start[-2:])
    assert set(km.labels_) == {0, 1, 2, 3}
    np.testing.assert_array_equal(km.predict(X), km.labels_)


def test_drop_leaves_fewer_clusters_and_tells():
    X, start = far_start(2)
    with pytest.warns(EmptyClusterWarning, match="2 of the 6 clusters were dropped"):
        km = KMeans(6, init=start, empty_cluster="drop").fit(X)
    four = KMeans(4, init=start[:4]).fit(X)
    assert km.cluster_centers_.shape == (4, X.shape[1])
    np.testing.assert_array_equal(km.labels_, four.labels_)
    assert km.inertia_ == four.inertia_
    assert km.transform(X).shape == (300, 4)
    assert list(km.get_feature_names_out()) == ["kmeans0", "kmeans1", "kmeans2", "kmeans3"]


def test_error_says_what_to_do():
    X, start = far_start(1)
    with pytest.raises(EmptyClusterError, match=r"cluster 5 became empty.*'relocate'"):
        KMeans(6, init=start, empty_cluster="error").fit(X)
    with pytest.raises(ValueError, match="cluster 5"):
        run_many(X, start[None], empty_cluster="error")


@pytest.mark.parametrize("policy", ["relocate", "keep", "drop", "error"])
def test_no_policy_matters_when_nothing_is_empty(policy):
    X, start = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        km = KMeans(6, init=start, empty_cluster=policy).fit(X)
    assert km.inertia_ == KMeans(6, init=start).fit(X).inertia_


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("init", ["rows", "far", "greedy-k-means++"])
def test_fewer_distinct_rows_than_clusters(algorithm, init):
    X = np.repeat([[0.0, 1.0], [3.0, 4.0], [9.0, 9.0]], 5, axis=0)
    start = {"rows": X[:5], "far": np.arange(10.0).reshape(5, 2) * FAR}.get(init, init)
    message = (
        r"X has 3 distinct rows \(with positive weight\), fewer than n_clusters=5: lower "
        "n_clusters to at most 3, or pass empty_cluster='keep' or 'drop'"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DistinctRowsError, match=message) as caught:
            KMeans(5, init=start, algorithm=algorithm, random_state=0).fit(X)
    assert caught.value.found == 3


def test_rows_without_weight_are_not_distinct_rows():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    with pytest.raises(DistinctRowsError, match="X has 2 distinct rows"):
        KMeans(3, init=X[:3]).fit(X, sample_weight=[1, 1, 0, 0])


@pytest.mark.parametrize("policy", ["keep", "drop"])
@pytest.mark.filterwarnings("ignore::seedbed.exceptions.DistinctRowsWarning")
def test_fewer_distinct_rows_kept_or_dropped(policy):
    X = np.repeat([[0.0], [3.0], [9.0]], 4, axis=0)
    with pytest.warns(EmptyClusterWarning, match="2 of the 5 clusters"):
        km = KMeans(5, empty_cluster=policy, random_state=0).fit(X)
    assert len(km.cluster_centers_) == (5 if policy == "keep" else 3)
    assert np.isfinite(km.cluster_centers_).all()
    assert km.inertia_ == 0 == sse(X, km.cluster_centers_, km.labels_)
    np.testing.assert_array_equal(km.predict(X), km.labels_)


def test_identical_rows():
    X = np.full((20, 3), 7.25)
    km = KMeans(1).fit(X)
    assert km.inertia_ == 0
    np.testing.assert_array_equal(km.cluster_centers_, X[:1])
    with pytest.raises(DistinctRowsError, match="X has 1 distinct row "):
        KMeans(2).fit(X)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("k", [2, 6, 15, 40])
@pytest.mark.parametrize("distance", [1e12, 1e20, 1e37, 1e150])
def test_centres_beyond_single_precision(algorithm, k, distance):
    """Squares of such distances overflow in single precision, where candidates are screened."""
    X, start = blobs(n=400, k=k)
    far = start.copy()
    far[0] = distance
    everything = start * distance
    for begin in (far, everything):
        for max_iter in (1, 3, 300):
            km, plain = (
                KMeans(k, init=begin, algorithm=a, max_iter=max_iter).fit(X)
                for a in (algorithm, "lloyd")
            )
            assert km.labels_.tobytes() == plain.labels_.tobytes()
            assert km.cluster_centers_.tobytes() == plain.cluster_centers_.tobytes()
            np.testing.assert_array_equal(km.labels_, nearest(X, km.cluster_centers_))
