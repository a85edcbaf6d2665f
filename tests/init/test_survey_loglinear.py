"""The survey's loglinear methods by themselves, before any iteration, against known answers."""

import numpy as np
import pytest
from fixtures import F9, G6, RUSP, blobs, sse
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.neighbors import LocalOutlierFactor

import seedbed.init as init
from seedbed._validation import as_points
from seedbed.exceptions import TooManyRowsError
from seedbed.init import _redmond
from seedbed.init._frame import frame
from seedbed.init._robin import Density


def final_sse(X, centers):
    return KMeans(len(centers), init=centers, n_init=1, tol=0).fit(X).inertia_


@pytest.fixture(params=[20, 500, 30000])
def with_ties(request):
    """Rows of which many are equally far from the mean and share values of the widest attribute."""
    n = request.param
    X = np.random.default_rng(n).integers(-9, 10, size=(n, 3)) * [3.0, 1.0, 1.0]
    return np.concatenate([X, -X])  # about zero, exactly


@pytest.fixture(params=[False, True], ids=["unweighted", "weighted"])
def weight(request, with_ties):
    return np.random.default_rng(1).gamma(2.0, size=len(with_ties)) if request.param else None


class TestHartigan:
    @pytest.mark.parametrize("k", [1, 4, 10])
    def test_places_in_the_stable_order(self, with_ties, weight, k):
        X, n = with_ties, len(with_ties)
        mean = np.average(X, axis=0, weights=weight)
        order = np.argsort(np.square(X - mean).sum(axis=1).round(9), kind="stable")
        until = np.cumsum(np.ones(n) if weight is None else weight[order])
        at = [np.argmax(until > i * (n // k) * until[-1] / n) for i in range(k)]
        found = init.Hartigan().seed(X, k, sample_weight=weight, random_state=0)
        expected = list(dict.fromkeys(map(tuple, X[order[at]])))  # without repetitions
        assert list(map(tuple, found.centers))[: len(expected)] == expected
        assert found.indices[0] == order[0]

    def test_f9(self):
        assert init.Hartigan().seed(F9, 3).indices.tolist() == [1, 5, 6]

    def test_ruspini(self):
        seeds = init.Hartigan().seed(RUSP, 4)
        assert seeds.indices.tolist() == [47, 16, 2, 73]
        assert sse(RUSP, seeds.centers) == 109838
        assert final_sse(RUSP, seeds.centers) == pytest.approx(49739.080, abs=5e-4)

    @pytest.mark.parametrize("weight", [1.0, 0.1, 3.0])
    def test_equal_weights_are_no_weights(self, weight):
        X = blobs(101, 3, 4)
        weighted = init.Hartigan().seed(X, 7, sample_weight=np.full(101, weight))
        assert weighted.indices.tolist() == init.Hartigan().seed(X, 7).indices.tolist()

    def test_places_are_counted_in_weight(self):
        # Sorted by distance to the mean 0: 0, ±1 (weight 6 each), ±9; steps of 2 mean weights.
        X = np.array([[0.0], [1], [-1], [9], [-9]])
        weight = np.array([1.0, 6, 6, 1, 1])
        seeds = init.Hartigan().seed(X, 2, sample_weight=weight)
        assert seeds.indices.tolist() == [0, 1]  # the second place, at weight 6, is in row 1

    def test_equal_rows_are_made_up_for(self):
        X = np.concatenate([np.zeros((20, 1)), G6])
        seeds = init.Hartigan().seed(X, 4)
        assert seeds.info["shortfall"] > 0
        assert len(np.unique(seeds.centers)) == 4

    def test_the_name_stays_apart_from_the_algorithm(self):
        with pytest.raises(ValueError, match="'hartigan'"):
            init.get("hartigan-wong")


class TestAlDaoudVariance:
    @pytest.mark.parametrize("k", [1, 4, 10])
    def test_middles_in_the_stable_order(self, with_ties, weight, k):
        X, n = with_ties, len(with_ties)
        order = np.argsort(X[:, 0], kind="stable")
        if weight is None:
            groups = [order[i * n // k : (i + 1) * n // k] for i in range(k)]
            rows = [group[(len(group) - 1) // 2] for group in groups]
        else:
            until = np.cumsum(weight[order])
            starts = [np.argmax(until > i * until[-1] / k) for i in range(k)]
            before = [until[s - 1] if s else 0.0 for s in starts] + [until[-1]]
            halves = np.add(before[1:], before[:-1]) / 2
            rows = [order[np.argmax(until >= half)] for half in halves]
        found = init.AlDaoudVariance().seed(X, k, sample_weight=weight)
        expected = list(dict.fromkeys(map(tuple, X[rows])))
        assert list(map(tuple, found.centers))[: len(expected)] == expected

    def test_f9(self):
        seeds = init.AlDaoudVariance().seed(F9, 3)
        assert seeds.indices.tolist() == [2, 1, 5]
        assert seeds.info["attribute"] == 0

    def test_ruspini(self):
        seeds = init.AlDaoudVariance().seed(RUSP, 4)
        assert seeds.indices.tolist() == [62, 5, 51, 31]
        assert sse(RUSP, seeds.centers) == 17739
        assert final_sse(RUSP, seeds.centers) == pytest.approx(12881.051, abs=5e-4)

    @pytest.mark.parametrize("k", [1, 2, 5, 12])
    def test_equal_weights_are_no_weights(self, k):
        X = blobs(103, 3, 4)
        plain = init.AlDaoudVariance().seed(X, k)
        weighted = init.AlDaoudVariance().seed(X, k, sample_weight=np.full(103, 0.7))
        assert weighted.indices.tolist() == plain.indices.tolist()

    def test_groups_have_equal_weight(self):
        weight = [1, 1, 1, 1, 1, 5]
        seeds = init.AlDaoudVariance().seed(G6, 2, sample_weight=weight)
        assert seeds.centers.ravel().tolist() == [2, 12]

    def test_a_row_heavier_than_a_group(self):
        seeds = init.AlDaoudVariance().seed(G6, 4, sample_weight=[1, 1, 50, 1, 1, 1])
        assert seeds.info["shortfall"] > 0
        assert len(np.unique(seeds.centers)) == 4


class TestRedmondHeneghan:
    @pytest.mark.parametrize("mode", ["both", "trim"])
    def test_ruspini(self, mode):
        seeds = init.RedmondHeneghan(mode=mode).seed(RUSP, 4)
        assert seeds.info["buckets"] == 32
        expected = [[30 + 1 / 3, 60 + 1 / 3], [32.5, 151.5], [97.5, 119], [65, 19]]
        np.testing.assert_allclose(seeds.centers, expected, rtol=1e-12)
        assert sse(RUSP, seeds.centers) == pytest.approx(19592.528, abs=5e-4)
        assert final_sse(RUSP, seeds.centers) == pytest.approx(12881.051, abs=5e-4)

    @pytest.mark.parametrize("weighted", [False, True])
    def test_buckets_partition_the_rows(self, weighted, monkeypatch):
        X = blobs(3000, 3, 5)
        weight = np.random.default_rng(0).gamma(2.0, size=len(X)) if weighted else None
        seen = {}

        def spy(data, labels, count):
            seen["labels"] = labels.copy()
            return label_means(data, labels, count)

        label_means = _redmond.label_means
        monkeypatch.setattr(_redmond, "label_means", spy)
        _redmond._buckets(frame(as_points(X, weight), 1), 5)
        mass = np.bincount(seen["labels"], weights=weight)
        assert 50 <= len(mass) <= 130
        assert mass.max() <= (len(X) if weight is None else weight.sum()) / 50
        boxes = [
            (X[seen["labels"] == b].min(0), X[seen["labels"] == b].max(0)) for b in range(len(mass))
        ]
        for i, (low, high) in enumerate(boxes[:10]):
            for other_low, other_high in boxes[i + 1 :]:
                assert (high < other_low).any() or (other_high < low).any()

    def test_volumes(self):
        side = np.array([[2.0, 8.0], [4.0, 0.0], [0.0, 0.0], [0.5, 0.5]])
        assert _redmond._log_volume(side).tolist() == [4, 4, -2, -2]

    @pytest.mark.parametrize("values", [[3.0, 1, 2, 5], [4.0, 1, 9]])
    def test_weighted_median(self, values):
        weight = np.array([1, 3, 2, 2])[: len(values)]
        expected = np.median(np.repeat(values, weight))
        assert _redmond._weighted_median(np.array(values), weight.astype(float)) == expected

    def test_the_set_with_the_lower_error_is_returned(self):
        rng = np.random.default_rng(3)
        X = np.vstack([blobs(1500, 2, 4, seed=5), rng.uniform(-8, 8, size=(40, 2))])
        both, trim = (init.RedmondHeneghan(mode=m).seed(X, 4) for m in ("both", "trim"))
        assert final_sse(X, both.centers) <= final_sse(X, trim.centers) * (1 + 1e-5)

    def test_the_unit_of_weights_does_not_matter(self):
        weight = np.random.default_rng(0).integers(1, 6, 75)
        one, other = (
            init.RedmondHeneghan().seed(RUSP, 4, sample_weight=weight * u) for u in (1, 0.125)
        )
        assert one.centers.tobytes() == other.centers.tobytes()


def outlier_factors(X, neighbors, *, standard):
    return Density(X, neighbors, standard=standard).factors(np.arange(len(X)))


def plain_lof(X, neighbors):
    """The outlier factor from a matrix of all distances."""
    gaps = cdist(X, X)
    np.fill_diagonal(gaps, np.inf)
    last = np.sort(gaps, axis=1)[:, neighbors - 1]
    inside = gaps <= last[:, None]
    density = [inside[i].sum() / gaps[i][inside[i]].sum() for i in range(len(X))]
    return np.array([np.mean(np.array(density)[inside[i]]) / density[i] for i in range(len(X))])


class TestROBIN:
    def test_factors_of_f9(self):
        factor = outlier_factors(F9, 2, standard=False)
        corner = np.isin(np.arange(9), [0, 3, 6])
        np.testing.assert_allclose(factor[corner], 0.8284, atol=5e-5)
        np.testing.assert_allclose(factor[~corner], 1.1036, atol=5e-5)

    def test_an_outlier_is_never_picked(self):
        X = np.vstack([F9, [[30, 30]]])
        assert outlier_factors(X, 2, standard=False)[9] == pytest.approx(29.18, abs=5e-3)
        for k in range(1, 10):
            assert 9 not in init.ROBIN(neighbors=2).seed(X, k).indices
        assert init.get("kkz").seed(X, 1).indices.tolist() == [9]

    @pytest.mark.parametrize("neighbors", [1, 3, 10])
    def test_factors_with_ties(self, neighbors):
        lattice = np.stack(np.meshgrid(np.arange(8.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
        for X in (lattice, np.vstack([lattice, 3 * lattice + 20]), blobs(150, 3, 4)):
            found = outlier_factors(X, neighbors, standard=False)
            np.testing.assert_allclose(found, plain_lof(X, neighbors), rtol=1e-9)

    @pytest.mark.parametrize("neighbors", [1, 3, 10])
    def test_factors_with_ties_among_many_attributes(self, neighbors):
        """Where neighbours are found by products, which do not keep equal distances equal."""
        lattice = np.stack(np.meshgrid(np.arange(8.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
        wide = np.repeat(lattice, 40, axis=1)
        for X in (wide, np.vstack([wide, 3 * wide + 20]), blobs(150, 70, 4)):
            found = outlier_factors(X, neighbors, standard=False)
            np.testing.assert_allclose(found, plain_lof(X, neighbors), rtol=1e-9)

    @pytest.mark.parametrize("d", [3, 90])
    def test_the_standard_factor_is_that_of_scikit_learn(self, d):
        X = blobs(300, d, 4)
        theirs = -LocalOutlierFactor(10).fit(X).negative_outlier_factor_
        np.testing.assert_allclose(outlier_factors(X, 10, standard=True), theirs, rtol=1e-8)

    @pytest.mark.parametrize("d", [2, 64])
    def test_rows_with_many_equals_are_no_outliers(self, d):
        X = np.vstack([np.zeros((15, d)), np.ones((15, d)), blobs(40, d, 2)])
        factor = outlier_factors(X, 10, standard=False)
        assert (factor[:30] == 1).all()
        assert not np.isnan(factor).any()

    def test_each_seed_is_the_farthest_admissible_row(self):
        X = blobs(400, 2, 5)
        factor = outlier_factors(X, 10, standard=False)
        seeds = init.ROBIN().seed(X, 6)
        distance = np.linalg.norm(X - X.mean(axis=0), axis=1)
        for i, row in enumerate(seeds.indices):
            assert factor[row] < 1.05
            assert distance[row] == distance[factor < 1.05].max()
            distance = cdist(X, seeds.centers[: i + 1]).min(axis=1)

    @pytest.mark.parametrize("standard", [False, True])
    def test_factors_are_the_same_asked_for_one_by_one(self, standard):
        X = np.vstack([np.zeros((12, 2)), np.round(blobs(200, 2, 4), 1)])
        density = Density(X, 10, standard=standard)
        one_by_one = [density.factors(np.array([i]))[0] for i in range(len(X))]
        np.testing.assert_array_equal(one_by_one, outlier_factors(X, 10, standard=standard))

    def test_few_factors_are_computed(self):
        seeds = init.ROBIN().seed(blobs(20_000, 2, 5), 5)
        assert seeds.info["factors_computed"] < 4000

    def test_the_limit_is_relaxed_where_no_row_is_within(self):
        seeds = init.ROBIN(neighbors=2).seed(F9, 9)
        assert sorted(seeds.indices) == list(range(9))
        assert seeds.info["relaxed"] == 6

    def test_the_origin_as_published(self):
        seeds = init.ROBIN(reference="origin", neighbors=2).seed(F9, 1)
        assert seeds.indices.tolist() == [3]

    def test_large_data_of_many_attributes_are_refused(self):
        X = np.random.default_rng(0).random((60, 13))
        with pytest.raises(TooManyRowsError, match="n_max=50 rows of more than 12 attributes"):
            init.ROBIN(n_max=50).seed(X, 3)
        assert len(init.ROBIN(n_max=50).seed(X[:, :12], 3).indices) == 3
