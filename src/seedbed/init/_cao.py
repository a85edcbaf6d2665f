"""Cao, Liang and Jiang's neighbourhood model: seeds whose neighbourhoods hold together and hardly
overlap.

Neighbourhoods are rows of bits, N²/8 bytes in all. The published description leaves open how the
radius is chosen; the default here is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import Frame, distinct_frame, n_max_parameter
from seedbed.init._pairs import Floats, Pairs, squares_to
from seedbed.init._registry import register

_WORD = 64


@register
@dataclass(frozen=True, kw_only=True)
class Cao(Method):
    """Rows by decreasing cohesion, passing over those coupled with a seed chosen before.

    The neighbourhood δ(x) of a row is all rows within ``epsilon``. Cohesion is the share of rows
    whose neighbourhood lies inside δ(x) among those whose neighbourhood meets it; coupling of two
    rows is the share of common rows in both their neighbourhoods. Sizes are sums of weights. Equal
    cohesion: the larger neighbourhood first, then the tighter one, then the row nearer the mean. A
    row alone in its neighbourhood is never chosen, although its cohesion is perfect.

    Where too few rows remain, ``coupling_max`` is raised by half again and again up to 1, and then
    the farthest rows are added; ``info`` has the values used, and ``shortfall``.
    """

    meta = Meta(
        id="cao",
        name="Cao",
        aliases=("cao-liang-jiang", "neighborhood", "neighbourhood"),
        family="quadratic",
        reference=Reference(
            authors="Cao, F., Liang, J. & Jiang, G.",
            title="An initialization method for the K-means algorithm using neighborhood model",
            venue="Computers & Mathematics with Applications 58, 474–483",
            year=2009,
        ),
        summary="rows whose neighbourhoods hold together and hardly overlap",
        complexity="O(N²D) distances and N²/64 words per neighbour of a row",
        cost="quadratic",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="on data scaled to [0, 1] with well separated clusters of similar density",
        avoid="with many dimensions or uneven densities: one radius does not suit all clusters",
    )

    epsilon: float | None = parameter(
        None,
        "radius of a neighbourhood; None for the mean distance to the ⌈N/10K⌉-th neighbour",
        allowed="None or a number > 0",
        accepts=lambda v: v is None or (isinstance(v, int | float) and 0 < v < np.inf),
    )
    coupling_max: float | None = parameter(
        None,
        "coupling from which a row is passed over; None for epsilon as a share of the widest "
        "attribute's range (the paper has one number for both, on [0, 1] data), within 0.05 to 0.5",
        allowed="None or a number in (0, 1]",
        accepts=lambda v: v is None or (isinstance(v, int | float) and 0 < v <= 1),
    )
    n_max: int = n_max_parameter(10_000)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        frame = distinct_frame(points, self.n_max, self.meta.id, n_threads)
        if self.epsilon is None:
            epsilon = _neighbour_distance(frame, n_clusters)
        else:
            epsilon = frame.length_here(self.epsilon)
        near = _Neighbourhoods(frame, epsilon)
        chosen, first, last = near.choose(n_clusters, self._coupling(frame, epsilon))
        return frame.row_seeds(
            chosen,
            n_clusters,
            n_threads,
            epsilon=frame.length(epsilon),
            coupling_max=first,
            coupling_used=last,
            cohesion=near.cohesion[chosen],
        )

    def _coupling(self, frame: Frame, epsilon: float) -> float:
        if self.coupling_max is not None:
            return float(self.coupling_max)
        widest = float(np.ptp(frame.x, axis=0).max()) or 1.0
        return min(max(epsilon / widest, 0.05), 0.5)


def _one_row(mass: Floats) -> float:
    """What counts as one row where weights are fractions."""
    return min(1.0, float(mass.sum()) / len(mass))


def _neighbour_distance(frame: Frame, n_clusters: int) -> float:
    """The mean distance to the ⌈N/10K⌉-th neighbour, counting w neighbours in a row of weight w."""
    mass, one = frame.mass, _one_row(frame.mass)
    total = float(mass.sum())
    rank = math.ceil(total / one / (10 * n_clusters))
    reach = np.empty(len(mass))
    for block, pair in Pairs(frame.x).squares():
        if frame.points.weight is None:
            at = min(rank, len(mass) - 1)  # the row itself comes first
            reach[block] = np.partition(pair, at, axis=1)[:, at]
        else:
            order = pair.argsort(axis=1)
            counted = mass[order].cumsum(axis=1) < (rank + 1) * one * (1 - 1e-12)
            at = np.minimum(counted.sum(axis=1), len(mass) - 1)
            rows = np.arange(len(pair))
            reach[block] = pair[rows, order[rows, at]]
    return float(mass @ np.sqrt(reach)) / total


class _Neighbourhoods:
    """Who is near whom, as bits, and the cohesion of every row."""

    def __init__(self, frame: Frame, epsilon: float) -> None:
        self.mass, self.n = frame.mass, frame.points.n
        self.one = _one_row(self.mass)
        padded = -(-self.n // _WORD) * _WORD
        self.bits = np.zeros((self.n, padded // 8), dtype=np.uint8)
        reach = np.empty(self.n)
        for block, pair in Pairs(frame.x).squares():
            np.sqrt(pair, out=pair)
            near = pair <= epsilon
            packed = np.packbits(near, axis=1)
            self.bits[block, : packed.shape[1]] = packed
            reach[block] = np.where(near, pair * self.mass, 0.0).sum(axis=1)
        self.words = self.bits.view(np.uint64)
        self.size, self.cohesion = np.empty(self.n), np.empty(self.n)
        for row in range(self.n):
            self._measure(row)
        self.tightness = reach / self.size
        self.to_mean = squares_to(frame.x, frame.mean())

    def members(self, rows: Any) -> NDArray[np.uint8]:
        """Neighbourhoods as zeros and ones."""
        return np.unpackbits(self.bits[rows], axis=-1, count=self.n)

    def _measure(self, row: int) -> None:
        """Size and cohesion of one neighbourhood.

        A neighbourhood inside δ(x) belongs to a member of δ(x), and one that meets δ(x) to a
        neighbour of a member.
        """
        own = np.flatnonzero(self.members(row))
        theirs = self.words[own]
        inside = ~(theirs & ~self.words[row]).any(axis=1)
        meeting = np.bitwise_or.reduce(theirs, axis=0).view(np.uint8)
        upper = self.mass[np.unpackbits(meeting, count=self.n).view(bool)].sum()
        self.size[row] = self.mass[own].sum()
        self.cohesion[row] = self.mass[own[inside]].sum() / upper

    def coupling(self, row: int) -> Floats:
        """The coupling of every row with this one."""
        own = np.flatnonzero(self.members(row))
        common = np.zeros(self.n)
        for other in own:  # neighbourhood is mutual: who has `other` near is near `other`
            common += self.mass[other] * self.members(other)
        shares: Floats = common / (self.size + self.size[row] - common)
        return shares

    def choose(self, n_clusters: int, coupling_max: float) -> tuple[list[int], float, float]:
        """The rows chosen, and the first and the last bound on their coupling."""
        order = np.lexsort((self.to_mean, self.tightness, -self.size, -self.cohesion))
        free = (self.size >= 2 * self.one * (1 - 1e-12))[order]
        coupled = np.zeros(self.n)
        chosen, bound = list[int](), coupling_max
        while len(chosen) < n_clusters:
            allowed = np.flatnonzero(free & (coupled[order] < bound))
            if len(allowed):
                row = int(order[allowed[0]])
                free[allowed[0]] = False
                chosen.append(row)
                np.maximum(coupled, self.coupling(row), out=coupled)
            elif bound < 1.0:
                bound = min(1.0, 1.5 * bound)
            else:
                break
        return chosen, coupling_max, bound
