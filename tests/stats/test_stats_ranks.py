"""What counts as a table of scores, and the ranks made of it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from seedbed import stats

SCORES = np.array([[3.0, 1.0, 2.0], [1.0, 1.0, 4.0], [5.0, 5.0, 5.0], [9.0, 8.0, 7.0]])
SIZES = st.tuples(st.integers(2, 12), st.integers(2, 9))


@settings(max_examples=200, deadline=None)
@given(arrays(np.float64, SIZES, elements=st.floats(-5, 5) | st.integers(0, 3).map(float)))
def test_ranks_are_those_of_scipy(scores):
    expected = rankdata(scores, axis=1)
    assert (stats.rank(scores).doubled == 2 * expected).all()
    reverse = stats.rank(scores, higher_is_better=True)
    assert (reverse.doubled == 2 * (scores.shape[1] + 1 - expected)).all()


def test_direction_turns_the_groups_and_nothing_else():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 4)) + np.array([0, 1, 2, 2])
    up, down = (stats.bergmann_hommel(scores, higher_is_better=h) for h in (True, False))
    assert up.log_p_adjusted == pytest.approx(down.log_p_adjusted)
    assert up.groups.sets == down.groups.sets[::-1]


@pytest.mark.parametrize(
    "table",
    [
        SCORES.tolist(),
        np.asfortranarray(SCORES),
        SCORES.astype(np.int32),
        np.ma.masked_array(SCORES),
        pd.DataFrame(SCORES, columns=["m1", "m2", "m3"]),
        pd.DataFrame(SCORES, columns=["m1", "m2", "m3"]).astype("Int64"),
        pl.DataFrame(SCORES, schema=["m1", "m2", "m3"]),
    ],
    ids=["lists", "fortran", "int", "masked", "pandas", "nullable", "polars"],
)
def test_tables_of_any_kind(table):
    ranks = stats.rank(table)
    assert (ranks.doubled == stats.rank(SCORES).doubled).all()
    assert ranks.names == ("m1", "m2", "m3")
    assert ranks.n_tied_blocks == 1
    assert ranks.mean_ranks == pytest.approx([2.375, 1.625, 2.0])


def test_names_come_from_columns_or_from_the_caller():
    frame = pd.DataFrame(SCORES, columns=["a", "b", "c"])
    assert stats.rank(frame).names == ("a", "b", "c")
    assert stats.rank(frame, names=["x", "y", "z"]).names == ("x", "y", "z")


def test_tolerance_compares_with_the_best_of_the_group():
    row = [1.0, 1.0 + 8e-7, 1.0 + 16e-7, 2.0]
    steps = np.array([row, row])
    assert stats.rank(steps).doubled[0].tolist() == [2, 4, 6, 8]
    # the third is too far from the first, though not from the second
    assert stats.rank(steps, tie_tolerance=1e-6).doubled[0].tolist() == [3, 3, 6, 8]
    assert stats.rank(steps, tie_tolerance=1e-5).doubled[0].tolist() == [4, 4, 4, 8]
    assert stats.rank(1e6 * steps, tie_tolerance=1e-6).doubled[0].tolist() == [3, 3, 6, 8]
    assert stats.rank(-steps, tie_tolerance=1e-5).doubled[0].tolist() == [6, 6, 6, 2]


def test_zeros_and_huge_scores():
    scores = np.array([[0.0, -0.0, 1e-300], [-1e308, 1e308, 0.0]])
    assert stats.rank(scores, tie_tolerance=0.5).doubled.tolist() == [[3, 3, 6], [2, 6, 4]]


def test_missing_scores_are_refused_or_dropped_and_counted():
    holes = SCORES.copy()
    holes[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"of row 1, column 'm3' is missing, and 1 of 4 rows"):
        stats.friedman(holes)
    ranks = stats.rank(holes, missing="drop")
    assert (ranks.n_blocks, ranks.n_dropped) == (3, 1)
    assert "1 incomplete ones left out" in str(stats.friedman(ranks))
    masked = np.ma.masked_invalid(holes)
    frames = [pd.DataFrame(holes).astype("Float64"), pl.DataFrame(holes).fill_nan(None), masked]
    for table in frames:
        assert stats.rank(table, missing="drop").n_dropped == 1
        with pytest.raises(ValueError, match="missing"):
            stats.rank(table)
    with pytest.raises(ValueError, match=r"1 row\(s\) after 3 incomplete ones were dropped"):
        stats.rank(np.where(np.arange(4)[:, None] > 0, np.nan, SCORES), missing="drop")


@pytest.mark.parametrize(
    ("table", "options", "error", "reason"),
    [
        (SCORES[:, :1], {}, ValueError, "there must be two methods at least"),
        (SCORES[:1], {}, ValueError, "there must be two data sets at least"),
        (SCORES[0], {}, ValueError, r"1 dimension\(s\) but must have 2"),
        (3.0, {}, TypeError, "is not a table"),
        (np.where(SCORES == 9, np.inf, SCORES), {}, ValueError, "row 3, column 'm1' is infinite"),
        (SCORES * 1j, {}, TypeError, "must be real numbers"),
        (pl.DataFrame({"a": ["x", "y"], "b": [1, 2]}), {}, TypeError, "column 'a' .* holds 'x'"),
        (SCORES, {"names": ["a", "b", "a"]}, ValueError, "'a' stands over several columns"),
        (SCORES, {"names": ["a", "b"]}, ValueError, "2 names were given for 3 columns"),
        (SCORES, {"names": ["a", "b", " "]}, ValueError, "column 2 has no name"),
        (SCORES, {"missing": "skip"}, ValueError, "missing='skip' is unknown; use one of error"),
        (SCORES, {"tie_tolerance": -1}, ValueError, "tie_tolerance=-1 is not usable"),
        (SCORES, {"tie_tolerance": float("nan")}, ValueError, "tie_tolerance=nan is not usable"),
    ],
)
def test_what_is_refused(table, options, error, reason):
    with pytest.raises(error, match=reason):
        stats.rank(table, **options)


def test_duplicated_names_of_a_frame_are_refused():
    frame = pd.DataFrame(SCORES, columns=["a", "b", "a"])
    with pytest.raises(ValueError, match="'a' stands over several columns"):
        stats.bergmann_hommel(frame)


def test_two_methods_are_left_to_wilcoxon():
    for test in (stats.friedman, stats.iman_davenport, stats.bergmann_hommel):
        with pytest.raises(ValueError, match='the test "wilcoxon"'):
            test(SCORES[:, :2])
    result = stats.pairwise(SCORES[:, :2] + 1, test="wilcoxon")
    assert result.omnibus is None
    assert str(result.groups) == "{m1,m2}"
    assert "m1 – m2" in str(result)


def test_constant_columns_are_scores_like_others():
    rng = np.random.default_rng(0)
    scores = np.column_stack([np.full(30, 5.0), rng.normal(size=30), rng.normal(size=30) + 9])
    assert str(stats.groups(scores)) == "m3 < m1 < m2"


def test_ranks_cannot_be_ranked_again():
    ranks = stats.rank(SCORES)
    assert stats.friedman(ranks).statistic == stats.friedman(SCORES).statistic
    with pytest.raises(TypeError, match="higher_is_better cannot be changed"):
        stats.friedman(ranks, higher_is_better=True)
