"""Pizzuti, Talia and Vonella's divisive method: halve crowded boxes until none is crowded, and
start from the means of the densest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import MOST_CELLS, cell_positions, group_rows
from seedbed._core._seeding import label_means
from seedbed._validation import FloatArray, Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._registry import register
from seedbed.init._shortfall import add_farthest

_MOST_HALVINGS = 16
_HALVE_ALL = 10  # attributes up to which a box is halved along all of them at once
_BOXES_PER_SEED = 10  # about as many as a seed has to choose from
assert MOST_CELLS == 1 << _MOST_HALVINGS


def _is_crowd(value: Any) -> bool:
    if value is None:
        return True
    is_real = isinstance(value, int | float | np.integer | np.floating) and type(value) is not bool
    return is_real and 0 < float(value) < math.inf


@register
@dataclass(frozen=True, kw_only=True)
class Pizzuti(Method):
    """Means of the boxes that are densest when no box is crowded any more.

    Up to ten attributes, a crowded box is halved along all of them; beyond, along the one in which
    its rows spread most. Where the text of the publication leaves a choice, it is made here.
    """

    meta = Meta(
        id="pizzuti",
        name="Pizzuti–Talia–Vonella",
        aliases=("pizzuti-talia-vonella", "divisive-cells"),
        family="linear",
        reference=Reference(
            authors="Pizzuti, C., Talia, D. & Vonella, G.",
            title="A divisive initialisation method for clustering algorithms",
            venue="Principles of Data Mining and Knowledge Discovery, Lecture Notes in Computer "
            "Science 1704, 484–491",
            year=1999,
        ),
        summary="means of the densest boxes after halving those that are crowded",
        complexity="O(ND) per level of halving, at most 16",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="with few attributes and clusters of about equal density",
        avoid="where one cluster is denser than the others: the densest boxes may all lie in it "
        "(spread=True helps); and with many attributes",
    )

    crowd: float | None = parameter(
        None,
        "a box with more weight (more rows, where there are no weights) than this is halved; None "
        "for ⌈N/(10K)⌉ rows, a row having the least weight",
        allowed="None or a number > 0",
        accepts=_is_crowd,
    )
    spread: bool = parameter(
        False,
        "whether to weigh density by the distance to the seeds so far, one seed after another",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool | np.bool_),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        most = _crowd_of(points, n_clusters) if self.crowd is None else float(self.crowd)
        halve = _halve_all if points.d <= _HALVE_ALL else _halve_longest
        boxes = halve(points, most, n_threads)
        means = label_means(points.data, boxes.labels, len(boxes.mass))
        chosen = _densest(means, boxes, n_clusters, spread=bool(self.spread))
        centers, added = add_farthest(points, means[chosen], n_clusters, n_threads)
        info = {"crowd": most, "boxes": len(boxes.mass), "shortfall": len(added)}
        return Seeds(centers, info=info)


def _crowd_of(points: Points, n_clusters: int) -> float:
    """⌈N/(10K)⌉ rows, in weight; the least weight counts as a row, so that units do not matter."""
    row, total = 1.0, float(points.n)
    if points.weight is not None:
        row, total = float(points.weight.min()), float(points.weight.sum())
    return math.ceil(total / row / (_BOXES_PER_SEED * n_clusters)) * row


def _masses(points: Points, rows: NDArray[np.intp], labels: NDArray[Any]) -> NDArray[np.float64]:
    """The weight of the rows of each label."""
    weights = None if points.weight is None else points.weight[rows]
    return np.bincount(labels, weights).astype(np.float64, copy=False)


class _Boxes(NamedTuple):
    """A box for every row; of every box its weight and the log₂ of its volume (that of all: 0)."""

    labels: NDArray[np.int32]
    mass: NDArray[np.float64]
    log_volume: NDArray[np.float64]


class _Finished:
    """Boxes that are not halved any more, as they come."""

    def __init__(self, n: int) -> None:
        self.labels = np.zeros(n, dtype=np.int32)
        self.mass: list[NDArray[Any]] = []
        self.log_volume: list[NDArray[Any]] = []
        self.count = 0

    def add(
        self,
        rows: NDArray[np.intp],
        labels: NDArray[Any],
        mass: NDArray[Any],
        done: NDArray[np.bool_],
        log_volume: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Take those boxes that are ``done``; which of the rows were in them."""
        number = np.cumsum(done) - 1 + self.count
        inside: NDArray[np.bool_] = done[labels]
        self.labels[rows[inside]] = number[labels[inside]]
        self.mass.append(mass[done])
        self.log_volume.append(log_volume[done])
        self.count += int(done.sum())
        return inside

    def boxes(self) -> _Boxes:
        return _Boxes(self.labels, np.concatenate(self.mass), np.concatenate(self.log_volume))


def _halve_all(points: Points, most: float, n_threads: int) -> _Boxes:
    """Halve crowded boxes along all attributes: at depth h, cells of a grid of 2^h intervals."""
    positions = cell_positions(points.data, np.arange(points.d), MOST_CELLS, n_threads)
    finished, rows = _Finished(points.n), np.arange(points.n)
    for depth in range(1, _MOST_HALVINGS + 1):
        labels, first = group_rows(positions, _MOST_HALVINGS - depth)
        mass = _masses(points, rows, labels)
        done = mass <= most
        crowded = np.flatnonzero(~done)
        if depth == _MOST_HALVINGS:
            done[:] = True
        elif len(crowded):
            done |= ~_differ(points.x, rows, labels, rows[first], crowded)
        volume = np.full(len(mass), -float(depth * points.d))
        inside = finished.add(rows, labels, mass, done, volume)
        if inside.all():
            break
        rows, positions = rows[~inside], positions[~inside]
    return finished.boxes()


def _differ(
    x: FloatArray,
    rows: NDArray[np.intp],
    labels: NDArray[np.int32],
    first: NDArray[np.intp],
    groups: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Which of the groups have rows that differ (False for groups not asked about).

    Looks at a few rows first: that mostly settles it.
    """
    differ, asked = np.zeros(len(first), dtype=bool), np.zeros(len(first), dtype=bool)
    asked[groups] = True
    begin, size = 0, 1024
    while begin < len(rows) and asked.any():
        mine = np.flatnonzero(asked[labels[begin : begin + size]]) + begin
        unequal = (x[rows[mine]] != x[first[labels[mine]]]).any(axis=1)
        differ[labels[mine[unequal]]] = True
        asked &= ~differ
        begin, size = begin + size, 2 * size
    return differ


def _halve_longest(points: Points, most: float, n_threads: int) -> _Boxes:
    """Halve the longest side of what a crowded box holds."""
    finished, rows = _Finished(points.n), np.arange(points.n)
    labels = np.zeros(points.n, dtype=np.int64)
    log_side, log_volume = np.zeros((1, points.d)), np.zeros(1)  # relative to the box of all rows
    whole = np.ones(points.d)
    for depth in range(_MOST_HALVINGS + 1):
        order = np.argsort(labels, kind="stable")
        rows, labels = rows[order], labels[order]
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        mass = _masses(points, rows, labels)
        x = points.x[rows].astype(np.float64)
        low, high = np.minimum.reduceat(x, starts), np.maximum.reduceat(x, starts)
        side = high / 2 - low / 2
        whole = side[0] if depth == 0 else whole
        longest, box = side.argmax(axis=1), np.arange(len(mass))
        done = (mass <= most) | (side.max(axis=1) == 0) | (depth == _MOST_HALVINGS)
        done &= depth > 0  # the box of all rows is halved at least once, as for few attributes
        inside = finished.add(rows, labels, mass, done, log_volume)
        if inside.all():
            break
        rows, labels, x = rows[~inside], labels[~inside], x[~inside]
        middle = low[box, longest] + side[box, longest]
        right = x[np.arange(len(x)), longest[labels]] >= middle[labels]
        with np.errstate(divide="ignore"):  # boxes that are done may have no extent
            shorter = np.log2(side[box, longest] / 2) - np.log2(whole[longest])
        log_volume = log_volume + shorter - log_side[box, longest]
        log_side[box, longest] = shorter
        halves, labels = np.unique(2 * labels + right, return_inverse=True)
        log_side, log_volume = log_side[halves // 2], log_volume[halves // 2]
    return finished.boxes()


def _densest(
    means: FloatArray, boxes: _Boxes, n_clusters: int, *, spread: bool
) -> NDArray[np.intp]:
    """The densest boxes; among equals the heavier, then the lexicographically first mean."""
    density = np.log2(boxes.mass) - boxes.log_volume
    rank = np.lexsort([*means.T[::-1], -boxes.mass, -density])
    if not spread:
        return rank[:n_clusters]
    means, density = means[rank].astype(np.float64), density[rank]
    means /= np.abs(means).max() or 1.0
    chosen, nearest = [0], np.full(len(means), np.inf)
    while len(chosen) < min(n_clusters, len(means)):
        distance = np.linalg.norm(means - means[chosen[-1]], axis=1)
        nearest = np.minimum(nearest, distance)
        with np.errstate(divide="ignore"):
            chosen.append(int((density + np.log2(nearest)).argmax()))
    return rank[chosen]
