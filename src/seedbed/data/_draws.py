"""The stream of random data sets from which the study's synthetic ones are taken.

Draw number t of a seed is a function of the two alone: a cell of the published grid, a mixture,
and points of it. Everything but the common factor of the covariances comes from uniform numbers by
plain IEEE arithmetic and square roots, which is the same to the last bit on every machine. The
factor is the root of an equation with logarithms in it; once found it is kept (`_synthetic_index`),
so that data sets can be made again without solving for it.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seedbed._core._overlap import FloatArray
from seedbed._random import generator
from seedbed._scaling import Scaling
from seedbed.data._complexity import complexity
from seedbed.data._factor import Shortfall, Target, find_factors
from seedbed.data._mixture import Mixture, draw_components
from seedbed.data._overlap import model_of
from seedbed.data._sample import draw_sample

MEAN_OVERLAPS = (0.025, 0.05, 0.1, 0.2)
SIZES = (1024, 4096, 16384, 65536)
FEATURES = (2, 4, 8, 16, 32, 64)
CLUSTERS = (2, 4, 6, 8, 10, 12)

SCALINGS = ("common", "minmax", "none")
_STREAM = 0x6D697873  # keeps these random numbers apart from all others of the seed


@dataclass(frozen=True)
class Cell:
    """A cell of the grid from which the study drew its data sets."""

    mean_overlap: float
    n_samples: int
    n_features: int
    n_clusters: int


@dataclass(frozen=True, eq=False)
class Points:
    """The points of a draw, their classes, and the true centres, all on one scale."""

    X: FloatArray
    y: npt.NDArray[np.int32]
    centers: FloatArray

    def digest(self) -> int:
        """64 bits of a hash of the points and classes, to tell whether bytes are the same."""
        if sys.byteorder != "little":
            raise NotImplementedError("digests are defined for little-endian machines")
        made = hashlib.blake2b(self.X.data, digest_size=8)
        made.update(self.y.data)
        return int.from_bytes(made.digest(), "little")


class Draw:
    """Draw ``number`` of the stream of ``seed``: its cell, and its mixture before scaling."""

    def __init__(self, seed: int, number: int) -> None:
        self._rng = generator(seed, _STREAM, number)
        axes = (MEAN_OVERLAPS, SIZES, FEATURES, CLUSTERS)
        chosen = [
            axis[int(u * len(axis))] for axis, u in zip(axes, self._rng.random(4), strict=True)
        ]
        overlap, n, d, k = chosen
        self.cell = Cell(float(overlap), int(n), int(d), int(k))
        self._means, self._covariances = draw_components(self._rng, int(k), int(d))
        self._state = self._rng.bit_generator.state

    def find_factor(self) -> float | Shortfall:
        """The common factor that gives the cell's mean overlap, or the most that can be had."""
        k = self.cell.n_clusters
        found = find_factors(
            model_of(self._means, self._covariances),
            np.full(k, 1.0 / k),
            Target(self.cell.mean_overlap, None),
        )
        return found if isinstance(found, Shortfall) else float(found[0])

    def mixture(self, factor: float) -> Mixture:
        k = self.cell.n_clusters
        return Mixture(np.full(k, 1.0 / k), self._means, factor * self._covariances)

    def points(self, mixture: Mixture, scaling: str = "common") -> Points:
        """Points of the mixture. "common" moves them into [0, 1] by one factor for all attributes,
        which leaves every partition as it was; "minmax" stretches each attribute to [0, 1]."""
        self._rng.bit_generator.state = self._state  # so that every call gives the same points
        X, y = draw_sample(self._rng, mixture, self.cell.n_samples)
        if scaling == "none":
            return Points(X, y, mixture.means)
        found = Scaling.of(X, "minmax")
        if scaling == "common":
            found = Scaling("minmax", found.offset, np.full_like(found.unit, found.unit.max()))
        return Points(found.apply(X), y, found.apply(mixture.means))


@dataclass(frozen=True)
class Outcome:
    """What became of a draw. ``complexity`` is None where the overlap cannot be had."""

    number: int
    factor: float
    complexity: float | None
    digest: int


def judge(seed: int, number: int) -> Outcome:
    """Make a draw from scratch and measure its complexity, on one thread."""
    draw = Draw(seed, number)
    factor = draw.find_factor()
    if isinstance(factor, Shortfall):
        return Outcome(number, 0.0, None, 0)
    points = draw.points(draw.mixture(factor))
    omega = complexity(points.X, points.y, points.centers, n_threads=1)
    return Outcome(number, factor, omega, points.digest())
