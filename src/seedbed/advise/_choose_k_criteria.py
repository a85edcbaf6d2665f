"""Internal criteria of a clustering: silhouettes of some rows, and Calinski and Harabasz's index.

Rousseeuw, P. J. (1987). Silhouettes: a graphical aid to the interpretation and validation of
cluster analysis. Journal of Computational and Applied Mathematics 20, 53–65.

Caliński, T. & Harabasz, J. (1974). A dendrite method for cluster analysis. Communications in
Statistics 3(1), 1–27.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_matrix

from seedbed._validation import Points

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int32]

BLOCK_BYTES = 32 * 2**20  # of distances that are held at a time, about
FEWEST = 16  # rows whose distances are held, for the sums to be quick


def silhouettes(
    points: Points,
    rows: npt.NDArray[np.intp],
    labelings: Sequence[Labels],
    n_threads: int,
    tell: Callable[[int, int], None],
) -> Floats:
    """The silhouette of each of the ``rows`` among all rows, for each of the labelings.

    Distances are computed once for all labelings. A row that is alone in its cluster has 0, as in
    Rousseeuw's paper. ``tell`` is told how many rows are done.
    """
    values = np.empty((len(rows), len(labelings)))
    sizes = [np.bincount(labels) for labels in labelings]
    ends = np.cumsum([len(counts) for counts in sizes])
    members = _members(labelings, ends)
    step = max(FEWEST, BLOCK_BYTES // (8 * points.n))
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        tell(start, len(rows))
        nodes: Any = np.ascontiguousarray(points.x[some])
        sums = np.split(members @ points.data.distances(nodes, n_threads), ends[:-1])
        for place, labels in enumerate(labelings):
            values[start : start + step, place] = _silhouette(
                sums[place], labels[some], sizes[place]
            )
    return values


def _members(labelings: Sequence[Labels], ends: npt.NDArray[np.int64]) -> Any:
    """A matrix with a line for each cluster of each labeling and a one where a row is in it.

    Its product with distances adds them up cluster by cluster, in the order of the rows and, as
    it is kept by columns, in one pass over them.
    """
    firsts = np.concatenate([[0], ends[:-1]])
    lines = np.stack([labels + first for labels, first in zip(labelings, firsts, strict=True)], 1)
    n, width = lines.shape
    starts = np.arange(0, n * width + 1, width)
    return csc_matrix((np.ones(n * width), lines.ravel(), starts), shape=(int(ends[-1]), n))


def _silhouette(sums: Floats, own: Labels, sizes: npt.NDArray[np.int64]) -> Floats:
    """From the sums of the distances of some rows to the members of each cluster."""
    at = np.arange(len(own))
    others = sizes[own] - 1
    inside = sums[own, at] / np.maximum(others, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.where(sizes[:, None] > 0, sums / sizes[:, None], np.inf)  # empty ones are far
    means[own, at] = np.inf
    nearest = means.min(axis=0)
    largest = np.maximum(inside, nearest)
    values = np.divide(nearest - inside, largest, out=np.zeros(len(own)), where=largest > 0.0)
    return np.where(others > 0, values, 0.0)


def mean_and_error(values: Floats, n: int) -> tuple[float, float]:
    """The mean of some of n values, and its standard error: 0 where they are all of them, NaN
    where there is only one."""
    m = len(values)
    if m == n or m == 1:
        return float(values.mean()), 0.0 if m == n else np.nan
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(m) * np.sqrt(1.0 - m / n))


def calinski_harabasz(points: Points, labels: Labels) -> float:
    """Dispersion between clusters over that within, each by its degrees of freedom; infinite where
    there is none within."""
    sizes = np.bincount(labels).astype(np.float64)
    k = len(sizes)
    sums = np.stack([np.bincount(labels, weights=column, minlength=k) for column in points.x.T], 1)
    means = sums / sizes[:, None]
    centre = sums.sum(axis=0) / points.n
    between = float((sizes @ np.square(means - centre)).sum())
    within = float(np.square(points.x - means[labels]).sum())
    if within == 0.0:
        return np.inf
    return between / (k - 1) / (within / (points.n - k))
