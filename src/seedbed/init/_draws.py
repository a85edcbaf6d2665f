"""Drawing rows with probability proportional to a mass, and a range in which squares are safe."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import largest_magnitude, mean_of_attributes
from seedbed._core._search import nearest
from seedbed._validation import FloatArray, Points, points_of

_SAFE_EXPONENT = (
    128  # powers of two within which squares and their sums neither overflow nor vanish
)


@dataclass(frozen=True, eq=False)
class Plain:
    """Points that squares may be taken of, with weights of one at most: the user's points, or
    those times a power of two where their values are extreme."""

    points: Points
    mass: NDArray[np.float64]
    exponent: int  # the user's values are these times two to this power

    def restored(self, centers: FloatArray) -> FloatArray:
        """Centres in the user's units."""
        return np.ldexp(centers, self.exponent) if self.exponent else centers


def plain(points: Points, n_threads: int) -> Plain:
    """The points in a range where arithmetic on squares is safe."""
    exponent = _extreme_exponent(largest_magnitude(points.data))
    mass = np.ones(points.n)
    weight = points.weight
    if weight is not None:
        heaviest = float(weight.max())
        mass = np.ldexp(weight, -math.frexp(heaviest)[1])
        if _extreme_exponent(heaviest):
            weight = mass
    if exponent or weight is not points.weight:
        x = np.ldexp(points.x, -exponent) if exponent else points.x
        points = points_of(x, weight, n_threads=n_threads)
    return Plain(points, mass, exponent)


def _extreme_exponent(value: float) -> int:
    exponent = math.frexp(value)[1]
    return exponent if abs(exponent) > _SAFE_EXPONENT else 0


def draw(cumulative: NDArray[np.float64], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each uniform number u the first row at which the running sum of masses exceeds u times
    their total: a row of mass zero is never drawn."""
    rows: Any = np.searchsorted(cumulative, uniforms * cumulative[-1], side="right")
    drawn: NDArray[np.int64] = np.minimum(rows, np.searchsorted(cumulative, cumulative[-1]))
    return drawn


def draw_one(mass: NDArray[np.float64], rng: np.random.Generator) -> int:
    """A row with probability proportional to its mass."""
    return int(draw(np.cumsum(mass), rng.random(1))[0])


def draw_by_weight(safe: Plain, rng: np.random.Generator) -> int:
    """A row with probability proportional to its weight; the row that `draw_one` would draw."""
    if safe.points.weight is None:
        return min(safe.points.n - 1, int(rng.random() * safe.points.n))
    return draw_one(safe.mass, rng)


def mean_of(points: Points) -> FloatArray:
    """The weighted mean of the rows, 1 × features."""
    mean: Any = mean_of_attributes(points.data, 1).astype(points.x.dtype)
    return mean[np.newaxis]  # type: ignore[no-any-return]


def squares_about(points: Points, center: FloatArray, n_threads: int) -> NDArray[np.float64]:
    """Squared distances of all rows to one centre, 1 × features."""
    return nearest(points.data, center, n_threads).squares
