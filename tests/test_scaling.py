"""Scaling against its definition, and where the definition is delicate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from seedbed._scaling import SCALINGS, Scaling, scale

matrices = arrays(
    np.float64,
    st.tuples(st.integers(1, 8), st.integers(1, 4)),
    elements=st.floats(-1e6, 1e6, allow_subnormal=False),
)


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(5.0, 3.0, size=(50, 4))


def test_minmax_is_that_of_scikit_learn(points):
    np.testing.assert_allclose(scale(points, "minmax"), MinMaxScaler().fit_transform(points))


def test_zscore_uses_the_population_deviation(points):
    expected = (points - points.mean(axis=0)) / points.std(axis=0, ddof=0)
    np.testing.assert_allclose(scale(points, "zscore"), expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(scale(points, "zscore"), StandardScaler().fit_transform(points))


def test_none_changes_nothing_but_the_type(points):
    single = points.astype(np.float32)
    scaled = scale(single, "none")
    assert scaled.dtype == np.float64
    np.testing.assert_array_equal(scaled, single)


@pytest.mark.parametrize("how", ["minmax", "zscore"])
@pytest.mark.parametrize("value", [0.0, 0.1, -7.3, 1e8 + 0.1, 1e300])
def test_a_constant_attribute_becomes_exactly_zero(how, value):
    points = np.column_stack([np.full(7, value), np.arange(7.0)])
    scaled = scale(points, how)
    np.testing.assert_array_equal(scaled[:, 0], np.zeros(7))
    np.testing.assert_array_equal(Scaling.of(points, how).undo(scaled)[:, 0], points[:, 0])


@pytest.mark.parametrize("how", ["minmax", "zscore"])
@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e160, 1e300])
def test_the_unit_of_measurement_does_not_matter(how, unit, points):
    np.testing.assert_allclose(scale(points * unit, how), scale(points, how), rtol=1e-10)


@given(X=matrices)
def test_minmax_reaches_from_zero_to_one(X):
    scaled = scale(X, "minmax")
    varies = np.ptp(X, axis=0) > 0
    np.testing.assert_array_equal(scaled.min(axis=0), 0.0)
    np.testing.assert_array_equal(scaled.max(axis=0), np.where(varies, 1.0, 0.0))


@given(X=matrices, how=st.sampled_from(SCALINGS))
def test_undo_brings_the_data_back(X, how):
    before = X.copy()
    scaling = Scaling.of(X, how)
    back = scaling.undo(scaling.apply(X))
    np.testing.assert_array_equal(X, before)
    np.testing.assert_allclose(back, X, atol=1e-15 * max(1.0, float(np.abs(X).max())) * 10)


def test_unknown_names_get_the_nearest_one(points):
    with pytest.raises(ValueError, match=r"'zscores' is unknown; use one of none, minmax, zscore "):
        scale(points, "zscores")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(points, bad):
    points[3, 2] = bad
    with pytest.raises(ValueError, match="column 2 cannot be scaled"):
        scale(points, "minmax")


def test_a_span_beyond_float64_is_refused():
    with pytest.raises(ValueError, match="span more than float64 can hold"):
        scale(np.array([[-1.5e308], [1.5e308]]), "zscore")


@pytest.mark.parametrize("shape", [(3,), (0, 2), (2, 0)])
def test_shapes_that_are_no_table_are_refused(shape):
    with pytest.raises(ValueError, match="rows × attributes"):
        scale(np.zeros(shape), "none")
