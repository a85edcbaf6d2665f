"""The picture of a mixture: what is on it and what is refused."""

import numpy as np
import pytest

from seedbed.data import Mixture, mixture, plot_mixture, sample

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def flat():
    return Mixture([0.5, 0.5], [[0.0, 0.0], [9.0, 2.0]], [[[4.0, 0.0], [0.0, 1.0]], np.eye(2)])


def test_points_and_ellipses_are_drawn(flat):
    axes = plot_mixture(flat, n_samples=120)
    assert len(axes.collections[0].get_offsets()) == 120
    assert len(axes.patches) == 2
    # 95 % of a standard normal pair lies within 2.4477 (the root of a chi-square quantile).
    sizes = sorted((axes.patches[0].width, axes.patches[0].height))
    assert sizes == pytest.approx([2 * 2.4477, 4 * 2.4477], rel=1e-4)
    assert axes.patches[1].get_center() == pytest.approx((9.0, 2.0))
    assert axes.get_aspect() == 1.0


def test_ellipses_hold_their_share():
    made = mixture(3, 2, mean_overlap=0.001, random_state=1)
    axes = plot_mixture(made, n_samples=0, level=0.8)
    assert not axes.collections
    drawn = sample(made, 30_000, random_state=0)
    for k, patch in enumerate(axes.patches):
        own = drawn.X[drawn.y == k]
        inside = patch.get_patch_transform().inverted().transform(own)
        share = ((inside**2).sum(axis=1) <= 1).mean()
        assert share == pytest.approx(0.8, abs=4.5 * np.sqrt(0.16 / len(own)))


def test_given_points_and_axes_are_used(flat):
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    points = sample(flat, 50, n_outliers=5, noise_range=(-9, 15), random_state=0)
    assert plot_mixture(flat, points, ax=axes) is axes
    assert len(axes.collections[0].get_offsets()) == 55


def test_refusals(flat):
    with pytest.raises(ValueError, match="has 3 features; only two can be drawn"):
        plot_mixture(mixture(2, 3, mean_overlap=0.1, random_state=0))
    with pytest.raises(ValueError, match="level=1"):
        plot_mixture(flat, level=1)
    with pytest.raises(ValueError, match="n_samples=-1"):
        plot_mixture(flat, n_samples=-1)
