"""A native step of FastICA against the same in plain NumPy."""

import numpy as np
import pytest

from seedbed._core import _fast_ica
from seedbed._core._fast_ica import TILE_ROWS, Tiles, contrast
from seedbed._validation import as_points


def tiled(rows, share):
    count = -(-len(rows) // TILE_ROWS)
    tiles = Tiles(np.zeros((count, rows.shape[1], TILE_ROWS)), np.zeros((count, TILE_ROWS)))
    tiles.share.reshape(-1)[: len(rows)] = share
    for i, row in enumerate(rows):
        tiles.values[i // TILE_ROWS, :, i % TILE_ROWS] = row
    return tiles


def example(n, r, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    share = rng.gamma(2.0, size=n)
    rotation = np.linalg.qr(rng.normal(size=(r, r)))[0]
    return scale * rng.normal(size=(n, r)), share / share.sum(), rotation


@pytest.mark.parametrize(("n", "r"), [(1, 1), (5, 2), (32, 3), (33, 7), (9000, 4), (700, 31)])
@pytest.mark.parametrize("scale", [1e-9, 0.1, 1.0, 30.0, 1e6])
def test_step_equals_numpy(n, r, scale):
    rows, share, rotation = example(n, r, scale)
    found = contrast(tiled(rows, share), rotation, 1)
    curve = np.tanh(rows @ rotation.T)
    bend = (curve * share[:, np.newaxis]).T @ rows
    np.testing.assert_allclose(found.bend, bend, rtol=1e-12, atol=1e-15 * scale)
    np.testing.assert_allclose(found.slope, share @ (1.0 - curve**2), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("n", "r"), [(1, 1), (33, 7), (9000, 4), (700, 31)])
def test_cubes_equal_numpy(n, r):
    rows, share, rotation = example(n, r)
    found = contrast(tiled(rows, share), rotation, 1, cube=True)
    y = rows @ rotation.T
    np.testing.assert_allclose(found.bend, (y**3 * share[:, np.newaxis]).T @ rows, atol=1e-12)
    np.testing.assert_allclose(found.slope, 3 * share @ y**2, rtol=1e-12)


def weighted_example(n, d, r):
    rng = np.random.default_rng(n + d)
    weight = rng.gamma(2.0, size=n)
    return rng.normal(size=(n, d)) + 3, weight, rng.normal(size=(r, d)), rng.normal(size=d)


SHAPES = [(1, 1, 1), (31, 3, 2), (32, 10, 7), (33, 5, 5), (9000, 4, 3), (300, 70, 12)]


@pytest.mark.parametrize(("n", "d", "r"), SHAPES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_moments_equal_numpy(n, d, r, weighted, threads):
    X, weight, axes, origin = weighted_example(n, d, r)
    data = as_points(X, weight if weighted else None).data
    share = weight / weight.sum() if weighted else np.full(n, 1 / n)
    offset = X - origin
    second = _fast_ica.covariance(data, origin, threads)
    np.testing.assert_allclose(second, (offset.T * share) @ offset, rtol=1e-10, atol=1e-12)
    z = offset @ axes.T
    pairs = (z[:, :, np.newaxis] * z[:, np.newaxis, :]).reshape(n, r * r)
    fourth = _fast_ica.fourth_moments(data, origin, axes, threads)
    expected = (pairs.T * share) @ pairs
    np.testing.assert_allclose(fourth, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    assert fourth.tobytes() == _fast_ica.fourth_moments(data, origin, axes, 1).tobytes()
    tiles, white = _fast_ica.whitened(data, origin, axes, threads), tiled(z, share)
    np.testing.assert_allclose(tiles.values, white.values, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(tiles.share, white.share, rtol=1e-12)


@pytest.mark.parametrize(("n", "d", "r"), SHAPES)
@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_leading_rows_equal_numpy(n, d, r, absolute, threads):
    X, _, axes, origin = weighted_example(n, d, r)
    X = np.vstack([X, X[: n // 2], [origin]])  # ties, and a row at the origin
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    length = np.linalg.norm(X - origin, axis=1, keepdims=True)
    cosines = (X - origin) @ axes.T / np.where(length > 0, length, 1)
    cosines = np.abs(cosines) if absolute else cosines
    for ceiling in (np.inf, 0.5, -2.0):
        found = _fast_ica.leading_rows(
            as_points(X).data,
            origin,
            axes,
            np.full(r, ceiling),
            threads,
            absolute=absolute,
            tie=1e-12,
        )
        for column, (cosine, rows) in zip(cosines.T, found, strict=True):
            counting = np.where(column < ceiling, column, -np.inf)
            best = counting.max()
            assert cosine == pytest.approx(best, abs=1e-12)
            expected = np.flatnonzero(counting >= best - 1e-12) if best > -np.inf else []
            assert rows.tolist() == list(expected)


def test_curve_is_tanh_everywhere():
    for y in np.concatenate([np.linspace(-22, 22, 801), [0.0, 1e-300, -1e300, 1e300]]):
        tiles = tiled(np.array([[y, 1.0]]), np.ones(1))
        found = contrast(tiles, np.array([[1.0, 0.0], [0.0, 1.0]]), 1)
        assert abs(found.bend[0, 1] - np.tanh(y)) < 5e-16


def test_threads_change_no_bit():
    rows, share, rotation = example(20_011, 5)
    tiles = tiled(rows, share)
    once = contrast(tiles, rotation, 1)
    for threads in (2, 3, 8):
        again = contrast(tiles, rotation, threads)
        assert once.bend.tobytes() == again.bend.tobytes()
        assert once.slope.tobytes() == again.slope.tobytes()


def test_parts_that_do_not_fit_are_refused():
    tiles = tiled(*example(40, 3)[:2])
    with pytest.raises(ValueError, match="fit together"):
        contrast(tiles, np.eye(4), 1)
