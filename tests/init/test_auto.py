"""``init="auto"``: the rule from the shape of the data to a method and a number of runs."""

from __future__ import annotations

import dataclasses
import itertools
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.cluster import KMeans as TheirKMeans

from seedbed import init, seed
from seedbed.init._auto import (
    LEAST_RUNS,
    MOST_RUNS,
    NEGLIGIBLE,
    Auto,
    allowance,
    choose,
    name_of,
    percent,
    said,
    ways_for,
)
from seedbed.init._auto_evidence import STANDARD, Shape, evidence

SHAPES = st.builds(
    Shape,
    n=st.integers(50, 10**8),
    d=st.integers(1, 10**5),
    k=st.integers(1, 10**4),
    weighted=st.booleans(),
)
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SMALL = Shape(n=2_000, d=5, k=6)
LARGE = Shape(n=10_000_000, d=20, k=8)


def test_every_shape_has_evidence_once():
    for k, d in itertools.product((2, 3, 4, 7, 8, 15, 16, 47, 48, 10**6), (1, 49, 50, 10**6)):
        shape = Shape(n=10, d=d, k=k)
        assert sum(bracket.holds(shape) for bracket in evidence()) == 1


def test_the_evidence_is_plausible():
    for bracket, ways in evidence().items():
        costs = [way.cost for way in ways]
        assert costs == sorted(costs)
        standard = {way.runs: way for way in ways if way.method.meta.id == STANDARD}
        assert standard[1].cost == pytest.approx(1)
        for way in ways:
            assert way.excess >= 0
            assert way.high >= 0
            assert way.sets >= 3, bracket
        for one, more in itertools.pairwise(standard.values()):
            assert more.runs > one.runs
            assert more.excess <= one.excess  # the best of more runs is no worse


def test_the_evidence_says_where_it_comes_from():
    first = files("seedbed.init").joinpath("auto_evidence.csv").read_text("utf-8").splitlines()[0]
    assert first.startswith("# Made by tools/make_evidence.py")


@unhurried
@given(shape=SHAPES, deterministic=st.booleans(), most_runs=st.none() | st.integers(1, 30))
def test_a_choice_keeps_its_promises(shape, deterministic, most_runs):
    choice = choose(shape, deterministic=deterministic, most_runs=most_runs)
    assert choice.way in choice.candidates
    cheapest = choice.candidates[0]
    assert choice.way.cost <= choice.allowance or choice.way == cheapest
    affordable = [way for way in choice.candidates if way.cost <= choice.allowance] or [cheapest]
    assert choice.way.excess <= min(way.excess for way in affordable) + NEGLIGIBLE
    if deterministic:
        assert choice.method.deterministic
        assert choice.runs == 1
    if most_runs is not None:
        assert choice.runs <= most_runs
    if shape.weighted:
        assert choice.method.meta.weights == "yes"
    assert choice == choose(shape, deterministic=deterministic, most_runs=most_runs)


@unhurried
@given(shape=SHAPES, works=st.tuples(st.floats(0.1, 1e4), st.floats(0.1, 1e4)))
def test_more_work_never_ends_higher(shape, works):
    less, more = (choose(shape, allowed=work).way for work in sorted(works))
    affordable = less.cost <= min(works)
    assert not affordable or more.excess <= less.excess + NEGLIGIBLE


@unhurried
@given(shape=SHAPES)
def test_the_allowance_shrinks_as_data_grow(shape):
    larger = Shape(n=2 * shape.n, d=shape.d, k=shape.k)
    assert LEAST_RUNS <= allowance(larger) <= allowance(shape) <= MOST_RUNS


def test_small_data_get_more_than_a_run_of_the_standard_and_large_data_hardly_more():
    small, large = choose(SMALL), choose(LARGE)
    standard = next(w for w in ways_for(SMALL) if w.method.meta.id == STANDARD and w.runs == 1)
    assert small.way.excess < standard.excess / 10
    assert large.way.cost <= LEAST_RUNS


def test_one_cluster_and_one_feature_have_a_proof():
    one = choose(Shape(n=500, d=7, k=1))
    assert (one.runs, one.method.deterministic, one.way.excess) == (1, True, 0)
    line = choose(Shape(n=500, d=1, k=5))
    assert (line.method.meta.id, line.way.sets) == ("optimal", 0)
    assert "intervals" in line.reason
    long = choose(Shape(n=10**8, d=1, k=5))  # would take minutes
    assert long.method.meta.id != "optimal"


def test_the_reason_is_told_with_numbers():
    choice = choose(SMALL)
    assert "2,000 rows × 5 features, 6 clusters" in choice.reason
    assert percent(choice.way.excess) in choice.reason
    assert STANDARD in choice.reason
    assert str(choice).startswith(said(choice.method, choice.runs))


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (init.PCAPart(), "pca-part"),
        (init.PCAPart(threshold="otsu"), "otsu-pca-part"),
        (init.HGMeans(stall=20), "hg-means (stall=20)"),
    ],
)
def test_names_of_methods(method, name):
    assert name_of(method) == name
    assert said(method, 1) == f"one run of {name}"
    assert said(method, 3) == f"the best of 3 runs of {name}"


def test_percentages():
    assert [percent(x) for x in (0.0, 5e-5, 1e-4, 0.0123, 0.5)] == [
        "less than 0.01 %",
        "less than 0.01 %",
        "0.01 %",
        "1.2 %",
        "50 %",
    ]


@pytest.fixture
def X():
    return np.random.default_rng(3).normal(size=(300, 4))


def test_seeding_takes_what_is_best_in_one_run(X):
    seeds = seed(X, 6, "auto", random_state=1)
    choice = choose(Shape(n=300, d=4, k=6), most_runs=1)
    assert seeds.info["chosen"] == choice.method.meta.id
    assert seeds.info["why"] == choice.reason
    expected = choice.method.seed(X, 6, random_state=1)
    np.testing.assert_array_equal(seeds.centers, expected.centers)


@pytest.mark.parametrize("given_as", ["auto", " Auto ", Auto()])
def test_the_same_seed_gives_the_same_bytes(X, given_as):
    one, two = (seed(X, 6, given_as, random_state=1, n_threads=t).centers for t in (1, 3))
    assert one.tobytes() == two.tobytes()


def test_deterministic_seeds_are_free_of_random_numbers(X):
    method = Auto(deterministic=True)
    assert method.deterministic
    assert not Auto().deterministic
    one, two = (seed(X, 6, "auto", deterministic=True, random_state=s).centers for s in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_rows_of_weight_zero_do_not_count(X):
    weight = np.repeat([1.0, 0.0], [200, 100])
    some = seed(X, 6, "auto", sample_weight=weight, random_state=1)
    only = seed(X[:200], 6, "auto", random_state=1)
    np.testing.assert_array_equal(some.centers, only.centers)


def test_it_is_found_by_its_name():
    assert init.get("auto") == init.get(" Auto ") == Auto()
    assert init.get("auto", deterministic=True) == Auto(deterministic=True)


@pytest.mark.parametrize("names", [{"id": "auto"}, {"id": "mine", "aliases": ("AUTO",)}])
def test_its_name_is_taken(own_registry, names):
    class Mine(Auto):
        meta = dataclasses.replace(Auto.meta, **names)

    with pytest.raises(ValueError, match=r"is taken \('auto'\); choose another"):
        init.register(Mine)


def test_it_is_not_in_the_list_of_methods():
    assert "auto" not in {meta.id for meta in init.methods()}


def test_it_works_inside_scikit_learn(X):
    theirs = TheirKMeans(6, init=Auto(), random_state=0, n_init=1).fit(X)
    assert theirs.cluster_centers_.shape == (6, 4)
    assert clone(theirs).init == Auto()


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"deterministic": "yes"}, ValueError, "deterministic='yes' is not allowed for auto"),
        ({"steps": 3}, TypeError, "auto has no parameter 'steps'"),
    ],
)
def test_wrong_parameters(X, arguments, error, said):
    with pytest.raises(error, match=said):
        seed(X, 3, "auto", **arguments)
