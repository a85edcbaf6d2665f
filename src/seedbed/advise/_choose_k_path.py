"""Solutions for one number of clusters after the other, each from the one before.

The solution with fewer clusters is grown: the clusters whose division lowers the SSE most are cut
across their principal axis, as PCA-Part does. k-means goes on from there, and from some fresh
starts; the best is kept. As cutting a cluster never raises the SSE, it never rises with K.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from seedbed._core._engine import Run
from seedbed._validation import FloatArray, Points
from seedbed.exceptions import DistinctRowsError
from seedbed.init import Method, PCAPart
from seedbed.kmeans._runs import run_points


@dataclass(frozen=True, eq=False)
class Solution:
    """The clustering that was kept for one K. ``grown``: it came from the one before, and not from
    a fresh start."""

    k: int
    centers: FloatArray
    labels: npt.NDArray[np.int32]
    sse: float
    n_iter: int
    grown: bool


@dataclass(frozen=True, eq=False)
class Search:
    """How solutions are found: the method and number of fresh starts, and the rules of k-means.

    ``stream(k, r)`` gives the random numbers of fresh start r for k clusters.
    """

    method: Method
    runs: int
    stream: Callable[[int, int], np.random.Generator]
    kmeans: dict[str, Any]
    n_threads: int

    def along(self, points: Points, ks: Sequence[int]) -> Iterator[Solution]:
        """The solutions for increasing numbers of clusters."""
        before: Solution | None = None
        for k in ks:
            grown = None if before is None else self._grow(points, before, k)
            before = self._best(points, k, grown)
            yield before

    def _best(self, points: Points, k: int, grown: FloatArray | None) -> Solution:
        starts = [self._fresh(points, k, r) for r in range(self._fresh_runs(grown))]
        if grown is not None:
            starts.insert(0, grown)
        runs = self._kmeans(points, starts)
        best = min(range(len(runs)), key=lambda r: runs[r].sse)
        return _solution(k, runs[best], grown=grown is not None and best == 0)

    def _fresh_runs(self, grown: FloatArray | None) -> int:
        if self.method.deterministic:
            return 1 if self.runs or grown is None else 0
        return self.runs if grown is not None else max(1, self.runs)

    def _fresh(self, points: Points, k: int, r: int) -> FloatArray:
        seeds = self.method.seed_points(
            points, k, random_state=self.stream(k, r), n_threads=self.n_threads, strict=True
        )
        return seeds.centers

    def _kmeans(self, points: Points, starts: list[FloatArray]) -> tuple[Run, ...]:
        cube = cast(FloatArray, np.stack(starts))
        return run_points(points, cube, n_threads=self.n_threads, history=False, **self.kmeans)

    def _grow(self, points: Points, before: Solution, k: int) -> FloatArray | None:
        """Centres for k clusters from a solution with fewer, doubled again and again where many
        are missing; None where no cluster can be cut."""
        now = before
        while True:
            centers = split_most(points, now.centers, now.labels, k - now.k, self.n_threads)
            if len(centers) == now.k:
                return None
            if len(centers) == k:
                return centers
            (run,) = self._kmeans(points, [centers])
            now = _solution(len(centers), run, grown=True)


def _solution(k: int, run: Run, *, grown: bool) -> Solution:
    assert run.labels is not None  # the engine keeps those of the best run
    return Solution(k, run.centers, run.labels, run.sse, run.n_iter, grown)


def split_most(
    points: Points,
    centers: FloatArray,
    labels: npt.NDArray[np.int32],
    count: int,
    n_threads: int,
) -> FloatArray:
    """Cut in two up to ``count`` of the clusters, those whose cut lowers the SSE most; the new
    centres come last."""
    halves: dict[int, FloatArray] = {}
    gains: dict[int, float] = {}
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=len(centers)))
    for cluster, rows in enumerate(np.split(order, ends[:-1])):
        if len(rows) < 2:
            continue
        try:
            found = PCAPart().seed_points(
                points.take(rows, n_threads), 2, n_threads=n_threads, strict=True
            )
        except DistinctRowsError:
            continue  # its rows are all the same
        halves[cluster] = found.centers
        gains[cluster] = found.info["splits"][0].sse - float(found.info["errors"].sum())
    chosen = sorted(gains, key=lambda cluster: -gains[cluster])[:count]
    grown = centers.copy()
    for cluster in chosen:
        grown[cluster] = halves[cluster][0]
    return cast(FloatArray, np.concatenate([grown, *(halves[c][1:] for c in chosen)]))
