"""What to do when a method runs out of ways to place seeds before it has placed them all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
from seedbed._validation import FloatArray, Points, as_matrix, points_of
from seedbed.init._draws import draw_one


def add_distinct(
    points: Points, rows: NDArray[np.int64], n_clusters: int
) -> tuple[NDArray[np.int64], int]:
    """Complete chosen rows to ``n_clusters`` by the first rows that differ from them, and how many.

    For methods that stop when every row seems to coincide with a seed: the rows left differ from
    the seeds by so little that the squares of the differences vanish.
    """
    missing = n_clusters - len(rows)
    if missing == 0:
        return rows, 0
    others = distinct_rows(points.data, n_clusters)
    candidates = np.concatenate([rows, others])
    kept = distinct_rows(points.take(candidates).data, n_clusters)
    return candidates[kept], missing


def add_drawn(
    points: Points, centers: FloatArray, n_clusters: int, rng: np.random.Generator
) -> FloatArray:
    """Complete distinct centres to ``n_clusters`` by D² draws from the rows, and by the first rows
    that differ from them where the squares of all differences vanish."""
    x = points.x.astype(np.float64)
    unit = np.abs(x).max() or 1.0  # so that squares neither overflow nor vanish
    mass = np.ones(points.n) if points.weight is None else points.weight / points.weight.max()

    def squares(center: FloatArray) -> NDArray[np.float64]:
        distances: NDArray[np.float64] = np.square((x - center) / unit).sum(axis=1)
        return distances

    found = list(centers)
    nearest = np.min([squares(center) for center in found], axis=0)
    while len(found) < n_clusters:
        if not nearest.any():
            return _add_first(points, np.stack(found), n_clusters)
        row = draw_one(mass * nearest, rng)
        found.append(points.x[row])
        nearest = np.minimum(nearest, squares(points.x[row]))
    completed: FloatArray = np.stack(found)
    return completed


def _add_first(points: Points, centers: FloatArray, n_clusters: int) -> FloatArray:
    candidates: Any = np.concatenate([centers, points.x[distinct_rows(points.data, n_clusters)]])
    completed: FloatArray = candidates[distinct_rows(points_of(candidates, None).data, n_clusters)]
    return completed


def replace_repeats(
    points: Points, centers: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, int]:
    """Distinct centres: D² draws in place of those that coincide with another, and how many."""
    n_clusters = len(centers)
    kept = distinct_rows(points_of(as_matrix(centers), None).data, n_clusters)
    if len(kept) == n_clusters:
        return centers, 0
    return add_drawn(points, centers[kept], n_clusters, rng), n_clusters - len(kept)
