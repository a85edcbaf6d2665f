"""The least possible error: dynamic programming on a line, enumeration for a handful of rows.

On a line the clusters of an optimal solution are intervals (Fisher 1958), so that the best k
intervals of the first j values follow from the best k − 1 of fewer; the best last cut moves right
with j, which lets one halving search serve all j (O(N log N) for each k). Elsewhere the problem is
NP-hard, and all partitions of up to ``n_max`` rows are compared, subset by subset.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows, label_means
from seedbed._validation import Points, is_integer
from seedbed.exceptions import TooManyRowsError
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import distinct_frame
from seedbed.init._pairs import Floats
from seedbed.init._registry import register

Ints = NDArray[np.int64]


@register
@dataclass(frozen=True, kw_only=True)
class Optimal(Method):
    """The means of a partition of least squared error, where that can be computed.

    ``info["sse"]`` has the least error for every number of clusters up to K.
    """

    meta = Meta(
        id="optimal",
        name="Exact optimum",
        aliases=("exact", "natural-breaks", "jenks"),
        family="other",
        reference=Reference(
            authors="Fisher, W. D.",
            title="On grouping for maximum homogeneity",
            venue="Journal of the American Statistical Association 53, 789–798",
            year=1958,
            doi="10.1080/01621459.1958.10501479",
        ),
        summary="the least possible error, on a line or for a handful of rows",
        complexity="O(KN log N) on a line, O(K·3ᴺ) elsewhere",
        cost="other",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for a single attribute of any length (natural breaks of a map, thresholds of an "
        "image), and as a yardstick in tests",
        avoid="nothing on a line; elsewhere it refuses more than a dozen distinct rows",
    )

    n_max: int = parameter(
        12,
        "distinct rows up to which partitions are compared where more than one attribute varies; "
        "each further row triples the time",
        allowed="an int between 1 and 15",
        accepts=lambda v: is_integer(v) and 1 <= v <= 15,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        varying = np.flatnonzero(points.x.min(axis=0) != points.x.max(axis=0))
        on_a_line = len(varying) <= 1
        if not on_a_line and len(distinct_rows(points.data, self.n_max + 1)) > self.n_max:
            raise _refusal(points, len(varying), self.n_max)
        frame = distinct_frame(points, points.n, self.meta.id, n_threads)
        if on_a_line:
            values: Floats = frame.x[:, varying[0]] if len(varying) else frame.x[:, 0]
            labels, errors = best_intervals(values, frame.mass, n_clusters)
        else:
            labels, errors = best_partition(frame.x, frame.mass, n_clusters)
        means: Any = label_means(frame.points.data, labels, n_clusters)
        way = "dynamic programming" if on_a_line else "enumeration"
        info = {"way": way, "sse": frame.squares(errors)}
        return frame.mean_seeds(means, n_clusters, n_threads, **info)


def _refusal(points: Points, varying: int, n_max: int) -> TooManyRowsError:
    return TooManyRowsError(
        f"optimal compares all partitions of at most n_max={n_max} distinct rows where more than "
        f"one attribute varies, and X has more (of {points.n} rows, {varying} attributes that "
        "vary); the problem is NP-hard. Give it a single attribute, or take a method that comes "
        "close: 'global-k-means' for small data, 'global-k-means++' for larger",
        n_max,
    )


def best_intervals(
    values: Floats, mass: Floats, n_clusters: int
) -> tuple[NDArray[np.int32], Floats]:
    """Labels of least error for values on a line, and the least error for 1..n_clusters."""
    order = np.argsort(values, kind="stable")
    cost = _IntervalCost(values[order], mass[order])
    n = len(values)
    best = cost(np.zeros(n, dtype=np.int64), np.arange(n))
    errors, cuts = [best[-1]], list[Ints]()
    for k in range(2, n_clusters + 1):
        best, cut = _one_more_interval(best, cost, k)
        cuts.append(cut)
        errors.append(best[-1])
    labels, end = np.empty(n, dtype=np.int32), n
    for k in range(n_clusters - 1, 0, -1):
        start = int(cuts[k - 1][end - 1])
        labels[start:end] = k
        end = start
    labels[:end] = 0
    return labels[np.argsort(order, kind="stable")], np.array(errors)


class _IntervalCost:
    """The squared error of values i..j about their mean, from sums over prefixes."""

    def __init__(self, values: Floats, mass: Floats) -> None:
        middle = values[np.searchsorted(mass.cumsum(), mass.sum() / 2)]
        values = values - middle  # small sums of small squares lose least
        self.mass, self.first, self.second = (
            np.concatenate([[0.0], np.cumsum(mass * power)])
            for power in (np.ones_like(values), values, np.square(values))
        )

    def __call__(self, i: Ints, j: Ints) -> Floats:
        mass = self.mass[j + 1] - self.mass[i]
        first = self.first[j + 1] - self.first[i]
        second = self.second[j + 1] - self.second[i]
        error: Floats = np.where(i == j, 0.0, np.maximum(second - first * first / mass, 0.0))
        return error


def _one_more_interval(best: Floats, cost: _IntervalCost, k: int) -> tuple[Floats, Ints]:
    """The least error of the first j values in k intervals, and where the last one starts.

    ``best`` is the same for k − 1. The middle of each open range of j is solved first, all ranges
    at once; its cut bounds those of the halves on either side.
    """
    n = len(best)
    found, cut = np.full(n, np.inf), np.zeros(n, dtype=np.int64)
    low, high = np.array([k - 1]), np.array([n - 1])  # ranges of j still to be solved
    left, right = np.array([k - 1]), np.array([n - 1])  # and of their cuts
    while len(low):
        middle = (low + high) // 2
        last = np.minimum(right, middle)
        counts = last - left + 1
        ends = np.cumsum(counts)
        starts = ends - counts
        cuts = np.arange(ends[-1]) - np.repeat(starts - left, counts)
        error = best[cuts - 1] + cost(cuts, np.repeat(middle, counts))
        found[middle] = np.minimum.reduceat(error, starts)
        ties = np.flatnonzero(error == np.repeat(found[middle], counts))
        owner = np.repeat(np.arange(len(low)), counts)[ties]
        _, earliest = np.unique(owner, return_index=True)
        cut[middle] = cuts[ties[earliest]]
        at = cut[middle]
        low, high, left, right = (
            np.concatenate(both)
            for both in ((low, middle + 1), (middle - 1, high), (left, at), (at, right))
        )
        open_ranges = low <= high
        low, high, left, right = (a[open_ranges] for a in (low, high, left, right))
    return found, cut


def best_partition(x: Floats, mass: Floats, n_clusters: int) -> tuple[NDArray[np.int32], Floats]:
    """Labels of least error among all partitions, and the least error for 1..n_clusters.

    Sets of rows are numbers whose bits say who is in. The best k clusters of a set are one that
    has its lowest row, and the best k − 1 of the rest.
    """
    single = _subset_errors(x, mass)
    sets, parts = _nested_pairs(len(x))
    starts = np.flatnonzero(np.diff(sets, prepend=-1))
    cost, rest = single[parts], sets ^ parts
    best, chosen, errors = single.copy(), list[Ints](), [single[-1]]
    for _ in range(1, n_clusters):
        best[0] = np.inf  # no cluster is empty
        total = cost + best[rest]
        best = np.concatenate([[np.inf], np.minimum.reduceat(total, starts)])
        first = np.flatnonzero(total == best[sets])
        found, place = np.unique(sets[first], return_index=True)
        choice = np.zeros(len(single), dtype=np.int64)
        choice[found] = parts[first[place]]
        chosen.append(choice)
        errors.append(best[-1])
    labels, left = np.zeros(len(x), dtype=np.int32), len(single) - 1
    for k in range(n_clusters - 1, 0, -1):
        part = int(chosen[k - 1][left])
        labels[[i for i in range(len(x)) if part >> i & 1]] = k
        left ^= part
    return labels, np.array(errors)


def _subset_errors(x: Floats, mass: Floats) -> Floats:
    """The squared error of every set of rows about its mean, from pairs: Σ w w' d² / Σ w."""
    error, total = np.zeros(1), np.zeros(1)
    for i, row in enumerate(x):
        to_row = np.zeros(1)
        for m, square in zip(mass[:i], np.square(x[:i] - row).sum(axis=1), strict=True):
            to_row = np.concatenate([to_row, to_row + m * square])
        error = np.concatenate([error, error + mass[i] * to_row])
        total = np.concatenate([total, total + mass[i]])
    total[0] = 1.0
    return error / total


def _nested_pairs(n: int) -> tuple[Ints, Ints]:
    """All pairs (set, part of it that has its lowest row), in order of the sets."""
    sets, parts = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for i in range(n):
        bit = 1 << i
        sets = np.concatenate([sets, sets | bit, sets | bit])
        parts = np.concatenate([parts, parts, parts | bit])
    kept = (sets & -sets & parts) != 0
    sets, parts = sets[kept], parts[kept]
    order = np.argsort(sets, kind="stable")
    return sets[order], parts[order]
