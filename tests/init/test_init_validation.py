"""Input of every kind, good and bad, and random states."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from fixtures import F9, RUSP
from scipy import sparse

import seedbed.init as init
from seedbed._random import generator, streams
from seedbed._validation import as_matrix, as_points, as_threads, as_weights


def seed_rows(X, k=3):
    return init.seed(X, k, "kkz").indices.tolist()


@pytest.mark.parametrize(
    "convert",
    [
        list,
        lambda X: X.tolist(),
        lambda X: X.astype(int),
        lambda X: X.astype(np.float16),
        lambda X: X.astype(np.float32),
        lambda X: X.astype(object),
        lambda X: X.astype(">f8"),
        lambda X: np.asfortranarray(X),
        lambda X: np.hstack([X, X])[:, :2],
        lambda X: pd.DataFrame(X, columns=["a", "b"]),
        lambda X: pd.DataFrame(X.astype(int)).astype("Int64"),
        lambda X: pl.DataFrame(X, schema=["a", "b"]),
        lambda X: np.ma.MaskedArray(X),
    ],
)
def test_all_kinds_of_input(convert):
    assert seed_rows(convert(F9)) == [4, 8, 0]


def test_float32_is_kept_and_other_numbers_become_float64():
    assert as_matrix(F9.astype(np.float32)).dtype == np.float32
    assert as_matrix(F9 > 0).dtype == np.float64
    ready = np.ascontiguousarray(F9)
    assert as_matrix(ready) is ready


def with_value(value):
    X = F9.copy()
    X[6, 1] = value
    X[8, 0] = value
    return X


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (with_value(np.nan), ValueError, r"NaN at row 6, column 1 \(2 value"),
        (with_value(-np.inf), ValueError, "infinity at row 6, column 1 "),
        (with_value(np.nan).astype(np.float32), ValueError, "NaN at row 6, column 1 "),
        (pd.DataFrame(with_value(np.nan), columns=["u", "v"]), ValueError, r"column 1 \('v'\)"),
        (pl.DataFrame({"u": [1.0, 2.0], "v": [None, 2.0]}), ValueError, r"row 0, column 1 \('v'\)"),
        (np.array([["a", "b"], ["c", "d"]]), ValueError, "dtype <U1, but clustering needs numbers"),
        (pd.DataFrame({"u": [1.0, 2], "v": ["x", "y"]}), ValueError, r"row 0, column 1 \('v'\)"),
        (
            pd.DataFrame({"u": [1.0, 2], "v": pd.array([1, None], dtype="Int64")}),
            ValueError,
            r"missing value at row 1, column 1 \('v'\) \(1 value.*drop those rows or fill them in",
        ),
        (pd.DataFrame({"v": pd.array([True, None])}), ValueError, r"missing value at row 1.*'v'"),
        (
            pd.DataFrame({"u": pd.array([1.0, 2, None], dtype="Float64"), "v": [1, 2, 3]}),
            ValueError,
            r"missing value at row 2, column 0 \('u'\)",
        ),
        (
            np.array([[1, 2.0], [None, 2], [3, None]], dtype=object),
            ValueError,
            r"missing value at row 1, column 0 \(2 value\(s\) in all",
        ),
        (np.array([[1, None], ["x", 2]], dtype=object), ValueError, "row 1, column 0 holds 'x'"),
        (
            np.array([[1, 2], [3, -(10**400)]], dtype=object),
            ValueError,
            "integer beyond the range of float64 at row 1, column 1 .*rescale",
        ),
        (pl.LazyFrame({"u": [1.0, 2.0]}), TypeError, r"lazy frame.*call \.collect\(\) first"),
        (np.array([[1, {}]], dtype=object), TypeError, "argument must be .* string.* number"),
        (F9 * 1j, ValueError, "Complex data not supported"),
        (np.zeros((2, 2), dtype="datetime64[s]"), ValueError, "needs numbers"),
        (F9[:, 0], ValueError, r"1 dimension\(s\) .*Reshape your data"),
        (F9[None], ValueError, r"3 dimension\(s\)"),
        (np.float64(3), ValueError, r"0 dimension\(s\)"),
        (np.empty((0, 3)), ValueError, r"0 sample\(s\) \(shape=\(0, 3\)\)"),
        (np.empty((3, 0)), ValueError, r"0 feature\(s\) \(shape=\(3, 0\)\)"),
        (sparse.csr_matrix(F9), TypeError, r"sparse.*X\.toarray\(\)"),
        (sparse.coo_array(F9), TypeError, r"sparse.*X\.toarray\(\)"),
        (np.ma.masked_greater(F9, 10), ValueError, "masked"),
    ],
)
def test_bad_data(X, error, message):
    with pytest.raises(error, match=message):
        init.seed(X, 1)


@pytest.mark.parametrize(
    ("k", "error", "message"),
    [
        (0, ValueError, "n_clusters=0 is less than 1"),
        (-2, ValueError, "between 1 and 9"),
        (10, ValueError, "n_clusters=10 is more than the rows of X, n_samples=9"),
        (2.0, TypeError, r"n_clusters=2\.0 is not an integer"),
        ("3", TypeError, "n_clusters='3'"),
        (True, TypeError, "n_clusters=True"),
        (None, TypeError, "n_clusters=None"),
    ],
)
def test_bad_number_of_clusters(k, error, message):
    with pytest.raises(error, match=message):
        init.seed(F9, k)


def test_integers_of_numpy_are_integers():
    assert len(init.seed(F9, np.int8(3)).centers) == 3


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(8), r"shape \(8,\); give one weight for each of the 9 rows"),
        (np.ones((9, 1)), r"shape \(9, 1\)"),
        ([[2.0]], r"shape \(1, 1\).*or one number for all"),
        (-1, r"sample_weight\[0\]=-1\.0 is negative"),
        (0.0, "zero everywhere"),
        ([1] * 8 + [-1], r"sample_weight\[8\]=-1\.0 is negative"),
        ([1, np.nan] + [1] * 7, r"sample_weight\[1\]=nan is not finite"),
        ([1, np.inf] + [1] * 7, r"sample_weight\[1\]=inf is not finite"),
        (np.zeros(9), "zero everywhere"),
        ("2", "sample_weight has dtype <U1; weights must be real numbers"),
        (["1"] * 9, "sample_weight has dtype <U1; weights must be real numbers"),
        (np.ones(9) * 1j, "sample_weight has dtype complex128; weights must be real numbers"),
        (np.zeros(9, "M8[s]"), "sample_weight has dtype datetime64"),
        (np.array([1.0] * 8 + ["x"], dtype=object), r"sample_weight\[8\]='x' is not a real number"),
        ([1] * 7 + [None, 1], r"sample_weight\[7\] is missing; fill it in"),
        (np.array([1] * 8 + [pd.NA], dtype=object), r"sample_weight\[8\] is missing"),
        ({"w": 1}, r"sample_weight=\{'w': 1\} is not a real number"),
        ([[1], [1, 2]], "sample_weight is not an array of numbers"),
        (np.ma.masked_equal(np.arange(9), 3), "masked values"),
        ([10**400] * 9, "integer beyond the range of float64; divide all weights"),
        (np.full(9, 1e308), "sample_weight of up to 1e[+]308 .*divide all weights by the largest"),
        (np.full(9, 3e307), "divide all weights by the largest, as only their ratios matter"),
        (1e-300, "sample_weight of up to 1e-300 .*divide all weights by the largest"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        init.seed(F9, 2, sample_weight=weight)


@pytest.mark.parametrize(
    "weight",
    [2.0, 2, np.float32(2), np.array(2), [Fraction(2)] * 9, pd.Series([2] * 9, dtype="Float64")],
)
def test_a_number_is_the_weight_of_every_row(weight):
    np.testing.assert_array_equal(as_weights(weight, 9), np.full(9, 2.0))
    seeds = init.seed(F9, 3, "var-part", sample_weight=weight)
    expected = init.seed(F9, 3, "var-part", sample_weight=np.full(9, 2.0))
    assert seeds.centers.tolist() == expected.centers.tolist()


@pytest.mark.parametrize("weight", [1e-289, 1e288])
def test_only_the_ratios_of_weights_matter(weight):
    plain, scaled = (init.seed(RUSP, 4, "var-part", sample_weight=w) for w in (1.0, weight))
    np.testing.assert_allclose(scaled.centers, plain.centers, rtol=1e-12)


def test_weights():
    assert as_weights(None, 3) is None
    assert as_weights([1, 2, 3], 3).dtype == np.float64
    seeds = init.seed(F9, 2, sample_weight=[0, 0, 1, 0, 0, 1, 0, 0, 0])
    assert sorted(seeds.indices) == [2, 5]


def test_more_clusters_than_rows_of_positive_weight():
    with pytest.warns(UserWarning, match="2 distinct rows"):
        seeds = init.seed(F9, 3, sample_weight=[0, 0, 1, 0, 0, 1, 0, 0, 0])
    assert seeds.indices.tolist() == [2, 5, 2]


def test_threads():
    assert as_threads(3) == 3
    assert as_threads(None) >= 1
    assert as_threads(1024) == 1024
    for bad in (0, -1, 1.5, True, "2", 1025, 2**40):
        with pytest.raises(ValueError, match="give an int >= 1, or None"):
            init.seed(F9, 2, n_threads=bad)


def test_points_of_a_subset():
    points = as_points(RUSP, np.arange(75))
    assert points.of_positive_weight().kept.tolist() == list(range(1, 75))
    assert points.of_positive_weight().position(5) == 4
    plain = as_points(RUSP)
    assert plain.of_positive_weight() is plain


class TestRandomState:
    def test_same_seed_same_numbers(self):
        for make in (lambda: 5, lambda: np.int64(5), lambda: np.random.RandomState(5)):
            assert generator(make()).random() == generator(make()).random()
        assert generator(None).random() != generator(None).random()

    def test_keys_are_different_streams(self):
        numbers = {generator(5, *key).random() for key in ((), (0,), (1,), (0, 1), (1, 0))}
        assert len(numbers) == 5

    def test_generators_are_used_as_they_are(self):
        rng = np.random.default_rng(0)
        assert generator(rng) is rng

    def test_random_states_advance(self):
        state = np.random.RandomState(0)
        assert generator(state).random() != generator(state).random()

    def test_streams_do_not_depend_on_how_many(self):
        few, many = ([g.random() for g in streams(7, n)] for n in (3, 10))
        assert many[:3] == few
        assert len(set(many)) == 10

    def test_streams_of_other_states(self):
        for make in (lambda: np.random.default_rng(1), lambda: np.random.RandomState(1)):
            first, again = ([g.random() for g in streams(make(), 4)] for _ in range(2))
            assert first == again
            assert len(set(first)) == 4
        fresh = [g.random() for g in streams(None, 3)]
        assert len(set(fresh)) == 3

    @pytest.mark.parametrize(
        ("bad", "error"),
        [(-1, ValueError), (1.5, TypeError), ("0", TypeError), (True, TypeError)],
    )
    def test_bad_random_states(self, bad, error):
        with pytest.raises(error, match="random_state="):
            init.seed(F9, 2, random_state=bad)
