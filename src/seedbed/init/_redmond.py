"""Redmond and Heneghan's method: the buckets of a kd-tree say where the data are dense, and seeds
are the means of buckets that are dense and far apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from seedbed._core._seeding import label_means
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import Frame, frame
from seedbed.init._inner import run_inner
from seedbed.init._registry import register
from seedbed.init._shortfall import add_farthest

_BUCKETS_PER_SEED = 10
_SPARSE = 5  # one bucket in so many is left out of the second set of seeds


@register
@dataclass(frozen=True, kw_only=True)
class RedmondHeneghan(Method):
    """Means of kd-tree buckets, each next one with the greatest distance times rank of density.

    Two sets of seeds are made, one of all buckets and one without the sparsest fifth, which keeps
    outliers away; k-means is run from both, and the seeds of the better run are returned.
    """

    meta = Meta(
        id="redmond-heneghan",
        name="Redmond–Heneghan",
        aliases=("redmond", "kd-tree-density"),
        family="loglinear",
        reference=Reference(
            authors="Redmond, S. J. & Heneghan, C.",
            title="A method for initialising the K-means clustering algorithm using kd-trees",
            venue="Pattern Recognition Letters 28, 965–973",
            year=2007,
            doi="10.1016/j.patrec.2007.01.001",
        ),
        summary="means of kd-tree buckets that are dense and far apart",
        complexity="O(DN log N), and two runs of k-means (none with mode='trim')",
        cost="loglinear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for one good start, always the same, with few attributes and uneven density",
        avoid="with many attributes, where volumes say little; or with mode='both' where time is "
        "short",
    )

    mode: str = parameter(
        "both",
        "'both' sets of seeds compared by a run of k-means each, or 'trim' for the one without the "
        "sparsest buckets and no run",
        allowed="'both' or 'trim'",
        accepts=lambda v: isinstance(v, str) and v in ("both", "trim"),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        scaled = frame(points, n_threads)
        buckets = _buckets(scaled, n_clusters)
        dense = buckets.rank > len(buckets.rank) // _SPARSE
        used = [dense] if self.mode == "trim" else [np.ones_like(dense), dense]
        sets = [
            add_farthest(points, scaled.centers(_spread(buckets, use, n_clusters)), n_clusters)
            for use in used
        ]
        best = 0
        if len(sets) > 1:
            starts: Any = np.stack([centers for centers, _ in sets])
            runs = run_inner(points, starts, n_threads)
            best = min(range(len(sets)), key=lambda i: (runs[i].sse, i))
        centers, added = sets[best]
        trimmed = self.mode == "trim" or best == 1
        info = {"buckets": len(buckets.rank), "trimmed": trimmed, "shortfall": len(added)}
        return Seeds(centers, info=info)


class _Buckets(NamedTuple):
    """The leaves of the tree from left to right: their means, and 1 for the sparsest, 2, …"""

    mean: NDArray[np.float64]
    rank: NDArray[np.float64]


def _buckets(scaled: Frame, n_clusters: int) -> _Buckets:
    """Split at the median of the longest side until about ten buckets per cluster are left.

    The least weight counts as a row, so that the unit of weights does not matter.
    """
    weight = None if scaled.points.weight is None else scaled.mass / scaled.mass.min()
    total = float(scaled.points.n if weight is None else weight.sum())
    most = max(2.0, total // (_BUCKETS_PER_SEED * n_clusters))
    labels = np.empty(scaled.points.n, dtype=np.int32)
    masses: list[float] = []
    sides: list[NDArray[np.float64]] = []
    waiting = [_Part(np.arange(scaled.points.n), scaled.x, weight)]
    while waiting:
        part = waiting.pop()
        side = part.x.max(axis=0) - part.x.min(axis=0)
        halves = _split(part, side, most)
        waiting += halves[::-1]
        if not halves:
            labels[part.rows] = len(sides)
            masses.append(part.mass)
            sides.append(side)
    means: Any = label_means(scaled.points.data, labels, len(sides))
    density = np.log2(masses) - _log_volume(np.array(sides))
    # Ranks of equal densities are averaged: nothing else could tell them apart.
    return _Buckets(means, rankdata(density))


class _Part(NamedTuple):
    """Rows of a branch, their values and their weights."""

    rows: NDArray[np.intp]
    x: NDArray[np.float64]
    weight: NDArray[np.float64] | None

    @property
    def mass(self) -> float:
        return float(len(self.rows) if self.weight is None else self.weight.sum())

    def where(self, mask: NDArray[np.bool_]) -> _Part:
        weight = None if self.weight is None else self.weight[mask]
        return _Part(self.rows[mask], self.x[mask], weight)


def _split(part: _Part, side: NDArray[np.float64], most: float) -> list[_Part]:
    """The two halves of a branch; none where it is small enough, or one would be a single row."""
    if part.mass <= most or not side.any():
        return []
    values = part.x[:, side.argmax()]
    middle = np.median(values) if part.weight is None else _weighted_median(values, part.weight)
    left = values <= middle
    if left.all():
        left = values < middle
    halves = [part.where(left), part.where(~left)]
    return halves if min(half.mass for half in halves) >= 2 else []


def _weighted_median(values: NDArray[np.float64], w: NDArray[np.float64]) -> float:
    """The median of values that occur as often as their weights say."""
    order = np.argsort(values, kind="stable")
    until = np.cumsum(w[order])
    at = np.minimum(
        [np.searchsorted(until, until[-1] / 2, side=side) for side in ("left", "right")],
        len(values) - 1,
    )
    return float(values[order[at]].mean())


def _log_volume(side: NDArray[np.float64]) -> NDArray[np.float64]:
    """log₂ of the volume of boxes; a side of zero has the geometric mean of the others.

    A box without any extent has the least volume of those that have one.
    """
    extended = side > 0
    logs = np.log2(side, out=np.zeros_like(side), where=extended)
    count = extended.sum(axis=1)
    volume: NDArray[np.float64] = side.shape[1] * logs.sum(axis=1) / np.maximum(count, 1)
    if count.any():
        volume[count == 0] = volume[count > 0].min()
    return volume


def _spread(buckets: _Buckets, use: NDArray[np.bool_], count: int) -> NDArray[np.float64]:
    """Means of the densest bucket, then of those of greatest distance times rank; may be fewer."""
    mean, rank = buckets.mean[use], buckets.rank[use]
    chosen, nearest = [int(rank.argmax())], np.full(len(mean), np.inf)
    while len(chosen) < count:
        nearest = np.minimum(nearest, np.linalg.norm(mean - mean[chosen[-1]], axis=1))
        score = nearest * rank
        if not score.any():
            break
        chosen.append(int(score.argmax()))
    return mean[chosen]
