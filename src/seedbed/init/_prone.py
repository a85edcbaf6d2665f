"""PRONE: k-means++ on the projection to one random line, where a new seed concerns only the rows
between its neighbours."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._argsort import argsort
from seedbed._core._seeding import label_means
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._draws import Plain, draw_one, plain
from seedbed.init._registry import register
from seedbed.init._shortfall import add_drawn, replace_repeats

_BLOCK = 8192  # rows that are near while all their attributes are looked at


@register
@dataclass(frozen=True, kw_only=True)
class PRONE(Method):
    """Seeds on a random line; the means of the rows nearest to each of them there."""

    meta = Meta(
        id="prone",
        name="PRONE",
        aliases=("projected-k-means++",),
        family="modern",
        reference=Reference(
            authors="Charikar, M., Henzinger, M., Hu, L., Vötsch, M. & Waingarten, E.",
            title="Simple, scalable and effective clustering via one-dimensional projections",
            venue="Advances in Neural Information Processing Systems 36",
            year=2023,
        ),
        summary="k-means++ on a random line, in time that hardly depends on K",
        complexity="O(ND + N log N), whatever K is",
        cost="loglinear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for thousands of clusters, where time is all that matters",
        avoid="where seeds shall be good: one line shows little of many attributes",
    )

    means: bool = parameter(
        True,
        "take the mean of the rows nearest to each seed on the line; False for the seeds' own rows",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        line = projected(safe.points, rng.standard_normal(points.d))
        order, sorted_line = argsort(line, n_threads)
        mass = safe.mass if points.weight is None else safe.mass[order]
        rows = order[_Line(sorted_line, mass).drawn(n_clusters, rng)]
        missing = n_clusters - len(rows)
        if not self.means and not missing:
            return rows_as_seeds(points, rows, shortfall=0)
        centers = _means(safe, line, rows) if self.means else safe.points.x[rows]
        if missing:
            centers = add_drawn(safe.points, centers, n_clusters, rng)
        centers, repeated = replace_repeats(points, safe.restored(centers), rng)
        return Seeds(centers, info={"shortfall": missing + repeated})


def projected(points: Points, axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows, less the first of them, along an axis; attribute by attribute, so that a row's value
    does not depend on which rows are beside it."""
    line = np.zeros(points.n)
    first = points.x[0].astype(np.float64)
    for begin in range(0, points.n, _BLOCK):
        columns = points.x[begin : begin + _BLOCK].T.astype(np.float64, order="C")
        columns -= first[:, np.newaxis]
        columns *= axis[:, np.newaxis]
        for column in columns:
            line[begin : begin + _BLOCK] += column
    return line


def _means(safe: Plain, line: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Means of the rows nearest to each seed on the line; rows halfway go to the lower one."""
    order = np.argsort(line[rows], kind="stable")
    seeds = line[rows[order]]
    halfway = (seeds[1:] + seeds[:-1]) / 2
    ends = np.minimum(halfway, np.nextafter(seeds[1:], -np.inf))  # rounding shall not reach a seed
    labels = np.searchsorted(ends, line, side="left").astype(np.int32)
    means = np.empty((len(rows), safe.points.d), safe.points.x.dtype)
    means[order] = label_means(safe.points.data, labels, len(rows))
    return means


class _Line:
    """Sorted points on a line and w·md² of each; sums over blocks make a draw cheap."""

    def __init__(self, at: NDArray[np.float64], mass: NDArray[np.float64]) -> None:
        self.at, self.mass = at, mass
        self.share = mass.copy()
        self.width = max(1, int(np.sqrt(len(at))))
        self.starts = np.arange(0, len(at), self.width)
        self.blocks = np.add.reduceat(self.share, self.starts)

    def drawn(self, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Places of D² draws, the first by weight; fewer where all others coincide with them."""
        chosen = [self._draw(rng)]
        places = self.at[chosen].tolist()  # sorted
        self._update(0, len(self.at), places[0])
        while len(chosen) < n and self.blocks.any():
            chosen.append(self._draw(rng))
            place = float(self.at[chosen[-1]])
            i = bisect_left(places, place)
            low = (places[i - 1] + place) / 2 if i > 0 else -np.inf
            high = (place + places[i]) / 2 if i < len(places) else np.inf
            places.insert(i, place)
            begin, end = np.searchsorted(self.at, low), np.searchsorted(self.at, high, "right")
            self._update(int(begin), int(end), place)
        return np.array(chosen)

    def _draw(self, rng: np.random.Generator) -> int:
        block = draw_one(self.blocks, rng)
        begin = int(self.starts[block])
        return begin + draw_one(self.share[begin : begin + self.width], rng)

    def _update(self, begin: int, end: int, place: float) -> None:
        share = self.share[begin:end]
        np.subtract(self.at[begin:end], place, out=share)
        np.square(share, out=share)
        share *= self.mass[begin:end]
        first, last = begin // self.width, (end - 1) // self.width + 1
        touched = self.share[first * self.width : last * self.width]
        sums = np.add.reduceat(touched, np.arange(0, len(touched), self.width))
        self.blocks[first:last] = sums
