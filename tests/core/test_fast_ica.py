"""A native step of FastICA against the same in plain NumPy."""

import numpy as np
import pytest

from seedbed._core._fast_ica import TILE_ROWS, contrast, empty_tiles


def tiled(rows, share):
    tiles = empty_tiles(*rows.shape)
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
