"""Finding how far covariances must be blown up or shrunk for a mixture to have a given overlap."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from seedbed._core._overlap import FloatArray, OverlapModel
from seedbed.data._overlap import Overlap, overlap_of

LARGEST = 256.0
"""Largest common factor that is tried, as in the R package. Beyond it components hide one another
and hardly anything changes."""

_CLOSE = 1e-12  # what counts as reached


@dataclass(frozen=True)
class Target:
    """The overlap that a mixture shall have; None where it does not matter."""

    mean: float | None
    max: float | None

    def is_met_by(self, found: Overlap, tolerance: float = 1e-8) -> bool:
        wanted = ((self.mean, found.mean), (self.max, found.max))
        return all(goal is None or abs(goal - got) <= tolerance for goal, got in wanted)


@dataclass(frozen=True)
class Shortfall:
    """Why a mixture cannot have the overlap: the best it can have."""

    what: str
    wanted: float
    best: float


def find_factors(
    model: OverlapModel, weights: FloatArray, target: Target
) -> FloatArray | Shortfall:
    """One factor per component with which the mixture has the overlap, or what it falls short of.

    One target is met by one factor for all: overlap rises with it. For two, the maximum is met by a
    common factor; then the pair that has it is kept and all others are shrunk to meet the mean.
    """
    what, goal = ("mean", target.mean) if target.max is None else ("max", target.max)
    assert goal is not None

    @cache
    def value(factor: float) -> float:
        return float(getattr(overlap_of(model, weights, factor), what))

    if value(LARGEST) < goal:
        return Shortfall(what, goal, value(LARGEST))
    factors = np.full(len(weights), _solve(value, goal, LARGEST))
    if target.mean is None or target.max is None:
        return factors
    return _shrink_others(model, weights, factors, target.mean)


def _shrink_others(
    model: OverlapModel, weights: FloatArray, factors: FloatArray, mean: float
) -> FloatArray | Shortfall:
    start = overlap_of(model, weights, factors)
    if start.mean < mean:
        return Shortfall("mean", mean, start.mean)
    others = np.ones(len(weights), dtype=bool)
    others[list(start.max_pair)] = False

    def shrunk(factor: float) -> FloatArray:
        return np.where(others, factor, 1.0) * factors

    @cache
    def value(factor: float) -> float:
        return overlap_of(model, weights, shrunk(factor)).mean

    return shrunk(_solve(value, mean, 1.0))


def _solve(value: Callable[[float], float], goal: float, most: float) -> float:
    """The factor up to ``most`` where ``value``, which rises with it to at least ``goal``, has it.

    Solved for s = 1/√factor on the scale of normal quantiles: with equal covariances the overlap
    is 2 Φ(−s d/2), so that the equation is nearly linear. ``value`` should remember its results.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    wanted = ndtri(goal / 2.0)

    def excess(s: float) -> float:
        found = value(1.0 / s**2)
        if abs(found - goal) <= _CLOSE:
            return 0.0
        return float(ndtri(max(found, 1e-300) / 2.0) - wanted)

    low = high = 1.0 / math.sqrt(most)
    while excess(high) > 0.0:
        low, high = high, 2.0 * high
    if low == high:
        return most
    s = float(brentq(excess, low, high, xtol=1e-15, rtol=1e-14))
    return 1.0 / s**2
