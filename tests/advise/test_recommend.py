"""`sb.recommend`: the rule of ``init="auto"`` with times, a budget and words."""

from __future__ import annotations

import dataclasses
import pickle
import time
from html.parser import HTMLParser

import numpy as np
import pytest

import seedbed as sb
from seedbed.advise import _recommend, _recommend_time
from seedbed.advise._recommend_time import sample_of, seconds_of_a_run
from seedbed.advise._recommend_words import duration
from seedbed.exceptions import DistinctRowsError, ParameterError
from seedbed.init._auto import choose
from seedbed.init._auto_evidence import Shape


@pytest.fixture
def X():
    rng = np.random.default_rng(5)
    return np.concatenate([rng.normal(size=(80, 3)) + 3 * rng.normal(size=3) for _ in range(5)])


@pytest.fixture
def at_speed(monkeypatch):
    """Let a run of the standard take so many seconds."""

    def set_to(seconds: float) -> None:
        monkeypatch.setattr(_recommend, "seconds_of_a_run", lambda *_: seconds)

    return set_to


def test_without_a_budget_it_is_the_choice_of_auto(X):
    advice = sb.recommend(X, 5)
    choice = choose(Shape(n=400, d=3, k=5))
    assert (advice.method, advice.runs) == (choice.method, choice.runs)
    assert (advice.excess, advice.high, advice.why) == (
        choice.way.excess,
        choice.way.high,
        choice.reason,
    )
    assert advice.within_budget
    assert (advice.n_rows, advice.n_features, advice.n_clusters) == (400, 3, 5)


def test_the_estimator_does_what_is_recommended(X):
    advice = sb.recommend(X, 5)
    km = advice.kmeans(random_state=0, n_threads=1).fit(X)
    auto = sb.KMeans(5, init="auto", random_state=0).fit(X)
    assert km.cluster_centers_.tobytes() == auto.cluster_centers_.tobytes()
    assert km.n_threads == 1
    for name in ("init", "n_init", "n_clusters"):
        with pytest.raises(ParameterError, match=f"{name} is what the recommendation settles"):
            advice.kmeans(**{name: 3})


def test_only_deterministic_methods(X):
    advice = sb.recommend(X, 5, deterministic=True)
    assert advice.method.deterministic
    assert advice.runs == 1
    assert all(option.method.deterministic for option in advice.alternatives)
    one, two = (advice.kmeans(random_state=s).fit(X).inertia_ for s in (0, 1))
    assert one == two


def test_a_larger_budget_is_never_worse(X, at_speed):
    at_speed(0.01)
    advices = [sb.recommend(X, 5, budget=b) for b in (0.01, 0.03, 0.1, 1.0, 10.0)]
    excesses = [advice.excess for advice in advices]
    assert excesses == sorted(excesses, reverse=True)
    assert excesses[0] > excesses[-1]
    for advice in advices:
        assert advice.within_budget
        assert advice.seconds <= advice.budget


def test_a_large_budget_is_filled_with_runs(X, at_speed):
    at_speed(0.001)
    advice = sb.recommend(X, 5, budget=100.0)
    assert advice.runs > 3
    assert advice.runs <= _recommend.MOST_RUNS
    assert advice.seconds <= 100.0


def test_a_budget_that_nothing_fits_into(X, at_speed):
    at_speed(1.0)
    advice = sb.recommend(X, 5, budget=0.01)
    assert not advice.within_budget
    assert advice.seconds > 0.01
    assert advice.chosen == advice.alternatives[0]
    assert "Nothing fits into the 10 ms of the budget" in str(advice)


def test_the_alternatives_go_from_cheap_to_good(X):
    advice = sb.recommend(X, 5)
    seconds = [option.seconds for option in advice.alternatives]
    standard = [(o.method.meta.id, o.runs) == ("greedy-k-means++", 1) for o in advice.alternatives]
    assert sum(standard) == 1
    pairs = zip(advice.alternatives, standard, strict=True)
    excess = [option.excess for option, is_standard in pairs if not is_standard]
    assert seconds == sorted(seconds)
    assert excess == sorted(excess, reverse=True)
    assert advice.chosen in advice.alternatives
    assert all(option.excess < advice.excess for option in advice.better)


def test_the_words(X, at_speed):
    at_speed(0.002)
    advice = sb.recommend(X, 5)
    text = str(advice)
    assert text.startswith(f"Use the best of {advice.runs} runs of {advice.method.meta.id}")
    assert "400 rows × 3 features, 5 clusters" in text
    assert f'seedbed.KMeans(5, init="{advice.method.meta.id}", n_init={advice.runs})' in text
    assert "To do better: " in text or "Nothing that was studied ends lower." in text
    marked = [line for line in text.splitlines() if line.startswith("→")]
    assert len(marked) == 1
    assert advice.method.meta.id in marked[0]
    assert all(len(line) <= 110 for line in text.splitlines())
    assert repr(advice) == text
    assert "it is the best that fits into the 1 s" in str(sb.recommend(X, 5, budget=1.0)).lower()
    deterministic = str(sb.recommend(X, 5, deterministic=True))
    assert "No deterministic method that was studied ends lower." in deterministic


def test_the_code_it_shows_can_be_run(X, at_speed):
    at_speed(0.002)
    for options in ({}, {"deterministic": True}, {"budget": 0.003}, {"budget": 10.0}):
        advice = sb.recommend(X, 5, **options)
        code = next(line for line in str(advice).splitlines() if "seedbed.KMeans(" in line)
        km = eval(code.strip(), {"seedbed": sb})
        assert sb.init.as_method(km.init) == advice.method
        assert advice.runs == (1 if km.n_init == "auto" else km.n_init)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_it_shows_itself_in_a_notebook(X):
    advice = sb.recommend(X, 5)
    page = _Tags()
    page.feed(advice._repr_html_())
    assert page.open == []
    assert page.rows == 1 + len(advice.alternatives)


def test_it_is_frozen_and_can_be_pickled(X):
    advice = sb.recommend(X, 5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.runs = 3
    assert pickle.loads(pickle.dumps(advice)) == advice


def test_one_cluster_and_one_feature(X):
    one = sb.recommend(X, 1)
    assert one.runs == 1
    assert "the mean" in str(one)
    line = sb.recommend(X[:, :1], 4)
    assert line.method.meta.id == "optimal"
    assert "can be computed" in str(line)


def test_weights_of_zero_and_weights_that_differ(X):
    weight = np.repeat([1.0, 0.0], [300, 100])
    assert sb.recommend(X, 5, sample_weight=weight).why == sb.recommend(X[:300], 5).why
    advice = sb.recommend(X, 5, sample_weight=np.arange(1.0, 401.0))
    assert all(option.method.meta.weights == "yes" for option in advice.alternatives)


def test_a_million_rows_take_less_than_a_second():
    X = np.random.default_rng(0).normal(size=(1_000_000, 20))
    began = time.process_time()  # of all threads, whatever else the machine does
    advice = sb.recommend(X, 8)
    assert time.process_time() - began < 1.0
    assert advice.seconds > 0


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"k": 0}, ValueError, "n_clusters=0 is less than 1"),
        ({"k": 401}, ValueError, "more than the rows of X"),
        ({"k": 2.5}, TypeError, "not an integer"),
        ({"budget": 0}, ParameterError, "budget=0 is not allowed; give seconds"),
        ({"budget": float("nan")}, ParameterError, "budget=nan"),
        ({"budget": "1 min"}, ParameterError, "budget='1 min'"),
        ({"deterministic": 1}, ParameterError, "deterministic=1 is not allowed"),
        ({"sample_weight": [1, 2]}, ValueError, "one weight for each of the 400 rows"),
        ({"n_threads": 0}, ValueError, "n_threads=0"),
    ],
)
def test_bad_arguments(X, given, error, said):
    with pytest.raises(error, match=said):
        sb.recommend(**{"X": X, "k": 3, **given})


def test_bad_data(X):
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN at row 3, column 1"):
        sb.recommend(X, 3)
    with pytest.raises(DistinctRowsError, match="1 distinct row "):
        sb.recommend(np.ones((10, 2)), 3)


def test_the_sample_has_enough_distinct_rows():
    """Nearly all rows are equal, so that rows at equal distances alone would not do."""
    X = np.zeros((2_000_000, 2))
    X[[1, 77_777, 1_999_998]] = [[1, 0], [0, 1], [2, 2]]
    points = sb._validation.as_points(X)
    rows = sample_of(points, 4, n_threads=1).rows
    assert len(np.unique(X[rows], axis=0)) == 4
    assert len(rows) < len(X)
    assert seconds_of_a_run(points, 4, 1) > 0


def test_small_data_are_measured_whole(X):
    points = sb._validation.as_points(X)
    sample = sample_of(points, 5, n_threads=1)
    assert (len(sample.rows), sample.n_clusters) == (len(X), 5)
    assert Shape(n=len(X), d=3, k=5).work < _recommend_time.SAMPLE_WORK


@pytest.mark.parametrize(("n", "d", "k"), [(3_000, 500, 1_000), (40, 20_000, 30)])
def test_the_sample_is_small_however_wide_the_data(n, d, k):
    points = sb._validation.as_points(np.random.default_rng(0).normal(size=(n, d)))
    sample = sample_of(points, k, n_threads=1)
    assert 2 <= sample.n_clusters <= k
    most = 2 * _recommend_time.SAMPLE_WORK
    assert Shape(n=len(sample.rows), d=d, k=sample.n_clusters).work <= most


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1e-5, "less than 1 ms"),
        (0.0042, "4.2 ms"),
        (0.25, "250 ms"),
        (1.234, "1.2 s"),
        (59.0, "59 s"),
        (90.0, "1.5 min"),
        (7200.0, "2 h"),
    ],
)
def test_durations(seconds, said):
    assert duration(seconds) == said
