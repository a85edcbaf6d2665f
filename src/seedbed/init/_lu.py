"""Lu, Tang, Tang and Yang's hierarchical method: k-means on a pyramid of ever coarser pictures of
the data, from the top down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import (
    describe_attributes,
    fewest_groups,
    group_rows,
    nearest_levels,
    range_of_attributes,
)
from seedbed._core._pyramid import sort_cells
from seedbed._core._seeding import distinct_rows
from seedbed._validation import FloatArray, Points, is_integer, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._inner import run_inner
from seedbed.init._registry import register
from seedbed.init._shortfall import add_farthest

_POINTS_PER_SEED = 20  # the top of the pyramid has at least as many
_MOST_KEYS = 12  # attributes that decide which points are merged
_LARGE = 1_000_000  # rows from which the picture is finer


@register
@dataclass(frozen=True, kw_only=True)
class Lu(Method):
    """Weighted k-means from the coarsest picture of the data to the finest.

    The finest picture has the rows rounded to ``2**bits`` values per attribute; in each coarser
    one, cells of double the width are merged into the weighted mean of their points. The coarsest
    has at least 20 points per cluster, and its heaviest points are where k-means starts.

    The paper's pictures go on until nothing merges. Here, one in between is made where it has at
    most ``shrink`` times the points of the next finer one: those left out would cost more than
    they save and change hardly anything. ``info["levels"]`` has the number of points of each
    picture, the finest first, where equal rows are one point if most of them are equal to others.
    """

    meta = Meta(
        id="lu",
        name="Lu pyramid",
        aliases=("lu-tang-tang-yang", "pyramid", "hierarchical-pyramid"),
        family="linear",
        reference=Reference(
            authors="Lu, J. F., Tang, J. B., Tang, Z. M. & Yang, J. Y.",
            title="Hierarchical initialization approach for k-means clustering",
            venue="Pattern Recognition Letters 29, 787–795",
            year=2008,
        ),
        summary="k-means on coarse pictures of the data, then on finer ones",
        complexity="O(ND + NKD) per inner iteration",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for large data with few attributes: most of the work is done on small pictures",
        avoid="with many attributes, where no two rows share a cell and nothing is saved; and "
        "where the heaviest cells lie in one cluster (spread=True helps)",
    )

    bits: int | None = parameter(
        None,
        "the finest picture has 2**bits values per attribute; None for 8, or 10 beyond a million "
        "rows",
        allowed="None or an int between 1 and 16",
        accepts=lambda v: v is None or (is_integer(v) and 1 <= v <= 16),
    )
    shrink: float = parameter(
        0.1,
        "points that a picture between the coarsest and the finest may have, as a share of those "
        "of the next finer one; 1.0 for every picture that merges anything",
        allowed="a number above 0 and up to 1",
        accepts=lambda v: isinstance(v, float | int) and not isinstance(v, bool) and 0 < v <= 1,
    )
    spread: bool = parameter(
        False,
        "whether to weigh the heaviest points by their distance to those taken, one after another",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool | np.bool_),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        bits = (10 if points.n > _LARGE else 8) if self.bits is None else int(self.bits)
        least = _POINTS_PER_SEED * n_clusters
        pyramid = _Pyramid(points, bits, least, n_threads, shrink=float(self.shrink))
        top = pyramid.picture(len(pyramid.sizes) - 1)
        centers = top.x[_heaviest(top, n_clusters, spread=bool(self.spread))]
        if len(centers) == n_clusters:
            for at in reversed(range(len(pyramid.sizes))):
                picture = pyramid.picture(at)
                start: Any = centers.astype(picture.x.dtype)[np.newaxis]
                centers = run_inner(picture, start, n_threads)[0].centers
        found = _unrounded(points, centers, bits)
        kept = distinct_rows(points_of(found, None).data, n_clusters)
        seeds, added = add_farthest(points, found[kept], n_clusters, n_threads)
        info = {
            "bits": bits,
            "levels": pyramid.sizes,
            "shortfall": len(added),
        }
        return Seeds(seeds, info=info)


class _Pyramid:
    """Pictures of the data, the finest first, all in units of the finest grid.

    Those above the finest have at least ``least`` points. The coarsest of these is made, and those
    in between that have at most ``shrink`` times the points of the next finer one.
    """

    def __init__(
        self, points: Points, bits: int, least: int, n_threads: int, *, shrink: float
    ) -> None:
        self.n_threads, self.weight = n_threads, points.weight
        self.positions = nearest_levels(points.data, np.arange(points.d), 1 << bits, n_threads)
        keys = np.arange(points.d)
        if points.d > _MOST_KEYS:
            keys = describe_attributes(points.data, n_threads).widest(_MOST_KEYS)
        self.most = shrink * points.n
        cells = sort_cells(self.positions, bits, keys, points.weight, least=least, most=self.most)
        self.merged = cells.level == 0  # equal rows, in the finest picture
        sizes = cells.sizes(bits + 1)
        sizes[: cells.level] = points.n
        levels = self._worth_making(sizes, least, shrink)
        self.sizes = tuple(int(sizes[level]) for level in levels)
        self.cells = [cells]  # of each picture; of the finest only where they are merged
        for level in levels[1:]:
            cells = cells.coarser(level) if level > cells.level else cells
            self.cells.append(cells)

    def _worth_making(self, sizes: NDArray[np.int64], least: int, shrink: float) -> tuple[int, ...]:
        """Levels of the pictures that are made."""
        candidates = [i for i in range(1, len(sizes)) if least <= sizes[i] < sizes[i - 1]]
        between = sizes[candidates[:-1]]
        for distinct in self._distinct_rows(int(sizes[0])):
            if not ((between > shrink * distinct) & (between <= self.most)).any():
                break  # more distinct rows would make no difference
        levels, last = [0], distinct
        for level in candidates:
            if level == candidates[-1] or sizes[level] <= shrink * last:
                levels.append(level)
                last = int(sizes[level])
        return tuple(levels)

    def _distinct_rows(self, finest: int) -> Iterator[float]:
        """How many there are at least: numbers that take longer and longer to find, the last is
        exact."""
        if self.merged:
            yield finest
        else:
            yield self.most
            yield fewest_groups(self.positions)
            yield len(group_rows(self.positions).first)

    def picture(self, at: int) -> Points:
        """Points at the means of cells, with the weight of what lies in them.

        The finest has whole numbers only, which single precision holds exactly.
        """
        if at == 0 and not self.merged:
            rows = self.positions.astype(np.float32)
            return points_of(rows, self.weight, n_threads=self.n_threads)
        means, mass = self.cells[at].means, self.cells[at].mass
        x = means.astype(np.float32) if at == 0 else means
        return points_of(x, mass, n_threads=self.n_threads)


def _heaviest(picture: Points, count: int, *, spread: bool) -> NDArray[np.intp]:
    """The heaviest points, the lexicographically first among equals."""
    weight = np.ones(picture.n) if picture.weight is None else picture.weight
    rank = np.lexsort([*picture.x.T[::-1], -weight])
    if not spread:
        return rank[:count]
    x, weight = picture.x[rank], weight[rank]
    chosen, nearest = [0], np.full(len(x), np.inf)
    while len(chosen) < min(count, len(x)):
        nearest = np.minimum(nearest, np.linalg.norm(x - x[chosen[-1]], axis=1))
        chosen.append(int((weight * nearest).argmax()))
    return rank[chosen]


def _unrounded(points: Points, centers: FloatArray, bits: int) -> FloatArray:
    """Centres on the grid as centres among the rows."""
    low, high = (edge.astype(np.float64) for edge in range_of_attributes(points.data))
    part = centers.astype(np.float64) / ((1 << bits) - 1)
    inside: Any = np.clip(low * (1.0 - part) + high * part, low, high)
    return inside.astype(points.x.dtype)  # type: ignore[no-any-return]
