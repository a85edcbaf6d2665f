"""Criteria over the number of clusters: right by independent computation, and read with care."""

from __future__ import annotations

import numpy as np
import pytest
from fixtures import F9, G6, RUSP, blobs, sse
from sklearn.metrics import calinski_harabasz_score, silhouette_samples, silhouette_score

import seedbed as sb
from seedbed._validation import as_points
from seedbed.advise._choose_k import Session
from seedbed.advise._choose_k_criteria import calinski_harabasz, silhouettes
from seedbed.advise._choose_k_gap import Box, first_within_error, gap_statistic
from seedbed.advise._choose_k_path import split_most
from seedbed.exceptions import DistinctRowsError

FIVE = blobs(400, 4, 5, seed=3, spread=0.1)
QUICK = {"references": 0, "silhouette_rows": 0}


@pytest.fixture(scope="module")
def ruspini():
    return sb.choose_k(RUSP, range(1, 9), random_state=0)


def test_ruspini_has_four_clusters(ruspini):
    assert ruspini.preferred["silhouette"] == 4
    assert ruspini.preferred["gap"] == 4
    # Kaufman & Rousseeuw (1990), chapter 2: the average silhouette width of Ruspini's data is 0.74.
    assert round(ruspini.silhouette[3], 2) == 0.74
    assert ruspini.sse[0] == pytest.approx(sse(RUSP, RUSP.mean(axis=0)[None]))
    # The least errors for two, three and four clusters, as found by global k-means.
    assert ruspini.sse[1:4] == pytest.approx([89337.832, 51063.475, 12881.051], abs=1e-3)


def test_criteria_are_those_of_scikit_learn(ruspini):
    for k in range(2, 9):
        labels, place = ruspini.labels(k), k - 1
        assert ruspini.silhouette[place] == pytest.approx(silhouette_score(RUSP, labels))
        expected = calinski_harabasz_score(RUSP, labels)
        assert ruspini.calinski_harabasz[place] == pytest.approx(expected)
        assert len(np.unique(labels)) == k
        nearest = ((RUSP[:, None] - ruspini.centers(k)) ** 2).sum(axis=2).argmin(axis=1)
        assert (labels == nearest).all()
    assert ruspini.silhouette_error.tolist()[1:] == [0.0] * 7  # all rows were looked at
    assert np.isnan([ruspini.silhouette[0], ruspini.calinski_harabasz[0]]).all()


def test_silhouettes_of_some_rows_among_all_of_them():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    labelings = [rng.integers(0, k, 500).astype(np.int32) for k in (2, 5, 9)]
    alone = np.zeros(500, np.int32)
    alone[7] = 1  # a cluster of one row
    rows = np.array([0, 7, 8, 123, 499])
    found = silhouettes(as_points(X), rows, [*labelings, alone], 1, lambda done, total: None)
    for values, labels in zip(found.T, [*labelings, alone], strict=True):
        np.testing.assert_allclose(values, silhouette_samples(X, labels)[rows], atol=1e-12)
    assert found[1, 3] == 0.0


def test_rows_that_coincide_have_no_silhouette():
    X = np.zeros((4, 2))
    labels = np.array([0, 0, 1, 1], np.int32)
    found = silhouettes(as_points(X), np.arange(4), [labels], 1, lambda done, total: None)
    assert found.tolist() == [[0.0]] * 4
    assert calinski_harabasz(as_points(X), labels) == np.inf


def test_the_error_of_a_sampled_silhouette():
    X = blobs(3000, 2, 4, seed=5, spread=0.25)
    whole = sb.choose_k(X, [3, 4, 5], silhouette_rows=3000, references=0, random_state=0)
    for seed in range(3):
        part = sb.choose_k(X, [3, 4, 5], silhouette_rows=300, references=0, random_state=seed)
        assert part.silhouette_rows == 300
        values = part.silhouette_values
        shrink = np.sqrt(1 - 300 / 3000)
        np.testing.assert_allclose(
            part.silhouette_error, values.std(axis=0, ddof=1) / np.sqrt(300) * shrink
        )
        same = np.isclose(part.sse, whole.sse, rtol=1e-9)
        off = np.abs(part.silhouette - whole.silhouette)[same]
        assert (off <= 4 * part.silhouette_error[same]).all()
        assert "300 of 3,000 rows" in part.reading


def test_ks_that_a_sample_cannot_tell_apart_are_named():
    X = np.random.default_rng(1).normal(size=(2000, 6))  # no clusters: all K look alike
    found = sb.choose_k(X, range(8, 13), silhouette_rows=60, references=0, random_state=0)
    assert found.silhouette_ties
    assert f"cannot tell K = {found.silhouette_ties[0]}" in found.reading
    whole = sb.choose_k(X[:200], range(8, 11), references=0, random_state=0)
    assert whole.silhouette_ties == ()


def test_the_gap_statistic_by_hand():
    errors, references = [100.0, 20.0, 18.0], [[90.0, 60.0, 40.0], [110.0, 70.0, 50.0]]
    gap, error = gap_statistic(errors, references)
    logs = np.log(references)
    for k in range(3):
        assert gap[k] == pytest.approx((logs[0, k] + logs[1, k]) / 2 - np.log(errors[k]))
        half = abs(logs[0, k] - logs[1, k]) / 2  # the deviation of two values, divided by B
        assert error[k] == pytest.approx(half * np.sqrt(1.5))


def test_the_rule_of_one_standard_error():
    gap, error = np.array([0.1, 0.5, 0.52, 0.4]), np.array([0.0, 0.01, 0.03, 0.01])
    assert first_within_error([1, 2, 3, 4], gap, error) == 2
    assert first_within_error([1, 2], np.array([0.1, 0.5]), error) is None
    assert first_within_error([1], gap[:1], error[:1]) is None


def test_data_without_clusters_are_one_cluster_to_the_gap_statistic():
    X = np.random.default_rng(8).uniform(size=(300, 3))
    found = sb.choose_k(X, range(1, 6), reference="box", random_state=0)
    assert found.preferred["gap"] == 1


def test_the_box_along_the_principal_axes_fits_closely():
    rng = np.random.default_rng(2)
    long = np.column_stack([rng.uniform(-10, 10, 500), rng.uniform(-1, 1, 500)])
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    X = long @ turn.T + [100.0, 200.0]
    drawn = Box.around(X, "pca").draw(4000, rng)
    back = (drawn - [100.0, 200.0]) @ turn
    # By the principal axes of a sample, so only nearly along the sides.
    assert np.abs(back).max(axis=0) == pytest.approx([10, 1], abs=0.6)
    wide = Box.around(X, "box").draw(4000, rng)
    np.testing.assert_allclose(wide.min(axis=0), X.min(axis=0), atol=0.2)
    np.testing.assert_allclose(wide.max(axis=0), X.max(axis=0), atol=0.2)


def test_five_clear_clusters_are_found_by_all():
    found = sb.choose_k(FIVE, range(2, 10), random_state=0)
    votes = set(found.preferred.values())
    assert found.preferred["silhouette"] == 5
    assert found.preferred["gap"] == 5
    assert 5 in votes
    assert "K = 5" in found.reading.splitlines()[0]
    assert "hints" in found.reading


@pytest.mark.parametrize("runs", [0, 1, 3])
def test_the_error_never_rises_with_k(runs):
    X = np.random.default_rng(runs).normal(size=(300, 3))
    found = sb.choose_k(X, range(1, 25), runs=runs, random_state=0, **QUICK)
    assert (np.diff(found.sse) <= 1e-9 * found.sse[0]).all()
    assert found.grown[0] is False
    if runs == 0:
        assert all(found.grown[1:])


def test_reuse_makes_results_at_least_as_good_as_one_fresh_start_each():
    X = blobs(600, 5, 12, seed=9, spread=0.3)
    found = sb.choose_k(X, range(2, 16), random_state=0, **QUICK)
    fresh = [sb.compare(X, k, methods=["G"], runs=1, random_state=0).least for k in range(2, 16)]
    assert found.sse.sum() < sum(fresh)
    assert any(found.grown)


def test_ks_far_apart_are_reached_by_doubling():
    found = sb.choose_k(FIVE, [3, 50, 120], runs=0, random_state=0, **QUICK)
    assert found.ks == (3, 50, 120)
    assert [len(np.unique(found.labels(k))) for k in found.ks] == [3, 50, 120]


def test_the_cluster_whose_cut_gains_most_is_cut():
    labels = np.array([0, 0, 0, 1, 1, 1], np.int32)
    X = G6.copy()
    X[:3] *= 3.0  # 0, 3, 6 and 10, 11, 12
    grown = split_most(as_points(X), np.array([[3.0], [11.0]]), labels, 1, 1)
    assert sorted(grown.ravel().tolist())[-1] == 11.0
    assert len(grown) == 3
    same = split_most(as_points(np.zeros((3, 1))), np.zeros((1, 1)), np.zeros(3, np.int32), 1, 1)
    assert len(same) == 1  # rows that are all the same cannot be cut


def _bytes(found):
    arrays = (
        found.sse,
        found.silhouette,
        found.silhouette_values,
        found.calinski_harabasz,
        found.gap,
        found.gap_error,
        *(found.labels(k) for k in found.ks),
        *(found.centers(k) for k in found.ks),
    )
    return b"".join(array.tobytes() for array in arrays)


def test_same_seed_same_bytes_on_any_number_of_threads():
    X = blobs(900, 6, 5, seed=2, spread=0.4)
    options = {"silhouette_rows": 100, "references": 3, "gap_rows": 500, "scale": "zscore"}
    one, two = (sb.choose_k(X, range(2, 7), random_state=7, n_threads=n, **options) for n in (1, 3))
    assert _bytes(one) == _bytes(two)
    other = sb.choose_k(X, range(2, 7), random_state=8, **options)
    assert _bytes(one) != _bytes(other)


def test_the_gap_statistic_of_a_sample_is_said_to_be(ruspini):
    X = blobs(600, 2, 4, seed=2, spread=0.1)
    part = sb.choose_k(X, range(2, 7), gap_rows=200, references=3, random_state=0)
    assert part.gap_rows == 200
    assert "3 reference sets, 200 rows drawn" in part.reading
    assert part.preferred["gap"] == 4
    assert "10 reference sets, all rows" in ruspini.reading


def test_what_is_preferred_at_the_end_of_the_range_is_not_trusted():
    found = sb.choose_k(FIVE, range(2, 5), random_state=0)
    assert "that is the largest that was tried, so try larger ones" in found.reading
    assert found.preferred["gap"] is None
    assert "it prefers none of these; try larger ones" in found.reading


def test_ks_are_sorted_and_named_once():
    assert sb.choose_k(F9, [4, 2, 2], random_state=0, **QUICK).ks == (2, 4)


def test_as_many_clusters_as_rows():
    found = sb.choose_k(F9, [2, 9], references=2, random_state=0)
    assert found.sse[1] == 0.0
    assert np.isnan(found.calinski_harabasz[1])
    assert found.silhouette[1] == 0.0
    assert "K" in str(found)


def test_one_k_alone():
    found = sb.choose_k(F9, [3], references=2, random_state=0)
    assert found.preferred == {
        "sse": None,
        "silhouette": 3,
        "calinski_harabasz": 3,
        "gap": None,
    }


@pytest.mark.parametrize(
    ("ks", "options", "reason"),
    [
        (5, {}, "is not several numbers of clusters; give range(2, 21)"),
        ("2:20", {}, "is not several numbers of clusters"),
        ([], {}, "give integers from 1 upwards"),
        ([0, 1], {}, "give integers from 1 upwards"),
        ([2.5], {}, "give integers from 1 upwards"),
        ([2, 10], {}, "K = 10 is more than the rows of X, n_samples=9"),
        ([2], {"runs": -1}, "runs=-1 is not usable; give an int >= 0"),
        ([2], {"references": 1.5}, "references=1.5 is not usable"),
        ([2], {"gap_rows": 1}, "gap_rows=1 is not usable; give an int >= 2"),
        ([2], {"reference": "ball"}, "use one of 'pca', 'box'"),
        ([2], {"scale": "log"}, "use one of none, minmax, zscore"),
        ([2], {"method": "nothing"}, "unknown method"),
    ],
)
def test_refusals(ks, options, reason):
    with pytest.raises(ValueError, match=r"\w") as error:
        sb.choose_k(F9, ks, **options)
    assert reason in str(error.value)


def test_too_few_distinct_rows():
    with pytest.raises(DistinctRowsError, match=r"2 distinct rows, fewer than K = 3; try 2"):
        sb.choose_k(np.repeat([[0.0], [1.0]], 5, axis=0), [2, 3])


def test_a_sample_for_the_gap_statistic_that_is_too_small_is_refused_at_once():
    with pytest.raises(DistinctRowsError, match="raise gap_rows, try fewer clusters, or pass"):
        sb.choose_k(FIVE, [2, 60], gap_rows=50, progress=lambda *told: pytest.fail("too late"))


def test_a_k_that_was_not_tried(ruspini):
    with pytest.raises(KeyError, match="K = 30 was not tried"):
        ruspini.labels(30)


def test_the_table_in_every_form(ruspini):
    assert ruspini.to_frame()["sse"].to_list() == ruspini.sse.tolist()
    assert ruspini.to_pandas()["k"].tolist() == list(range(1, 9))
    assert ruspini.rows[3]["k"] == 4
    text = str(ruspini)
    assert "75 rows × 2 attributes; K = 1 to 8" in text
    assert text.count("*\u00a0") == 4  # one for each criterion


def test_centres_are_in_the_units_of_the_data():
    found = sb.choose_k(RUSP, [4], scale="minmax", random_state=0, **QUICK)
    means = [RUSP[found.labels(4) == c].mean(axis=0) for c in range(4)]
    np.testing.assert_allclose(found.centers(4), means)


def _session(**options):
    usual = {
        "method": "greedy-k-means++",
        "runs": 1,
        "scale": "none",
        "silhouette_rows": 100,
        "references": 4,
        "reference": "pca",
        "gap_rows": 1000,
        "random_state": 0,
        "n_threads": 1,
        "algorithm": "auto",
        "stop": "sse",
        "tol": "auto",
        "max_iter": 100,
    }
    return Session(FIVE, range(2, 8), **usual | options)


@pytest.mark.parametrize(
    ("when", "n_ks", "rows", "references"),
    [("K = 5", 3, 0, 0), ("silhouettes", 6, 0, 0), ("gap statistic 2", 6, 100, 2)],
)
def test_what_there_is_can_be_had_after_an_interruption(when, n_ks, rows, references):
    session = _session()

    def interrupt(what, done, total):
        if when in f"{what} {done}":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.run(interrupt)
    found = session.choice()
    assert not found.complete
    assert (len(found.ks), found.silhouette_rows, found.references) == (n_ks, rows, references)
    assert "interrupted" in str(found)
    whole = sb.choose_k(FIVE, range(2, 8), random_state=0, silhouette_rows=100, references=4)
    assert found.sse.tolist() == whole.sse[:n_ks].tolist()
