"""Where many runs share the data, or rows are narrow, rows are first scored as 16-bit integers:
labels are Lloyd's all the same, whatever the scale, the outliers and the start."""

import numpy as np
import pytest
from lloyd_twin import blobs, nearest, sse

from seedbed import run_many
from seedbed._core import _engine
from seedbed._validation import as_points


def with_outlier(X, distance):
    """One row far outside, not among those that the scale is guessed from."""
    X = np.tile(X, (4, 1))
    X[len(X) // 2 + 1] = distance
    return X


def near_ties(d, gap):
    """Rows that lie ``gap`` (relative) to either side of the middle between two centres."""
    rng = np.random.default_rng(d)
    centers = rng.normal(size=(6, d))
    X = np.repeat((centers[:3] + centers[3:]) / 2, 200, axis=0)
    along = np.repeat(centers[:3] - centers[3:], 200, axis=0)
    return X + along * gap * rng.choice([-1.0, 0.0, 1.0], size=(len(X), 1)), centers


X, START = blobs(n=1999, d=7, k=6)
DATA = {
    "plain": (X, START),
    "two features": blobs(n=1500, d=2, k=9),
    "ten features": blobs(n=1100, d=10, k=7),
    "odd and wide": blobs(n=600, d=33, k=11),
    "many clusters": blobs(n=900, d=5, k=50),
    "an outlier": (with_outlier(X, 1e4), START),
    "an outlier beyond integers": (with_outlier(X, 1e12), START),
    "a start outside": (X, START * np.array([[1], [-1e3], [1], [1e6], [1], [1e100]])),
    "a far offset": (X + 1e8, START + 1e8),
    "tiny": (X * 1e-150, START * 1e-150),
    "huge": (X * 1e150, START * 1e150),
    "rows alike": (np.repeat(X[:6], 50, axis=0), X[:6]),
    "near ties": near_ties(8, 1e-6),
    "nearer ties": near_ties(9, 1e-12),
}

BEYOND_SINGLE = ("tiny", "huge", "a start outside", "an outlier beyond integers")


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("algorithm", ["auto", "lloyd", "hamerly"])
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("n_runs", [1, 4])
def test_scores_in_integers_give_lloyds_labels(n_runs, name, algorithm, dtype):
    points, start = DATA[name]
    if dtype is np.float32 and name in BEYOND_SINGLE:
        pytest.skip("beyond single precision")
    points, start = points.astype(dtype), start.astype(dtype)
    starts = np.stack([np.roll(start, r, axis=0) for r in range(n_runs)])
    for max_iter in (1, 2, 5, 40):
        options = {"stop": "labels", "max_iter": max_iter, "keep_labels": True}
        runs = run_many(points, starts, algorithm=algorithm, empty_cluster="keep", **options)
        plain = run_many(points, starts[-1:], algorithm="tie-pde", empty_cluster="keep", **options)
        np.testing.assert_array_equal(runs[n_runs - 1].labels, nearest(points, plain[0].centers))
        assert runs[n_runs - 1].centers.tobytes() == plain[0].centers.tobytes()
        assert runs[n_runs - 1].labels.tobytes() == plain[0].labels.tobytes()


@pytest.mark.parametrize("algorithm", ["auto", "lloyd", "hamerly", "elkan", "yinyang", "tree"])
def test_a_copy_made_by_one_run_serves_the_next(algorithm):
    """With ten features a run alone has no room for bounds beside its copy."""
    points = np.random.default_rng(0).random((3000, 10))
    starts = points[:24].reshape(4, 6, 10)
    options = {"stop": "labels", "tol": 0.0, "max_iter": 40, "empty_cluster": "relocate"}
    options |= {"n_threads": 1, "history": True, "keep_labels": True}
    prepared = as_points(points, n_threads=1).data
    _engine.run_many(prepared, starts[:1], algorithm="auto", **options)
    after = _engine.run_many(prepared, starts, algorithm=algorithm, **options)
    fresh = _engine.run_many(
        as_points(points, n_threads=1).data, starts, algorithm=algorithm, **options
    )
    for a, b in zip(after, fresh, strict=True):
        assert a.labels.tobytes() == b.labels.tobytes()
        assert a.centers.tobytes() == b.centers.tobytes()


def test_a_run_takes_up_its_bounds_again():
    """Overlapping groups: bounds are left early and taken up again when moves are small."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(20000, 6)) + rng.normal(size=(8, 6))[rng.integers(8, size=20000)]
    starts = points[rng.choice(len(points), (4, 8))]
    auto = run_many(points, starts, stop="labels", max_iter=500)
    plain = run_many(points, starts, stop="labels", max_iter=500, algorithm="lloyd")
    assert auto.sse.tobytes() == plain.sse.tobytes()
    assert (auto.n_distances < plain.n_distances).all()
    assert sse(points, auto[0].centers, nearest(points, auto[0].centers)) == pytest.approx(
        auto.sse[0]
    )
