"""Putting attributes on one scale before clustering: the study's min-max, z-scores, or nothing."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

SCALINGS = ("none", "minmax", "zscore")


@dataclass(frozen=True, eq=False)
class Scaling:
    """How each attribute was moved and stretched: scaled = (given − offset) / unit.

    A constant attribute has the unit 1, so that it becomes 0 and comes back as it was.
    """

    how: str
    offset: FloatArray
    unit: FloatArray

    @classmethod
    def of(cls, X: npt.ArrayLike, how: str) -> Scaling:
        """Find the scaling of the columns of X, which must be finite.

        ``how`` is "minmax" (onto [0, 1]), "zscore" (mean 0, population standard deviation 1) or
        "none".
        """
        check_scaling(how)
        points = _matrix(X)
        d = points.shape[1]
        if how == "none":
            return cls(how, np.zeros(d), np.ones(d))
        low, span = points.min(axis=0), _span(points)
        constant = span == 0.0
        unit = np.where(constant, 1.0, span)
        if how == "minmax":
            return cls(how, low, unit)
        # The deviation of values on [0, 1] neither overflows nor vanishes, whatever the unit was.
        deviation = ((points - low) / unit).std(axis=0) * unit
        return cls(
            how,
            np.where(constant, low, points.mean(axis=0)),
            np.where(constant, 1.0, deviation),
        )

    def apply(self, X: npt.ArrayLike) -> FloatArray:
        """Scale rows that have the same columns."""
        points = _matrix(X)
        if self.how == "none":
            return points
        scaled = points - self.offset
        scaled /= self.unit
        return scaled

    def undo(self, centers: npt.ArrayLike) -> FloatArray:
        """Bring scaled rows, such as centres, back to the units of the data."""
        points = _matrix(centers)
        return points if self.how == "none" else points * self.unit + self.offset


def scale(X: npt.ArrayLike, how: str) -> FloatArray:
    """Scale the columns of X in float64.

    Parameters
    ----------
    X : array-like, rows × columns
        Finite numbers.
    how : {"minmax", "zscore", "none"}
        "minmax" maps each column onto [0, 1] and "zscore" to mean 0 and population standard
        deviation 1; a constant column becomes 0 in both. "none" returns X as it is.

    Returns
    -------
    ndarray of float64
        Of the same shape.

    Examples
    --------
    >>> scale([[1.0, 5.0], [3.0, 5.0]], "minmax").tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    return Scaling.of(X, how).apply(X)


def check_scaling(how: str) -> None:
    """Raise ValueError, with the nearest name, where `how` is none of the known scalings."""
    if how in SCALINGS:
        return
    near = difflib.get_close_matches(str(how).lower(), SCALINGS, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise ValueError(f"scaling {how!r} is unknown; use one of {', '.join(SCALINGS)}{hint}")


def _matrix(X: Any) -> FloatArray:
    points = np.asarray(X, dtype=np.float64)
    if points.ndim != 2 or points.size == 0:
        raise ValueError(
            f"data of shape {points.shape} cannot be scaled; give rows × attributes, not empty"
        )
    return points


def _span(points: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        span: FloatArray = np.ptp(points, axis=0)
    if not np.isfinite(span).all():
        column = int(np.argmin(np.isfinite(span)))
        raise ValueError(
            f"column {column} cannot be scaled: it holds NaN or infinity, or its values span more "
            "than float64 can hold; clean it or divide it by a constant"
        )
    return span
