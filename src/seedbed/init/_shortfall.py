"""What to do when a method runs out of ways to place seeds before it has placed them all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
from seedbed._validation import FloatArray, Points, as_matrix, points_of


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
    """Complete distinct centres to ``n_clusters`` by D² draws from the rows, and by other rows
    where the squares of all differences vanish."""
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
            found += list(points.x[_unlike(points, np.stack(found), n_clusters)])
            break
        row = _draw(mass * nearest, rng)
        found.append(points.x[row])
        nearest = np.minimum(nearest, squares(points.x[row]))
    completed: FloatArray = np.stack(found)
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


def add_farthest(
    points: Points, centers: FloatArray, n_clusters: int, n_threads: int = 1
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Complete distinct centres to ``n_clusters`` by maximin, and the rows that were added.

    Each next centre is the row farthest from all centres so far; among equally far rows the
    lexicographically least, so that the order of the rows does not matter. The data must have at
    least ``n_clusters`` distinct rows.
    """
    found, rows = list(centers), list[int]()
    nearest = np.full(points.n, np.inf)

    def approach(center: FloatArray) -> None:
        one: Any = np.ascontiguousarray(center[np.newaxis], dtype=points.x.dtype)
        np.minimum(nearest, points.data.distances(one, n_threads)[:, 0], out=nearest)

    for center in found if len(found) < n_clusters else ():
        approach(center)
    while len(found) < n_clusters:
        farthest = nearest.max()
        if farthest == 0.0:
            rows += _unlike(points, np.stack(found), n_clusters)
            break
        rows.append(_least_row(points.x, np.flatnonzero(nearest == farthest)))
        found.append(points.x[rows[-1]])
        approach(found[-1])
    added = np.array(rows, dtype=np.int64)
    completed: Any = np.concatenate([centers, points.x[added]])
    return completed, added


def complete_rows(
    points: Points, rows: NDArray[np.int64], n_clusters: int, n_threads: int = 1
) -> tuple[NDArray[np.int64], int]:
    """Chosen rows without those equal to an earlier one, completed by maximin, and how many were.

    For deterministic methods that select rows by a rule that may select equal ones.
    """
    rows = np.asarray(rows, dtype=np.int64)
    kept = rows[distinct_rows(points.take(rows).data, n_clusters)] if len(rows) else rows
    if len(kept) == n_clusters:
        return kept, 0
    _, added = add_farthest(points, points.x[kept], n_clusters, n_threads)
    return np.concatenate([kept, added]), len(added)


def _unlike(points: Points, centers: FloatArray, n_clusters: int) -> list[int]:
    """The lexicographically first rows that differ from the centres and from each other.

    For rows so close to the centres that their distance vanishes beside the range of the data.
    """
    order = np.lexsort(points.x.T[::-1])
    stacked: Any = np.concatenate([centers, points.x[order]])
    kept = distinct_rows(points_of(stacked, None).data, n_clusters)
    return [int(order[k - len(centers)]) for k in kept[len(centers) :]]


def _least_row(x: FloatArray, among: NDArray[np.intp]) -> int:
    """The lexicographically least of the rows ``among``, the first of equal ones."""
    return int(among[np.lexsort(x[among].T[::-1])[0]])


def _draw(mass: NDArray[np.float64], rng: np.random.Generator) -> int:
    """A row with probability proportional to its mass, never one without."""
    return int(draw_by_mass(mass, 1, rng)[0])


def draw_by_mass(
    mass: NDArray[np.float64], count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Rows with probability proportional to their mass, never one without; none if all are."""
    positive = np.flatnonzero(mass)
    uniforms = rng.random(count)
    if len(positive) == 0:
        return positive
    cumulative = np.cumsum(mass[positive])
    at = np.searchsorted(cumulative, uniforms * cumulative[-1], side="right")
    drawn: NDArray[np.int64] = positive[np.minimum(at, len(positive) - 1)]
    return drawn
