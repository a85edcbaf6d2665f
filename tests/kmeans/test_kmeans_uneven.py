"""Data so uneven that exact sums lose what small values say (native/direct_means.hpp), and data at
the ends of what numbers can be: the results are those of long arithmetic in Python all the same."""

from fractions import Fraction

import numpy as np
import pytest
from lloyd_twin import sse

from seedbed import KMeans

ALGORITHMS = ["lloyd", "tie-pde", "hamerly", "elkan", "yinyang", "tree"]


def blobs_and_a_far_row(far):
    rng = np.random.default_rng(0)
    blobs = [rng.normal(size=(100, 2)), rng.normal(size=(100, 2)) + 6]
    X = np.vstack([*blobs, [[far, 0.0]]])
    return X, X[[0, 150, 200]]


def exact_means(X, labels, weight=None):
    """Means of the rows of each label, in fractions."""
    weight = np.ones(len(X)) if weight is None else weight
    means = []
    for label in range(labels.max() + 1):
        rows = np.flatnonzero(labels == label)
        mass = [Fraction(weight[i]) for i in rows]
        total = [
            sum(w * Fraction(X[i, j]) for i, w in zip(rows, mass, strict=True))
            for j in range(X.shape[1])
        ]
        means.append([float(t / sum(mass)) for t in total])
    return np.array(means)


def fitted(X, start, weight=None, **options):
    return KMeans(len(start), init=start, stop="labels", **options).fit(X, sample_weight=weight)


@pytest.mark.parametrize("far", [1e10, 1e20, 1e25, 1e30, -9.97e36, 1e100, 1e150])
def test_a_far_row_does_not_blur_the_others(far):
    X, start = blobs_and_a_far_row(far)
    km = fitted(X, start)
    assert km.stop_reason_ == "labels"
    assert sorted(np.bincount(km.labels_)) == [1, 100, 100]
    np.testing.assert_allclose(km.cluster_centers_, exact_means(X, km.labels_), rtol=1e-11)
    assert (np.diff(km.history_.sse) <= 0).all()
    np.testing.assert_array_equal(km.labels_, km.predict(X))


@pytest.mark.parametrize("far", [1e25, 1e30])
def test_the_same_bytes_for_algorithms_and_threads(far):
    X, start = blobs_and_a_far_row(far)
    expected = fitted(X, start, algorithm="lloyd", n_threads=1)
    for algorithm in ALGORITHMS:
        for n_threads in (1, 2, 8):
            km = fitted(X, start, algorithm=algorithm, n_threads=n_threads)
            assert km.cluster_centers_.tobytes() == expected.cluster_centers_.tobytes()
            assert km.labels_.tobytes() == expected.labels_.tobytes()
            assert km.history_.sse.tobytes() == expected.history_.sse.tobytes()


@pytest.mark.parametrize("heavy", [1e10, 1e16, 1e17, 1e25, 1e30, 1e100])
@pytest.mark.parametrize("algorithm", ["lloyd", "hamerly", "tree"])
def test_a_heavy_row_does_not_outweigh_other_clusters(heavy, algorithm):
    X = np.random.default_rng(0).normal(size=(60, 4))
    weight = np.r_[heavy, np.ones(59)]
    km = fitted(X, X[:3], weight, algorithm=algorithm)
    assert km.stop_reason_ == "labels"
    np.testing.assert_allclose(km.cluster_centers_, exact_means(X, km.labels_, weight), rtol=1e-12)
    assert (np.diff(km.history_.sse) <= 1e-12 * km.history_.sse[1:]).all()
    assert km.inertia_ == pytest.approx(sse(X, km.cluster_centers_, km.labels_, weight), rel=1e-12)


@pytest.mark.filterwarnings("ignore::seedbed.exceptions.EmptyClusterWarning")
@pytest.mark.parametrize("policy", ["relocate", "keep", "drop"])
def test_empty_clusters_among_uneven_rows(policy):
    X, start = blobs_and_a_far_row(1e30)
    start = np.vstack([start, [[3e30, 0.0]]])  # no row is nearest to it
    km = fitted(X, start, empty_cluster=policy)
    assert km.stop_reason_ == "labels"
    filled = np.bincount(km.labels_, minlength=len(km.cluster_centers_)) > 0
    assert filled.sum() == (4 if policy == "relocate" else 3)
    assert len(filled) == (3 if policy == "drop" else 4)
    np.testing.assert_array_equal(km.labels_, km.predict(X))


def test_equal_rows_beside_a_far_one_are_their_centre():
    X = np.vstack([np.full((7, 1), 0.1), np.full((5, 1), 0.3), [[1e30]]])
    km = fitted(X, np.array([[0.0], [0.35], [1e29]]))
    np.testing.assert_array_equal(km.cluster_centers_.ravel(), [0.1, 0.3, 1e30])
    assert km.inertia_ == 0


@pytest.mark.parametrize("scale", [1e-36, 1e-38, 1e-39, 1e-40, 1e-43, 1e37])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_single_precision_to_its_ends(scale, algorithm):
    X = (np.random.default_rng(0).normal(size=(60, 4)) * scale).astype(np.float32)
    km = KMeans(3, init=X[:3], algorithm=algorithm).fit(X)
    lloyd = KMeans(3, init=X[:3], algorithm="lloyd").fit(X)
    assert km.cluster_centers_.tobytes() == lloyd.cluster_centers_.tobytes()
    np.testing.assert_array_equal(km.labels_, km.predict(X))
    assert km.inertia_ == -km.score(X)


class TestTheEndOfDoublePrecision:
    def test_large_values_have_means(self):
        X = np.array([[1e300], [1.1e300], [1.2e300], [-1.1e300]])
        centers = KMeans(2, init=X[[0, 3]]).fit(X).cluster_centers_
        np.testing.assert_allclose(centers.ravel(), [1.1e300, -1.1e300], rtol=1e-15)

    @pytest.mark.parametrize("largest", [1.2e308, 1.1e301])
    def test_values_without_room_are_refused(self, largest):
        X = np.array([[1.0], [2.0], [largest], [-largest]])
        with pytest.raises(ValueError, match="divide X by a power of ten"):
            KMeans(2).fit(X)

    def test_values_times_weights_without_room_are_refused(self):
        X = np.array([[1e200], [0.0], [3.0]])
        with pytest.raises(ValueError, match=r"times the weights.*divide X"):
            KMeans(2).fit(X, sample_weight=[1e150, 1.0, 1.0])
