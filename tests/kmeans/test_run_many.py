"""Many runs in one call."""

import numpy as np
import pytest
from lloyd_twin import blobs, nearest

from seedbed import KMeans, run_many
from seedbed._core._engine import ALGORITHMS


@pytest.fixture(scope="module")
def problem():
    X, _ = blobs(n=700, d=6, k=5)
    rng = np.random.default_rng(0)
    return X, np.stack([X[rng.choice(len(X), 5, replace=False)] for _ in range(9)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_runs_are_single_fits(problem, algorithm, dtype):
    X, starts = (a.astype(dtype) for a in problem)
    runs = run_many(X, starts, algorithm=algorithm, keep_labels=True, history=True)
    assert len(runs) == 9
    for r, start in enumerate(starts):
        km = KMeans(5, init=start, algorithm=algorithm, stop="sse", tol=1e-6, max_iter=100).fit(X)
        assert runs.labels[r].tobytes() == km.labels_.tobytes()
        assert runs.centers[r].tobytes() == km.cluster_centers_.tobytes()
        assert runs.sse[r] == km.inertia_
        assert runs.initial_sse[r] == km.init_inertia_
        assert runs.n_iter[r] == km.n_iter_
        assert runs.stop_reason[r] == km.stop_reason_
        assert runs.algorithm[r] == km.algorithm_
        np.testing.assert_array_equal(runs.histories[r].sse, km.history_.sse)
        np.testing.assert_array_equal(runs.histories[r].changed, km.history_.changed)


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@pytest.mark.parametrize("policy", ["keep", "drop", "relocate"])
def test_runs_that_lose_a_cluster_are_single_runs(problem, policy):
    X, starts = problem
    starts = starts.copy()
    starts[:, 2] += 1e3  # no row is near it
    options = {"empty_cluster": policy, "keep_labels": True}
    runs = run_many(X, starts, **options)
    for r, start in enumerate(starts):
        (alone,) = run_many(X, start[None], **options)
        assert runs[r].labels.tobytes() == alone.labels.tobytes()
        assert runs[r].centers.tobytes() == alone.centers.tobytes()
        assert runs[r].sse == alone.sse


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_threads_do_not_change_a_byte(problem, n_threads):
    X, starts = problem
    one, many = (
        run_many(X, starts, n_threads=t, keep_labels=True, history=True) for t in (1, n_threads)
    )
    for name in ("labels", "centers", "sse", "initial_sse", "n_iter", "n_distances"):
        assert getattr(one, name).tobytes() == getattr(many, name).tobytes(), name
    assert one.best == many.best


def test_labels_of_the_best_run_only(problem):
    X, starts = problem
    runs = run_many(X, starts)
    assert runs.labels is None
    assert [run.labels is not None for run in runs] == [r == runs.best for r in range(9)]
    np.testing.assert_array_equal(runs[runs.best].labels, nearest(X, runs[runs.best].centers))
    assert runs.best == int(runs.sse.argmin())
    assert all(len(h) == 0 for h in runs.histories)


def test_the_first_of_equal_runs_is_best(problem):
    X, starts = problem
    runs = run_many(X, np.stack([starts[0]] * 5), n_threads=3)
    assert runs.best == 0
    assert runs[0].labels is not None


def test_shapes_and_types_of_the_arrays(problem):
    X, starts = problem
    runs = run_many(X, starts, sample_weight=np.full(len(X), 2.0))
    assert runs.centers.shape == (9, 5, 6)
    for name, kind in {
        "sse": "f",
        "initial_sse": "f",
        "cpu_seconds": "f",
        "n_iter": "i",
        "n_distances": "i",
        "n_relocated": "i",
        "n_clusters": "i",
        "stop_reason": "U",
        "algorithm": "U",
    }.items():
        assert getattr(runs, name).shape == (9,)
        assert getattr(runs, name).dtype.kind == kind
    assert (runs.sse <= runs.initial_sse).all()
    assert (runs.cpu_seconds > 0).all()
    assert (runs.n_iter <= 100).all()


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
def test_dropped_clusters_do_not_fit_one_array(problem):
    X, starts = problem
    starts = starts.copy()
    starts[0, :2] = [[1e9], [2e9]]
    runs = run_many(X, starts, empty_cluster="drop")
    assert runs.n_clusters.tolist() == [3] + [5] * 8
    with pytest.raises(ValueError, match=r"different numbers of clusters \(3 to 5\)"):
        _ = runs.centers


@pytest.mark.parametrize(
    ("centers", "message"),
    [
        (np.zeros((5, 6)), r"centers has shape \(5, 6\); give runs × clusters × features, for one"),
        (np.zeros((2, 5, 7)), r"centers has 7 feature\(s\).*X has 6"),
        (np.zeros((0, 5, 6)), "give at least one start"),
        (np.zeros((2, 0, 6)), "give at least one start"),
        (np.zeros((1, 701, 6)), "701 cluster"),
        (np.full((1, 5, 6), np.nan), "centers contains NaN or infinity"),
        (np.full((1, 5, 6), "a"), "centers has dtype <U1; give real numbers"),
    ],
)
def test_bad_centres(problem, centers, message):
    with pytest.raises(ValueError, match=message):
        run_many(problem[0], centers)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"algorithm": "lloydd"}, "algorithm='lloydd' is not allowed in run_many.*'lloyd'"),
        ({"stop": "never"}, "stop='never' is not allowed.*'centers', 'sse', 'labels'"),
        ({"tol": -1.0}, "tol=-1.0 is not allowed.*>= 0"),
        ({"max_iter": 0}, "max_iter=0 is not allowed.*int >= 1"),
        ({"empty_cluster": None}, "empty_cluster=None is not allowed.*'relocate'"),
        ({"n_threads": 0}, "n_threads=0 is not allowed.*None or an int >= 1"),
        ({"n_threads": 1025}, "n_threads=1025 is not allowed in run_many.*1024 at most"),
        ({"keep_labels": "yes"}, "keep_labels='yes' is not allowed in run_many; use a bool"),
        ({"history": 1}, "history=1 is not allowed in run_many; use a bool"),
    ],
)
def test_bad_options(problem, option, message):
    with pytest.raises(ValueError, match=message):
        run_many(*problem, **option)


@pytest.mark.parametrize("refine", [None, "hartigan"])
def test_any_number_of_iterations_may_be_allowed(problem, refine):
    options = {"stop": "labels", "refine": refine}
    enough, no_limit = (run_many(*problem, max_iter=m, **options) for m in (1000, 2**70))
    assert no_limit.n_iter.tolist() == enough.n_iter.tolist()
    assert no_limit.sse.tolist() == enough.sse.tolist()


def test_options_of_numpy_are_taken(problem):
    runs = run_many(*problem, keep_labels=np.True_, history=np.False_, max_iter=np.int64(2**40))
    assert runs.labels.shape == (9, 700)
