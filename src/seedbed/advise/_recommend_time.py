"""How long one run of k-means takes on this data and this machine, told from a sample of the rows.

The only place of the adviser that looks at a clock: it turns work into seconds and back.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
from seedbed._validation import Points
from seedbed.init._auto_evidence import STANDARD, Shape
from seedbed.kmeans import KMeans
from seedbed.kmeans._runs import too_few_distinct

SAMPLE_WORK = 4e6
"""Rows × features × clusters of the sample, per thread: some ten milliseconds."""
LEAST_ROWS = 20
"""Of the sample, for each cluster."""
GROWTH = 0.1
"""Iterations grow with the rows, about as their number to this power."""


def seconds_of_a_run(points: Points, n_clusters: int, n_threads: int) -> float:
    """What one run of greedy k-means++ and k-means takes on all rows, about."""
    rows = sample_rows(points, n_clusters, n_threads)
    x = np.ascontiguousarray(points.x[rows])
    weight = None if points.weight is None else points.weight[rows]
    model = KMeans(n_clusters, init=STANDARD, n_init=1, random_state=0, n_threads=n_threads)

    def measured() -> float:
        began = time.perf_counter()
        model.fit(x, sample_weight=weight)
        return time.perf_counter() - began

    taken = min(measured() for _ in range(2))  # the first one may have to wake things up
    return float(taken * (points.n / len(rows)) ** (1 + GROWTH))


def sample_rows(points: Points, n_clusters: int, n_threads: int) -> NDArray[np.intp]:
    """Rows at equal distances, and as many distinct ones as there are clusters."""
    kept = points.of_positive_weight(n_threads)
    distinct = distinct_rows(kept.data, n_clusters)
    if len(distinct) < n_clusters:
        raise too_few_distinct(len(distinct), n_clusters)
    per_row = Shape(n=1, d=points.d, k=n_clusters).work
    wanted = max(LEAST_ROWS * n_clusters, int(SAMPLE_WORK * n_threads / per_row))
    even = np.linspace(0, kept.n - 1, min(wanted, kept.n)).astype(np.intp)
    rows = np.union1d(even, distinct).astype(np.intp)
    return rows if kept.kept is None else kept.kept[rows]
