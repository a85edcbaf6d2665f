"""FLS++: local search that judges a swap by the error after the means are taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._search import best_mean_swap, nearest
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Reference, Seeds, parameter
from seedbed.init._draws import draw_one, plain
from seedbed.init._registry import register
from seedbed.init._shortfall import replace_repeats
from seedbed.init._started import Started


@register
@dataclass(frozen=True, kw_only=True)
class FLSPlusPlus(Started):
    """Each step draws a row, swaps it for the seed whose loss costs least once all clusters have
    their means, or for none, and ends in those means; the error never rises."""

    meta = Meta(
        id="fls++",
        name="FLS++",
        aliases=("foresight-ls++",),
        family="modern",
        reference=Reference(
            authors="Conrads, T., Drexler, L., Könen, J., Schmidt, D. R. & Schmidt, M.",
            title="Local search k-means++ with foresight",
            venue="22nd International Symposium on Experimental Algorithms, LIPIcs 301, 7:1–7:20",
            year=2024,
            doi="10.4230/LIPIcs.SEA.2024.7",
        ),
        summary="local search whose every step ends in the means",
        complexity="O(NKD) per step",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for one excellent start: better than LS++, nearly as good as breathing k-means",
        avoid="where seeding shall be cheaper than k-means itself: a step costs several iterations",
    )

    steps: int = parameter(
        20,
        "draws, each followed by a swap or not, and by the means",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        start = self._start(safe.points, n_clusters, rng, n_threads)
        centers, swapped = start.centers, 0
        share = safe.mass * nearest(safe.points.data, centers, n_threads).squares
        cost = [float(share.sum())]
        for _ in range(self.steps):
            if cost[-1] == 0:
                break
            row = draw_one(share, rng)
            replaced, means = best_mean_swap(safe.points.data, centers, row, n_threads)
            after = safe.mass * nearest(safe.points.data, means, n_threads).squares
            if after.sum() < cost[-1]:
                centers, share, swapped = means, after, swapped + (replaced >= 0)
            cost.append(float(share.sum()))
        relative = np.array(cost) / (cost[0] or 1.0)
        info = {"relative_potential": relative, "swapped": swapped}
        centers, repeated = replace_repeats(points, safe.restored(centers), rng)
        return Seeds(centers, info=info | {"shortfall": repeated})
