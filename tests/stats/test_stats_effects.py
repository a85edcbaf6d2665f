"""Sizes of differences, and verdicts that hang on third methods."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from seedbed import stats

SCORES = np.array(
    [
        [1.0, 2.0, 4.0],
        [1.0, 1.0, 3.0],
        [3.0, 2.0, 1.0],
        [1.0, 4.0, 8.0],
        [2.0, 3.0, 3.0],
    ]
)


def test_wins_ties_and_losses():
    effects = stats.effects(SCORES)
    assert effects.wins.tolist() == [3, 4, 3]
    assert effects.ties.tolist() == [1, 0, 1]
    assert effects.losses.tolist() == [1, 1, 1]
    higher = stats.effects(SCORES, higher_is_better=True)
    assert higher.losses.tolist() == effects.wins.tolist()


def test_median_excess_is_relative_to_the_second():
    effects = stats.effects(SCORES)
    expected = [
        np.median((SCORES[:, i] - SCORES[:, j]) / SCORES[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert effects.median_excess == pytest.approx(expected)


def test_rank_biserial_from_its_definition():
    """Share of favourable rank sum minus share of unfavourable, over differences that are not 0."""
    effects = stats.effects(SCORES)
    for pair, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        a, b = SCORES[:, i], SCORES[:, j]
        d = (a - b) / np.maximum(a, b)
        d = d[d != 0]
        sizes = scipy_stats.rankdata(np.abs(d))
        expected = (sizes[d > 0].sum() - sizes[d < 0].sum()) / sizes.sum()
        assert effects.rank_biserial[pair] == pytest.approx(expected)


def test_scores_of_zero():
    scores = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 3.0]])
    effects = stats.effects(scores)
    assert effects.median_excess.tolist() == [0.0, -1.0, -1.0]
    assert stats.effects(scores[:, ::-1]).median_excess.tolist() == [np.inf, np.inf, 0.0]
    assert effects.rank_biserial.tolist() == [0.0, -1.0, -1.0]


def test_intervals_are_those_of_the_bootstrap():
    rng = np.random.default_rng(0)
    ranks = stats.rank(rng.normal(size=(50, 4)) + np.array([0, 0.5, 1, 1]))
    effects = stats.effects(ranks, n_resamples=4000)
    for j in range(4):
        theirs = scipy_stats.bootstrap(
            (ranks.doubled[:, j] / 2,), np.mean, method="percentile", rng=1, n_resamples=4000
        ).confidence_interval
        assert effects.low[j] == pytest.approx(theirs.low, abs=0.03)
        assert effects.high[j] == pytest.approx(theirs.high, abs=0.03)
    difference = ranks.mean_ranks[0] - ranks.mean_ranks[3]
    assert effects.difference[2] == pytest.approx(difference)
    assert effects.difference_low[2] < difference < effects.difference_high[2]


def test_intervals_are_the_same_for_the_same_seed():
    one, again, other = (stats.effects(SCORES, random_state=seed) for seed in (1, 1, 2))
    assert (one.low == again.low).all()
    assert (one.difference_high == again.difference_high).all()
    assert (one.low != other.low).any() or (one.high != other.high).any()
    wide, narrow = (stats.effects(SCORES, confidence=c) for c in (0.99, 0.5))
    assert (wide.low <= narrow.low).all()
    assert (wide.high >= narrow.high).all()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"confidence": 95}, "confidence=95 is not usable"),
        ({"n_resamples": 0}, "n_resamples=0 is not usable"),
    ],
)
def test_what_is_refused(options, reason):
    with pytest.raises(ValueError, match=reason):
        stats.effects(SCORES, **options)


def test_effects_are_printed():
    text = str(stats.effects(SCORES, names=["a", "b", "c"]))
    assert "a – b" in text
    assert "3/1/1" in text
    assert text.splitlines()[1].startswith("a ")  # the best first


def leave_out(scores, method, **options):
    kept = [j for j in range(scores.shape[1]) if j != method]
    result = stats.pairwise(scores[:, kept], **options)
    return kept, result.matrix(result.different), result.matrix(result.p_adjusted)


@pytest.mark.parametrize(
    "options",
    [{}, {"adjust": "none"}, {"test": "wilcoxon", "adjust": "holm"}, {"gate": False}],
    ids=str,
)
def test_pool_dependence_is_what_leaving_out_gives(options):
    rng = np.random.default_rng(8)
    scores = 5 + rng.normal(size=(25, 5)) + np.array([0, 0.3, 0.6, 0.6, 0.9])
    result = stats.pairwise(scores, **options)
    pool = stats.pool_dependence(result)
    full = result.matrix(result.different)
    for pair, (i, j) in enumerate(zip(*np.triu_indices(5, 1), strict=True)):
        changed, p = [], [result.p_adjusted[pair]]
        for method in set(range(5)) - {i, j}:
            kept, different, adjusted = leave_out(scores, method, **options)
            at = kept.index(i), kept.index(j)
            p.append(adjusted[at])
            if different[at] != full[i, j]:
                changed.append(f"m{method + 1}")
        assert pool.changed_by[pair] == tuple(changed)
        assert pool.changes[pair] == bool(changed)
        assert np.exp([pool.log_p_low[pair], pool.log_p_high[pair]]) == pytest.approx(
            [min(p), max(p)]
        )


def test_raw_wilcoxon_does_not_depend_on_the_pool():
    rng = np.random.default_rng(8)
    scores = 5 + rng.normal(size=(25, 4)) + np.array([0, 0.3, 0.6, 0.9])
    result = stats.pairwise(scores, test="wilcoxon", adjust="none", gate=False)
    assert not result.pool.changes.any()
    assert "No verdict changes" in str(result)


def test_the_pool_of_a_result_is_shown():
    """A third method that splits two others in every data set tells them apart."""
    between = np.array([[1.0, 3.0, 2.0, 9.0], [3.0, 1.0, 2.0, 9.0]])
    scores = np.repeat(between, [30, 14], axis=0)
    result = stats.pairwise(scores, names=list("abcd"))
    pair = result.pairs.index(("a", "b"))
    assert result.different[pair]
    assert "c" in result.pool.changed_by[pair]
    assert "a – b (without c" in str(result)
    assert result.pool.to_frame()["changes"][pair]


def test_too_few_methods_to_leave_one_out():
    rng = np.random.default_rng(8)
    with pytest.raises(ValueError, match="of 3 methods none can be left out; give 4 or more"):
        stats.pool_dependence(stats.bergmann_hommel(rng.random((9, 3))))
