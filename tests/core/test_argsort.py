"""Native sorting and selecting against NumPy's stable sort."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from seedbed._core._argsort import argsort, rows_at


def assert_sorts_as_numpy(keys, n_threads=1):
    expected = np.argsort(keys, kind="stable")
    order = argsort(keys, n_threads)
    assert order.rows.dtype == np.int64
    np.testing.assert_array_equal(order.rows, expected)
    assert order.keys.dtype == keys.dtype
    assert order.keys.tobytes() == keys[expected].tobytes()
    places = np.random.default_rng(len(keys)).integers(len(keys), size=9)
    np.testing.assert_array_equal(rows_at(places, keys, n_threads), expected[places])


def awkward(width):
    """Numbers among which there are equal ones, both zeros, subnormal and infinite ones."""
    return st.one_of(
        st.floats(allow_nan=False, width=width),
        st.sampled_from([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, 2.0**-149, -(2.0**-149)]),
        st.integers(-4, 4).map(float),
    )


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from([np.float32, np.float64]))
def test_any_numbers(data, dtype):
    width = 8 * np.dtype(dtype).itemsize
    shape = st.integers(1, 200)
    assert_sorts_as_numpy(
        data.draw(npst.arrays(dtype, shape, elements=awkward(width), fill=awkward(width)))
    )


DISTRIBUTIONS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "distances": lambda rng, n: np.linalg.norm(rng.normal(size=(n, 3)), axis=1),
    "few values": lambda rng, n: -np.round(rng.normal(size=n)),  # both zeros among them
    "heavy tails": lambda rng, n: np.exp(9 * rng.normal(size=n)) * rng.choice([-1, 1], n),
    "one far away": lambda rng, n: np.append(rng.random(n - 1), 1e30),
    "one value": lambda rng, n: np.full(n, -0.5),
    "in order": lambda rng, n: np.arange(n) / 7,
    "backwards": lambda rng, n: -np.arange(n) / 7,
    "subnormal": lambda rng, n: rng.normal(size=n) * 1e-43,  # as float32
    "every magnitude": lambda rng, n: np.ldexp(rng.normal(size=n), -rng.integers(140, size=n)),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("n", [1, 24, 25, 700, 5000, 60000])
def test_equals_numpy(name, n, dtype):
    keys = DISTRIBUTIONS[name](np.random.default_rng(n), n).astype(dtype)
    for n_threads in (1, 3):
        assert_sorts_as_numpy(keys, n_threads)


def test_the_greatest_differences_there_are():
    most, least = np.finfo(float).max, np.finfo(float).smallest_subnormal
    rng = np.random.default_rng(0)
    assert_sorts_as_numpy(rng.choice([most, -most, np.inf, -np.inf, 0.0, least, -least, 1.0], 3000))
    assert_sorts_as_numpy(rng.uniform(-1, 1, 3000) * most)
    assert_sorts_as_numpy(rng.normal(size=3000) * 20 * least)


def test_a_column_of_a_matrix():
    X = np.random.default_rng(0).normal(size=(3000, 4))
    assert_sorts_as_numpy(X[:, 2])


def test_nothing_is_a_short_order():
    assert len(argsort(np.empty(0), 1).rows) == 0
    assert len(rows_at(np.empty(0, np.intp), np.ones(5), 1)) == 0


@pytest.mark.parametrize("places", [[-1], [3], [0, 5]])
def test_places_beyond_the_rows_are_refused(places):
    with pytest.raises(ValueError, match="out of range"):
        rows_at(np.array(places), np.ones(3), 1)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_nan_is_refused(n_threads):
    keys = np.ones(20000)
    keys[15000] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        argsort(keys, n_threads)
    with pytest.raises(ValueError, match="NaN"):
        rows_at(np.array([0]), keys, n_threads)
