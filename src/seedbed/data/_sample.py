"""Points of a Gaussian mixture, with outliers and noise attributes where wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seedbed._core._overlap import FloatArray, NotPositiveDefinite, draw_points
from seedbed._random import RandomState, generator
from seedbed._validation import is_integer
from seedbed.data._components import not_positive_definite
from seedbed.data._mixture import Mixture

OUTLIER = -1
"""The label of outliers."""

_TRIALS = 100_000  # for all outliers together


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """Points of a mixture.

    Attributes
    ----------
    X : ndarray, rows × features
        The points.
    y : ndarray of int32
        The component of each; −1 for an outlier.
    """

    X: FloatArray
    y: npt.NDArray[np.int32]

    def __repr__(self) -> str:
        outliers = int((self.y == OUTLIER).sum())
        also = f", {outliers} of them outliers" if outliers else ""
        return f"Sample({len(self.y)} points{also}, {self.X.shape[1]} features)"


def sample(
    mixture: Mixture,
    n_samples: int,
    *,
    n_outliers: int = 0,
    outlier_level: float = 0.001,
    n_noise_features: int = 0,
    noise_range: tuple[float, float] | None = None,
    shuffle: bool = True,
    random_state: RandomState = None,
) -> Sample:
    """Draw points of a mixture.

    Every component gets one point; the others fall to components by chance, with the weights as
    probabilities. The same seed gives the same bytes on every machine.

    Parameters
    ----------
    mixture : Mixture
        From `seedbed.data.mixture`, or one's own ``Mixture(weights, means, covariances)``.
    n_samples : int
        Points of the components, at least one each.
    n_outliers : int, default=0
        Further points, labelled −1, that lie outside the ``1 − outlier_level`` ellipsoid of every
        component.
    outlier_level : float, default=0.001
        Chance of a point of a component to be as far out as an outlier.
    n_noise_features : int, default=0
        Further attributes, uniform, that say nothing about the components.
    noise_range : tuple of two floats, optional
        Where outliers and noise attributes are drawn from; by default from the smallest to the
        largest coordinate of a mean.
    shuffle : bool, default=True
        Rows in random order; otherwise sorted by component, outliers last.
    random_state : int, Generator, RandomState or None, default=None
        The same number gives the same points.

    Returns
    -------
    Sample
        Points and the component of each.

    Examples
    --------
    >>> from seedbed.data import mixture
    >>> sample(mixture(3, 2, mean_overlap=0.01, random_state=0), 500, random_state=0)
    Sample(500 points, 2 features)
    """
    _check(mixture, n_samples, n_outliers, outlier_level, n_noise_features)
    low, high = _range_of(mixture, noise_range)
    rng = generator(random_state)
    try:
        X, y = draw_sample(rng, mixture, n_samples, shuffle=shuffle)
    except NotPositiveDefinite as error:
        raise not_positive_definite(int(error.args[0])) from None
    if n_outliers:
        far = _draw_outliers(rng, mixture, n_outliers, outlier_level, low, high)
        X = np.concatenate([X, far])
        y = np.concatenate([y, np.full(n_outliers, OUTLIER, dtype=np.int32)])
    if n_noise_features:
        noise = low + (high - low) * rng.random((len(X), n_noise_features))
        X = np.concatenate([X, noise], axis=1)
    if shuffle and n_outliers:
        order = _random_order(rng, len(X))
        X, y = X[order], y[order]
    return Sample(X, y)


def draw_sample(
    rng: np.random.Generator, mixture: Mixture, n: int, *, shuffle: bool = True
) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """Points and their components; uniform numbers and plain arithmetic only."""
    k = mixture.n_clusters
    borders = np.cumsum(mixture.weights)[:-1]
    drawn = np.searchsorted(borders, rng.random(n - k), side="right")
    y = np.concatenate([np.arange(k), drawn]).astype(np.int32)
    y = y[_random_order(rng, n)] if shuffle else np.sort(y)
    return draw_points(rng, y, mixture.means, mixture.covariances), y


def _random_order(rng: np.random.Generator, n: int) -> npt.NDArray[np.intp]:
    return np.argsort(rng.random(n), kind="stable")


def _draw_outliers(
    rng: np.random.Generator, mixture: Mixture, n: int, level: float, low: float, high: float
) -> FloatArray:
    from scipy.linalg import solve_triangular
    from scipy.stats import chi2

    d = mixture.n_features
    limit = float(chi2.isf(level, d))
    factors = np.linalg.cholesky(mixture.covariances)
    points = low + (high - low) * rng.random((_TRIALS, d))
    far = np.ones(_TRIALS, dtype=bool)
    for mean, factor in zip(mixture.means, factors, strict=True):
        inside = solve_triangular(factor, (points - mean).T, lower=True)
        far &= np.einsum("ij,ij->j", inside, inside) >= limit
    found = np.flatnonzero(far)[:n]
    if len(found) < n:
        raise ValueError(
            f"only {len(found)} of {_TRIALS} points between {low:.4g} and {high:.4g} are outside "
            f"all components, not n_outliers={n}; give a wider noise_range, ask for fewer, or "
            "raise outlier_level"
        )
    return points[found]


def _range_of(mixture: Mixture, given: tuple[float, float] | None) -> tuple[float, float]:
    if given is None:
        return float(mixture.means.min()), float(mixture.means.max())
    low, high = map(float, given)
    if not (np.isfinite([low, high]).all() and low < high):
        raise ValueError(f"noise_range={given!r} is not usable; give two numbers, the lower first")
    return low, high


def _check(mixture: Mixture, n: int, outliers: int, level: float, noise: int) -> None:
    if not isinstance(mixture, Mixture):
        raise TypeError(
            f"mixture is a {type(mixture).__name__}; give the result of seedbed.data.mixture, or "
            "seedbed.data.Mixture(weights, means, covariances)"
        )
    k = mixture.n_clusters
    if not is_integer(n) or n < k:
        raise ValueError(
            f"n_samples={n!r} is not usable; give an integer, {k} or more: one for each component"
        )
    for name, value in (("n_outliers", outliers), ("n_noise_features", noise)):
        if not is_integer(value) or value < 0:
            raise ValueError(f"{name}={value!r} is not usable; give an integer, 0 or more")
    if not 0.0 < level < 1.0:
        raise ValueError(f"outlier_level={level!r} is out of range; give one between 0 and 1")
