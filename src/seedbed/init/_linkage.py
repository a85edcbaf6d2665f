"""Agglomerative trees by the recurrence of Lance and Williams, over masses.

The nearest-neighbour chain finds the same tree as joining the nearest pair again and again (for
these four linkages, up to ties) in O(N²) time. A row of mass m acts as m equal rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Linkage = Literal["ward", "average", "complete", "single"]
Floats = NDArray[np.float64]

_Update = Callable[[Floats, Floats, float, float, float, Floats], Floats]


def agglomerate(x: Floats, mass: Floats, n_clusters: int, linkage: Linkage) -> NDArray[np.int32]:
    """Labels of ``n_clusters`` clusters, numbered in the order of their first rows."""
    if linkage == "ward":
        distance = cdist(x, x, "sqeuclidean")
        for i, own in enumerate(mass):  # row by row, to hold one matrix and not two
            distance[i] *= own * mass / (own + mass)
    else:
        distance = cdist(x, x)
    pairs, heights = _tree(distance, mass, _UPDATES[linkage])
    lowest = np.argsort(heights, kind="stable")[: len(x) - n_clusters]
    return _components(len(x), pairs[lowest])


def _tree(distance: Floats, mass: Floats, update: _Update) -> tuple[NDArray[np.int64], Floats]:
    """The pairs of rows whose clusters are joined, and at which height. Overwrites ``distance``.

    A cluster goes by its lowest row; the rows of others are set to infinity.
    """
    np.fill_diagonal(distance, np.inf)
    mass, alive = mass.copy(), np.ones(len(mass), dtype=bool)
    pairs = np.empty((len(mass) - 1, 2), dtype=np.int64)
    heights = np.empty(len(pairs))
    chain: list[int] = []
    for step in range(len(pairs)):
        if not chain:
            chain.append(int(alive.argmax()))
        _follow(chain, distance)
        i, j = sorted((chain.pop(), chain.pop()))
        height = distance[i, j]
        joined = update(distance[i], distance[j], height, mass[i], mass[j], mass)
        joined[[i, j]] = np.inf
        distance[i] = distance[:, i] = joined
        distance[j] = distance[:, j] = np.inf
        mass[i] += mass[j]
        alive[j] = False
        pairs[step], heights[step] = (i, j), height
    return pairs, heights


def _follow(chain: list[int], distance: Floats) -> None:
    """Extend the chain, each next the nearest of the last, until the last two are each other's."""
    while True:
        row = distance[chain[-1]]
        nearest = int(row.argmin())
        if len(chain) > 1 and row[chain[-2]] <= row[nearest]:
            return
        if nearest in chain:  # rounding made a new cluster nearer than the chain remembers
            del chain[chain.index(nearest) :]
        chain.append(nearest)


def _components(n: int, pairs: NDArray[np.int64]) -> NDArray[np.int32]:
    """The connected components of rows joined in pairs, numbered by their first rows."""
    root = np.arange(n)

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = int(root[i])
        return i

    for i, j in pairs.tolist():
        low, high = sorted((find(i), find(j)))
        root[high] = low
    roots = np.array([find(i) for i in range(n)])
    return np.unique(roots, return_inverse=True)[1].reshape(-1).astype(np.int32)


def _ward(a: Floats, b: Floats, height: float, m: float, n: float, mass: Floats) -> Floats:
    return ((m + mass) * a + (n + mass) * b - mass * height) / (m + n + mass)


def _average(a: Floats, b: Floats, height: float, m: float, n: float, mass: Floats) -> Floats:
    return (m * a + n * b) / (m + n)


def _complete(a: Floats, b: Floats, height: float, m: float, n: float, mass: Floats) -> Floats:
    return np.maximum(a, b)


def _single(a: Floats, b: Floats, height: float, m: float, n: float, mass: Floats) -> Floats:
    return np.minimum(a, b)


_UPDATES: dict[Linkage, _Update] = {
    "ward": _ward,
    "average": _average,
    "complete": _complete,
    "single": _single,
}
