"""The survey's complete clusterers as starts: splitting, global k-means, annealing, genetic."""

import numpy as np
import pytest
from fixtures import F9, G6, RUSP, blobs, sse
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

from seedbed.init import (
    Annealing,
    BinarySplitting,
    DirectedSplitting,
    FastGlobalKMeans,
    Genetic,
    GlobalKMeans,
    GlobalKMeansPlusPlus,
    get,
)
from seedbed.init._shortfall import draw_by_mass

LADDER = [89337.832, 51063.475, 12881.051, 10126.720, 8575.407, 7126.199, 6149.639]  # K = 2..8


def final_sse(X, centers):
    return KMeans(len(centers), init=centers, n_init=1, tol=0).fit(X).inertia_


class TestSplitting:
    @pytest.mark.parametrize("method", [BinarySplitting(), DirectedSplitting()])
    def test_two_groups_on_a_line(self, method):
        seeds = method.seed(G6, 2)
        assert seeds.centers[:, 0].tolist() == [1, 11]
        assert seeds.info["sse"].tolist() == [4]

    @pytest.mark.parametrize(
        ("method", "eight"), [(BinarySplitting(), 6646.701), (DirectedSplitting(), 6735.987)]
    )
    def test_on_ruspini(self, method, eight):
        for k, expected in ((2, LADDER[0]), (3, LADDER[1]), (4, LADDER[2]), (8, eight)):
            assert sse(RUSP, method.seed(RUSP, k).centers) == pytest.approx(expected, abs=5e-4)

    def test_a_shift_along_the_diagonal_is_blind_across_it(self):
        stuck = BinarySplitting().seed(F9, 3)
        assert sse(F9, stuck.centers) == pytest.approx(303.333, abs=5e-4)
        nearest = cdist(F9, stuck.centers).argmin(axis=1)
        assert sorted(np.bincount(nearest)) == [2, 3, 4]
        assert sse(F9, DirectedSplitting().seed(F9, 3).centers) == pytest.approx(4)

    def test_numbers_of_clusters_between_powers_of_two(self):
        seeds = DirectedSplitting().seed(blobs(400, 3, 7), 7)
        assert seeds.info["rounds"].tolist() == [2, 4, 7]
        assert (np.diff(seeds.info["sse"]) < 0).all()

    def test_clusters_without_error_are_left_alone(self):
        X = np.vstack([np.zeros((50, 1)), np.array([[10.0], [11], [12], [13]])])
        seeds = BinarySplitting().seed(X, 4)
        assert seeds.info["shortfall"] == 0
        assert 0 in seeds.centers[:, 0]
        assert len(np.unique(seeds.centers)) == 4

    def test_names(self):
        assert get("LBG") == BinarySplitting()
        assert get("dsbs") == DirectedSplitting()
        with pytest.raises(ValueError, match=r"scale=0 is not allowed for binary-splitting"):
            BinarySplitting(scale=0)


class TestGlobal:
    def test_on_ruspini(self):
        info = GlobalKMeans().seed(RUSP, 4).info
        np.testing.assert_allclose(info["sse"][1:], LADDER[:3], atol=5e-4)
        assert info["runs"] == 3 * 75

    def test_fast_on_ruspini(self):
        info = FastGlobalKMeans().seed(RUSP, 4).info
        assert info["rows"].tolist() == [71, 49, 69]
        np.testing.assert_allclose(info["gains"], [82094.967, 22023.4, 21780.061], atol=5e-4)
        np.testing.assert_allclose(info["sse"][1:], LADDER[:3], atol=5e-4)

    def test_fast_on_nine_points(self):
        seeds = FastGlobalKMeans().seed(F9, 3)
        assert seeds.info["rows"].tolist() == [3, 6]
        np.testing.assert_allclose(seeds.info["gains"], [166, 223 / 3])
        assert sse(F9, seeds.centers) == pytest.approx(4)

    def test_every_row_is_tried_and_the_best_kept(self):
        X = blobs(60, 2, 5, spread=0.4)
        info = GlobalKMeans().seed(X, 4).info
        for k in (2, 3, 4):
            before = GlobalKMeans().seed(X, k - 1).centers
            ends = [final_sse(X, np.vstack([before, x])) for x in X]
            assert info["sse"][k - 1] == pytest.approx(min(ends), rel=1e-5)

    @pytest.mark.parametrize("method", [GlobalKMeans(), FastGlobalKMeans()])
    def test_solutions_of_fewer_clusters_come_along(self, method):
        info = method.seed(RUSP, 8).info
        assert len(info["sse"]) == 8
        for k in (1, 3, 6):
            fewer = method.seed(RUSP, k)
            np.testing.assert_array_equal(fewer.info["sse"], info["sse"][:k])
            assert sse(RUSP, fewer.centers) == pytest.approx(info["sse"][k - 1])
        assert (np.diff(info["sse"]) < 0).all()

    def test_rows_are_counted_in_the_users_data(self):
        weight = np.ones(75)
        weight[[0, 5, 10]] = 0
        rows = FastGlobalKMeans().seed(RUSP, 4, sample_weight=weight).info["rows"]
        alone = FastGlobalKMeans().seed(np.delete(RUSP, [0, 5, 10], axis=0), 4).info["rows"]
        np.testing.assert_array_equal(rows, np.flatnonzero(weight)[alone])

    def test_plus_plus_draws_few_and_loses_little(self):
        errors = []
        for r in range(10):
            seeds = GlobalKMeansPlusPlus().seed(RUSP, 6, random_state=r)
            assert seeds.info["runs"] <= 5 * 25
            errors.append(seeds.info["sse"])
        mean = np.mean(errors, axis=0)
        full = GlobalKMeans().seed(RUSP, 6).info["sse"]
        assert (mean <= 1.01 * full).all()
        one = GlobalKMeansPlusPlus(candidates=1).seed(RUSP, 6, random_state=0)
        assert one.info["runs"] == 5

    def test_draws_by_mass(self):
        mass = np.array([0.0, 3, 0, 1, 0])
        drawn = draw_by_mass(mass, 4000, np.random.default_rng(0))
        counts = np.bincount(drawn, minlength=5)
        assert (counts[mass == 0] == 0).all()
        assert counts[1] / 4000 == pytest.approx(0.75, abs=0.03)
        assert len(draw_by_mass(np.zeros(3), 2, np.random.default_rng(0))) == 0


@pytest.mark.parametrize("method", [Annealing(), Genetic()], ids=["annealing", "genetic"])
class TestSearches:
    def test_reaches_the_ladder(self, method):
        for k in (4, 6):
            finals = [
                final_sse(RUSP, method.seed(RUSP, k, random_state=r).centers) for r in range(3)
            ]
            assert min(finals) == pytest.approx(LADDER[k - 2], abs=5e-4)

    def test_weights_steer_the_search(self, method):
        # Three tight groups, of which the outer two weigh nothing to speak of.
        X = np.vstack([F9[:3], F9[3:6] * 10, F9[6:] * 10])
        weight = np.array([1e6] * 3 + [1.0] * 6)
        seeds = method.seed(X, 3, sample_weight=weight, random_state=0)
        light = method.seed(X, 3, random_state=0)
        best = final_sse(X, light.centers)
        weighted = KMeans(3, init=seeds.centers, n_init=1, tol=0).fit(X, sample_weight=weight)
        unweighted = KMeans(3, init=light.centers, n_init=1, tol=0).fit(X, sample_weight=weight)
        assert weighted.inertia_ < unweighted.inertia_
        assert best <= final_sse(X, seeds.centers)

    def test_seeds_are_distinct_rows(self, method):
        X = np.repeat(F9, 3, axis=0)
        seeds = method.seed(X, 7, random_state=2)
        np.testing.assert_array_equal(X[seeds.indices], seeds.centers)
        assert len(np.unique(seeds.centers, axis=0)) == 7


class TestAnnealing:
    def test_the_best_energy_never_rises_and_is_reached_from_the_seeds(self):
        seeds = Annealing().seed(RUSP, 8, random_state=4)
        assert (np.diff(seeds.info["energies"]) <= 0).all()
        assert seeds.info["energy"] == seeds.info["energies"][-1]
        assert final_sse(RUSP, seeds.centers) == pytest.approx(seeds.info["energy"], rel=1e-5)

    def test_without_heat_it_only_climbs(self):
        cold = Annealing(temperature=0).seed(RUSP, 8, random_state=1).info
        hot = Annealing(temperature=1e12).seed(RUSP, 8, random_state=1).info
        moves = len(cold["energies"]) - 1
        assert cold["temperature"] == 0
        assert cold["accepted"] < moves
        assert hot["accepted"] == len(hot["energies"]) - 1

    def test_it_ends_when_patience_does(self):
        info = Annealing(patience=7).seed(RUSP, 4, random_state=0).info
        assert (info["energies"][-8:] == info["energy"]).all()
        assert info["runs"] == 1 + 20 + len(info["energies"]) - 1


class TestGenetic:
    def test_the_best_set_survives(self):
        info = Genetic(population=6, generations=15).seed(RUSP, 8, random_state=0).info
        assert len(info["errors"]) == 16
        assert (np.diff(info["errors"]) <= 0).all()
        assert info["runs"] == 6 + 15 * 5

    def test_breeding_beats_the_first_generation(self):
        bred, unbred = (
            np.mean(
                [
                    Genetic(generations=g).seed(RUSP, 8, random_state=r).info["error"]
                    for r in range(4)
                ]
            )
            for g in (30, 0)
        )
        assert bred < unbred
        assert bred < 1.01 * LADDER[-1]

    def test_fitness_is_a_short_run(self):
        seeds = Genetic(population=4, generations=3, iterations=1).seed(RUSP, 5, random_state=0)
        nearest = cdist(RUSP, seeds.centers).argmin(axis=1)
        means = np.stack([RUSP[nearest == c].mean(axis=0) for c in range(5)])
        assert sse(RUSP, means) == pytest.approx(seeds.info["error"])
