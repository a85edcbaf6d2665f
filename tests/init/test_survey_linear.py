"""The survey's linear-time methods by themselves, before any iteration, against known answers."""

import numpy as np
import pytest
from fixtures import F9, G6, RUSP, blobs, sse
from scipy import stats
from scipy.spatial.distance import cdist, pdist
from sklearn.cluster import KMeans
from sklearn.decomposition import FastICA

import seedbed.init as init
from seedbed._validation import as_points
from seedbed.init import _lu, _onoda, _pizzuti
from seedbed.init._frame import frame


def final_sse(X, centers):
    return KMeans(len(centers), init=centers, n_init=1, tol=0).fit(X).inertia_


class TestJancey:
    def test_coordinates_are_uniform_and_independent(self):
        X = np.array([[-3.0, 10.0, 0.1], [5.0, 50.0, 0.1], [0.0, 12.0, 0.1]])
        drawn = np.concatenate(
            [init.Jancey().seed(X, 3, random_state=r).centers for r in range(700)]
        )
        assert (drawn[:, 2] == 0.1).all()
        assert stats.kstest(drawn[:, 0], stats.uniform(-3, 8).cdf).pvalue > 1e-4
        assert stats.kstest(drawn[:, 1], stats.uniform(10, 40).cdf).pvalue > 1e-4
        assert abs(np.corrcoef(drawn[:, :2].T)[0, 1]) < 4 / np.sqrt(len(drawn))

    def test_the_whole_range_of_numbers(self):
        X = np.array([[-1.7e308], [1.7e308], [0.0]])
        assert np.isfinite(init.Jancey().seed(X, 3, random_state=0).centers).all()


class TestFirstRows:
    def test_ruspini(self):
        seeds = init.FirstRows().seed(RUSP, 4)
        assert seeds.indices.tolist() == [0, 1, 2, 3]
        assert sse(RUSP, seeds.centers) == 386456
        assert final_sse(RUSP, seeds.centers) == pytest.approx(49778.908, abs=5e-4)

    def test_repetitions_are_passed_over_or_not(self):
        X = np.repeat(F9, 2, axis=0)
        assert init.FirstRows().seed(X, 3).indices.tolist() == [0, 2, 4]
        assert init.FirstRows(distinct=False).seed(X, 3).indices.tolist() == [0, 1, 2]

    def test_names(self):
        assert init.get("first-k") == init.get("MacQueen 1") == init.FirstRows()
        assert init.get("macqueen-2") == init.MacQueen()


class TestSpath:
    def test_f9(self):
        centers = init.Spath().seed(F9, 3).centers
        np.testing.assert_allclose(
            centers, np.array([[10, 10], [13, 10], [10, 13]]) / 3, rtol=1e-14
        )
        assert sse(F9, centers) == pytest.approx(328)

    def test_weights_count_in_the_means(self):
        weight = np.arange(1.0, 10)
        centers = init.Spath().seed(F9, 2, sample_weight=weight).centers
        expected = [np.average(F9[i::2], axis=0, weights=weight[i::2]) for i in (0, 1)]
        np.testing.assert_allclose(centers, expected)


def scanned(X, threshold, first, count):
    """Rows in order, each at least the threshold from the first seed and from all before."""
    found, seeds = [], [first]
    for i, x in enumerate(X):
        gaps = np.linalg.norm(np.array(seeds) - x, axis=1)
        if len(found) < count and (gaps >= threshold).all() and gaps.min() > 0:
            found.append(i)
            seeds.append(x)
    return found


class TestBallHall:
    def test_f9(self):
        seeds = init.BallHall(threshold=5).seed(F9, 3)
        np.testing.assert_allclose(seeds.centers, [[11 / 3, 11 / 3], [0, 0], [10, 0]], rtol=1e-15)
        assert seeds.info["threshold"] == 5
        assert seeds.info["shortfall"] == 0

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_the_first_threshold_that_yields_enough_is_taken(self, dtype):
        X = np.ascontiguousarray(blobs(3000, 2, 5), dtype=dtype)
        mean = X.mean(axis=0, dtype=np.float64)
        radius = np.linalg.norm(X - mean, axis=1).max()
        seeds = init.BallHall().seed(X, 6)
        halvings = -2 * np.log2(seeds.info["threshold"] / radius)
        assert halvings == pytest.approx(round(halvings), abs=1e-5)
        rows = scanned(X, seeds.info["threshold"], mean, 5)
        np.testing.assert_array_equal(seeds.centers[1:], X[rows])
        assert len(scanned(X, seeds.info["threshold"] * np.sqrt(2), mean, 5)) < 5
        assert pdist(seeds.centers).min() >= seeds.info["threshold"] * (1 - 1e-6)

    def test_two_seeds_are_the_mean_and_the_farthest_row(self):
        seeds = init.BallHall().seed(RUSP, 2)
        far = np.linalg.norm(RUSP - RUSP.mean(axis=0), axis=1)
        np.testing.assert_array_equal(seeds.centers[1], RUSP[far.argmax()])
        assert seeds.info["threshold"] == pytest.approx(far.max(), rel=1e-12)

    def test_a_threshold_too_large_is_made_up_for(self):
        seeds = init.BallHall(threshold=9).seed(F9, 3)
        assert seeds.info["shortfall"] == 2
        np.testing.assert_array_equal(seeds.centers[1:], [[0, 11], [11, 0]])


def replaced(X, k):
    """FASTCLUS's replacement, row by row."""
    chosen = list(range(k))
    for i in range(k, len(X)):
        gaps = cdist(X[chosen], X[chosen])
        np.fill_diagonal(gaps, np.inf)
        to_seeds = np.linalg.norm(X[chosen] - X[i], axis=1)
        q, second = np.argsort(to_seeds, kind="stable")[:2]
        m, n = np.unravel_index(gaps.argmin(), gaps.shape)
        if to_seeds[q] > gaps[m, n]:
            chosen[m if to_seeds[m] <= to_seeds[n] else n] = i
        elif to_seeds[second] > gaps[q].min():
            chosen[q] = i
    return chosen


class TestSimpleClusterSeeking:
    def test_f9(self):
        seeds = init.SimpleClusterSeeking(threshold=5).seed(F9, 3)
        assert seeds.indices.tolist() == [0, 3, 6]

    @pytest.mark.parametrize("threshold", [0.0, 0.3, 1.0])
    def test_rows_are_those_of_a_plain_scan(self, threshold):
        X = blobs(2000, 3, 5)
        seeds = init.SimpleClusterSeeking(threshold=threshold).seed(X, 8)
        own = 8 - seeds.info["shortfall"]
        assert seeds.indices[:own].tolist() == [0, *scanned(X, threshold, X[0], 7)]

    def test_a_distance_of_exactly_the_threshold_is_enough(self):
        X = np.array([[0.0, 0], [3, 4], [2.9, 4], [6, 8]])
        assert init.SimpleClusterSeeking(threshold=5).seed(X, 3).indices.tolist() == [0, 1, 3]

    def test_f9_without_a_threshold(self):
        # The greatest distance to the mean is 8.2; at that threshold the first row has two more.
        seeds = init.SimpleClusterSeeking().seed(F9, 3)
        assert seeds.indices.tolist() == [0, 3, 6]

    @pytest.mark.parametrize("k", [2, 3, 7, 20])
    def test_full_replacement(self, k):
        X = blobs(9000, 3, 6)
        seeds = init.SimpleClusterSeeking(replace="full").seed(X, k)
        assert seeds.indices.tolist() == replaced(X, k)
        assert pdist(seeds.centers).min() > pdist(X[:k]).min()
        assert seeds.info["replaced"] > 0

    def test_full_replacement_of_a_single_seed(self):
        assert init.get("fastclus").seed(F9, 1).indices.tolist() == [0]

    def test_bad_thresholds(self):
        for bad in (-1, np.inf, np.nan, True, "far", None):
            with pytest.raises(ValueError, match="'auto' or a number >= 0"):
                init.SimpleClusterSeeking(threshold=bad)


class TestAlDaoudDensity:
    def test_one_seed_from_each_side(self):
        for r in range(40):
            seeds = init.AlDaoudDensity(intervals=2).seed(G6, 2, random_state=r)
            assert sorted(seeds.indices // 3) == [0, 1]

    def test_every_row_of_a_cell_is_as_likely(self):
        method = init.AlDaoudDensity(intervals=2)
        rows = [method.seed(G6, 2, random_state=r).indices for r in range(2000)]
        counts = np.bincount(np.concatenate(rows), minlength=6)
        assert stats.chisquare(counts[:3]).pvalue > 1e-4
        assert stats.chisquare(counts[3:]).pvalue > 1e-4

    def test_quotas_by_largest_remainder(self):
        # Cells of 50, 30 and 20 rows: seven seeds are 3.5, 2.1 and 1.4 shares, so 4, 2 and 1.
        steps = [np.linspace(0, 0.9, 50), 1 + np.linspace(0, 0.9, 30), 2 + np.linspace(0, 1, 20)]
        X = np.concatenate(steps)
        seeds = init.AlDaoudDensity(intervals=3).seed(X[:, None], 7, random_state=0)
        assert np.bincount(np.floor(seeds.centers[:, 0]).astype(int)).tolist()[:3] == [4, 2, 1]

    def test_weight_is_what_counts(self):
        seeds = init.AlDaoudDensity(intervals=2).seed(
            G6, 3, sample_weight=[1, 1, 1, 9, 9, 9], random_state=0
        )
        assert sorted(seeds.indices) == [3, 4, 5]

    def test_a_cell_gives_no_more_than_it_has(self):
        X = np.concatenate([np.zeros((90, 1)), G6[3:]])
        for r in range(10):
            seeds = init.AlDaoudDensity(intervals=2).seed(X, 4, random_state=r)
            assert len(np.unique(seeds.centers)) == 4

    @pytest.mark.parametrize(
        ("k", "d", "expected"), [(2, 1, (20, 1)), (7, 10, (2, 7)), (10, 2, (10, 2)), (1, 3, (3, 3))]
    )
    def test_the_grid_by_default(self, k, d, expected):
        assert init.AlDaoudDensity().grid_for(k, d) == expected


class TestPizzuti:
    def test_g6(self):
        seeds = init.Pizzuti(crowd=3).seed(G6, 2)
        assert seeds.centers.ravel().tolist() == [1, 11]
        assert seeds.info["boxes"] == 2

    @pytest.mark.parametrize("d", [2, 10, 14])
    def test_no_box_is_crowded_and_densities_are_those_of_the_boxes(self, d):
        X = blobs(3000, d, 4)
        halve = _pizzuti._halve_all if d <= 10 else _pizzuti._halve_longest
        boxes = halve(as_points(X), 40, 1)
        counts = np.bincount(boxes.labels)
        np.testing.assert_array_equal(counts, boxes.mass)
        assert counts.max() <= 40
        # Volumes of boxes that do not overlap add up to at most that of all.
        assert (2.0**boxes.log_volume).sum() <= 1 + 1e-12

    def test_boxes_of_few_attributes_are_cells_of_a_grid(self):
        X = np.random.default_rng(0).random((500, 2))
        X = np.vstack([X, [[0, 0], [1, 1]]])
        boxes = _pizzuti._halve_all(as_points(X), 20, 1)
        for box in range(len(boxes.mass)):
            depth = -int(boxes.log_volume[box]) // 2
            cells = np.minimum(np.floor(X[boxes.labels == box] * 2**depth), 2**depth - 1)
            assert len(np.unique(cells, axis=0)) == 1

    def test_equal_rows_are_not_halved(self):
        X = np.concatenate([np.zeros((50, 1)), np.linspace(0.6, 1, 20)[:, None]])
        boxes = _pizzuti._halve_all(as_points(X), 5, 1)
        zero = boxes.labels[0]
        assert (boxes.labels[:50] == zero).all()
        assert boxes.log_volume[zero] == -1

    def test_spread_seeds_are_farther_apart(self):
        rng = np.random.default_rng(0)
        X = np.vstack([0.5 * rng.random((500, 2)), 5 + rng.random((200, 2))])
        dense, spread = (init.Pizzuti(spread=s).seed(X, 2).centers for s in (False, True))
        assert pdist(dense)[0] < 1
        assert pdist(spread)[0] > 5

    def test_too_few_boxes_are_made_up_for(self):
        seeds = init.Pizzuti(crowd=100).seed(G6, 4)
        assert seeds.info["shortfall"] == 2
        assert seeds.centers.ravel().tolist() == [1, 11, 0, 2]  # the least of those equally far


class TestLu:
    def test_g6(self):
        centers = init.Lu().seed(G6, 2).centers
        np.testing.assert_allclose(np.sort(centers.ravel()), [1, 11], atol=12 / 255)

    @pytest.mark.parametrize("d", [2, 8, 15])
    @pytest.mark.parametrize("shrink", [0.5, 1.0])
    def test_every_level_has_all_the_weight_and_the_mean(self, d, shrink):
        X = blobs(20_000, d, 4)
        weight = np.random.default_rng(0).gamma(2.0, size=len(X))
        pyramid = _lu._Pyramid(as_points(X, weight), 6, 60, 1, shrink=shrink)
        assert len(pyramid.sizes) > 1
        assert list(pyramid.sizes) == sorted(set(pyramid.sizes), reverse=True)
        means = []
        for at, size in enumerate(pyramid.sizes):
            level = pyramid.picture(at)
            assert level.n == size >= 60
            assert level.weight.sum() == pytest.approx(weight.sum(), rel=1e-12)
            means.append(np.average(level.x, axis=0, weights=level.weight))
            np.testing.assert_allclose(means[-1], means[0], rtol=1e-12)

    def test_coarser_points_are_means_of_cells(self):
        X = blobs(5000, 2, 4)
        pyramid = _lu._Pyramid(as_points(X), 8, 20, 1, shrink=1.0)
        fine = pyramid.picture(0)
        cells = np.floor(fine.x / 2)
        _, inverse = np.unique(cells, axis=0, return_inverse=True)
        mass = np.bincount(inverse.ravel(), weights=fine.weight)
        assert sorted(mass) == sorted(pyramid.picture(1).weight)

    @pytest.mark.parametrize("d", [2, 5, 14])
    @pytest.mark.parametrize("shrink", [0.3, 0.5, 0.9])
    @pytest.mark.parametrize("repeats", [1, 3])
    def test_pictures_that_shrink_too_little_are_left_out(self, d, shrink, repeats):
        X = np.repeat(blobs(6000, d, 4), repeats, axis=0)
        every, some = (init.Lu(shrink=s).seed(X, 4).info["levels"] for s in (1.0, shrink))
        expected = [every[0]]
        for size in every[1:]:
            if size <= shrink * expected[-1] or size == every[-1]:
                expected.append(size)
        assert list(some[1:]) == expected[1:]
        assert some[0] in (every[0], len(X))  # equal rows are merged or not, which is the same

    @pytest.mark.parametrize("weighted", [False, True])
    def test_neither_order_nor_threads_matter(self, weighted):
        X = blobs(60_000, 8, 5)
        order = np.random.default_rng(0).permutation(len(X))
        weight = np.random.default_rng(1).integers(1, 4, len(X)) if weighted else None
        one = init.Lu().seed(X, 5, sample_weight=weight, n_threads=1)
        many = init.Lu().seed(X, 5, sample_weight=weight, n_threads=2)
        moved = init.Lu().seed(
            X[order], 5, sample_weight=weight if weight is None else weight[order]
        )
        assert one.info["levels"][0] == len(X)  # not merged: the case that is not sorted
        assert one.centers.tobytes() == many.centers.tobytes() == moved.centers.tobytes()

    def test_the_result_is_nearly_a_fixed_point(self):
        X = blobs(5000, 3, 5)
        seeds = init.Lu().seed(X, 5)
        assert sse(X, seeds.centers) <= 1.001 * final_sse(X, seeds.centers)

    def test_fewer_values_than_clusters(self):
        X = np.concatenate([np.linspace(0, 1, 10), [1e9]])[:, None]
        seeds = init.Lu().seed(X, 5)
        assert seeds.info["shortfall"] == 3
        assert len(np.unique(seeds.centers)) == 5

    def test_spread_seeds_are_farther_apart(self):
        rng = np.random.default_rng(1)
        X = np.vstack(
            [rng.normal(0, 0.3, (5000, 2)), rng.normal(6, 1, (300, 2)), rng.normal(-6, 1, (300, 2))]
        )
        plain, spread = (sse(X, init.Lu(spread=s).seed(X, 3).centers) for s in (False, True))
        assert spread <= plain


class TestOnoda:
    def test_scaling_about_the_mean_changes_nothing(self):
        rows = init.Onoda().seed(F9, 3).indices
        moved = init.Onoda().seed(2 * F9 - 11 / 3, 3).indices
        assert rows.tolist() == moved.tolist()
        assert len(set(rows)) == 3

    def mixed(self):
        """Two skewed sources and one even one, mixed; and how they were."""
        rng = np.random.default_rng(0)
        sources = np.column_stack(
            [rng.exponential(size=4000), rng.gamma(0.5, size=4000), rng.random(4000)]
        )
        mixing = np.array([[1.0, 0.5, 0.2], [0.3, 1.0, -0.4], [0.2, 0.1, 1.0]])
        return sources @ mixing.T, mixing

    def components(self, X, contrast="kurtosis", use="unmixing", most=3):
        return _onoda._components(
            frame(as_points(X), 1),
            X.mean(axis=0),
            most,
            contrast=contrast,
            mixing=use == "mixing",
        )

    @pytest.mark.parametrize(("contrast", "fun"), [("kurtosis", "cube"), ("log-cosh", "logcosh")])
    def test_components_are_those_of_another_implementation(self, contrast, fun):
        X, _ = self.mixed()
        found = self.components(X, contrast)
        theirs = FastICA(
            3, whiten="unit-variance", fun=fun, w_init=np.eye(3), whiten_solver="eigh"
        ).fit(X)
        rows = theirs.components_ / np.linalg.norm(theirs.components_, axis=1, keepdims=True)
        overlap = np.abs(found.directions @ rows.T)
        np.testing.assert_allclose(np.sort(overlap.max(axis=1)), 1.0, atol=1e-4)
        assert found.converged

    def test_many_components_are_those_of_another_implementation(self):
        # Too many for fourth moments; sources that differ in kurtosis, so that the order is known.
        rng = np.random.default_rng(1)
        sources = np.abs(rng.normal(size=(20_000, 14))) ** np.linspace(0.5, 3, 14)
        X = sources @ rng.normal(size=(14, 14))
        found = self.components(X, most=14)
        theirs = FastICA(
            14, whiten="unit-variance", fun="cube", w_init=np.eye(14), whiten_solver="eigh"
        ).fit(X)
        rows = theirs.components_ / np.linalg.norm(theirs.components_, axis=1, keepdims=True)
        overlap = np.abs(found.directions @ rows.T)
        np.testing.assert_allclose(overlap.max(axis=1), 1.0, atol=1e-3)
        kurtosis = np.abs((theirs.transform(X) ** 4).mean(axis=0) - 3)
        by_kurtosis = np.argsort(-kurtosis)
        np.testing.assert_array_equal(overlap.argmax(axis=1)[:5], by_kurtosis[:5])

    @pytest.mark.parametrize("contrast", ["kurtosis", "log-cosh"])
    def test_mixing_directions_are_those_of_the_sources(self, contrast):
        X, mixing = self.mixed()
        found = self.components(X, contrast, "mixing")
        columns = mixing / np.linalg.norm(mixing, axis=0)
        overlap = np.abs(found.directions @ columns).max(axis=1)
        np.testing.assert_allclose(overlap, 1.0, atol=5e-3 if contrast == "log-cosh" else 3e-2)

    @pytest.mark.parametrize("use", ["unmixing", "mixing"])
    @pytest.mark.parametrize("sign", ["signed", "abs"])
    @pytest.mark.parametrize("centered", [True, False])
    def test_seeds_have_the_greatest_cosine(self, use, sign, centered):
        X, _ = self.mixed()
        found = self.components(X, use=use)
        offset = X - X.mean(axis=0) * centered
        cosines = offset @ found.directions.T / np.linalg.norm(offset, axis=1, keepdims=True)
        cosines = np.abs(cosines) if sign == "abs" else cosines
        seeds = init.Onoda(use=use, sign=sign, centered=centered).seed(X, 3)
        assert seeds.indices.tolist() == cosines.argmax(axis=0).tolist()

    def test_a_row_that_leads_twice_is_taken_once(self):
        rng = np.random.default_rng(0)
        X = rng.random((200, 2))
        X[17] = X[3]  # the same row again, farthest along both directions
        scaled = frame(as_points(X), 1)
        both = np.array([[0.6, 0.8], [0.6, 0.8]])
        rows = _onoda._nearest_in_angle(scaled, np.zeros(2), both, absolute=False, n_threads=1)
        cosines = X @ both[0] / np.linalg.norm(X, axis=1)
        ranked = [r for r in np.argsort(-cosines, kind="stable") if r != 17]
        assert rows.tolist() == ranked[:2]

    def test_steps_that_do_not_settle_are_told(self):
        X = np.random.default_rng(0).normal(size=(400, 8))
        assert init.Onoda(contrast="log-cosh").seed(X, 8).info["steps"] <= 200
        with pytest.raises(ValueError, match="'kurtosis' or 'log-cosh'"):
            init.Onoda(contrast="entropy")

    def test_more_clusters_than_components(self):
        seeds = init.Onoda().seed(RUSP, 5)
        assert seeds.info["components"] == 2
        assert seeds.info["shortfall"] == 3

    def test_one_attribute_does_not_depend_on_the_order(self):
        one = init.Onoda().seed(G6, 2).centers
        assert init.Onoda().seed(G6[::-1], 2).centers.tolist() == one.tolist()

    def test_more_attributes_than_rows(self):
        X = np.random.default_rng(0).random((12, 60))
        seeds = init.Onoda().seed(X, 5)
        assert seeds.info["components"] == 5
        assert len(set(seeds.indices)) == 5
