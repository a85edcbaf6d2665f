"""The direction in which rows vary most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def principal_axis(spread: Floats, mass: Floats) -> tuple[float, Floats]:
    """The variance along the first principal axis, and the axis, its largest component positive.

    ``spread`` are rows minus their mean; the variance is a mean over ``mass``.
    """
    values, vectors = np.linalg.eigh((spread * (mass / mass.sum())[:, np.newaxis]).T @ spread)
    axis = vectors[:, -1]
    longest = axis[np.abs(axis).argmax()]
    return float(values[-1]), axis * np.copysign(1.0, longest)
