"""Four ways to Bergmann–Hommel that must agree, and the order of the adjustments."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stats_reference import bergmann_hommel_twin

from seedbed import stats
from seedbed.stats._adjust import pair_indices, possible_counts, shaffer_multipliers
from seedbed.stats._line import on_a_line
from seedbed.stats._partitions import _partitions, by_enumeration
from seedbed.stats._subsets import by_subsets


def close(found, expected):
    return np.allclose(found, expected, rtol=1e-12, atol=1e-12)


@st.composite
def tables(draw, methods=(3, 8)):
    """Scores of small integers, hence with many ties, shifted so that some methods differ."""
    n = draw(st.integers(*methods))
    blocks = draw(st.integers(2, 25))
    most = draw(st.sampled_from([2, 5, 1000]))
    scores = draw(arrays(np.int64, (blocks, n), elements=st.integers(0, most)))
    return scores + np.arange(n) * draw(st.integers(0, most))


@settings(max_examples=500, deadline=None)
@given(tables(methods=(3, 5)))
def test_the_line_equals_enumeration(scores):
    ranks = stats.rank(scores)
    log_p = stats.pairwise(ranks, adjust="none").log_p_value
    assert close(on_a_line(ranks.sums, log_p), by_enumeration(log_p, ranks.n_methods))


def test_the_line_equals_enumeration_on_many_lines():
    """Places drawn directly reach patterns that rank sums seldom have."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        n = int(rng.integers(5, 9))
        place = rng.integers(0, rng.integers(3, 300), size=n)
        first, second = pair_indices(n)
        log_p = -np.abs(place[first] - place[second]) * rng.uniform(0.001, 0.2)
        assert close(on_a_line(place, log_p), by_enumeration(log_p, n))


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 7), st.data())
def test_subsets_equal_enumeration_for_any_p_values(n, data):
    p = data.draw(
        arrays(np.float64, n * (n - 1) // 2, elements=st.sampled_from([1e-300, 0.01, 0.04, 0.3, 1]))
    )
    assert close(by_subsets(np.log(p), n), by_enumeration(np.log(p), n))


@pytest.mark.parametrize("n", range(2, 8))
def test_enumeration_equals_the_definition(n):
    rng = np.random.default_rng(n)
    first, second = pair_indices(n)
    for _ in range(5):
        p = rng.random(len(first)) ** 3
        named = dict(zip(zip(first.tolist(), second.tolist(), strict=True), p, strict=True))
        expected = list(bergmann_hommel_twin(named, n).values())
        assert np.exp(by_enumeration(np.log(p), n)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [11, 14])
def test_line_and_subsets_agree_beyond_enumeration(n):
    rng = np.random.default_rng(n)
    ranks = stats.rank(rng.normal(size=(40, n)) + 0.15 * np.arange(n))
    log_p = stats.pairwise(ranks, adjust="none").log_p_value
    assert close(on_a_line(ranks.sums, log_p), by_subsets(log_p, n))


def test_thirty_methods_at_once():
    """Exact for well separated ends, between the bounds everywhere, groups are intervals."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(32, 30)) + 0.1 * np.arange(30)
    result = stats.bergmann_hommel(scores)
    shaffer = stats.pairwise(scores, adjust="shaffer")
    assert result.computation.startswith("exact")
    assert (result.log_p_adjusted <= shaffer.log_p_adjusted + 1e-12).all()
    assert (result.log_p_adjusted >= result.log_p_value).all()
    ends = int(np.argmin(result.log_p_value))  # the widest pair: all 435 may be true together
    assert result.log_p_adjusted[ends] == pytest.approx(result.log_p_value[ends] + np.log(435))
    assert result.groups.totally_ordered
    assert len(result.groups.sets) > 3


@settings(max_examples=150, deadline=None)
@given(tables(methods=(3, 10)))
def test_the_adjustments_are_ordered(scores):
    ranks = stats.rank(scores)
    adjusted = [
        stats.pairwise(ranks, adjust=name).log_p_adjusted
        for name in ("none", "bergmann-hommel", "shaffer", "holm", "bonferroni")
    ]
    for smaller, larger in itertools.pairwise(adjusted):
        assert (smaller <= larger + 1e-12).all()
    monotone = stats.bergmann_hommel(ranks, monotone=True).log_p_adjusted
    assert (adjusted[1] <= monotone + 1e-12).all()
    assert (monotone <= adjusted[2] + 1e-12).all()


@settings(max_examples=100, deadline=None)
@given(tables(methods=(3, 10)), st.sampled_from([0.01, 0.05, 0.2, 0.6]))
def test_mean_rank_verdicts_are_intervals(scores, alpha):
    for adjust in ("bergmann-hommel", "shaffer", "holm", "nemenyi"):
        result = stats.pairwise(scores, adjust=adjust, alpha=alpha, gate=False)
        assert result.groups.totally_ordered


@settings(max_examples=100, deadline=None)
@given(tables(methods=(3, 7)), st.randoms(use_true_random=False))
def test_the_order_of_columns_does_not_matter(scores, random):
    order = list(range(scores.shape[1]))
    random.shuffle(order)
    table = stats.bergmann_hommel(scores)
    shuffled = stats.bergmann_hommel(scores[:, order])
    expected = table.matrix(table.log_p_adjusted)[np.ix_(order, order)]
    assert close(shuffled.matrix(shuffled.log_p_adjusted), expected)


def test_the_monotone_version_can_keep_what_the_definition_rejects():
    """The smaller p-value is retained and the larger one rejected, as a sorted list never does."""
    p = {(0, 1): 0.0339, (0, 2): 0.0403, (0, 3): 1e-9, (1, 2): 1e-9, (1, 3): 1e-9, (2, 3): 0.6}
    adjusted = np.exp(by_enumeration(np.log(list(p.values())), 4))
    assert adjusted[0] == pytest.approx(0.0678)
    assert adjusted[1] == pytest.approx(0.0403)


def test_numbers_of_partitions_and_of_true_hypotheses():
    assert [len(_partitions(n)) for n in range(3, 10)] == [5, 15, 52, 203, 877, 4140, 21147]
    assert possible_counts(6) == {0, 1, 2, 3, 4, 6, 7, 10, 15}
    assert possible_counts(8) == {*range(14), 15, 16, 21, 28}
    expected = [28, *[21] * 7, *[16] * 5, 15, 13, 13, *range(12, 0, -1)]
    assert shaffer_multipliers(8).tolist() == expected


def test_too_many_methods_for_general_p_values_are_said_aloud():
    rng = np.random.default_rng(1)
    scores = rng.random((20, 17)) + 1
    result = stats.pairwise(scores, test="wilcoxon")
    shaffer = stats.pairwise(scores, test="wilcoxon", adjust="shaffer")
    assert (result.log_p_adjusted == shaffer.log_p_adjusted).all()
    assert "SHAFFER" in result.computation
    assert "SHAFFER" in str(result)
    twelve = stats.pairwise(scores[:, :12], test="wilcoxon")
    assert twelve.computation.startswith("exact")
