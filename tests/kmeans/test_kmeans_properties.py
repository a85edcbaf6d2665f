"""What holds for any data."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from lloyd_twin import blobs, nearest, sse

from seedbed import KMeans, run_many
from seedbed._core._engine import ALGORITHMS

RULE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
CONFIGURATIONS = st.sampled_from(sorted(ALGORITHMS))


@st.composite
def problems(draw, *, elements=None, scales=None):
    """Data of some scale and offset, and starting centres: rows, or anything."""
    n, d = draw(st.integers(1, 40)), draw(st.integers(1, 9))
    k = draw(st.integers(1, n))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    if elements is None:
        elements = st.one_of(st.integers(-4, 4).map(float), st.floats(-1.0, 1.0, width=32))
    X = draw(arrays(np.float64, (n, d), elements=elements))
    scales = scales or ([1.0, 1e-100, 1e100] if dtype is np.float64 else [1.0, 1e-15, 1e15])
    scale, offset = draw(st.sampled_from(scales)), draw(st.sampled_from([0.0, 1e8]))
    X = ((X + offset) * scale).astype(dtype)
    rows = draw(st.permutations(range(n)))[:k]
    start = X[list(rows)]
    if draw(st.booleans()):
        start = start * draw(st.floats(-3, 3, width=16))  # below 1e-150 squares of both are zero
    return X, start.astype(dtype)


def fitted(X, start, **options):
    options = {"empty_cluster": "keep", **options}
    return KMeans(len(start), init=start, **options).fit(X)


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@RULE
@given(problems(), CONFIGURATIONS, st.sampled_from([1, 2, 300]))
def test_result_agrees_with_itself(problem, algorithm, max_iter):
    X, start = problem
    given_X, given_start = X.copy(), start.copy()
    km = fitted(X, start, algorithm=algorithm, max_iter=max_iter, stop="labels")
    np.testing.assert_array_equal(X, given_X)
    np.testing.assert_array_equal(start, given_start)
    assert np.isfinite(km.cluster_centers_).all()
    assert km.cluster_centers_.dtype == X.dtype
    assert km.labels_.dtype == np.int32
    np.testing.assert_array_equal(km.labels_, nearest(X, km.cluster_centers_))
    np.testing.assert_array_equal(km.labels_, km.predict(X))
    assert km.inertia_ == -km.score(X)
    assert km.inertia_ == pytest.approx(sse(X, km.cluster_centers_, km.labels_), rel=1e-12, abs=0)
    assert km.converged_ == (km.stop_reason_ in ("labels", "centers", "sse"))


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@RULE
@given(problems(), CONFIGURATIONS)
def test_error_never_rises(problem, algorithm):
    X, start = problem
    km = fitted(X, start, algorithm=algorithm, stop="labels")
    error = np.append(km.history_.sse, km.inertia_)
    # Errors in between come from sums, to some ulps of the total about a nearby origin. Centres are
    # rounded to the dtype of the data, and far from the origin that is coarse.
    reach = float(np.sum((np.ptp(X.astype(np.float64), axis=0) * 1.7) ** 2))
    ulp = np.finfo(X.dtype).eps * float(np.abs(X).max(initial=0.0))
    slack = 1e-12 * error[:-1] + 1e-15 * len(X) * reach + X.size * ulp**2
    assert (error[1:] <= error[:-1] + slack).all()
    assert km.converged_


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@RULE
@given(problems(), CONFIGURATIONS, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(problem, algorithm, random):
    X, start = problem
    order = list(range(len(X)))
    random.shuffle(order)
    a, b = fitted(X, start, algorithm=algorithm), fitted(X[order], start, algorithm=algorithm)
    np.testing.assert_array_equal(a.labels_[order], b.labels_)
    assert a.cluster_centers_.tobytes() == b.cluster_centers_.tobytes()
    assert a.inertia_ == pytest.approx(b.inertia_, rel=1e-12)


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@RULE
@given(problems(elements=st.integers(-9, 9).map(float), scales=[1.0]), CONFIGURATIONS, st.data())
def test_weights_are_repetitions(problem, algorithm, data):
    """Whole numbers, so that weight × value is exact: then so is the equality."""
    X, start = problem
    weight = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(X), max_size=len(X))))
    weighted = KMeans(len(start), init=start, algorithm=algorithm, empty_cluster="keep").fit(
        X, sample_weight=weight
    )
    repeated = fitted(np.repeat(X, weight, axis=0), start, algorithm=algorithm)
    assert weighted.cluster_centers_.tobytes() == repeated.cluster_centers_.tobytes()
    assert weighted.n_iter_ == repeated.n_iter_
    assert weighted.inertia_ == pytest.approx(repeated.inertia_, rel=1e-12)
    np.testing.assert_array_equal(np.repeat(weighted.labels_, weight), repeated.labels_)


@pytest.mark.parametrize("policy", ["relocate", "keep"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_rows_of_no_weight_only_get_labels(algorithm, policy):
    X, start = blobs(n=400)
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    X[weight == 0] += 3
    options = {"init": start, "algorithm": algorithm, "empty_cluster": policy}
    weighted = KMeans(6, **options).fit(X, sample_weight=weight)
    repeated = KMeans(6, **options).fit(np.repeat(X, weight, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, rtol=1e-12)
    assert weighted.n_iter_ == repeated.n_iter_
    assert weighted.inertia_ == pytest.approx(repeated.inertia_, rel=1e-12)
    np.testing.assert_array_equal(weighted.labels_, repeated.predict(X))


@RULE
@given(problems(), st.sampled_from([0.25, 1.0, 2.0**20]))
@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
def test_equal_weights_are_no_weights(problem, value):
    X, start = problem
    plain = fitted(X, start, stop="labels")
    weight = np.full(len(X), value)
    weighted = KMeans(len(start), init=start, stop="labels", empty_cluster="keep").fit(
        X, sample_weight=weight
    )
    np.testing.assert_array_equal(plain.labels_, weighted.labels_)
    assert weighted.inertia_ == pytest.approx(value * plain.inertia_, rel=1e-12)


@pytest.mark.parametrize("exponent", [-300, -40, 0, 40, 300])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_powers_of_two_scale_exactly(algorithm, exponent):
    X, start = blobs(n=300)
    scale = 2.0**exponent
    a = fitted(X, start, algorithm=algorithm)
    b = fitted(X * scale, start * scale, algorithm=algorithm)
    np.testing.assert_array_equal(a.labels_, b.labels_)
    assert (a.cluster_centers_ * scale).tobytes() == b.cluster_centers_.tobytes()
    assert a.inertia_ * scale * scale == b.inertia_
    np.testing.assert_array_equal(a.transform(X) * scale, b.transform(X * scale))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_single_and_double_precision_agree(algorithm):
    X, start = blobs(n=500, dtype=np.float32)
    single = fitted(X, start, algorithm=algorithm)
    double = fitted(X.astype(np.float64), start.astype(np.float64), algorithm=algorithm)
    assert single.cluster_centers_.dtype == np.float32
    assert (single.labels_ == double.labels_).mean() > 0.99
    assert single.inertia_ == pytest.approx(double.inertia_, rel=1e-4)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("shape", [(12, 1), (12, 5), (4, 30)])
def test_as_many_clusters_as_rows(algorithm, shape):
    X = np.random.default_rng(0).normal(size=shape)
    km = fitted(X, X[::-1].copy(), algorithm=algorithm, empty_cluster="error")
    assert km.inertia_ == 0
    np.testing.assert_array_equal(km.labels_, np.arange(len(X))[::-1])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_cluster_is_the_mean(algorithm):
    X, _ = blobs(n=333, d=7)
    km = fitted(X, X[:1], algorithm=algorithm)
    np.testing.assert_allclose(km.cluster_centers_[0], X.mean(axis=0), rtol=1e-12)
    assert km.inertia_ == pytest.approx(((X - X.mean(axis=0)) ** 2).sum(), rel=1e-12)
    assert km.n_iter_ == 2


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_constant_columns_and_duplicate_rows_change_nothing(algorithm):
    X, start = blobs(n=200, d=3, k=4)
    plain = fitted(X, start, algorithm=algorithm)
    wide = [np.insert(a, [0, 2], [7.0, -1e6], axis=1) for a in (X, start)]
    padded = fitted(*wide, algorithm=algorithm)
    np.testing.assert_array_equal(plain.labels_, padded.labels_)
    np.testing.assert_array_equal(padded.cluster_centers_[:, [0, 3]], [[7.0, -1e6]] * 4)
    twice = fitted(np.concatenate([X, X]), start, algorithm=algorithm)
    np.testing.assert_array_equal(twice.labels_, np.tile(plain.labels_, 2))
    assert twice.cluster_centers_.tobytes() == plain.cluster_centers_.tobytes()


def test_an_offset_costs_no_accuracy():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 1 << 20, size=(400, 3)) / (1 << 20)  # 1e8 + x is exact in float64
    start = X[:5]
    near = run_many(X, start[None], stop="labels", keep_labels=True)
    far = run_many(X + 2.0**26, start[None] + 2.0**26, stop="labels", keep_labels=True)
    np.testing.assert_array_equal(near.labels, far.labels)
    assert far.sse[0] == pytest.approx(near.sse[0], rel=1e-7)
