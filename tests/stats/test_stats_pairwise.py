"""Tests of pairs against scipy, statsmodels and scikit-posthocs, and what a result shows."""

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from seedbed import stats
from seedbed.stats._signed_rank import relative_differences, signed_rank


@pytest.fixture
def scores():
    """Positive scores of five methods on 24 data sets, some of them equal."""
    rng = np.random.default_rng(3)
    table = rng.lognormal(size=(24, 1)) * (1 + 0.1 * rng.random((24, 5)) + [0, 0, 0.04, 0.08, 0.08])
    table[:4, 1] = table[:4, 0]
    return pd.DataFrame(table, columns=list("ABCDE"))


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
@pytest.mark.parametrize("test", stats.TESTS)
def test_adjustments_are_those_of_statsmodels(scores, test, adjust):
    result = stats.pairwise(scores, test=test, adjust=adjust)
    expected = multipletests(result.p_value, method=adjust)[1]
    assert result.p_adjusted == pytest.approx(expected, rel=1e-12)


def test_mean_ranks_are_those_of_scikit_posthocs(scores):
    raw = stats.pairwise(scores, adjust="none")
    theirs = scikit_posthocs.posthoc_siegel_friedman(scores.to_numpy())
    assert raw.matrix(raw.p_value) == pytest.approx(theirs.to_numpy(), rel=1e-10)
    nemenyi = stats.pairwise(scores, adjust="nemenyi")
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(scores.to_numpy())
    assert nemenyi.matrix(nemenyi.p_adjusted) == pytest.approx(theirs.to_numpy(), abs=1e-8)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
def test_wilcoxon_is_that_of_scipy(scores, zeros):
    ranks = stats.rank(scores)
    result = stats.pairwise(ranks, test="wilcoxon", adjust="none", zeros=zeros)
    for pair, (i, j) in enumerate(zip(*np.triu_indices(5, 1), strict=True)):
        d = relative_differences(ranks, i, j)
        a, b = scores.iloc[:, i], scores.iloc[:, j]
        assert d == pytest.approx(((a - b) / np.maximum(a, b)).to_numpy())
        if (d != 0).all():
            theirs = scipy_stats.wilcoxon(d, method="exact")
        elif zeros == "wilcox":
            theirs = scipy_stats.wilcoxon(d[d != 0], method="exact")
        else:
            theirs = scipy_stats.wilcoxon(d, zero_method=zeros, method="approx", correction=False)
        assert result.p_value[pair] == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
def test_wilcoxon_approximation_with_ties_and_zeros(zeros):
    rng = np.random.default_rng(1)
    d = rng.integers(-4, 8, size=80).astype(float)
    theirs = scipy_stats.wilcoxon(d, zero_method=zeros, method="approx", correction=False)
    ours = signed_rank(d, zeros)
    assert not ours.exact
    assert math.exp(ours.log_p_value) == pytest.approx(theirs.pvalue, rel=1e-9)


def test_wilcoxon_looks_at_relative_differences():
    """A data set with large scores weighs no more than one with small scores."""
    rng = np.random.default_rng(0)
    scores = 1 + 0.2 * rng.random((20, 2))
    units = 10.0 ** rng.integers(-6, 7, size=(20, 1))
    one, other = (stats.pairwise(table, test="wilcoxon") for table in (scores, units * scores))
    assert other.p_value == pytest.approx(one.p_value)


def test_ties_within_the_tolerance_are_no_differences():
    scores = np.array([[1.0, 1 + 1e-9], [2.0, 2 + 1e-9], [3.0, 2.0]] * 4)
    assert stats.pairwise(scores, test="wilcoxon", tie_tolerance=1e-6).effects.ties[0] == 8
    d = relative_differences(stats.rank(scores, tie_tolerance=1e-6), 0, 1)
    assert (d == 0).sum() == 8


def test_no_overflow_at_z_129():
    scores = np.tile(np.arange(8.0), (4096, 1))
    for adjust in stats.ADJUSTMENTS:
        result = stats.pairwise(scores, adjust=adjust)
        assert np.abs(result.statistic).max() == pytest.approx(129.3, abs=0.05)
        assert np.isfinite(result.log_p_adjusted).all()
        assert result.log_p_adjusted.min() == pytest.approx(-8363, abs=8)
        assert str(result.groups) == "m8 < m7 < m6 < m5 < m4 < m3 < m2 < m1"
        assert "e-36" in str(result)
        assert not np.isnan(result.to_frame().drop("first", "second").to_numpy()).any()
    wilcoxon = stats.pairwise(1 + scores, test="wilcoxon")
    assert np.isfinite(wilcoxon.log_p_adjusted).all()


def test_tie_correction_divides_the_variance():
    rng = np.random.default_rng(2)
    ranks = stats.rank(rng.integers(0, 3, size=(50, 4)))
    plain, corrected = (stats.pairwise(ranks, tie_correction=c) for c in (False, True))
    factor = math.sqrt(ranks.tie_factor)
    assert corrected.statistic * factor == pytest.approx(plain.statistic)
    assert plain.omnibus.tie_correction is False
    assert corrected.omnibus.tie_correction is True


def test_the_gate():
    rng = np.random.default_rng(9)
    for _ in range(200):
        scores = rng.normal(size=(6, 3))
        shut, open_ = (stats.pairwise(scores, adjust="none", gate=g) for g in (True, False))
        if shut.omnibus.p_value > 0.05 and open_.different.any():
            break
    assert shut.gate_closed
    assert not open_.gate_closed
    assert not shut.different.any()
    assert (shut.p_adjusted == open_.p_adjusted).all()
    assert str(shut.groups) == "{m1,m2,m3}"
    assert "gate=False" in str(shut)
    assert "gate=False" not in str(open_)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"test": "t"}, "test='t' is unknown; use one of mean-rank, wilcoxon"),
        ({"adjust": "hommel"}, "adjust='hommel' is unknown; use one of bergmann-hommel"),
        ({"zeros": "drop"}, "zeros='drop' is unknown; use one of wilcox"),
        ({"alpha": 0}, "alpha=0.0 is not usable"),
        ({"alpha": 1.5}, "alpha=1.5 is not usable"),
        ({"test": "wilcoxon", "adjust": "nemenyi"}, '"nemenyi" is for mean ranks'),
        ({"test": "wilcoxon", "tie_correction": True}, "tie_correction is for mean ranks"),
        ({"adjust": "holm", "monotone": True}, "monotone is for Bergmann–Hommel"),
    ],
)
def test_what_is_refused(scores, options, reason):
    with pytest.raises(ValueError, match=reason):
        stats.pairwise(scores, **options)


def test_equality_rejects():
    """A pair differs at exactly its adjusted p-value, and at no smaller level."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(20, 4)) + np.array([0, 0.5, 1, 1])
    result = stats.pairwise(table, gate=False)
    pair = 2
    level = float(result.p_adjusted[pair])
    for alpha, expected in ((level * (1 + 1e-12), True), (level * (1 - 1e-12), False)):
        assert stats.pairwise(table, alpha=alpha, gate=False).different[pair] == expected


def test_results_are_frozen_and_shown(scores):
    result = stats.bergmann_hommel(scores)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.options = None
    text = str(result)
    assert text.startswith("Iman–Davenport: F(4, 92) = ")
    assert f"Groups, worst to best: {result.groups}" in text
    assert "A – B" in text
    everything = [result, result.ranks, result.omnibus, result.groups, result.effects, result.pool]
    for shown in everything:
        assert shown.to_frame().height >= 1
        pandas = shown.to_frame("pandas")
        assert list(pandas.columns) == shown.to_frame().columns
        assert len(pandas) == shown.to_frame().height
        assert "<table>" in shown._repr_html_()
        assert shown.to_latex()
    with pytest.raises(ValueError, match="kind='arrow' is unknown; use one of polars, pandas"):
        result.to_frame("arrow")


def test_latex_and_html_escape_names():
    rng = np.random.default_rng(0)
    result = stats.bergmann_hommel(rng.random((9, 3)), names=["a_b", "50%", "<x> & y"])
    assert r"a\_b – 50\%" in result.to_latex()
    assert r"<x> \& y" in result.to_latex()
    assert result.to_latex().count(r"\\") == 4
    assert "&lt;x&gt; &amp; y" in result._repr_html_()


def test_the_frame_has_what_the_arrays_have(scores):
    result = stats.bergmann_hommel(scores)
    frame = result.to_frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == result.pairs
    assert frame["p_adjusted"].to_numpy() == pytest.approx(result.p_adjusted)
    assert (frame["different"].to_numpy() == result.different).all()
    assert (frame["wins"] + frame["ties"] + frame["losses"] == 24).all()
