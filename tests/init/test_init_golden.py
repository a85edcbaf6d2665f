"""Each method by itself, before any iteration, against known answers."""

import numpy as np
import pytest
from fixtures import F9, G6, RUSP, blobs, sse
from scipy import stats
from sklearn.cluster import KMeans

from seedbed._core._seeding import Parts, cluster_parts, draw_parts
from seedbed._random import generator
from seedbed._validation import as_points
from seedbed.init import (
    BradleyFayyad,
    Forgy,
    GreedyKMeansPlusPlus,
    KMeansPlusPlus,
    MacQueen,
    Maximin,
    _bradley_fayyad,
)
from seedbed.init._inner import run_inner


def final_sse(X, centers):
    return KMeans(len(centers), init=centers, n_init=1, tol=0).fit(X).inertia_


class TestMaximin:
    def test_from_a_given_row(self):
        assert Maximin(first=0).seed(F9, 3).indices.tolist() == [0, 4, 8]

    def test_kkz(self):
        assert Maximin(first="kkz").seed(F9, 3).indices.tolist() == [4, 8, 0]

    def test_kkz_on_ruspini(self):
        seeds = Maximin(first="kkz").seed(RUSP, 4)
        assert seeds.indices.tolist() == [57, 0, 20, 62]
        assert sse(RUSP, seeds.centers) == 34702
        assert final_sse(RUSP, seeds.centers) == pytest.approx(12881.051, abs=5e-4)

    @pytest.mark.parametrize("first", ["random", "kkz", 5])
    def test_radii_never_rise_and_are_the_distances(self, first):
        X = blobs(500, 3, 6)
        seeds = Maximin(first=first).seed(X, 20, random_state=0)
        radii = seeds.info["radii"]
        assert len(radii) == 19
        assert (np.diff(radii) <= 0).all()
        for i, radius in enumerate(radii, start=1):
            gaps = np.linalg.norm(seeds.centers[:i] - seeds.centers[i], axis=1)
            assert gaps.min() == pytest.approx(radius, rel=1e-12)

    def test_ties_take_the_lowest_row(self):
        X = np.array([[0.0], [1], [-1], [1], [0]])
        assert Maximin(first=0).seed(X, 3).indices.tolist() == [0, 1, 2]

    def test_first_row_is_uniform(self):
        counts = np.bincount(
            [Maximin().seed(G6, 1, random_state=r).indices[0] for r in range(3000)], minlength=6
        )
        assert stats.chisquare(counts).pvalue > 1e-4

    def test_a_first_row_that_does_not_exist(self):
        with pytest.raises(ValueError, match="row 6 does not exist"):
            Maximin(first=6).seed(G6, 2)
        with pytest.raises(ValueError, match="weight zero"):
            Maximin(first=1).seed(G6, 2, sample_weight=[1, 0, 1, 1, 1, 1])


class TestForgy:
    def test_centres_are_the_means_of_the_labels(self):
        seeds = Forgy().seed(RUSP, 4, random_state=5)
        labels = generator(5).integers(0, 4, size=75, dtype=np.int32)
        means = [RUSP[labels == c].mean(axis=0) for c in range(4)]
        np.testing.assert_allclose(seeds.centers, means, rtol=1e-13)
        counts = np.bincount(labels)
        np.testing.assert_allclose(counts @ seeds.centers, RUSP.sum(axis=0))

    def test_expected_error_within_labels(self):
        # Of a random partition into k labels: SSE₁ (N - k) / (N - 1) = 404 · 6 / 8.
        within = []
        for r in range(2000):
            labels = generator(r).integers(0, 3, size=9, dtype=np.int32)
            if len(np.unique(labels)) < 3:
                continue
            centers = Forgy().seed(F9, 3, random_state=r).centers
            within.append(((F9 - centers[labels]) ** 2).sum())
        error = np.std(within) / np.sqrt(len(within))
        assert abs(np.mean(within) - 303) < 4 * error

    def test_unused_labels_get_a_row(self):
        for r in range(50):
            seeds = Forgy().seed(F9, 9, random_state=r)
            np.testing.assert_array_equal(np.unique(seeds.centers, axis=0), np.unique(F9, axis=0))
        assert seeds.info["filled"] > 0


class TestMacQueen:
    def test_every_row_is_as_likely(self):
        rows = [MacQueen().seed(G6, 2, random_state=r).indices for r in range(3000)]
        counts = np.bincount(np.concatenate(rows), minlength=6)
        # Two rows without replacement: less spread than 6000 independent draws, so this is lenient.
        assert stats.chisquare(counts).pvalue > 1e-4
        assert all(len(set(r)) == 2 for r in rows)

    def test_weighted_draws_are_proportional_to_weight(self):
        weight = np.array([1.0, 2, 3, 4, 5, 5])
        first, second = np.transpose(
            [
                MacQueen().seed(G6, 2, sample_weight=weight, random_state=r).indices
                for r in range(4000)
            ]
        )
        p = weight / weight.sum()
        assert stats.chisquare(np.bincount(first, minlength=6), 4000 * p).pvalue > 1e-4
        after = sum(p[i] * np.where(np.arange(6) == i, 0, p) / (1 - p[i]) for i in range(6))
        assert stats.chisquare(np.bincount(second, minlength=6), 4000 * after).pvalue > 1e-4

    def test_equal_rows_are_passed_over(self):
        X = np.repeat(F9[:4], [50, 1, 1, 1], axis=0)
        for r in range(30):
            for weight in (None, np.ones(len(X))):
                seeds = MacQueen().seed(X, 4, sample_weight=weight, random_state=r)
                assert len(np.unique(seeds.centers, axis=0)) == 4


class TestBradleyFayyad:
    def test_the_least_error_over_the_pooled_centres_is_kept(self):
        X = blobs(500, 3, 6, spread=0.4)
        seeds = BradleyFayyad(subsamples=5, tol=1e-6).seed(X, 4, random_state=9)
        points, rng = as_points(X), generator(9)
        found = []
        for part in draw_parts(500, 5, rng).split():
            start = X[_bradley_fayyad._draw_start(points, part, 4, rng)]
            found.append(run_inner(points.take(part), start[np.newaxis], 1)[0].centers)
        pooled = np.concatenate(found)
        refined = [KMeans(4, init=c, n_init=1, tol=0, algorithm="lloyd").fit(pooled) for c in found]
        errors = [r.inertia_ for r in refined]
        assert seeds.info["pooled_sse"] == pytest.approx(min(errors), rel=1e-9)
        best = refined[int(np.argmin(errors))].cluster_centers_
        np.testing.assert_allclose(seeds.centers, best, rtol=1e-9)

    def test_parts_are_clustered_to_a_fixed_point(self):
        X = blobs(100, 3, 4)
        (centers,) = cluster_parts(
            as_points(X).data,
            Parts(np.arange(100), np.array([100])),
            np.arange(4)[np.newaxis],
            tol=1e-6,
            max_iter=100,
            n_threads=1,
        )
        again = KMeans(4, init=centers, n_init=1, tol=0).fit(X).cluster_centers_
        np.testing.assert_allclose(again, centers, rtol=1e-6)

    def test_a_looser_tolerance_stops_earlier(self):
        X = blobs(3000, 6, 4, spread=1.0)
        errors = [BradleyFayyad(tol=t).seed(X, 6, random_state=2).centers for t in (1e-6, 0.5)]
        assert not np.array_equal(*errors)
        assert sse(X, errors[0]) < sse(X, errors[1])

    @pytest.mark.parametrize(("n", "parts"), [(400, 10), (45, 9), (10, 2), (9, 1)])
    def test_fewer_parts_where_rows_are_few(self, n, parts):
        seeds = BradleyFayyad().seed(blobs(n, 2, 5), 5, random_state=0)
        assert seeds.info["subsamples"] == parts
        assert (seeds.indices is not None) == (parts == 1)

    def test_finds_ruspini(self):
        finals = [
            final_sse(RUSP, BradleyFayyad().seed(RUSP, 4, random_state=r).centers)
            for r in range(10)
        ]
        assert np.median(finals) == pytest.approx(12881.051, abs=5e-4)

    def test_parts_with_few_distinct_rows(self):
        X = np.vstack([np.zeros((200, 2)), F9])
        for r in range(20):
            seeds = BradleyFayyad().seed(X, 6, random_state=r)
            assert len(np.unique(seeds.centers, axis=0)) == 6
            assert seeds.info["shortfall"] >= 0


class TestPlusPlus:
    def test_first_and_second_draw_have_the_exact_distribution(self):
        method = KMeansPlusPlus()
        first, second = np.transpose(
            [method.seed(G6, 2, random_state=r).indices for r in range(6000)]
        )
        assert stats.chisquare(np.bincount(first, minlength=6)).pvalue > 1e-4
        after_zero = np.bincount(second[first == 0], minlength=6)
        assert after_zero[0] == 0
        expected = np.array([1, 4, 100, 121, 144]) / 370 * after_zero.sum()
        assert stats.chisquare(after_zero[1:], expected).pvalue > 1e-4

    def test_weights_are_repetitions_in_distribution(self):
        weight = np.array([3, 1, 1, 2, 1, 4])
        for method in (KMeansPlusPlus(), GreedyKMeansPlusPlus(trials=2)):
            outcomes = []
            for X, w in ((G6, weight), (np.repeat(G6, weight, axis=0), None)):
                values = [
                    tuple(method.seed(X, 2, sample_weight=w, random_state=r).centers[:, 0])
                    for r in range(2500)
                ]
                outcomes.append(values)
            kinds = sorted(set(outcomes[0]) | set(outcomes[1]))
            table = np.array([[o.count(kind) for kind in kinds] for o in outcomes])
            table = table[:, table.sum(axis=0) > 10]
            assert stats.chi2_contingency(table).pvalue > 1e-4

    def test_one_trial_is_plain(self):
        X = blobs(3000, 4, 8)
        for r in range(5):
            plain = KMeansPlusPlus().seed(X, 12, random_state=r)
            greedy = GreedyKMeansPlusPlus(trials=1).seed(X, 12, random_state=r)
            assert plain.centers.tobytes() == greedy.centers.tobytes()

    @pytest.mark.parametrize(
        ("trials", "k", "expected"),
        [
            (None, 1, 2),
            (None, 7, 3),
            (None, 8, 4),
            (None, 100, 6),
            ("survey", 1, 1),
            ("survey", 7, 2),
            ("survey", 100, 5),
            (4, 50, 4),
        ],
    )
    def test_number_of_trials(self, trials, k, expected):
        assert GreedyKMeansPlusPlus(trials=trials).trials_for(k) == expected

    def test_potential_is_the_error_of_the_seeds(self):
        weight = np.random.default_rng(0).gamma(1.0, size=75)
        for method in (KMeansPlusPlus(), GreedyKMeansPlusPlus()):
            seeds = method.seed(RUSP, 6, sample_weight=weight, random_state=1)
            assert seeds.info["potential"][-1] == pytest.approx(sse(RUSP, seeds.centers, weight))
            assert (np.diff(seeds.info["potential"]) < 0).all()

    def test_greedy_is_better_on_average(self):
        plain, greedy = (
            np.mean([sse(RUSP, m.seed(RUSP, 6, random_state=r).centers) for r in range(200)])
            for m in (KMeansPlusPlus(), GreedyKMeansPlusPlus())
        )
        assert greedy < 0.85 * plain

    def test_rows_too_close_for_squares_are_added_and_reported(self):
        X = np.array([[0.0], [1e-200], [1.0], [2e-200]])
        seeds = KMeansPlusPlus().seed(X, 4, random_state=0)
        assert sorted(seeds.indices) == [0, 1, 2, 3]
        assert seeds.info["shortfall"] > 0
