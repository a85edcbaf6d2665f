"""The notation {F,M} < K < {V,P}: made of verdicts, printed, and parsed back."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stats_reference import LETTERS, needs_shared, published_rankings

from seedbed import stats
from seedbed.stats import Groups
from seedbed.stats._groups import groups_of, maximal_cliques


@needs_shared
def test_every_published_ranking_is_read_and_written_back():
    rankings = published_rankings()
    assert len(rankings) == 57
    for text in rankings:
        groups = Groups.parse(text)
        assert str(groups) == text
        assert set(groups.names) <= set(LETTERS)


def test_how_a_ranking_reads():
    groups = Groups.parse("{F,M,X,K} < {F,B,G} < {G,V} < {V,P}")
    assert groups.sets == (("F", "M", "X", "K"), ("F", "B", "G"), ("G", "V"), ("V", "P"))
    assert not groups.differ("F", "B")
    assert not groups.differ("G", "V")
    assert groups.differ("M", "B")
    assert groups.better("B", "M")
    assert not groups.better("M", "B")
    assert not groups.better("F", "B")
    assert groups.letters["F"] == "ab"
    assert groups.letters["P"] == "d"
    with pytest.raises(KeyError, match="there is no method 'Z'"):
        groups.differ("F", "Z")


@pytest.mark.parametrize(
    "text",
    ["", "{}", "{A,B", "A << B", "A < ", "A > B", "{A,A}", "A,B", "A < {A,B}", "{A,B} < C < {A,D}"],
)
def test_what_is_no_ranking(text):
    with pytest.raises(ValueError, match="is no ranking"):
        Groups.parse(text)


NAMES = st.lists(st.text(min_size=1, max_size=6).filter(str.strip), min_size=3, unique=True)


@settings(max_examples=200, deadline=None)
@given(NAMES, st.randoms(use_true_random=False))
def test_any_names_survive(names, random):
    n = len(names)
    ends = sorted(random.randrange(i, n) for i in range(n))
    ends = [max(i, end) for i, end in enumerate(ends)]
    retained = np.array([[i <= j <= ends[i] for j in range(n)] for i in range(n)])
    groups = groups_of(tuple(names), np.arange(n, 0, -1), retained | retained.T)
    assert groups.totally_ordered
    assert Groups.parse(str(groups)) == groups


@settings(max_examples=300, deadline=None)
@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_any_verdicts(n, random):
    """Letters carry the verdicts exactly; the groups join at least as much, in rank order."""
    names = tuple("ABCDEFG"[:n])
    sums = np.array([random.randrange(2 * n) for _ in range(n)])
    retained = np.eye(n, dtype=bool)
    for i, j in itertools.combinations(range(n), 2):
        retained[i, j] = retained[j, i] = random.random() < 0.5
    groups = groups_of(names, sums, retained)
    for i, j in itertools.combinations(range(n), 2):
        common = set(groups.letters[names[i]]) & set(groups.letters[names[j]])
        assert bool(common) == retained[i, j]
        if retained[i, j] or sums[i] == sums[j]:
            assert not groups.differ(names[i], names[j])
        if groups.better(names[i], names[j]):
            assert sums[i] < sums[j]
    assert Groups.parse(str(groups)) == groups  # which checks that the string is valid
    if not groups.hull:
        assert {frozenset(s) for s in groups.sets} == {frozenset(c) for c in groups.cliques}
    else:
        assert str(groups).endswith(" (hull)")


def test_the_hull_joins_what_lies_between():
    names, sums = ("worst", "middle", "best"), np.array([9, 6, 3])
    retained = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], dtype=bool)
    groups = groups_of(names, sums, retained)
    assert str(groups) == "{worst,middle,best} (hull)"
    assert not groups.totally_ordered
    assert set(groups.cliques) == {("worst", "best"), ("middle",)}
    assert groups != Groups.parse("{worst,middle,best}")


def test_groups_list_methods_in_column_order_and_run_from_worst_to_best():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(60, 4)) + np.array([0, 9, 9, 5])
    groups = stats.groups(scores, names=["p", "z", "a", "m"])
    assert str(groups) == "{z,a} < m < p"
    assert stats.groups(stats.bergmann_hommel(scores)).sets == (("m2", "m3"), ("m4",), ("m1",))
    with pytest.raises(TypeError, match="alpha cannot be changed"):
        stats.groups(stats.bergmann_hommel(scores), alpha=0.1)


def test_latex():
    assert Groups.parse("{a_1,b} < c").to_latex() == r"\{a\_1,b\} $<$ c"


def test_cliques_of_a_known_graph():
    table = np.eye(5, dtype=bool)
    for i, j in [(0, 1), (1, 2), (0, 2), (2, 3)]:
        table[i, j] = table[j, i] = True
    assert sorted(maximal_cliques(table)) == [(0, 1, 2), (2, 3), (4,)]
