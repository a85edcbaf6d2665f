"""Random Gaussian mixtures with a prescribed overlap, after Maitra & Melnykov (2010)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seedbed._core._overlap import FloatArray, draw_covariances
from seedbed._random import RandomState, generator
from seedbed._validation import is_integer
from seedbed.data._components import as_components
from seedbed.data._factor import LARGEST, Shortfall, Target, find_factors
from seedbed.data._overlap import Overlap, model_of, overlap_of
from seedbed.exceptions import OverlapUnreachable


@dataclass(frozen=True, eq=False, repr=False)
class Mixture:
    """A Gaussian mixture.

    One's own can be made too.

    Parameters
    ----------
    weights : array-like of K proportions
        Positive, with sum 1.
    means : array-like, K × D
        The centres of the components.
    covariances : array-like, K × D × D
        Or any other shape that `overlap` takes.
    attempts : int, default=1
        How many mixtures were drawn until one could have the overlap.
    """

    weights: FloatArray
    means: FloatArray
    covariances: FloatArray
    attempts: int = 1

    def __post_init__(self) -> None:
        checked = as_components(self.weights, self.means, self.covariances)
        for name, value in zip(("weights", "means", "covariances"), checked, strict=True):
            object.__setattr__(self, name, value)

    @property
    def n_clusters(self) -> int:
        """How many components."""
        return int(self.means.shape[0])

    @property
    def n_features(self) -> int:
        """How many dimensions."""
        return int(self.means.shape[1])

    @cached_property
    def overlap(self) -> Overlap:
        """Overlap of the components."""
        return overlap_of(model_of(self.means, self.covariances), self.weights)

    def __repr__(self) -> str:
        found = self.overlap
        return (
            f"Mixture({self.n_clusters} components, {self.n_features} features, "
            f"mean overlap {found.mean:.6g}, max overlap {found.max:.6g})"
        )


def mixture(
    n_clusters: int,
    n_features: int,
    *,
    mean_overlap: float | None = None,
    max_overlap: float | None = None,
    spherical: bool = False,
    homogeneous: bool = False,
    eccentricity: float = 0.9,
    min_weight: float | None = None,
    max_attempts: int = 100,
    random_state: RandomState = None,
) -> Mixture:
    """Draw a Gaussian mixture whose components overlap by a given amount.

    Means are uniform in the unit cube and stay there; covariances are random and then scaled by
    one factor, found by solving for it, that gives the overlap to 1e-8 or better.

    Parameters
    ----------
    n_clusters : int
        How many components, 2 or more.
    n_features : int
        How many dimensions.
    mean_overlap : float, optional
        Mean over all pairs of the chance to mistake one for the other, in (0, 1).
    max_overlap : float, optional
        The same for the pair that overlaps most; one of the two or both. With both,
        ``mean_overlap < max_overlap < mean_overlap × number of pairs``.
    spherical : bool, default=False
        Covariances that are multiples of the identity.
    homogeneous : bool, default=False
        One covariance for all components.
    eccentricity : float, default=0.9
        Largest √(1 − least/largest eigenvalue) of a covariance, in (0, 1].
    min_weight : float, optional
        Smallest proportion of a component, up to 1/K; None gives them all 1/K.
    max_attempts : int, default=100
        How many mixtures to draw if they cannot overlap so much.
    random_state : int, Generator, RandomState or None, default=None
        The same number gives the same mixture.

    Returns
    -------
    Mixture
        With its ``overlap``.

    Raises
    ------
    OverlapUnreachable
        If no attempt can have the overlap. Components with different covariances in many
        dimensions are told apart by their shapes however much they are blown up; with the
        defaults a mean of 0.2 cannot be had from 32 features on.

    Examples
    --------
    >>> round(mixture(6, 8, mean_overlap=0.05, random_state=0).overlap.mean, 8)
    0.05
    """
    _check_counts(n_clusters, n_features, max_attempts)
    target = _as_target(mean_overlap, max_overlap, n_clusters, homogeneous)
    _check_shape(eccentricity, min_weight, n_clusters)
    rng = generator(random_state)
    failures = []
    for attempt in range(1, max_attempts + 1):
        weights = _draw_weights(rng, n_clusters, min_weight)
        means, covariances = draw_components(
            rng,
            n_clusters,
            n_features,
            spherical=spherical,
            homogeneous=homogeneous,
            eccentricity=eccentricity,
        )
        model = model_of(means, covariances)
        factors = find_factors(model, weights, target)
        if isinstance(factors, Shortfall):
            failures.append(factors)
        elif target.is_met_by(overlap_of(model, weights, factors)):
            return Mixture(weights, means, factors[:, None, None] * covariances, attempt)
    raise _unreachable(target, failures, max_attempts)


def draw_components(
    rng: np.random.Generator,
    n_clusters: int,
    n_features: int,
    *,
    spherical: bool = False,
    homogeneous: bool = False,
    eccentricity: float = 0.9,
) -> tuple[FloatArray, FloatArray]:
    """Random means in the unit cube and random covariances, before any scaling."""
    means = rng.random((n_clusters, n_features))
    drawn = 1 if homogeneous else n_clusters
    if spherical:
        covariances = (1.0 - rng.random(drawn))[:, None, None] * np.eye(n_features)  # in (0, 1]
    else:
        covariances = draw_covariances(rng, drawn, n_features, eccentricity)
    return means, np.repeat(covariances, n_clusters // drawn, axis=0)


def _draw_weights(rng: np.random.Generator, k: int, least: float | None) -> FloatArray:
    if least is None:
        return np.full(k, 1.0 / k)
    shares = rng.standard_exponential(k)
    weights: FloatArray = least + max(1.0 - k * least, 0.0) * shares / shares.sum()
    return weights


def _unreachable(
    target: Target, failures: Iterable[Shortfall], attempts: int
) -> OverlapUnreachable:
    worst = max(failures, key=lambda failure: (failure.what == "mean", failure.best), default=None)
    if worst is None:
        assert target.mean is not None
        return OverlapUnreachable(
            f"mean_overlap={target.mean} and max_overlap={target.max} were not met together in "
            f"{attempts} attempts; bring them nearer to each other or raise max_attempts",
            target.mean,
            None,
            attempts,
        )
    return OverlapUnreachable(
        f"{worst.what}_overlap={worst.wanted} was not reached in {attempts} attempts; the most "
        f"that could be had was {worst.best:.4g}, with covariances {LARGEST:.0f} times as large as "
        "drawn. Ask for less, for fewer features, or for homogeneous=True, which reaches any "
        "overlap; unequal weights (min_weight) or more attempts (max_attempts) may help too",
        worst.wanted,
        worst.best,
        attempts,
    )


def _check_counts(n_clusters: int, n_features: int, max_attempts: int) -> None:
    for name, value, least in (
        ("n_clusters", n_clusters, 2),
        ("n_features", n_features, 1),
        ("max_attempts", max_attempts, 1),
    ):
        if not is_integer(value) or value < least:
            raise ValueError(f"{name}={value!r} is not usable; give an integer, {least} or more")


def _as_target(
    mean: float | None, most: float | None, n_clusters: int, homogeneous: bool
) -> Target:
    if mean is None and most is None:
        raise ValueError("no overlap was asked for; give mean_overlap, max_overlap or both")
    for name, value in (("mean_overlap", mean), ("max_overlap", most)):
        if value is not None and not 0.0 < value < 1.0:
            raise ValueError(f"{name}={value!r} is out of range; give a number between 0 and 1")
    if mean is None or most is None:
        return Target(mean, most)
    if homogeneous:
        raise ValueError(
            "homogeneous=True leaves one factor to choose, which cannot meet mean_overlap and "
            "max_overlap both; give one of them"
        )
    if n_clusters == 2:
        if mean != most:
            raise ValueError(
                f"two components have one overlap, but mean_overlap={mean} and max_overlap={most}"
            )
        return Target(mean, None)
    pairs = n_clusters * (n_clusters - 1) // 2
    if not mean < most < mean * pairs:
        raise ValueError(
            f"mean_overlap={mean} and max_overlap={most} do not go together: with {pairs} pairs "
            f"the maximum must be above the mean and below {pairs} times the mean"
        )
    return Target(mean, most)


def _check_shape(eccentricity: float, min_weight: float | None, k: int) -> None:
    if not 0.0 < eccentricity <= 1.0:
        raise ValueError(
            f"eccentricity={eccentricity!r} is out of range; give a number above 0, up to 1"
        )
    if min_weight is not None and not 0.0 < min_weight <= 1.0 / k:
        raise ValueError(
            f"min_weight={min_weight!r} is out of range; {k} weights that sum to 1 can all be at "
            f"least 1/{k} = {1.0 / k:.6g} at most, so give a number above 0 up to that"
        )
