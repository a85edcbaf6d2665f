"""The seeding of Ostrovsky, Rabani, Schulman and Swamy: the first two seeds are drawn as a pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._search import nearest
from seedbed._core._seeding import draw_seeds
from seedbed._validation import FloatArray, Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._draws import Plain, draw_one, mean_of, plain, squares_about
from seedbed.init._registry import register
from seedbed.init._shortfall import add_distinct, replace_repeats


@register
@dataclass(frozen=True, kw_only=True)
class Ostrovsky(Method):
    """A pair of rows with probability proportional to its squared distance, then D² draws.

    ``ball_step=True`` then moves every seed to the mean of the rows within a third of its distance
    to the nearest other seed; seeds are no longer rows.
    """

    meta = Meta(
        id="ostrovsky",
        name="Ostrovsky",
        aliases=("orss",),
        presets={"ball-k-means": {"ball_step": True}},
        family="modern",
        reference=Reference(
            authors="Ostrovsky, R., Rabani, Y., Schulman, L. J. & Swamy, C.",
            title="The effectiveness of Lloyd-type methods for the k-means problem",
            venue="Journal of the ACM 59(6), article 28",
            year=2012,
            doi="10.1145/2395116.2395117",
        ),
        summary="a first pair of rows far apart, then D² draws",
        complexity="O(NKD)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="for well separated clusters, few of them: the first pair is better than in k-means++",
        avoid="with many clusters, where the first pair matters little: use greedy k-means++",
    )

    ball_step: bool = parameter(
        False,
        "move every seed to the mean of the rows close to it",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        first = draw_one(first_mass(safe, n_threads), rng)
        uniforms = rng.random((n_clusters, 1))
        drawn = draw_seeds(points.data, uniforms, n_threads, given=np.array([first]))
        rows, shortfall = add_distinct(points, drawn.rows, n_clusters)
        if not self.ball_step:
            return rows_as_seeds(
                points,
                rows,
                potential=drawn.potential,
                distances=drawn.distances,
                shortfall=shortfall,
            )
        centers = safe.restored(_ball_means(safe, safe.points.x[rows], n_threads))
        centers, repeated = replace_repeats(points, centers, rng)
        return Seeds(centers, info={"shortfall": shortfall + repeated})


def first_mass(safe: Plain, n_threads: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Mass of the first draw: how far the row is from all others, Σ d²(x, y)."""
    squares = squares_about(safe.points, mean_of(safe.points), n_threads)
    spread = np.sum(safe.mass * squares) / safe.mass.sum()
    mass: np.ndarray[tuple[int], np.dtype[np.float64]] = safe.mass * (squares + spread)
    return mass


def _ball_means(safe: Plain, centers: FloatArray, n_threads: int) -> FloatArray:
    """Means of the rows within a third of the distance from a seed to the nearest other one.

    Such a row is nearest to that seed. The seed itself is among them, so none is without.
    """
    if len(centers) == 1:
        return mean_of(safe.points)
    x = centers.astype(np.float64)
    near = nearest(safe.points.data, centers, n_threads)
    means = centers.copy()
    for c in range(len(centers)):
        gaps = np.square(x - x[c]).sum(axis=1)
        gaps[c] = np.inf
        inside = np.flatnonzero((near.labels == c) & (near.squares <= gaps.min() / 9))
        means[c] = mean_of(safe.points.take(inside))[0]
    return means
