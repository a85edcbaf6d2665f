"""The native part of MixSim: overlap of Gaussian components, and random covariances and points.

Covariances and points come from uniform numbers by plain IEEE arithmetic and square roots alone:
the same uniforms give the same bytes on every machine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from seedbed._core import _native

FloatArray = npt.NDArray[np.float64]
NotPositiveDefinite = _native.NotPositiveDefinite
OverlapModel = _native.OverlapModel


def draw_normals(rng: np.random.Generator, *shape: int) -> FloatArray:
    """Standard normal numbers, one from each uniform number of the generator."""
    numbers = rng.random(shape)
    _native.normals(numbers.reshape(1, -1))
    return numbers


def draw_covariances(
    rng: np.random.Generator, n: int, n_features: int, eccentricity: float
) -> FloatArray:
    """``n`` random covariances with an eccentricity √(1 − least/largest eigenvalue) up to a limit.

    Each is the sample covariance of one more point than there are features.
    """
    return _native.draw_covariances(draw_normals(rng, n, n_features + 1, n_features), eccentricity)


def draw_points(
    rng: np.random.Generator,
    component: npt.NDArray[np.int32],
    means: FloatArray,
    covariances: FloatArray,
) -> FloatArray:
    """One Gaussian point for each entry of ``component``."""
    points = draw_normals(rng, len(component), means.shape[1])
    _native.place_points(points, component, means, covariances)
    return points
