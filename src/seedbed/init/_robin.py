"""ROBIN (Al Hasan, Chaoji, Salem and Zaki): seeds far apart, as maximin takes them, but only where
the data are about as dense as around their neighbours, which outliers are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from seedbed._validation import Points, is_integer
from seedbed.exceptions import TooManyRowsError
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._frame import Frame, frame
from seedbed.init._pairs import MANY, Pairs
from seedbed.init._registry import register
from seedbed.init._shortfall import complete_rows

Floats = NDArray[np.float64]

_RELAXED = (1.1, 1.2, 1.5)  # limits tried where no row is within the one asked for
_PAIRS = 1 << 22  # of rows and neighbours held at a time while they are looked for
_ROUNDING = 1e-9  # relative; distances from products are closer to the truth than this
_TREE_ATTRIBUTES = 12  # attributes up to which a kd-tree finds neighbours without looking at all


@register
@dataclass(frozen=True, kw_only=True)
class ROBIN(Method):
    """Each next seed is the farthest row from the seeds so far whose outlier factor is near one.

    The first is farthest from the reference. Where no row is within the limit, it is relaxed to
    1.1, 1.2, 1.5 and at last to the least factor there is; ``info["relaxed"]`` counts such seeds.
    """

    meta = Meta(
        id="robin",
        name="ROBIN",
        aliases=("al-hasan", "lof-maximin"),
        family="loglinear",
        reference=Reference(
            authors="Al Hasan, M., Chaoji, V., Salem, S. & Zaki, M. J.",
            title="Robust partitional clustering by outlier and density insensitive seeding",
            venue="Pattern Recognition Letters 30, 994–1002",
            year=2009,
            doi="10.1016/j.patrec.2009.04.013",
        ),
        summary="each next seed is the farthest row that is no outlier",
        complexity="O(DN log N + NKD) with few attributes, at worst O(DN²)",
        cost="loglinear",
        deterministic=True,
        order_sensitive=False,
        weights="part",
        selects_rows=True,
        use="where maximin would, but for outliers",
        avoid="where clusters have fewer rows than neighbours are looked at: they pass for "
        "outliers; and with many attributes on large data",
    )

    neighbors: int = parameter(
        10,
        "neighbours by which density is measured; all those as far as the last count",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )
    limit: float = parameter(
        1.05,
        "outlier factor below which a row may be a seed; one means as dense as its neighbours",
        allowed="a number > 0",
        accepts=lambda v: isinstance(v, int | float) and type(v) is not bool and v > 0,
    )
    reference: str = parameter(
        "mean",
        "what the first seed is far from: the 'mean' of the data, or the 'origin' as published",
        allowed="'mean' or 'origin'",
        accepts=lambda v: isinstance(v, str) and v in ("mean", "origin"),
    )
    lof: str = parameter(
        "simplified",
        "the outlier factor: from mean distances to neighbours as published, or 'standard' from "
        "reachability distances (Breunig et al. 2000)",
        allowed="'simplified' or 'standard'",
        accepts=lambda v: isinstance(v, str) and v in ("simplified", "standard"),
    )
    n_max: int = parameter(
        50_000,
        f"rows up to which data of more than {_TREE_ATTRIBUTES} attributes are taken on; more are "
        "refused rather than sampled",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    @property
    def translation_invariant(self) -> bool:
        return self.reference == "mean"

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        if points.d > _TREE_ATTRIBUTES and points.n > self.n_max:
            raise TooManyRowsError(
                f"robin takes on at most n_max={self.n_max} rows of more than {_TREE_ATTRIBUTES} "
                f"attributes, because looking for neighbours there takes time that grows with "
                f"their square, and X has {points.n} rows of {points.d}; raise n_max if you can "
                "wait, project the data on fewer attributes, or choose a method of linear cost "
                "such as 'pca-part' (seedbed.methods() lists them)",
                self.n_max,
            )
        scaled = frame(points, n_threads)
        density = Density(
            scaled.x, self.neighbors, standard=self.lof == "standard", n_threads=n_threads
        )
        origin = scaled.mean() if self.reference == "mean" else np.zeros(points.d)
        limits = (self.limit, *(limit for limit in _RELAXED if limit > self.limit))
        rows, relaxed = _far_inliers(scaled, density, origin, limits, n_clusters, n_threads)
        chosen, shortfall = complete_rows(points, rows, n_clusters, n_threads)
        return rows_as_seeds(
            points,
            chosen,
            limit=self.limit,
            relaxed=relaxed,
            factors_computed=density.known,
            shortfall=shortfall,
        )


def _far_inliers(
    scaled: Frame,
    density: Density,
    origin: Floats,
    limits: tuple[float, ...],
    count: int,
    n_threads: int,
) -> tuple[NDArray[np.int64], int]:
    """Rows far from the origin and then from each other, and for how many the limit was relaxed."""
    data: Any = scaled.points.data
    distance = data.distances(np.ascontiguousarray(origin[np.newaxis]), n_threads)[:, 0]
    free = np.ones(len(distance), dtype=bool)
    rows: list[int] = []
    relaxed = 0
    while len(rows) < count and free.any():
        row = _farthest_inlier(distance, free, density, limits[0])
        if row is None:  # the factors of all free rows are known now
            relaxed += 1
            row = _relaxed_inlier(distance, free, density, limits[1:])
        to_row = data.distances(scaled.x[row : row + 1], n_threads)[:, 0]
        distance = to_row if not rows else np.minimum(distance, to_row)
        free &= distance > 0.0
        rows.append(row)
    return np.array(rows, dtype=np.int64), relaxed


def _farthest_inlier(
    distance: Floats, free: NDArray[np.bool_], density: Density, limit: float
) -> int | None:
    """The farthest free row with an outlier factor below the limit, the first among equals.

    Asks for factors of the farthest rows first, and of more only where none of these will do.
    """
    candidates = np.flatnonzero(free)
    size = 8
    while True:
        few = candidates
        if size < len(candidates):
            least = np.partition(distance[candidates], -size)[-size]
            few = candidates[distance[candidates] >= least]
        fit = few[density.factors(few) < limit]
        if len(fit):
            return int(fit[distance[fit].argmax()])
        if len(few) == len(candidates):
            return None
        size *= 4


def _relaxed_inlier(
    distance: Floats, free: NDArray[np.bool_], density: Density, limits: tuple[float, ...]
) -> int:
    """The farthest free row within the first limit that any is within; else the least factor."""
    rows = np.flatnonzero(free)
    factor = density.factors(rows)
    for limit in limits:
        fit = rows[factor < limit]
        if len(fit):
            return int(fit[distance[fit].argmax()])
    return int(rows[factor.argmin()])


class _Neighbours(NamedTuple):
    """Pairs (row, neighbour) in order of rows, their distances, and how many each row has."""

    other: NDArray[np.int64]
    distance: Floats
    size: NDArray[np.int64]

    def mean(self, values: Floats) -> Floats:
        """The mean over each row's neighbours of something that pairs have."""
        starts = np.concatenate([[0], np.cumsum(self.size)[:-1]])
        means: Floats = np.add.reduceat(values, starts) / self.size
        return means


class _Tree:
    """Neighbours by a tree."""

    def __init__(self, x: Floats, n_threads: int) -> None:
        self.x, self.n_threads = x, n_threads
        self.tree: Any = KDTree(x, balanced_tree=False)  # the other kind is slow on equal values

    def query(self, rows: NDArray[np.intp], count: int) -> tuple[Floats, NDArray[np.int64]]:
        """Distances and numbers of the rows nearest to some, themselves included."""
        distance, other = self.tree.query(self.x[rows], k=count, workers=self.n_threads)
        return distance, other


class _AllPairs:
    """Neighbours by looking at all rows: with many attributes a tree does so, too, but slowly."""

    def __init__(self, x: Floats) -> None:
        self.x, self.pairs = x, Pairs(x)

    def query(self, rows: NDArray[np.intp], count: int) -> tuple[Floats, NDArray[np.int64]]:
        """Distances and numbers of the rows nearest to some, themselves included."""
        step = max(1, _PAIRS // (count * self.x.shape[1]))
        found = []
        for some, squares in self.pairs.squares(rows.astype(np.int64)):
            for begin in range(0, len(some), step):
                few = slice(begin, begin + step)
                found.append(self._nearest(some[few], squares[few], count))
        distance, other = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return distance, other

    def _nearest(
        self, rows: NDArray[np.int64], squares: Floats, count: int
    ) -> tuple[Floats, NDArray[np.int64]]:
        """From squares that may come from products; equal distances are equal again after this."""
        near = np.argpartition(squares, count - 1, axis=1)[:, :count]
        exact = np.square(self.x[near] - self.x[rows, np.newaxis]).sum(axis=2)
        order = np.argsort(exact, axis=1, kind="stable")
        other = np.take_along_axis(near, order, axis=1)
        return np.sqrt(np.take_along_axis(exact, order, axis=1)), other


class Density:
    """How dense the data are around rows, found out when it is first asked for.

    The outlier factor of a row says how much less dense its surroundings are than those of its
    neighbours; one is the same. A row with as many equal rows as neighbours are looked at is
    infinitely dense, and no outlier.
    """

    def __init__(self, x: Floats, neighbors: int, *, standard: bool, n_threads: int = 1) -> None:
        self.x, self.standard = x, standard
        self.count = min(neighbors, len(x) - 1)
        self.nearby: _Tree | _AllPairs = _AllPairs(x) if x.shape[1] >= MANY else _Tree(x, n_threads)
        self.factor, self.spacing, self.last = (np.full(len(x), np.nan) for _ in range(3))

    @property
    def known(self) -> int:
        """How many factors were asked for so far."""
        return int((~np.isnan(self.factor)).sum())

    def factors(self, rows: NDArray[np.intp]) -> Floats:
        """Outlier factors of some rows."""
        new = rows[np.isnan(self.factor[rows])]
        if self.count == 0:
            self.factor[new] = 1.0  # a single row
        elif len(new):
            near = self._neighbours(new)
            self.spacing[new] = self._spacing(near)
            self._find_spacing(np.unique(near.other))
            with np.errstate(divide="ignore", invalid="ignore"):
                factor = near.mean(1.0 / self.spacing[near.other]) * self.spacing[new]
            self.factor[new] = np.where(self.spacing[new] == 0, 1.0, factor)
        return self.factor[rows]

    def _find_spacing(self, rows: NDArray[np.intp]) -> None:
        """The mean distance to the neighbours: the inverse of the density."""
        new = rows[np.isnan(self.spacing[rows])]
        if len(new):
            self.spacing[new] = self._spacing(self._neighbours(new))

    def _spacing(self, near: _Neighbours) -> Floats:
        reach = near.distance
        if self.standard:
            self._find_last(np.unique(near.other))
            reach = np.maximum(reach, self.last[near.other])
        return near.mean(reach)

    def _find_last(self, rows: NDArray[np.intp]) -> None:
        """The distance to the last neighbour."""
        new = rows[np.isnan(self.last[rows])]
        if len(new):
            near = self._neighbours(new)
            self.last[new] = near.distance[np.cumsum(near.size) - 1]

    def _neighbours(self, rows: NDArray[np.intp]) -> _Neighbours:
        """Each row's nearest other rows and all as far as the last, the nearest first.

        Rows for which there may be more than were asked for are asked again for twice as many.
        """
        found: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        waiting, asked = np.arange(len(rows)), min(self.count + 2, len(self.x))
        while len(waiting):
            step, again = max(1, _PAIRS // asked), []
            for some in np.split(waiting, range(step, len(waiting), step)):
                distance, other = self._others(rows[some], asked)
                last = distance[:, self.count - 1]
                # A row of infinite density needs no more of its equals.
                complete = distance[:, -1] > last * (1 + _ROUNDING)
                complete |= (last == 0.0) | (asked == len(self.x))
                inside = (distance <= last[:, np.newaxis]) & complete[:, np.newaxis]
                found.append((some[np.nonzero(inside)[0]], other[inside], distance[inside]))
                again.append(some[~complete])
            waiting, asked = np.concatenate(again), min(2 * asked, len(self.x))
        place, others, distances = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(place, kind="stable")
        return _Neighbours(others[order], distances[order], np.bincount(place))

    def _others(self, rows: NDArray[np.intp], asked: int) -> tuple[Floats, NDArray[np.int64]]:
        """Distances and numbers of the ``asked`` nearest rows without the row itself."""
        distance, other = self.nearby.query(rows, asked)
        itself = other == rows[:, np.newaxis]
        itself[~itself.any(axis=1), -1] = True  # left out by the tree, which has as many equals
        shape = len(rows), asked - 1
        return distance[~itself].reshape(shape), other[~itself].reshape(shape)
