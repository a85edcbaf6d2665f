"""Checking what describes a Gaussian mixture: proportions, means, covariances."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def as_components(
    weights: Any, means: Any, covariances: Any
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Proportions (K), means (K × D) and covariances (K × D × D) as read-only arrays.

    Positive definiteness is left to the factorisation that follows.
    """
    centres = _as_means(means)
    k, d = centres.shape
    return _as_weights(weights, k), centres, _as_covariances(covariances, k, d)


def not_positive_definite(component: int) -> ValueError:
    return ValueError(
        f"the covariance of component {component} is not positive definite (to working accuracy); "
        "its eigenvalues must all be positive"
    )


def _as_means(means: Any) -> FloatArray:
    made = _as_array(means, "means")
    if made.ndim != 2 or made.shape[0] < 2 or made.shape[1] < 1:
        raise ValueError(
            f"means has shape {made.shape}; give components × features, with 2 components or more"
        )
    return made


def _as_weights(weights: Any, k: int) -> FloatArray:
    made = _as_array(weights, "weights")
    if made.shape != (k,):
        raise ValueError(f"weights has shape {made.shape}; give one for each of the {k} means")
    if not (made > 0.0).all():
        i = int(np.argmin(made))
        raise ValueError(f"weights[{i}]={made[i]} is not positive; leave such components out")
    total = float(made.sum())
    if abs(total - 1.0) > 1e-6:
        raise ValueError(f"weights sum to {total:.9g}, not to 1; divide them by their sum")
    return made


def _as_covariances(covariances: Any, k: int, d: int) -> FloatArray:
    made = _as_array(covariances, "covariances")
    if made.shape == (k,):
        made = made[:, None, None] * np.eye(d)
    elif made.shape == (d, d):
        made = np.broadcast_to(made, (k, d, d))
    elif made.shape != (k, d, d):
        raise ValueError(
            f"covariances has shape {made.shape}; for {k} components and {d} features give "
            f"({k}, {d}, {d}), or ({d}, {d}) for one that all share, or ({k},) for the variances "
            "of spherical components"
        )
    turned = made.transpose(0, 2, 1)
    size = np.abs(made).max(axis=(1, 2))
    uneven = np.abs(made - turned).max(axis=(1, 2)) > 1e-9 * size
    if uneven.any():
        raise ValueError(
            f"the covariance of component {int(uneven.argmax())} is not symmetric; "
            "use (S + S.T) / 2"
        )
    # What rounding has left uneven is evened out; exact where nothing is to be done.
    return _frozen(np.ascontiguousarray((made + turned) / 2))


def _as_array(values: Any, name: str) -> FloatArray:
    made = np.array(values, dtype=np.float64, order="C")
    if not np.isfinite(made).all():
        raise ValueError(f"{name} contains NaN or infinity; give finite numbers")
    return _frozen(made)


def _frozen(array: FloatArray) -> FloatArray:
    array.flags.writeable = False
    return array
