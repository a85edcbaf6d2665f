"""Al-Daoud and Roberts' density method: lay a grid over the data and draw seeds from its cells, as
many from each as its share of the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import (
    MOST_CELLS,
    cell_positions,
    describe_attributes,
    group_rows,
)
from seedbed._core._seeding import distinct_among
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._macqueen import draw_rows
from seedbed.init._registry import register

_CELLS_PER_SEED = 10  # how many cells a seed should have to choose from, where no grid is given


@register
@dataclass(frozen=True, kw_only=True)
class AlDaoudDensity(Method):
    """Rows drawn from grid cells, from each cell as many as its share of the weight.

    Shares are rounded by largest remainders (the heavier cell, then the lexicographically first,
    among equals). A cell gives no more seeds than it has distinct rows; the cells next in line
    make up for it. No grid was published: the default has about ten cells per seed.
    """

    meta = Meta(
        id="al-daoud-density",
        name="Al-Daoud–Roberts density",
        aliases=("al-daoud-roberts", "grid-density"),
        family="linear",
        reference=Reference(
            authors="Al-Daoud, M. B. & Roberts, S. A.",
            title="New methods for the initialisation of clusters",
            venue="Pattern Recognition Letters 17, 451–455",
            year=1996,
        ),
        summary="rows drawn from grid cells in proportion to how many rows these hold",
        complexity="O(ND)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="part",
        selects_rows=True,
        use="with few attributes and clusters of about equal size",
        avoid="with many attributes: where every row has a cell of its own it is MacQueen's second "
        "method; and where small clusters matter: a cell with little gets no seed",
    )

    intervals: int | None = parameter(
        None,
        "equal intervals per attribute; None for max(2, ⌈(10K)^(1/D')⌉) with D' attributes",
        allowed=f"None or an int between 1 and {MOST_CELLS}",
        accepts=lambda v: v is None or (is_integer(v) and 1 <= v <= MOST_CELLS),
    )
    attributes: int | None = parameter(
        None,
        "attributes that make the grid, those of largest variance; None for ⌈log₂ 10K⌉, or all if "
        "there are fewer",
        allowed="None or an int >= 1",
        accepts=lambda v: v is None or (is_integer(v) and v >= 1),
    )

    def grid_for(self, n_clusters: int, n_features: int) -> tuple[int, int]:
        """Intervals per attribute, and how many attributes."""
        wanted = _CELLS_PER_SEED * n_clusters
        attributes = math.ceil(math.log2(wanted)) if self.attributes is None else self.attributes
        attributes = min(int(attributes), n_features)
        if self.intervals is not None:
            return int(self.intervals), attributes
        intervals = max(2, math.ceil(wanted ** (1 / attributes) * (1 - 1e-12)))
        return min(intervals, MOST_CELLS), attributes

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        intervals, count = self.grid_for(n_clusters, points.d)
        chosen = describe_attributes(points.data, n_threads).widest(count)
        positions = cell_positions(points.data, chosen, intervals, n_threads)
        labels, first = group_rows(positions)
        cells = _Cells(points, labels, positions[first])
        rows = np.concatenate(
            [
                draw_rows(points, quota, rng, among=cells.members(cell))
                for cell, quota in cells.quotas(n_clusters)
            ]
        )
        return rows_as_seeds(points, rows, intervals=intervals, attributes=chosen, cells=len(first))


class _Cells:
    """Occupied cells, their weights, and how many seeds each is to give."""

    def __init__(
        self, points: Points, labels: NDArray[np.int32], positions: NDArray[np.uint16]
    ) -> None:
        self.points = points
        self.mass = np.bincount(labels, weights=points.weight, minlength=len(positions))
        self.place = np.argsort(np.lexsort(positions.T[::-1]))  # lexicographic, by position
        narrow = labels.astype(np.uint16) if len(positions) <= MOST_CELLS else labels
        self.order = np.argsort(narrow, kind="stable")  # NumPy sorts 16-bit numbers in linear time
        self.ends = np.cumsum(np.bincount(labels, minlength=len(positions)))

    def members(self, cell: int) -> NDArray[np.intp]:
        """The rows of a cell."""
        return self.order[self.ends[cell - 1] if cell else 0 : self.ends[cell]]

    def quotas(self, n_seeds: int) -> list[tuple[int, int]]:
        """The cells that give seeds and how many, in lexicographic order of the cells."""
        share, remainder = np.divmod(n_seeds * self.mass, self.mass.sum())
        quota: NDArray[Any] = share.astype(np.int64)
        rank = np.lexsort([self.place, -self.mass, -remainder])
        for cell in np.flatnonzero(quota):
            quota[cell] = self._capacity(int(cell), int(quota[cell]))
        while (missing := n_seeds - int(quota.sum())) > 0:
            for cell in rank:  # once around gives each cell at most one more
                if self._capacity(int(cell), int(quota[cell]) + 1) > quota[cell]:
                    quota[cell] += 1
                    missing -= 1
                if missing == 0:
                    break
        giving = np.flatnonzero(quota)
        giving = giving[np.argsort(self.place[giving])]
        return [(int(cell), int(quota[cell])) for cell in giving]

    def _capacity(self, cell: int, limit: int) -> int:
        """How many distinct rows the cell has, counting up to ``limit``."""
        return len(distinct_among(self.points.data, self.members(cell), limit))
