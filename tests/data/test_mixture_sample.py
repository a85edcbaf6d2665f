"""Points of mixtures: how many, where, in which order, and the same for the same seed."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

from seedbed._core import _native
from seedbed.data import Mixture, mixture, sample


@pytest.fixture(scope="module")
def four():
    return mixture(4, 3, mean_overlap=0.01, min_weight=0.1, random_state=5)


def test_normals_are_quantiles_of_the_uniforms():
    u = np.arange(1, 2**17, 2) / 2.0**18  # all below 1/2, where SciPy's quantile is accurate
    u = np.concatenate([u, 2.0 ** -np.arange(2.0, 54.0)])
    found = u.copy()
    _native.normals(found.reshape(1, -1))
    assert np.abs(found / ndtri(u + 2.0**-54) - 1.0).max() < 1e-14
    mirrored = 1.0 - u - 2.0**-53
    _native.normals(mirrored.reshape(1, -1))
    assert (mirrored == -found).all()


def test_points_have_the_moments_of_their_component(four):
    drawn = sample(four, 200_000, random_state=0)
    for k in range(4):
        own = drawn.X[drawn.y == k]
        standard = np.linalg.solve(np.linalg.cholesky(four.covariances[k]), (own - four.means[k]).T)
        assert np.abs(standard.mean(axis=1)).max() < 4.5 / np.sqrt(len(own))
        assert np.abs(np.cov(standard) - np.eye(3)).max() < 4.5 * np.sqrt(2 / len(own))
        for coordinate in standard:
            assert stats.kstest(coordinate, "norm").pvalue > 1e-4
    counts = np.bincount(drawn.y)
    expected = four.weights * (200_000 - 4) + 1
    assert (np.abs(counts - expected) < 4.5 * np.sqrt(expected)).all()


def test_points_are_mean_plus_factor_times_normals(four):
    from seedbed._random import generator

    drawn = sample(four, 50, random_state=3)
    rng = generator(3)
    rng.random(46)
    rng.random(50)
    z = rng.random((50, 3))
    _native.normals(z.reshape(1, -1))
    factors = np.linalg.cholesky(four.covariances)
    expected = four.means[drawn.y] + np.einsum("nij,nj->ni", factors[drawn.y], z)
    assert pytest.approx(expected, rel=1e-12, abs=1e-14) == drawn.X


@pytest.mark.parametrize("n", [4, 5, 100])
def test_every_component_has_a_point(four, n):
    for seed in range(20):
        assert set(sample(four, n, random_state=seed).y) == {0, 1, 2, 3}


def test_order(four):
    mixed, ordered = (sample(four, 300, shuffle=s, random_state=1) for s in (True, False))
    assert (np.diff(ordered.y) >= 0).all()
    assert (np.diff(mixed.y) < 0).any()
    assert len(set(mixed.y[:20])) > 1


def test_outliers_are_outside_every_component(four):
    drawn = sample(four, 100, n_outliers=40, noise_range=(-3, 4), random_state=2)
    assert len(drawn.y) == 140
    assert (drawn.y == -1).sum() == 40
    assert (drawn.y[-40:] != -1).any()
    far = drawn.X[drawn.y == -1]
    assert far.min() >= -3
    assert far.max() <= 4
    limit = stats.chi2(3).ppf(0.999)
    for mean, covariance in zip(four.means, four.covariances, strict=True):
        apart = far - mean
        assert (np.einsum("ij,ij->i", apart @ np.linalg.inv(covariance), apart) >= limit).all()
    last = sample(four, 100, n_outliers=40, noise_range=(-3, 4), shuffle=False, random_state=2)
    assert (last.y[-40:] == -1).all()
    assert repr(drawn) == "Sample(140 points, 40 of them outliers, 3 features)"


def test_outliers_that_have_no_room():
    crowded = mixture(4, 2, mean_overlap=0.3, random_state=0)
    with pytest.raises(ValueError, match="give a wider noise_range"):
        sample(crowded, 100, n_outliers=10, random_state=0)


def test_noise_features_know_nothing(four):
    plain = sample(four, 3000, random_state=6)
    noisy = sample(four, 3000, n_noise_features=2, random_state=6)
    assert noisy.X.shape == (3000, 5)
    assert np.array_equal(noisy.X[:, :3], plain.X)
    noise = noisy.X[:, 3:]
    assert noise.min() >= four.means.min()
    assert noise.max() <= four.means.max()
    for column in noise.T:
        groups = [column[noisy.y == k] for k in range(4)]
        assert stats.kruskal(*groups).pvalue > 1e-4


def test_the_same_seed_gives_the_same_bytes(four):
    options = {"n_outliers": 3, "n_noise_features": 2, "noise_range": (-2, 2)}
    one, two, other = (sample(four, 500, random_state=s, **options) for s in (1, 1, 2))
    assert one.X.tobytes() == two.X.tobytes() != other.X.tobytes()
    assert one.y.tobytes() == two.y.tobytes()


def test_one_attribute():
    drawn = sample(Mixture([0.5, 0.5], [[0.0], [50.0]], [1.0, 4.0]), 2000, random_state=0)
    assert ((drawn.X[:, 0] > 25) == drawn.y).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_samples": 3}, "n_samples=3 is not usable; give an integer, 4 or more"),
        ({"n_samples": 10.0}, "n_samples=10.0"),
        ({"n_outliers": -1}, "n_outliers=-1"),
        ({"n_noise_features": 1.5}, "n_noise_features=1.5"),
        ({"outlier_level": 0.0}, "outlier_level=0.0"),
        ({"noise_range": (1.0, 0.0)}, "the lower first"),
    ],
)
def test_bad_arguments(four, change, message):
    options = {"n_samples": 10, **change}
    with pytest.raises(ValueError, match=message):
        sample(four, options.pop("n_samples"), **options)


def test_what_is_not_a_mixture():
    with pytest.raises(TypeError, match="mixture is a list"):
        sample([1, 2], 10)


def test_a_mixture_that_cannot_be_drawn_from():
    flat = Mixture([0.5, 0.5], [[0.0, 0.0], [1.0, 1.0]], np.ones((2, 2)))
    with pytest.raises(ValueError, match="component 0 is not positive definite"):
        sample(flat, 10)
