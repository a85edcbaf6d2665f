"""Scans in the order of the rows: a row far enough from all seeds so far becomes one. Ball and Hall
start at the mean of the data, simple cluster seeking (Tou and Gonzalez) at the first row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import mean_of_attributes, unit_of
from seedbed._core._seeding import spread_seeds
from seedbed._validation import FloatArray, Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._registry import register
from seedbed.init._shortfall import add_farthest, complete_rows

_HALVINGS = 60  # of the square of the threshold, before a scan is given up
_CHUNK = 8192  # rows looked at together


def _is_threshold(value: Any) -> bool:
    if isinstance(value, str):
        return value == "auto"
    is_real = isinstance(value, int | float | np.integer | np.floating) and type(value) is not bool
    return is_real and 0 <= value < np.inf


_THRESHOLD_DOC = (
    "least distance between seeds; 'auto' tries R, R/√2, R/2, … (R: the greatest distance of a row "
    "to the mean) and keeps the first that yields enough seeds"
)
_THRESHOLD_ALLOWED = "'auto' or a number >= 0"


@register
@dataclass(frozen=True, kw_only=True)
class BallHall(Method):
    """The mean, then every row at least the threshold away from all seeds so far, in order."""

    meta = Meta(
        id="ball-hall",
        name="Ball–Hall",
        aliases=("ball-and-hall",),
        family="linear",
        reference=Reference(
            authors="Ball, G. H. & Hall, D. J.",
            title="A clustering technique for summarizing multivariate data",
            venue="Behavioral Science 12, 153–155",
            year=1967,
            doi="10.1002/bs.3830120210",
        ),
        summary="the mean, then rows in order that are far enough from all seeds",
        complexity="O(NKD) per threshold tried",
        cost="linear",
        deterministic=True,
        order_sensitive=True,
        weights="part",
        selects_rows=False,
        use="where a distance that separates clusters is known: give it as the threshold",
        avoid="with many attributes: all distances are alike, and a small change of the threshold "
        "changes everything; and where the order of the rows means nothing",
    )

    threshold: float | str = parameter(
        "auto", _THRESHOLD_DOC, allowed=_THRESHOLD_ALLOWED, accepts=_is_threshold
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        mean = _mean(points, n_threads)
        rows, threshold = _Scan(points, mean, n_threads).run(self.threshold, n_clusters - 1)
        start: Any = np.concatenate([mean[np.newaxis], points.x[rows]])
        centers, added = add_farthest(points, start, n_clusters, n_threads)
        return Seeds(centers, info={"threshold": threshold, "shortfall": len(added)})


@register
@dataclass(frozen=True, kw_only=True)
class SimpleClusterSeeking(Method):
    """The first row, then every row at least the threshold away from all seeds so far, in order.

    With ``replace="full"`` (as in SAS's FASTCLUS) the rows after the last seed go on to replace
    seeds: one of the closest pair, where the row is farther from all seeds than these two from
    each other; or else its nearest seed, where the row is farther from the other seeds than that
    seed is. "auto" is then 0: it starts from the first distinct rows.
    """

    meta = Meta(
        id="simple-cluster-seeking",
        name="Simple cluster seeking",
        aliases=("scs", "tou-gonzalez"),
        presets={"fastclus": {"replace": "full"}},
        family="linear",
        reference=Reference(
            authors="Tou, J. T. & Gonzalez, R. C.",
            title="Pattern recognition principles",
            venue="Addison-Wesley",
            year=1974,
        ),
        summary="the first row, then rows in order that are far enough from all seeds",
        complexity="O(NKD) per threshold tried",
        cost="linear",
        deterministic=True,
        order_sensitive=True,
        weights="part",
        selects_rows=True,
        use="where a distance that separates clusters is known, or with replace='full' for well "
        "separated seeds in one pass",
        avoid="with outliers, which are far from everything; and, with a threshold, where there "
        "are many attributes",
    )

    threshold: float | str = parameter(
        "auto",
        f"{_THRESHOLD_DOC}; 0 with replace='full'",
        allowed=_THRESHOLD_ALLOWED,
        accepts=_is_threshold,
    )
    replace: str = parameter(
        "none",
        "whether rows after the last seed may replace seeds: 'none' or, as in FASTCLUS, 'full'",
        allowed="'none' or 'full'",
        accepts=lambda v: isinstance(v, str) and v in ("none", "full"),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        wanted = 0.0 if self.replace == "full" and self.threshold == "auto" else self.threshold
        later, threshold = _Scan(points, points.x[0], n_threads).run(wanted, n_clusters - 1)
        rows, info = np.concatenate([[0], later]).astype(np.int64), {"threshold": threshold}
        if self.replace == "full" and len(rows) == n_clusters > 1:
            rows, info["replaced"] = spread_seeds(points.data, rows)
        rows, shortfall = complete_rows(points, rows, n_clusters, n_threads)
        return rows_as_seeds(points, rows, **info, shortfall=shortfall)


class _Scan:
    """Scans of the rows, in order, after a first seed that is the same for all thresholds.

    Distances are in units of a power of two near the range of the data, so that their squares
    neither overflow nor vanish.
    """

    def __init__(self, points: Points, first: FloatArray, n_threads: int) -> None:
        self.points, self.first, self.n_threads = points, first, n_threads
        self.unit = unit_of(points.data)

    @cached_property
    def from_first(self) -> NDArray[Any]:
        """The distance of every row to the first seed."""
        return self._distances(self.first)

    def run(self, threshold: float | str, count: int) -> tuple[NDArray[np.int64], float]:
        """Up to ``count`` rows, and the threshold that gave them."""
        if not isinstance(threshold, str):
            return self._rows(float(threshold), count), float(threshold)
        radius = self._radius()
        for halvings in range(_HALVINGS + 1):
            tried = radius * 2.0 ** (-halvings / 2)
            rows = self._rows(tried, count)
            if len(rows) == count:
                break
        return rows, tried

    def _distances(self, center: FloatArray) -> NDArray[Any]:
        one: Any = np.ascontiguousarray(center[np.newaxis])
        return self.points.data.distances(one, self.n_threads)[:, 0]

    def _radius(self) -> float:
        """The greatest distance to the mean, in double precision whatever the data's is."""
        mean = _mean(self.points, self.n_threads)
        starts_there = np.array_equal(mean, self.first)
        from_mean = self.from_first if starts_there else self._distances(mean)
        near = np.flatnonzero(from_mean >= from_mean.max() * (1 - 1e-6))
        return float(np.sqrt(self._squares(near, mean).max())) * self.unit

    def _squares(self, rows: NDArray[np.intp], center: FloatArray) -> NDArray[np.float64]:
        offset = self.points.x[rows].astype(np.float64) - center
        squares: NDArray[np.float64] = np.square(offset / self.unit).sum(axis=1)
        return squares

    def _rows(self, threshold: float, count: int) -> NDArray[np.int64]:
        """The first ``count`` rows at least ``threshold`` (and not zero) from all before."""
        found: list[int] = []
        least = (threshold / self.unit) ** 2
        for rows in self._chunks(threshold):
            nearest = self._squares(rows, self.first.astype(np.float64))
            for row in found:
                np.minimum(nearest, self._squares(rows, self.points.x[row]), out=nearest)
            while len(found) < count and len(rows):
                far = (nearest >= least) & (nearest > 0.0)
                at = int(far.argmax())
                if not far[at]:
                    break
                found.append(int(rows[at]))
                rows = rows[at + 1 :]
                nearest = np.minimum(
                    nearest[at + 1 :], self._squares(rows, self.points.x[found[-1]])
                )
            if len(found) == count:
                break
        return np.array(found, dtype=np.int64)

    def _chunks(self, threshold: float) -> Iterator[NDArray[np.intp]]:
        """Rows that are not clearly too near to the first seed, some at a time: few at first, where
        seeds are found most often."""
        worth = None
        if threshold > 0.0:
            worth = np.flatnonzero(self.from_first >= threshold * (1 - 1e-6))
        end = self.points.n if worth is None else len(worth)
        begin, size = 0, 64
        while begin < end:
            there = slice(begin, min(begin + size, end))
            yield np.arange(there.start, there.stop) if worth is None else worth[there]
            begin, size = begin + size, min(2 * size, _CHUNK)


def _mean(points: Points, n_threads: int) -> FloatArray:
    mean: Any = mean_of_attributes(points.data, n_threads).astype(points.x.dtype)
    return mean  # type: ignore[no-any-return]
