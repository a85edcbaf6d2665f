"""How long one run of k-means takes on this data and this machine, told from a sample of the rows.

The only place of the adviser that looks at a clock: it turns work into seconds and back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
from seedbed._validation import Points
from seedbed.init._auto_evidence import STANDARD, Shape
from seedbed.kmeans import KMeans
from seedbed.kmeans._runs import too_few_distinct

SAMPLE_WORK = 4e6
"""Rows × features × clusters of the sample, per thread: some ten milliseconds."""
ROWS_PER_CLUSTER = 20
"""Of the sample, at least; with very many clusters it has fewer of both."""
GROWTH = 0.1
"""Iterations grow with the rows, about as their number to this power."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows to measure on, and how many clusters to make of them."""

    rows: NDArray[np.intp]
    n_clusters: int


def seconds_of_a_run(
    points: Points,
    n_clusters: int,
    n_threads: int,
    *,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """What one run of greedy k-means++ and k-means takes on all rows, about."""
    sample = sample_of(points, n_clusters, n_threads)
    x = np.ascontiguousarray(points.x[sample.rows])
    weight = None if points.weight is None else points.weight[sample.rows]
    model = KMeans(sample.n_clusters, init=STANDARD, n_init=1, random_state=0, n_threads=n_threads)

    def measured() -> float:
        began = clock()
        model.fit(x, sample_weight=weight)
        return clock() - began

    taken = min(measured() for _ in range(2))  # the first one may have to wake things up
    more_rows = (points.n / len(sample.rows)) ** (1 + GROWTH)
    return float(taken * more_rows * n_clusters / sample.n_clusters)


def sample_of(points: Points, n_clusters: int, n_threads: int) -> Sample:
    """Rows at equal distances, and as many distinct ones as there are clusters to be made."""
    kept = points.of_positive_weight(n_threads)
    distinct = distinct_rows(kept.data, n_clusters)
    if len(distinct) < n_clusters:
        raise too_few_distinct(len(distinct), n_clusters)
    work = SAMPLE_WORK * n_threads / Shape(n=1, d=points.d, k=1).work
    fewer = max(2, int(math.sqrt(work / ROWS_PER_CLUSTER)))
    k = min(n_clusters, fewer)
    n = min(kept.n, max(ROWS_PER_CLUSTER * k, int(work / k)))
    even = np.linspace(0, kept.n - 1, n).astype(np.intp)
    rows = np.union1d(even, distinct[:k]).astype(np.intp)
    return Sample(rows if kept.kept is None else kept.kept[rows], k)
