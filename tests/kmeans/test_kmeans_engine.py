"""Every algorithm is plain Lloyd, every number of threads gives the same bytes, and the stopping
rules do what they say."""

from functools import cache

import numpy as np
import pytest
import sklearn.cluster
from lloyd_twin import blobs, lloyd, nearest, sse
from threadpoolctl import threadpool_limits

from seedbed import KMeans, run_many
from seedbed._core._engine import ALGORITHMS, STOP_RULES

DTYPES = (np.float32, np.float64)
DATA = {
    "blobs": blobs(),
    "one feature": blobs(d=1),
    "two features": blobs(n=900, d=2, k=9),
    "many features": blobs(n=200, d=70, k=5),
    "many clusters": blobs(n=700, d=3, k=60),
    "one cluster": blobs(k=1),
    "offset": tuple(a + 1e8 for a in blobs(n=300)),
    "lattice": (
        np.stack(np.meshgrid(*[np.arange(6.0)] * 3), -1).reshape(-1, 3),
        np.array([[0.0, 0, 0], [5, 5, 5], [0, 5, 0], [2, 2, 2], [3, 3, 3]]),
    ),
}


def record(X, start, **options):
    return run_many(X, start[None], history=True, **options)[0]


def assert_same_bytes(a, b):
    for name in a._fields:
        if name in ("cpu_seconds", "algorithm", "n_distances"):
            continue
        x, y = getattr(a, name), getattr(b, name)
        if name == "history":
            x, y = x[:, [0, 1, 3]], y[:, [0, 1, 3]]  # without the distances
        assert np.asarray(x).tobytes() == np.asarray(y).tobytes(), name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("algorithm", [a for a in ALGORITHMS if a != "lloyd"])
def test_every_algorithm_is_lloyd_at_every_iteration(algorithm, data, dtype):
    X, start = (a.astype(dtype) for a in DATA[data])
    whole = record(X, start, algorithm="lloyd", stop="labels", max_iter=300)
    for max_iter in (*range(1, min(whole.n_iter, 12) + 1), 300):
        options = {"stop": "labels", "max_iter": max_iter}
        plain = record(X, start, algorithm="lloyd", **options)
        assert plain.algorithm == "lloyd"
        assert_same_bytes(record(X, start, algorithm=algorithm, **options), plain)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_labels_are_those_of_the_twin(algorithm, data, dtype):
    X, start = (a.astype(dtype) for a in DATA[data])
    for max_iter in (1, 2, 3, 50):
        run = record(X, start, algorithm=algorithm, stop="labels", max_iter=max_iter)
        np.testing.assert_array_equal(run.labels, nearest(X, run.centers))
        assert run.sse == pytest.approx(sse(X, run.centers, run.labels), rel=1e-12, abs=1e-300)
        assert run.initial_sse == pytest.approx(sse(X, start, nearest(X, start)), rel=1e-9)


@pytest.mark.parametrize("stop", STOP_RULES)
@pytest.mark.parametrize("tol", [0.0, 1e-6, 1e-4, 1e-2])
@pytest.mark.parametrize("max_iter", [1, 4, 300])
def test_stopping_rules_against_a_written_out_loop(stop, tol, max_iter):
    for seed in range(4):
        X, start = blobs(seed=seed)
        run = record(X, start, stop=stop, tol=tol, max_iter=max_iter)
        labels, centers, history, reason = lloyd(X, start, stop=stop, tol=tol, max_iter=max_iter)
        assert (run.stop_reason, run.n_iter) == (reason, len(history))
        np.testing.assert_array_equal(run.labels, labels)
        np.testing.assert_allclose(run.centers, centers, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(run.history[:, 0], history, rtol=1e-9)


@cache
def theirs(seed, tol, max_iter):
    X, start = blobs(n=500, seed=seed)
    with threadpool_limits(1):
        return sklearn.cluster.KMeans(6, init=start, n_init=1, tol=tol, max_iter=max_iter).fit(X)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    ("stop", "tol", "max_iter"),
    [("labels", 0.0, 300), ("centers", 1e-4, 300), ("centers", 1e-4, 3)],
)
def test_same_as_scikit_learn_from_the_same_start(algorithm, stop, tol, max_iter):
    for seed in range(5):
        X, start = blobs(n=500, seed=seed)
        ours = KMeans(6, init=start, algorithm=algorithm, stop=stop, max_iter=max_iter).fit(X)
        other = theirs(seed, tol, max_iter)
        np.testing.assert_array_equal(ours.labels_, other.labels_)
        np.testing.assert_allclose(ours.cluster_centers_, other.cluster_centers_, rtol=1e-9)
        assert ours.inertia_ == pytest.approx(other.inertia_, rel=1e-9)
        assert ours.n_iter_ == other.n_iter_


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_threads_do_not_change_a_byte(algorithm, dtype):
    X, start = blobs(n=30_000, d=9, k=8, dtype=dtype)  # n k d > 2^21: threads are used
    weight = np.random.default_rng(1).uniform(0.1, 3.0, len(X))
    for w in (None, weight):
        options = {"algorithm": algorithm, "sample_weight": w, "max_iter": 12}
        one = record(X, start, n_threads=1, **options)
        for n_threads in (2, 3, 8):
            assert_same_bytes(record(X, start, n_threads=n_threads, **options), one)


def test_threads_do_not_change_the_estimator():
    X, _ = blobs(n=30_000, d=9, k=8)
    fits = [
        KMeans(8, n_init=2, random_state=3, max_iter=10, n_threads=t).fit(X) for t in (1, 2, 3, 8)
    ]
    for km in fits[1:]:
        assert km.labels_.tobytes() == fits[0].labels_.tobytes()
        assert km.cluster_centers_.tobytes() == fits[0].cluster_centers_.tobytes()
        assert km.inertia_ == fits[0].inertia_
        assert km.predict(X).tobytes() == fits[0].labels_.tobytes()
        assert km.transform(X).tobytes() == fits[0].transform(X).tobytes()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_distances_are_counted(algorithm):
    X, start = blobs(n=400, d=4, k=6)
    run = record(X, start, algorithm=algorithm, stop="labels", max_iter=300)
    assert run.n_distances >= run.history[:, 2].sum() > 0
    if algorithm == "lloyd":
        per_iteration = len(X) * len(start)
        assert (run.history[:, 2] >= per_iteration).all()
        assert run.history[:, 2].sum() < 1.1 * per_iteration * run.n_iter


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_history_agrees_with_the_run(algorithm):
    X, start = blobs(n=800)
    run = record(X, start, algorithm=algorithm, stop="labels", max_iter=300)
    assert len(run.history[:, 0]) == run.n_iter
    assert run.history[:, 1][0] == len(X)
    assert run.history[:, 1][-1] == 0
    assert run.stop_reason == "labels"
    assert run.history[:, 0][0] == run.initial_sse
    assert run.history[:, 0][-1] == pytest.approx(run.sse, rel=1e-12)
    assert run.cpu_seconds > 0
