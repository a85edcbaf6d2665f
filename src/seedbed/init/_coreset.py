"""Lightweight coresets: a small weighted sample that stands for all the rows, and is seeded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
from seedbed._validation import Points, is_integer, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._draws import Plain, draw, mean_of, plain, squares_about
from seedbed.init._inner import run_inner_once
from seedbed.init._plus_plus import GreedyKMeansPlusPlus
from seedbed.init._registry import register
from seedbed.init._shortfall import add_drawn, replace_repeats

_ROWS_PER_CLUSTER = 100


@register
@dataclass(frozen=True, kw_only=True)
class LightweightCoreset(Method):
    """k-means on a sample: half drawn by weight, half by squared distance to the mean.

    Every row stands for as many as its probability is small, so the sample's error is the data's
    in expectation, whatever the centres. Where the sample would not be smaller than the data, the
    data themselves are clustered.
    """

    meta = Meta(
        id="lightweight-coreset",
        name="Lightweight coreset",
        aliases=("coreset",),
        family="modern",
        reference=Reference(
            authors="Bachem, O., Lucic, M. & Krause, A.",
            title="Scalable k-means clustering via lightweight coresets",
            venue="Proceedings of the 24th ACM SIGKDD International Conference on Knowledge "
            "Discovery and Data Mining, 1119–1127",
            year=2018,
            doi="10.1145/3219819.3219973",
        ),
        summary="greedy k-means++ and k-means on a small weighted sample",
        complexity="O(ND + mKD) for a sample of m rows",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for very many rows and few clusters: two passes give seeds close to the result",
        avoid="where small clusters matter: the sample may miss them",
    )

    size: int | None = parameter(
        None,
        f"rows of the sample; None for {_ROWS_PER_CLUSTER} per cluster, a thousand at least",
        allowed="None or an int >= 1",
        accepts=lambda v: v is None or (is_integer(v) and v >= 1),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        size = max(1000, _ROWS_PER_CLUSTER * n_clusters) if self.size is None else self.size
        sample = safe.points
        if size < points.n:
            rows, mass = coreset(safe, size, rng, n_threads)
            sample = points_of(safe.points.x[rows], mass, n_threads=n_threads)
        info = {"sample": sample.n}
        found = distinct_rows(sample.data, n_clusters)
        if len(found) < n_clusters:
            centers = add_drawn(points, points.x[rows[found]], n_clusters, rng)
            return Seeds(centers, info=info | {"shortfall": n_clusters - len(found)})
        seeds = GreedyKMeansPlusPlus()._seed(sample, n_clusters, rng, n_threads)
        centers = run_inner_once(sample, seeds.centers, n_threads).centers
        centers, shortfall = replace_repeats(points, safe.restored(centers), rng)
        return Seeds(centers, info=info | {"shortfall": shortfall})


def coreset(
    safe: Plain, size: int, rng: np.random.Generator, n_threads: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of the sample (each once, in order) and the mass that each stands for."""
    squares = squares_about(safe.points, mean_of(safe.points), n_threads)
    share = safe.mass * squares
    chance = 0.5 * safe.mass / safe.mass.sum() + 0.5 * share / share.sum()
    rows, times = np.unique(draw(np.cumsum(chance), rng.random(size)), return_counts=True)
    return rows, times * safe.mass[rows] / (size * chance[rows])
