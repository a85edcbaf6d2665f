"""Maximin: every next seed is the row farthest from those chosen (Gonzalez; Katsavounidis, Kuo and
Zhang for the start at the row of greatest norm)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._seeding import farthest_seeds, longest_row
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._registry import register
from seedbed.init._shortfall import add_distinct


@register
@dataclass(frozen=True, kw_only=True)
class Maximin(Method):
    """Farthest-first traversal. The first seed is kept, unlike in ELKI's FarthestPoints.

    Weights matter only where they are zero. ``first="kkz"`` starts at the row of greatest norm and
    so depends on where the origin is; inside scikit-learn's KMeans that is the mean of the data.
    """

    meta = Meta(
        id="maximin",
        letter="X",
        name="Maximin",
        aliases=("gonzalez", "farthest-first", "farthest-point", "furthest-first"),
        presets={"kkz": {"first": "kkz"}},
        family="linear",
        reference=Reference(
            authors="Gonzalez, T.",
            title="Clustering to minimize the maximum intercluster distance",
            venue="Theoretical Computer Science 38, 293–306",
            year=1985,
            doi="10.1016/0304-3975(85)90224-5",
        ),
        summary="each next seed is the row farthest from the seeds so far",
        complexity="O(NKD)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="no",
        selects_rows=True,
        use="for compact, well separated clusters without outliers",
        avoid="with outliers: they are the farthest rows and are chosen first",
    )

    first: str | int = parameter(
        "random",
        "the first seed: a random row, the row of greatest norm ('kkz', as Katsavounidis, Kuo & "
        "Zhang 1994 do), or the row of that index",
        allowed="'random', 'kkz' or a row index >= 0",
        accepts=lambda v: v >= 0 if is_integer(v) else v in ("random", "kkz"),
    )

    @property
    def deterministic(self) -> bool:
        return self.first != "random"

    @property
    def translation_invariant(self) -> bool:
        return self.first != "kkz"

    @property
    def order_sensitive(self) -> bool:
        return is_integer(self.first)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        chosen = farthest_seeds(points.data, n_clusters, self._start(points, rng), n_threads)
        rows, shortfall = add_distinct(points, chosen.rows, n_clusters)
        return rows_as_seeds(
            points, rows, radii=chosen.radii, distances=chosen.distances, shortfall=shortfall
        )

    def _start(self, points: Points, rng: np.random.Generator) -> int:
        if self.first == "random":
            return int(rng.integers(points.n))
        if self.first == "kkz":
            return longest_row(points.data)
        return points.position(int(self.first))
