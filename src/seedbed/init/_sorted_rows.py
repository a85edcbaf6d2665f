"""Rows sorted along one number, and seeds taken at regular places: Hartigan sorts by the distance
to the mean, Al-Daoud by the attribute of largest variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._argsort import argsort, rows_at
from seedbed._core._attributes import describe_attributes, mean_of_attributes
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, rows_as_seeds
from seedbed.init._registry import register
from seedbed.init._shortfall import complete_rows


@register
@dataclass(frozen=True, kw_only=True)
class Hartigan(Method):
    """Rows 0, ⌊N/K⌋, 2⌊N/K⌋, … in the order of their distance to the mean.

    With weights, places are counted in weight: ⌊N/K⌋ times the mean weight apart. A place whose
    row equals an earlier seed is left, and the seeds completed by the farthest rows.
    """

    meta = Meta(
        id="hartigan",
        name="Hartigan",
        aliases=("distance-quantiles",),
        family="loglinear",
        reference=Reference(
            authors="Hartigan, J. A. & Wong, M. A.",
            title="Algorithm AS 136: a k-means clustering algorithm",
            venue="Journal of the Royal Statistical Society, Series C 28, 100–108",
            year=1979,
            doi="10.2307/2346830",
        ),
        summary="rows at regular places in the order of distance to the mean",
        complexity="O(ND + N log N)",
        cost="loglinear",
        deterministic=True,
        order_sensitive=False,
        weights="part",
        selects_rows=True,
        use="where clusters lie like shells around the mean",
        avoid="where several clusters are about as far from the mean: it cannot tell them apart",
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        distance = _distance_to_mean(points, n_threads)
        places = points.n // n_clusters * np.arange(n_clusters)
        if points.weight is None:
            rows = rows_at(places, distance, n_threads)
        else:
            order = argsort(distance, n_threads).rows
            until = _mass_until(points, order)
            rows = order[np.searchsorted(until, places * (until[-1] / points.n), side="right")]
        return _selected(points, rows, n_clusters, n_threads)


@register
@dataclass(frozen=True, kw_only=True)
class AlDaoudVariance(Method):
    """The middle row of each of K equal groups along the attribute of largest variance.

    With weights, groups have equal weight and the middle is that of the weight. A group whose
    middle row equals an earlier seed, or that a heavier row swallows, has none: the seeds are then
    completed by the farthest rows.
    """

    meta = Meta(
        id="al-daoud-variance",
        name="Al-Daoud variance",
        aliases=("al-daoud", "variance-quantiles"),
        family="loglinear",
        reference=Reference(
            authors="Al-Daoud, M. B.",
            title="A new algorithm for cluster initialization",
            venue="Proceedings of the 2nd World Enformatika Conference, 74–76",
            year=2005,
        ),
        summary="middle rows of equal groups along the attribute of largest variance",
        complexity="O(ND + N log N)",
        cost="loglinear",
        deterministic=True,
        order_sensitive=False,
        weights="part",
        selects_rows=True,
        use="where one attribute separates the clusters",
        avoid="where clusters differ in several attributes, or in size: groups are equal",
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        (attribute,) = describe_attributes(points.data, n_threads).widest(1)
        values = points.x[:, attribute]
        if points.weight is None:
            bounds = np.arange(n_clusters + 1) * points.n // n_clusters
            rows = rows_at((bounds[:-1] + bounds[1:] - 1) // 2, values, n_threads)
        else:
            order = argsort(values, n_threads).rows
            rows = order[_weighted_middles(_mass_until(points, order), n_clusters)]
        return _selected(points, rows, n_clusters, n_threads, attribute=int(attribute))


def _distance_to_mean(points: Points, n_threads: int) -> NDArray[Any]:
    mean = mean_of_attributes(points.data, n_threads)
    one: Any = mean.astype(points.x.dtype)[np.newaxis]
    return points.data.distances(one, n_threads)[:, 0]


def _mass_until(points: Points, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """The weight of the rows up to and with each, in that order; the greatest weight counts one."""
    assert points.weight is not None
    until: NDArray[np.float64] = np.cumsum(points.weight[order] / points.weight.max())
    return until


def _weighted_middles(until: NDArray[np.float64], n_groups: int) -> NDArray[np.intp]:
    """Places of the middle of each of ``n_groups`` groups of equal weight, empty groups left out.

    A group begins at the first row that reaches beyond the weight of those before it; its middle
    is the first row by which half of its weight is reached.
    """
    edges = until[-1] * np.arange(n_groups) / n_groups
    starts = np.unique(np.searchsorted(until, edges, side="right"))
    before = np.concatenate([[0.0], until])[np.append(starts, len(until))]
    middles: NDArray[np.intp] = np.searchsorted(until, (before[:-1] + before[1:]) / 2, side="left")
    return middles


def _selected(
    points: Points, rows: NDArray[np.int64], n_clusters: int, n_threads: int, **info: Any
) -> Seeds:
    chosen, shortfall = complete_rows(points, rows, n_clusters, n_threads)
    return rows_as_seeds(points, chosen, **info, shortfall=shortfall)
