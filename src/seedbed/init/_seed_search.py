"""What searches over sets of rows share: the error a set ends in, and D² draws of one more row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._search import nearest
from seedbed._core._seeding import draw_seeds
from seedbed.init._frame import Frame
from seedbed.init._inner import run_inner
from seedbed.init._shortfall import add_distinct, draw_by_mass

Rows = NDArray[np.int64]


class SeedSearch:
    """Sets of ``n_clusters`` rows of a frame, judged by the error after k-means."""

    def __init__(self, frame: Frame, n_clusters: int, n_threads: int, max_iter: int = 100) -> None:
        self.frame, self.n_clusters, self.n_threads = frame, n_clusters, n_threads
        self.max_iter = max_iter
        self.runs = 0

    def errors(self, sets: Rows) -> NDArray[np.float64]:
        """The error after k-means from each of the sets (a row each)."""
        starts: Any = self.frame.x[sets]
        ended = run_inner(self.frame.points, starts, self.n_threads, max_iter=self.max_iter)
        self.runs += len(ended)
        return np.array([run.sse for run in ended])

    def plus_plus(self, rng: np.random.Generator) -> Rows:
        """A set of k-means++ seeds."""
        points = self.frame.points
        drawn = draw_seeds(points.data, rng.random((self.n_clusters, 1)), self.n_threads)
        return add_distinct(points, drawn.rows, self.n_clusters)[0]

    def completed(self, rows: Rows, rng: np.random.Generator) -> Rows | None:
        """The rows and as many D² draws as are missing; None where every row coincides with one."""
        data, mass = self.frame.points.data, self.frame.mass
        squares = None
        while len(rows) < self.n_clusters:
            fresh = rows if squares is None else rows[-1:]
            if len(fresh):
                near = nearest(data, self.frame.x[fresh], self.n_threads).squares
                squares = near if squares is None else np.minimum(squares, near)
            drawn = draw_by_mass(mass if squares is None else mass * squares, 1, rng)
            if not len(drawn):
                return None
            rows = np.append(rows, drawn)
        return rows

    def replaced(self, rows: Rows, slot: int, rng: np.random.Generator) -> Rows:
        """The set with one seed replaced by a D² draw (which may draw the same row again)."""
        found = self.completed(np.delete(rows, slot), rng)
        moved = rows.copy()
        if found is not None:
            moved[slot] = found[-1]
        return moved
