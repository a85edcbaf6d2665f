"""Friedman, Iman and Davenport, Kendall's W, and tails far beyond what a double can hold."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, special
from scipy import stats as scipy_stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from seedbed import stats
from seedbed.stats._tails import (
    log_chi2,
    log_f,
    log_studentised_range,
    log_two_sided,
    studentised_range_quantile,
)


@pytest.fixture(params=[3, 4, 7], ids=lambda n: f"{n} methods")
def scores(request):
    rng = np.random.default_rng(request.param)
    return rng.integers(0, 6, size=(15, request.param)) + 0.8 * np.arange(request.param).round()


def test_friedman_is_that_of_scipy(scores):
    expected = scipy_stats.friedmanchisquare(*scores.T)
    found = stats.friedman(scores)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)
    assert found.kendall_w == pytest.approx(expected.statistic / (15 * (scores.shape[1] - 1)))


def test_iman_davenport_is_the_analysis_of_variance_of_the_ranks(scores):
    blocks, methods = scores.shape
    frame = pd.DataFrame(
        {
            "rank": scipy_stats.rankdata(scores, axis=1).ravel(),
            "block": np.repeat(np.arange(blocks), methods),
            "method": np.tile(np.arange(methods), blocks),
        }
    )
    table = anova_lm(ols("rank ~ C(method) + C(block)", frame).fit())
    found = stats.iman_davenport(scores)
    assert found.statistic == pytest.approx(table.loc["C(method)", "F"], rel=1e-9)
    assert found.p_value == pytest.approx(table.loc["C(method)", "PR(>F)"], rel=1e-9)
    assert found.df == (methods - 1, (methods - 1) * (blocks - 1))


def test_every_row_tied_is_no_difference_at_all():
    scores = np.ones((6, 4)) * np.arange(1, 7)[:, None]
    for correction in (False, True):
        for test in (stats.friedman, stats.iman_davenport):
            result = test(scores, tie_correction=correction)
            assert (result.statistic, result.p_value, result.kendall_w) == (0.0, 1.0, 0.0)
        for adjust in stats.ADJUSTMENTS:
            pairs = stats.pairwise(scores, adjust=adjust, tie_correction=correction, gate=False)
            assert (pairs.p_adjusted == 1.0).all()
            assert str(pairs.groups) == "{m1,m2,m3,m4}"
    wilcoxon = stats.pairwise(scores, test="wilcoxon")
    assert (wilcoxon.p_adjusted == 1.0).all()
    assert str(wilcoxon.groups) == "{m1,m2,m3,m4}"


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 8, 29])
@pytest.mark.parametrize("statistic", [0.0, 0.3, 5.0, 60.0, 900.0])
def test_chi_squared_tail(statistic, df):
    expected = scipy_stats.chi2.sf(statistic, df)
    assert math.exp(log_chi2(statistic, df)) == pytest.approx(expected, rel=1e-10)


def test_chi_squared_tail_beyond_underflow():
    for x in (3e3, 86016.0):
        assert log_chi2(x, 2) == pytest.approx(-x / 2)  # the closed form
        h = x / 2
        assert log_chi2(x, 6) == pytest.approx(-h + math.log(1 + h + h * h / 2))
        expected = math.log(2) + special.log_ndtr(-math.sqrt(x))
        assert log_chi2(x, 1) == pytest.approx(expected)
        assert log_chi2(x, 6) < log_chi2(x, 7) < log_chi2(x, 8)


@pytest.mark.parametrize("df", [(2, 10), (3, 27), (7, 217), (7, 86009)])
@pytest.mark.parametrize("statistic", [0.0, 0.5, 4.0, 40.0])
def test_f_tail(statistic, df):
    expected = scipy_stats.f.sf(statistic, *df)
    assert math.exp(log_f(statistic, *df)) == pytest.approx(expected, rel=1e-9, abs=1e-290)


def test_f_tail_beyond_underflow():
    for statistic, df2 in ((1e4, 24574), (300.0, 24574), (1e9, 500)):
        expected = -df2 / 2 * math.log1p(2 * statistic / df2)  # the closed form for df1 = 2
        assert log_f(statistic, 2, df2) == pytest.approx(expected, rel=1e-12)
        assert log_f(statistic, 7, df2) < log_f(statistic, 2, df2)


def studentised_range_twin(q, n):
    def integrand(x):
        inside = special.ndtr(x) - special.ndtr(x - q)
        density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        return n * density * (special.ndtr(x) ** (n - 1) - inside ** (n - 1))

    points = [0, q / 2, q]
    return integrate.quad(integrand, -12, q + 12, epsabs=1e-15, epsrel=1e-13, points=points)[0]


@pytest.mark.parametrize("n", [2, 3, 8, 30])
@pytest.mark.parametrize("q", [0.0, 0.2, 1.0, 3.1, 5.5])
def test_studentised_range(q, n):
    found = math.exp(log_studentised_range(np.array(q), n))
    assert found == pytest.approx(studentised_range_twin(q, n), rel=1e-11)
    assert found == pytest.approx(scipy_stats.studentized_range.sf(q, n, np.inf), rel=0, abs=1e-9)


def test_studentised_range_far_out():
    """Of two normals it is a normal; of more, Bonferroni's bound is nearly reached."""
    q = np.array([20.0, 60.0, 129.0 * math.sqrt(2)])
    two = log_two_sided(q / math.sqrt(2))
    assert log_studentised_range(q, 2) == pytest.approx(two, rel=1e-12)
    assert log_studentised_range(q, 8) == pytest.approx(two + math.log(28), rel=1e-12)


def test_quantile_inverts_the_tail():
    for n, q in ((2, 2.772), (5, 3.858), (8, 4.286), (10, 4.474)):  # printed tables, level 0.05
        assert studentised_range_quantile(0.05, n) == pytest.approx(q, abs=6e-4)


def test_a_perfect_order_of_thousands_of_data_sets():
    scores = np.tile(np.arange(8.0), (4096, 1))
    friedman, iman = stats.friedman(scores), stats.iman_davenport(scores)
    assert friedman.statistic == pytest.approx(4096 * 7)
    assert friedman.kendall_w == 1.0
    assert friedman.p_value == 0.0
    assert -14400 < friedman.log_p_value < -14250
    assert (iman.statistic, iman.log_p_value) == (math.inf, -math.inf)
    assert "e-6" in str(friedman)  # a p-value with an exponent of four digits
    assert "p = 0;" in str(iman)


def test_one_data_set_against_the_order_is_not_perfect():
    scores = np.tile(np.arange(8.0), (12288, 1))
    scores[0, :2] = [1, 0]
    result = stats.iman_davenport(scores)
    assert math.isfinite(result.statistic)
    assert result.kendall_w < 1.0
    assert -1e7 < result.log_p_value < -1e5
