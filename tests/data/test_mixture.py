"""Mixtures that shall have a given overlap: reached targets, refusals, and what was drawn."""

import pickle

import numpy as np
import pytest
from golden_mixsim import golden, golden_case, parameters

import seedbed as sb
from seedbed.data import Mixture, OverlapUnreachable, mixture, overlap
from seedbed.data._components import as_components
from seedbed.data._factor import LARGEST, Shortfall, Target, find_factors
from seedbed.data._overlap import model_of, overlap_of


def eccentricities(covariances):
    values = np.linalg.eigvalsh(covariances)
    return np.sqrt(1 - values[:, 0] / values[:, -1])


@pytest.mark.parametrize("case", golden("targets"))
def test_targets_from_r(case):
    weights, means, covariances = as_components(*parameters(golden_case(case["id"])))
    model = model_of(means, covariances)
    found = find_factors(model, weights, Target(case["target"], None))
    if not case["reachable"]:
        assert isinstance(found, Shortfall)
        assert found.best < case["target"]
        assert found.best <= case["asymptotic"] + 1e-6
        return
    assert abs(overlap_of(model, weights, case["c"]).mean - case["target"]) <= 1e-8
    assert abs(overlap_of(model, weights, found).mean - case["target"]) <= 1e-8
    assert found == pytest.approx(case["c"], rel=1e-6)


@pytest.mark.parametrize("n_features", [1, 2, 4, 8, 16, 32, 64])
@pytest.mark.parametrize("n_clusters", [2, 5])
@pytest.mark.parametrize("structure", [{}, {"spherical": True}, {"homogeneous": True}])
def test_mean_overlap_is_met(n_clusters, n_features, structure):
    made = mixture(n_clusters, n_features, mean_overlap=0.01, random_state=4, **structure)
    again = overlap(made.weights, made.means, made.covariances)
    assert abs(again.mean - 0.01) <= 1e-8
    assert made.means.min() >= 0.0
    assert made.means.max() < 1.0
    assert made.weights.tolist() == [1 / n_clusters] * n_clusters


@pytest.mark.parametrize("target", [1e-6, 0.001, 0.1, 0.3])
def test_max_overlap_is_met(target):
    made = mixture(5, 3, max_overlap=target, random_state=1)
    assert abs(made.overlap.max - target) <= 1e-8


@pytest.mark.parametrize(("mean", "most"), [(0.05, 0.2), (0.02, 0.1), (0.001, 0.004)])
@pytest.mark.parametrize("seed", range(4))
def test_both_targets_are_met(mean, most, seed):
    made = mixture(5, 3, mean_overlap=mean, max_overlap=most, random_state=seed)
    assert abs(made.overlap.mean - mean) <= 1e-8
    assert abs(made.overlap.max - most) <= 1e-8


def test_homogeneous_mixtures_reach_any_overlap():
    made = mixture(4, 64, mean_overlap=0.9, homogeneous=True, random_state=0, max_attempts=100)
    assert abs(made.overlap.mean - 0.9) <= 1e-8
    assert (made.covariances == made.covariances[0]).all()


def test_structure_of_what_is_drawn():
    made = mixture(6, 5, mean_overlap=0.05, random_state=2)
    assert (eccentricities(made.covariances) <= 0.9 + 1e-12).all()
    assert eccentricities(made.covariances).max() == pytest.approx(0.9, abs=1e-12)
    assert not np.allclose(made.covariances[0], made.covariances[1])
    slim = mixture(6, 5, mean_overlap=0.05, eccentricity=0.3, random_state=2)
    assert eccentricities(slim.covariances) == pytest.approx(np.full(6, 0.3), abs=1e-12)
    round_ = mixture(6, 5, mean_overlap=0.05, spherical=True, random_state=2).covariances
    assert (round_ == round_[:, :1, :1] * np.eye(5)).all()
    assert len(set(round_[:, 0, 0])) == 6


def test_covariances_are_those_of_few_points_moved_towards_the_largest_eigenvalue():
    """The linear map of the whole matrix is the map of its eigenvalues that the package uses."""
    from seedbed._core import _native

    points = np.random.default_rng(3).standard_normal((4, 7, 6))
    for drawn, found in zip(points, _native.draw_covariances(points, 0.9), strict=True):
        values, vectors = np.linalg.eigh(np.cov(drawn.T))
        least, largest = values[[0, -1]]
        moved = largest * (1 - 0.9**2 * (largest - values) / (largest - least))
        assert np.abs((vectors * moved) @ vectors.T - found).max() < 1e-13
    free = _native.draw_covariances(points, 1.0)
    assert np.abs(free - [np.cov(drawn.T) for drawn in points]).max() < 1e-14


def test_weights():
    made = mixture(5, 3, mean_overlap=0.02, min_weight=0.1, random_state=0)
    assert made.weights.sum() == pytest.approx(1.0)
    assert made.weights.min() >= 0.1
    assert len(set(made.weights)) == 5
    even = mixture(5, 3, mean_overlap=0.02, min_weight=0.2, random_state=0)
    assert even.weights == pytest.approx(np.full(5, 0.2))


def test_the_same_seed_gives_the_same_mixture():
    one, two, other = (mixture(4, 6, mean_overlap=0.1, random_state=s) for s in (7, 7, 8))
    assert one.covariances.tobytes() == two.covariances.tobytes()
    assert one.means.tobytes() == two.means.tobytes() != other.means.tobytes()


def test_unreachable_overlap_says_what_can_be_had():
    with pytest.raises(
        OverlapUnreachable, match=r"mean_overlap=0.2 was not reached in 3 "
    ) as caught:
        mixture(6, 64, mean_overlap=0.2, random_state=0, max_attempts=3)
    error = caught.value
    assert (error.target, error.attempts) == (0.2, 3)
    assert 0.02 < error.best < 0.08  # the specification's asymptote: a median of 0.051
    assert OverlapUnreachable is sb.exceptions.OverlapUnreachable
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.best) == (str(error), error.best)


def test_attempts_are_counted():
    # Two spheres in 64 dimensions: most draws are too different in size to overlap by 0.2.
    tried = [
        mixture(2, 64, mean_overlap=0.2, spherical=True, random_state=s).attempts for s in range(8)
    ]
    assert max(tried) > 1
    assert min(tried) >= 1


def test_both_targets_that_cannot_be_met_together():
    with pytest.raises(OverlapUnreachable):
        mixture(12, 2, mean_overlap=0.1999, max_overlap=0.2, random_state=0, max_attempts=2)


def test_a_mixture_of_ones_own():
    made = Mixture([0.5, 0.5], [[0.0], [2.0]], [1.0, 1.0])
    assert made.covariances.shape == (2, 1, 1)
    assert made.overlap.mean == pytest.approx(0.3173105, abs=1e-7)
    assert (made.n_clusters, made.n_features) == (2, 1)
    assert repr(made).startswith("Mixture(2 components, 1 features, mean overlap 0.317311")
    with pytest.raises(ValueError, match=r"sum to 0\.9"):
        Mixture([0.5, 0.4], [[0.0], [2.0]], [1.0, 1.0])


def test_mixsim_is_the_name_of_the_literature():
    assert sb.data.mixsim is sb.data.mixture


def test_largest_factor_bounds_the_search():
    weights, means, covariances = as_components([0.5, 0.5], [[0.0], [1.0]], [1e-3, 1.1e-3])
    model = model_of(means, covariances)
    most = overlap_of(model, weights, LARGEST).mean
    found = find_factors(model, weights, Target(most, None))
    assert found == pytest.approx([LARGEST, LARGEST])
    assert isinstance(find_factors(model, weights, Target(most + 1e-6, None)), Shortfall)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_clusters": 1}, "n_clusters=1 is not usable; give an integer, 2 or more"),
        ({"n_clusters": 2.5}, "n_clusters=2.5"),
        ({"n_features": 0}, "n_features=0"),
        ({"max_attempts": 0}, "max_attempts=0"),
        ({"mean_overlap": None}, "give mean_overlap, max_overlap or both"),
        ({"mean_overlap": 0.0}, "mean_overlap=0.0 is out of range"),
        ({"mean_overlap": 1.0}, "mean_overlap=1.0 is out of range"),
        ({"mean_overlap": float("nan")}, "mean_overlap=nan is out of range"),
        ({"max_overlap": -0.1}, "max_overlap=-0.1 is out of range"),
        ({"max_overlap": 0.05}, "do not go together"),
        ({"max_overlap": 0.31}, "below 3 times the mean"),
        ({"max_overlap": 0.2, "homogeneous": True}, "give one of them"),
        ({"n_clusters": 2, "max_overlap": 0.2}, "two components have one overlap"),
        ({"eccentricity": 0.0}, "eccentricity=0.0 is out of range"),
        ({"eccentricity": 1.1}, "eccentricity=1.1 is out of range"),
        ({"min_weight": 0.0}, "min_weight=0.0 is out of range"),
        ({"min_weight": 0.5}, "1/3 = 0.333333 at most"),
    ],
)
def test_bad_arguments(change, message):
    options = {"n_clusters": 3, "n_features": 2, "mean_overlap": 0.1, **change}
    with pytest.raises(ValueError, match=message):
        mixture(options.pop("n_clusters"), options.pop("n_features"), **options)
