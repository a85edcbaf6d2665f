"""The survey's quadratic methods, before any iteration, against known answers and plain twins."""

import re

import numpy as np
import pytest
from fixtures import F9, RUSP, blobs, sse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist

from seedbed.exceptions import TooManyRowsError
from seedbed.init import Astrahan, Cao, Hierarchical, KaufmanRousseeuw, get, methods
from seedbed.init._linkage import agglomerate
from seedbed.init._pairs import Pairs

LINKAGES = ["ward", "average", "complete", "single"]


def as_set(centers):
    return np.array(sorted(map(tuple, centers)))


def quadratic():
    costly = [get(meta.id) for meta in methods() if meta.cost in ("quadratic", "other")]
    return [method for method in costly if hasattr(method, "n_max")]


class TestRefusal:
    @pytest.mark.parametrize("method", quadratic(), ids=lambda m: m.meta.id)
    def test_too_many_rows_are_refused_with_advice(self, method):
        small = type(method)(n_max=10)
        said = f"{method.meta.id} .*at most n_max=10 distinct rows.*of 75 rows.*"
        with pytest.raises(TooManyRowsError, match=said) as refusal:
            small.seed(RUSP, 3)
        assert re.search("sample of your own|single attribute", str(refusal.value))
        assert refusal.value.allowed == 10
        assert isinstance(refusal.value, ValueError)

    @pytest.mark.parametrize("method", quadratic(), ids=lambda m: m.meta.id)
    def test_equal_rows_count_once(self, method):
        repeated = np.repeat(F9, 4, axis=0)
        seeds = type(method)(n_max=9).seed(repeated, 3, random_state=0)
        assert seeds.centers.shape == (3, 2)

    @pytest.mark.parametrize("bad", [0, -1, 2.5, True, None])
    def test_the_limit_must_be_a_count(self, bad):
        with pytest.raises(ValueError, match=f"n_max={bad!r} is not allowed for kaufman"):
            KaufmanRousseeuw(n_max=bad)


class TestPairs:
    @pytest.mark.parametrize("d", [1, 3, 63, 64, 200])
    def test_blocks_are_the_squared_distances(self, d):
        X = blobs(700, d, 4, spread=0.3) + 10
        found = np.vstack([pair for _, pair in Pairs(X).squares()])
        np.testing.assert_allclose(found, cdist(X, X, "sqeuclidean"), rtol=1e-8)
        assert (np.diag(found) == 0).all()

    def test_near_pairs_among_far_ones_keep_their_digits(self):
        X = np.repeat(blobs(40, 100, 40, seed=1), 2, axis=0)
        X[::2, 0] += 1e-9
        found = np.vstack([pair for _, pair in Pairs(X).squares()])
        np.testing.assert_allclose(found, cdist(X, X, "sqeuclidean"), rtol=1e-6)

    def test_clusters_much_smaller_than_their_distance(self):
        X = blobs(300, 80, 3, spread=1e-7)
        found = np.vstack([pair for _, pair in Pairs(X).squares()])
        np.testing.assert_array_equal(found, cdist(X, X, "sqeuclidean"))

    @pytest.mark.parametrize("power", [1, 2])
    def test_gains_are_what_the_error_loses(self, power):
        X, mass = blobs(200, 3, 4), np.random.default_rng(0).gamma(1.0, size=200)
        distance = cdist(X, X) ** power
        nearest = distance[:, [3, 50]].min(axis=1)
        lost = [mass @ nearest - mass @ np.minimum(nearest, row) for row in distance]
        np.testing.assert_allclose(Pairs(X).gains(mass, nearest, power), lost, atol=1e-9)
        some = np.array([7, 3, 150])
        again = Pairs(X).gains(mass, nearest, power, some)
        assert again.tolist() == Pairs(X).gains(mass, nearest, power)[some].tolist()

    @pytest.mark.parametrize("d", [3, 64, 200])
    @pytest.mark.parametrize("scale", [1.0, 1e-40, 1e40])
    def test_the_best_gain_is_found_without_all_digits(self, d, scale):
        X = blobs(900, d, 6, spread=0.3) * scale
        mass = np.random.default_rng(0).gamma(1.0, size=900)
        nearest = cdist(X, X[[3, 50]], "sqeuclidean").min(axis=1)
        gain = Pairs(X).gains(mass, nearest)
        row, best = Pairs(X).best_gain(mass, nearest)
        assert row == gain.argmax()
        assert best == pytest.approx(gain.max(), rel=1e-12)

    def test_the_first_of_equal_gains_is_the_best(self):
        X = np.repeat(blobs(60, 70, 5), 5, axis=0)
        nearest = cdist(X, X[:1], "sqeuclidean")[:, 0]
        row, gain = Pairs(X).best_gain(np.ones(len(X)), nearest)
        assert row == Pairs(X).gains(np.ones(len(X)), nearest).argmax()
        assert gain > 0
        assert Pairs(X[:5]).best_gain(np.ones(5), np.zeros(5)) == (0, 0.0)


class TestKaufman:
    def test_on_nine_points(self):
        seeds = KaufmanRousseeuw().seed(F9, 3)
        assert seeds.indices.tolist() == [1, 6, 3]
        assert seeds.info["gains"].tolist() == [321, 261]
        assert sse(F9, seeds.centers) == 7

    @pytest.mark.parametrize("power", [1, 2])
    def test_on_ruspini(self, power):
        seeds = KaufmanRousseeuw(power=power).seed(RUSP, 4)
        assert seeds.indices.tolist() == [47, 16, 31, 69]
        if power == 2:
            assert seeds.info["gains"].tolist() == [121704, 78219, 38640]

    @pytest.mark.parametrize("power", [1, 2])
    def test_equals_a_plain_greedy_search(self, power):
        X, weight = blobs(150, 3, 5), np.random.default_rng(0).integers(1, 4, 150)
        distance = cdist(X, X) ** power
        mean = np.average(X, axis=0, weights=weight)
        chosen = [int(((X - mean) ** 2).sum(axis=1).argmin())]
        while len(chosen) < 7:
            costs = [weight @ distance[:, [*chosen, i]].min(axis=1) for i in range(150)]
            chosen.append(int(np.argmin(costs)))
        seeds = KaufmanRousseeuw(power=power).seed(X, 7, sample_weight=weight)
        assert seeds.indices.tolist() == chosen

    def test_few_gains_are_computed_again(self):
        X = blobs(1000, 3, 20)
        seeds = KaufmanRousseeuw().seed(X, 20)
        assert seeds.info["distances"] < 6 * 1000**2  # of 20 passes

    def test_from_the_mean_itself(self):
        seeds = KaufmanRousseeuw(first="mean").seed(RUSP, 4)
        np.testing.assert_allclose(seeds.centers[0], RUSP.mean(axis=0), rtol=1e-14)
        assert seeds.indices is None
        assert {tuple(c) for c in seeds.centers[1:]} <= {tuple(x) for x in RUSP}


class TestHierarchical:
    @pytest.mark.parametrize(
        "name", ["ward", "average-linkage", "single-linkage", "Lance-Williams"]
    )
    def test_finds_ruspini(self, name):
        seeds = get(name).seed(RUSP, 4)
        assert sorted(seeds.info["sizes"]) == [15, 17, 20, 23]
        assert sse(RUSP, seeds.centers) == pytest.approx(12881.051, abs=5e-4)

    def test_complete_linkage_on_ruspini(self):
        seeds = get("complete-linkage").seed(RUSP, 4)
        assert sse(RUSP, seeds.centers) == pytest.approx(13799.501, abs=5e-4)

    @pytest.mark.parametrize("kind", LINKAGES)
    @pytest.mark.parametrize("k", [1, 2, 7, 60, 400])
    def test_equals_scipy(self, kind, k):
        X = blobs(400, 3, 9, spread=0.4)
        labels = fcluster(linkage(X, kind), k, "maxclust")
        expected = [X[labels == c].mean(axis=0) for c in range(1, k + 1)]
        found = Hierarchical(linkage=kind).seed(X, k).centers
        np.testing.assert_allclose(as_set(found), as_set(expected), atol=1e-12)

    @pytest.mark.parametrize("kind", LINKAGES)
    @settings(max_examples=40, deadline=None)
    @given(data=st.data())
    def test_masses_are_repetitions(self, kind, data):
        seed, n = data.draw(st.integers(0, 10**6)), data.draw(st.integers(2, 30))
        rng = np.random.default_rng(seed)
        X, mass = rng.normal(size=(n, 2)), rng.integers(1, 5, n)
        k = data.draw(st.integers(1, n))
        weighted = agglomerate(X, mass.astype(float), k, kind)
        repeated = agglomerate(np.repeat(X, mass, axis=0), np.ones(mass.sum()), k, kind)
        np.testing.assert_array_equal(np.repeat(weighted, mass), repeated)

    def test_labels_are_numbered_by_first_rows(self):
        labels = agglomerate(np.array([[5.0], [0], [5.1], [9], [0.1]]), np.ones(5), 3, "ward")
        assert labels.tolist() == [0, 1, 0, 2, 1]

    def test_micro_clusters_only_when_asked_for(self):
        X = blobs(1500, 2, 4, spread=0.05, seed=3)
        with pytest.raises(TooManyRowsError, match="pass micro_clusters=20 to build the tree"):
            Hierarchical(n_max=500).seed(X, 4)
        summarised = Hierarchical(n_max=500, micro_clusters=20)
        assert not summarised.deterministic
        seeds = summarised.seed(X, 4, random_state=0)
        assert seeds.info["leaves"] == 80
        assert seeds.info["sizes"].sum() == 1500
        full = Hierarchical().seed(X, 4)
        assert sse(X, seeds.centers) == pytest.approx(sse(X, full.centers), rel=0.01)
        assert summarised.seed(X[:400], 4).info["leaves"] == 400


class TestAstrahan:
    def test_on_nine_points(self):
        seeds = Astrahan(d1=2, d2=5).seed(F9, 3)
        assert seeds.indices.tolist() == [0, 3, 6]
        assert seeds.info["densities"].tolist() == [3, 3, 3]  # the row itself and two others
        assert seeds.info["shortfall"] == 0

    def test_accepted_rows_are_dense_and_apart(self):
        X, weight = blobs(300, 2, 5), np.random.default_rng(0).integers(1, 4, 300)
        method = Astrahan(d1=0.15, d2=0.5)
        accepted = method.seed(X, 1, sample_weight=weight).info["accepted"]
        seeds = method.seed(X, accepted, sample_weight=weight)
        distance = cdist(X, X)
        density = (distance <= 0.15) @ weight
        np.testing.assert_array_equal(seeds.info["densities"], density[seeds.indices])
        assert (np.diff(seeds.info["densities"]) <= 0).all()
        between = distance[np.ix_(seeds.indices, seeds.indices)]
        assert between[~np.eye(accepted, dtype=bool)].min() >= 0.5
        # Whatever was left out lies too near a row at least as dense.
        for i in set(range(300)) - set(seeds.indices):
            denser = seeds.indices[density[seeds.indices] >= density[i]]
            assert distance[i, denser].min() < 0.5

    def test_surplus_is_joined_by_density(self):
        X = np.array([[0.0], [0.1], [4], [20], [20.1], [20.2]])  # 0.1 is nearer the mean than 0
        seeds = Astrahan(d1=1, d2=2).seed(X, 2)
        assert seeds.info["accepted"] == 3
        assert seeds.indices is None
        np.testing.assert_allclose(seeds.centers[:, 0], [20.1, (2 * 0.1 + 1 * 4) / 3])

    def test_a_shortfall_is_filled_by_the_farthest_rows(self):
        seeds = Astrahan(d1=2, d2=5).seed(F9, 5)
        assert seeds.info["accepted"] == 3
        assert seeds.info["shortfall"] == 2
        assert seeds.indices[:3].tolist() == [0, 3, 6]
        assert len(set(seeds.indices)) == 5

    def test_default_radius(self):
        info = Astrahan().seed(RUSP, 4).info
        distance = cdist(RUSP, RUSP)
        assert info["d1"] == pytest.approx(distance.mean() / 4)
        assert info["d2"] == pytest.approx(distance.mean() / 2)
        assert np.median((distance <= info["d1"]).sum(axis=1)) >= 6

    def test_default_radius_grows_until_rows_have_neighbours(self):
        X = np.arange(8.0)[:, None] * 10
        info = Astrahan().seed(X, 2).info
        distance = cdist(X, X)

        def usual_density(radius):
            return np.median((distance <= radius).sum(axis=1))

        assert info["d1"] in distance.mean() / 4 * 2.0 ** np.arange(4)
        assert usual_density(info["d1"] / 2) < 6 <= usual_density(info["d1"])

    def test_scale_of_weights_below_one_does_not_matter(self):
        weight = np.random.default_rng(1).gamma(2.0, size=75)
        small, tiny = (Astrahan().seed(RUSP, 4, sample_weight=weight / s) for s in (1e3, 1e6))
        assert small.indices.tolist() == tiny.indices.tolist()


def plain_cao(X, epsilon, weight):
    """Sizes, cohesion and coupling straight from the definitions."""
    near = cdist(X, X) <= epsilon
    mass = np.array([weight[row].sum() for row in near])
    cohesion = []
    for own in near:
        lower = [y for y in range(len(X)) if not (near[y] & ~own).any()]
        upper = [y for y in range(len(X)) if (near[y] & own).any()]
        cohesion.append(weight[lower].sum() / weight[upper].sum())
    common = (near * weight) @ near.T
    return mass, np.array(cohesion), common / (mass[:, None] + mass - common)


class TestCao:
    def test_on_nine_points(self):
        seeds = Cao(epsilon=1.2).seed(F9, 3)
        assert seeds.indices.tolist() == [0, 3, 6]
        assert seeds.info["cohesion"].tolist() == [1, 1, 1]
        assert Cao(epsilon=1.2).seed(F9, 9).info["cohesion"].min() == pytest.approx(1 / 3)

    @pytest.mark.parametrize("epsilon", [0.05, 0.2, 0.6])
    def test_equals_the_definitions(self, epsilon):
        X, weight = blobs(150, 2, 4), np.random.default_rng(0).integers(1, 4, 150)
        mass, cohesion, coupling = plain_cao(X, epsilon, weight)
        seeds = Cao(epsilon=epsilon, coupling_max=0.3).seed(X, 4, sample_weight=weight)
        by_method = seeds.indices[: 4 - seeds.info["shortfall"]]
        np.testing.assert_allclose(seeds.info["cohesion"], cohesion[by_method])
        left = mass >= 2
        bound = seeds.info["coupling_used"]
        for turn, row in enumerate(by_method):
            free = left & (coupling[:, by_method[:turn]] < bound).all(axis=1)
            assert free[row]
            if bound == 0.3:
                best = max((cohesion[i], mass[i]) for i in np.flatnonzero(free))
                assert (cohesion[row], mass[row]) == pytest.approx(best)
            left[row] = False

    def test_lonely_rows_are_not_chosen(self):
        X = np.vstack([F9, [[50.0, 50], [-40, 30]]])
        assert sorted(Cao(epsilon=1.2).seed(X, 3).indices) == [0, 3, 6]

    def test_coupling_is_relaxed_before_rows_are_added(self):
        seeds = Cao(epsilon=1.2, coupling_max=0.1).seed(F9, 5)
        assert seeds.info["coupling_max"] == 0.1
        assert seeds.info["coupling_used"] > 0.1
        assert seeds.info["shortfall"] == 0
        everything = Cao(epsilon=100).seed(F9, 3)  # all neighbourhoods are the same
        assert everything.info["coupling_used"] == 1
        assert everything.info["shortfall"] == 2

    def test_default_radius_is_the_mean_distance_to_a_neighbour(self):
        X = blobs(200, 3, 4)
        info = Cao().seed(X, 3).info
        seventh = np.sort(cdist(X, X), axis=1)[:, 7]  # ⌈200 / 30⌉, the row itself being the 0th
        assert info["epsilon"] == pytest.approx(seventh.mean())
        weight = np.random.default_rng(0).integers(1, 5, 200)
        repeated = Cao().seed(np.repeat(X, weight, axis=0), 3).info["epsilon"]
        assert Cao().seed(X, 3, sample_weight=weight).info["epsilon"] == pytest.approx(repeated)
