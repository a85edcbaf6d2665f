"""Bergmann–Hommel in polynomial time, for tests whose p-value falls with a distance on a line.

Mean-rank tests are such: methods lie at their rank sums, and p depends on the distance alone. For a
distance d let a *run* be methods that are neighbours in the order and span at most d. The largest
|I| with min p >= p(d) is the largest number of pairs within the blocks of a partition into sets
that span at most d. Two exchange arguments (a point inside the range of a larger block may move
there without losing pairs) make it small:

- without a constraint, some best partition consists of runs;
- with methods a and b in one block, some best block is {a, b} and one run, and the rest are runs
  of what is left.

For each d the second is a short dynamic programme per candidate block. Bounds from the first decide
which pairs need it at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_CHUNK = 4096  # candidates at a time: their table stays in the cache


def on_a_line(place: IntArray, log_p: FloatArray) -> FloatArray:
    """Adjusted log p of all pairs, not made monotone.

    Parameters
    ----------
    place : ndarray of int64, shape (n,)
        Where the methods lie; integers, so that distances are exact.
    log_p : ndarray of shape (n * (n - 1) / 2,)
        Of the pairs in the order of the upper triangle; must fall as the distance grows.
    """
    n = len(place)
    order = np.argsort(place, kind="stable")
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = log_p
    matrix = (matrix + matrix.T)[np.ix_(order, order)]
    x = place[order]
    first, second = np.triu_indices(n, 1)
    distances, where = np.unique(x[second] - x[first], return_index=True)
    log_levels = matrix[first, second][where]
    lines = [_Line(x, int(d), float(level)) for d, level in zip(distances, log_levels, strict=True)]
    best = np.full((n, n), -np.inf)
    for line in lines:
        np.maximum(best, line.by_runs(), out=best)
    for line in sorted(lines, key=lambda line: -line.bound):
        line.improve(best)
    best = np.triu(best, 1)
    adjusted = np.empty((n, n))
    adjusted[np.ix_(order, order)] = best + best.T
    return np.minimum(0.0, adjusted[np.triu_indices(n, 1)])


class _Line:
    """Points in ascending order, of which those at most `distance` apart may share a block."""

    def __init__(self, x: IntArray, distance: int, log_level: float) -> None:
        self.n, self.log_level = len(x), log_level
        # the first and last points within reach of each
        self.low = np.searchsorted(x, x - distance, side="left")
        self.high = np.searchsorted(x, x + distance, side="right") - 1
        nothing = np.zeros((self.n, 1), dtype=bool)
        self.before = _most_pairs(self.low, nothing)[:, 0]  # pairs among the first k points
        mirrored = self.n - 1 - self.high[::-1]
        self.after = _most_pairs(mirrored, nothing)[::-1, 0]  # among the points from k on
        self.bound = log_level + np.log(self.before[-1])

    def by_runs(self) -> FloatArray:
        """For all pairs, the best value of a partition into runs one of which holds the pair."""
        start, end = np.indices((self.n, self.n))
        total = self.before[start] + _pairs(end - start + 1) + self.after[end + 1]
        total = np.where((start <= end) & (self.low[end] <= start), total, 0)
        wider = np.maximum.accumulate(total, axis=0)  # runs that start earlier
        wider = np.maximum.accumulate(wider[:, ::-1], axis=1)[:, ::-1]  # and end later
        with np.errstate(divide="ignore"):
            return self.log_level + np.log(wider)

    def improve(self, best: FloatArray) -> None:
        """Raise `best` to the exact value of this distance wherever that could be larger."""
        first, second = np.triu_indices(self.n, 1)
        open_ = (self.low[second] <= first) & (best[first, second] < min(0.0, self.bound))
        first, second = first[open_], second[open_]
        if not len(first):
            return
        removed = np.zeros((self.n, len(first)), dtype=bool)
        removed[first, np.arange(len(first))] = True
        removed[second, np.arange(len(first))] = True
        rest = _most_pairs(self.low, removed)[-1]
        # A block of c methods has 2c - 3 pairs that its c - 2 others do not have without a and b.
        widest = self.high[first] - self.low[second] + 1
        most = self.log_level + np.log(rest + 2 * widest - 3)
        for i in np.flatnonzero(best[first, second] < np.minimum(0.0, most)):
            a, b = int(first[i]), int(second[i])
            count = max(self._best_counts(a, b), default=0)
            best[a, b] = max(best[a, b], self.log_level + np.log(max(count, rest[i] + 1)))

    def _best_counts(self, a: int, b: int) -> Iterator[int]:
        """The most pairs with {a, b} and a run as one block, for some of the runs at a time."""
        low, high = self.low[b], self.high[a]
        start, end = np.triu_indices(high - low + 1)
        start, end = start + low, end + low
        # A run that touches a or b is counted once, as the run that includes it.
        again = (start == a + 1) | (start == b + 1) | (end == a - 1) | (end == b - 1)
        allowed = ~again & (self.low[end] <= start)
        start, end = start[allowed], end[allowed]
        point = np.arange(self.n)[:, None]
        for i in range(0, len(start), _CHUNK):
            block = (point >= start[i : i + _CHUNK]) & (point <= end[i : i + _CHUNK])
            block[[a, b]] = True
            yield int((_most_pairs(self.low, block)[-1] + _pairs(block.sum(axis=0))).max())


def _most_pairs(low: IntArray, removed: NDArray[np.bool_]) -> IntArray:
    """The most pairs within runs of the first k points, for k = 0…n.

    ``low[k]`` is the first point that may share a run with point k. Columns are separate problems,
    each with its own points removed; runs reach over what is removed.
    """
    n, problems = removed.shape
    left = np.zeros((n + 1, problems), dtype=np.int64)
    np.cumsum(~removed, axis=0, out=left[1:])
    best = np.zeros((n + 1, problems), dtype=np.int64)
    for k in range(n):
        start = low[k]
        size = left[k + 1] - left[start : k + 1]
        best[k + 1] = (best[start : k + 1] + _pairs(size)).max(axis=0)
    return best


def _pairs(size: IntArray) -> IntArray:
    return size * (size - 1) // 2
