"""Methods compared on one's own data: equal runs, equal time, and what is said about it."""

from __future__ import annotations

import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from fixtures import F9, blobs, sse

import seedbed as sb
from seedbed.advise._compare import STUDIED, Session
from seedbed.advise._compare_time import expected_minimum, runs_within
from seedbed.advise._compare_words import duration, excess
from seedbed.exceptions import TooManyRowsError

X = blobs(300, 3, 6, seed=4, spread=0.4)


def first_rows(X, n_clusters, random_state):
    return X[:n_clusters]


def drawn_rows(X, n_clusters, random_state):
    return X[random_state.choice(len(X), n_clusters, replace=False)]


@pytest.fixture(scope="module")
def found():
    return sb.compare(X, 6, runs=5, random_state=0)


def test_the_eight_of_the_study_by_default(found):
    letters = [sb.init.get(name).meta.letter for name in found.names]
    assert "".join(letters) == "FMXBKGVP"
    assert found.names == STUDIED
    assert [len(result) for result in found.results] == [5, 5, 5, 5, 5, 5, 1, 1]


def test_every_run_is_that_of_k_means_from_those_seeds(found):
    seeds = sb.seed(X, 6, "pca-part")
    run = sb.run_many(X, seeds.centers[None])
    result = found["pca-part"]
    assert result.initial_sse[0] == pytest.approx(sse(X, seeds.centers), rel=1e-12)
    assert result.sse[0] == run.sse[0]
    assert result.n_iter[0] == run.n_iter[0]
    assert result.stop_reason[0] == run.stop_reason[0]


def test_the_best_clustering_is_kept(found):
    assert found.least == min(result.sse.min() for result in found.results)
    assert found[found.best_method].best == found.least
    assert found.centers.shape == (6, 3)
    assert sb.criteria.sse(X, found.labels, found.centers) == pytest.approx(found.least)
    nearest = ((X[:, None] - found.centers) ** 2).sum(axis=2).argmin(axis=1)
    assert (found.labels == nearest).all()


def _numbers(comparison, label):
    result = comparison[label]
    return result.initial_sse.tolist(), result.sse.tolist(), result.n_iter.tolist()


def test_a_run_does_not_depend_on_threads_other_methods_or_the_number_of_runs(found):
    other = sb.compare(X, 6, methods=["macqueen", "k-means++"], runs=3, random_state=0, n_threads=3)
    for label in other.names:
        assert _numbers(other, label) == tuple(values[:3] for values in _numbers(found, label))


def test_another_seed_gives_other_runs(found):
    other = sb.compare(X, 6, methods=["macqueen"], runs=5, random_state=1)
    assert _numbers(other, "macqueen") != _numbers(found, "macqueen")


@pytest.mark.parametrize("state", [None, np.random.default_rng(3), np.random.RandomState(3)])
def test_any_random_state(state):
    assert len(sb.compare(X, 2, methods=["forgy"], runs=2, random_state=state)["forgy"]) == 2


def test_methods_by_name_letter_preset_instance_and_function():
    methods = ["G", "otsu-pca-part", sb.init.VarPart(threshold="exact"), first_rows]
    found = sb.compare(X, 4, methods=methods, runs=2, random_state=0)
    assert found.names == (
        "greedy-k-means++",
        "otsu-pca-part",
        "var-part(threshold=exact)",
        "first_rows",
    )
    assert found["first_rows"].sse[0] == sb.run_many(X, X[None, :4]).sse[0]


def test_labels_of_ones_own():
    found = sb.compare(X, 3, methods={"mine": first_rows, "theirs": drawn_rows}, runs=2)
    assert found.names == ("mine", "theirs")


def test_a_function_runs_as_often_as_asked_for():
    assert len(sb.compare(X, 3, methods=[drawn_rows], runs=7)["drawn_rows"]) == 7


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"methods": "k-means++"}, "is one method; give a list"),
        ({"methods": []}, "name at least one method"),
        ({"methods": ["K", "k-means++"]}, "2 methods are called 'k-means++'"),
        ({"methods": ["kmeans"]}, "did you mean 'k-means++'"),
        ({"runs": 0}, "runs=0 is not usable; give an int >= 1"),
        ({"runs": 2.5}, "runs=2.5 is not usable"),
        ({"budget": 0}, "budget=0 is not usable; give seconds, a number > 0"),
        ({"budget": math.nan}, "budget=nan"),
        ({"budget": True}, "budget=True"),
        ({"scale": "max"}, "did you mean 'minmax'"),
        ({"stop": "never"}, "stop='never' is not allowed in compare"),
        ({"n_threads": 0}, "n_threads=0 is not allowed"),
        ({"random_state": -1}, "random_state=-1 is not allowed"),
    ],
)
def test_refusals(options, reason):
    with pytest.raises(ValueError, match=r"\w") as error:
        sb.compare(X, 3, **options)
    assert reason in str(error.value)


def test_as_many_clusters_as_there_are_rows_at_most():
    with pytest.raises(ValueError, match="n_clusters=10 is more than the rows"):
        sb.compare(F9, 10)
    with pytest.raises(ValueError, match="2 distinct rows"):
        sb.compare(np.repeat([[0.0], [1.0]], 5, axis=0), 3)


def test_missing_values_are_named():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, np.nan, 2.0]})
    with pytest.raises(ValueError, match=r"NaN at row 1, column 1 \('b'\)"):
        sb.compare(frame, 2, scale="minmax")


def test_scaling_and_weights():
    weight = np.random.default_rng(0).integers(1, 4, len(X))
    wide = X * [1.0, 100.0, 0.01]
    scaled = sb.compare(wide, 5, methods=["K"], runs=3, scale="zscore", random_state=0)
    by_hand = sb.compare(sb.data.scale(wide, "zscore"), 5, methods=["K"], runs=3, random_state=0)
    assert scaled["k-means++"].sse.tolist() == by_hand["k-means++"].sse.tolist()
    spans = np.ptp(scaled.centers, axis=0)
    assert spans[1] > 50 * spans[0] > 50 * spans[2]  # in the units of the data
    weighted = sb.compare(X, 5, methods=["P"], sample_weight=weight)
    repeated = sb.compare(np.repeat(X, weight, axis=0), 5, methods=["P"])
    assert weighted.least == pytest.approx(repeated.least, rel=1e-9)


def test_single_precision_stays():
    found = sb.compare(X.astype(np.float32), 3, methods=["P"], scale="minmax")
    run = sb.run_many(
        sb.data.scale(X.astype(np.float32), "minmax").astype(np.float32),
        sb.seed(sb.data.scale(X.astype(np.float32), "minmax").astype(np.float32), 3, "P").centers[
            None
        ],
    )
    assert found.least == run.sse[0]


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_the_expected_least_is_the_mean_over_all_subsets(n):
    values = np.random.default_rng(n).exponential(size=n)
    for m in range(1, n + 1):
        subsets = [min(some) for some in itertools.combinations(values, m)]
        assert expected_minimum(values, m) == pytest.approx(np.mean(subsets), rel=1e-12)
    assert expected_minimum(values, n + 3) == values.min()


def test_of_many_runs_the_expected_least_stays_exact():
    values = np.arange(2000.0)
    # The least of m of the numbers 0 … n − 1 is (n − m) / (m + 1) on average.
    for m in (1, 2, 57, 999, 1999):
        assert expected_minimum(values, m) == pytest.approx((2000 - m) / (m + 1), rel=1e-11)


def test_how_many_runs_fit():
    assert runs_within(1.0, 0.1) == 10
    assert runs_within(0.999, 0.1) == 9
    assert runs_within(0.05, 0.1) == 0
    assert runs_within(1.0, 0.0) >= 10**8


def test_without_a_budget_every_method_can_run_once_and_the_quickest_as_often_as_it_did(found):
    times = [result.seconds_per_run for result in found.results]
    totals = [5 * result.seconds_per_run for result in found.results if not result.deterministic]
    assert found.seconds == max(max(times), min(totals))
    assert all(result.within(found.seconds).runs >= 1 for result in found.results)
    fast = min((r for r in found.results if not r.deterministic), key=lambda r: r.seconds_per_run)
    assert fast.within(found.seconds).runs >= 5


def test_what_a_method_reaches_in_some_time(found):
    random, fixed = found["macqueen"], found["var-part"]
    three = random.within(3.4 * random.seconds_per_run)
    assert (three.runs, three.at_most) == (3, False)
    assert three.sse == random.expected_best(3)
    many = random.within(1e6 * random.seconds_per_run)
    assert (many.sse, many.at_most) == (random.best, True)
    assert (fixed.within(1e9).runs, fixed.within(1e9).at_most) == (1, False)
    none = fixed.within(0.1 * fixed.seconds_per_run)
    assert none.runs == 0
    assert math.isnan(none.sse)


def test_a_budget_is_spent_and_not_much_more():
    found = sb.compare(X, 6, methods=["M", "K", "V"], budget=0.05, random_state=0)
    for result in found.results[:2]:
        spent = result.seed_seconds.sum() + result.cluster_seconds.sum()
        longest = (result.seed_seconds + result.cluster_seconds).max()
        assert spent >= 0.05
        assert spent < 0.1 + 2 * longest
        assert len(result) > 10
    assert len(found["var-part"]) == 1
    assert found.seconds == found.budget == 0.05
    again = sb.compare(X, 6, methods=["K"], runs=4, random_state=0)
    assert found["k-means++"].sse[:4].tolist() == again["k-means++"].sse.tolist()


def test_a_budget_with_a_limit_of_runs():
    found = sb.compare(X, 6, methods=["M"], budget=10.0, runs=3)
    assert len(found["macqueen"]) == 3


def test_a_tiny_budget_pays_for_one_run():
    found = sb.compare(X, 6, methods=["M", "V"], budget=1e-9)
    assert [len(result) for result in found.results] == [1, 1]
    assert found.rows[0]["equal_time_runs"] == 0
    assert "no method finishes a run" in found.verdict
    assert "none fits" in str(found)


def test_a_method_that_refuses_the_data_is_left_out_with_its_reason():
    large = blobs(2100, 2, 4, seed=1)
    found = sb.compare(large, 4, methods=["global-k-means", "P"], runs=2)
    assert found.names == ("pca-part",)
    assert "2,000" in found.refused["global-k-means"] or "2000" in found.refused["global-k-means"]
    assert "global-k-means was left out" in found.verdict
    with pytest.raises(TooManyRowsError):
        sb.compare(large, 4, methods=["global-k-means"])


def test_progress_is_told():
    told = []
    sb.compare(X, 3, methods=["M", "V"], runs=3, progress=lambda *what: told.append(what))
    assert told[0] == ("seeding with macqueen", 0, 4)
    assert told[-1] == ("clustering", 4, 4)
    done = [step for _, step, _ in told]
    assert done == sorted(done)


def _session(**options):
    return Session(
        X,
        5,
        **{"methods": ["M", "V"], "runs": 3, "budget": None, "scale": "none"} | options,
        sample_weight=None,
        random_state=0,
        n_threads=1,
        algorithm="auto",
        stop="sse",
        tol="auto",
        max_iter=100,
        empty_cluster="relocate",
    )


def test_what_there_is_can_be_had_after_an_interruption():
    session = _session(runs=1000)

    def interrupt(what, done, total):
        if done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.run(interrupt)
    assert session.started
    found = session.comparison()
    assert not found.complete
    assert "interrupted" in str(found)
    whole = sb.compare(X, 5, methods=["M", "V"], runs=3, random_state=0)
    made = len(found["macqueen"])
    assert found["macqueen"].sse.tolist()[:3] == whole["macqueen"].sse.tolist()[:made]


def test_the_table_in_every_form(found):
    rows, frame, pandas = found.rows, found.to_frame(), found.to_pandas()
    assert [row["method"] for row in rows] == list(found.names)
    assert frame["mean_sse"].to_list() == [result.mean for result in found.results]
    assert pandas.loc[0, "best_sse"] == found["forgy"].sse.min()
    assert rows[0]["sd_sse"] == pytest.approx(np.std(found["forgy"].sse, ddof=1))
    assert rows[-1]["sd_sse"] == 0.0
    assert rows[0]["initial_sse"] == found["forgy"].initial_sse.mean()
    text = str(found)
    assert all(name in text for name in found.names)
    assert "300 rows × 3 attributes, K = 6; 5 runs of each random method" in text


def test_a_method_that_was_not_compared(found):
    with pytest.raises(KeyError, match="was not compared; there are forgy"):
        found["lu"]


def test_results_can_be_sent_elsewhere(found):
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    choice = sb.choose_k(F9, [2, 3], random_state=0)
    assert str(pickle.loads(pickle.dumps(choice))) == str(choice)


def test_several_numbers_of_clusters_are_another_question():
    with pytest.raises(ValueError, match="look at them with choose_k"):
        sb.compare(X, range(2, 21))


def test_perfect_clusters_have_no_percentages():
    found = sb.compare(np.repeat([[0.0], [1.0], [2.0]], 4, axis=0), 3, methods=["K", "V"], runs=2)
    assert found.least == 0.0
    assert "the least that was found is 0" in str(found)
    assert "nan" not in str(found)
    assert "%" not in found._for_readers()["mean"][0]


def test_the_verdict_does_not_pretend():
    alike = sb.compare(F9, 3, methods=["K", "G", "P"], runs=5, random_state=0)
    assert "within 0.1% by every method" in alike.verdict
    assert "every method can be expected" in alike.verdict

    def bad(X, n_clusters, random_state):
        return np.repeat(X[:1], n_clusters, axis=0) + np.arange(n_clusters)[:, None] * 1e-9

    unlike = sb.compare(F9, 3, methods={"bad": bad, "P": "pca-part"}, runs=3, max_iter=1)
    assert "A single run is best on average with P, at the least that was found." in unlike.verdict


@pytest.mark.parametrize(
    ("value", "least", "shown"),
    [
        (1.0, 1.0, "0"),
        (1.0005, 1.0, "0.05%"),
        (1.00001, 1.0, "0.00%"),
        (1.0123, 1.0, "1.23%"),
        (12.0, 1.0, "1,100%"),
        (0.25, 0.0, "0.25"),
        (math.nan, 1.0, "—"),
    ],
)
def test_errors_as_they_are_shown(value, least, shown):
    assert excess(value, least) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (12.345, "12.3 s"),
        (0.5, "500 ms"),
        (1.234e-3, "1.23 ms"),
        (45.6e-6, "45.6 µs"),
        (1e-9, "1 ns"),
    ],
)
def test_times_as_they_are_shown(seconds, shown):
    assert duration(seconds) == shown
