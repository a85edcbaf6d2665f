"""Random swap: move a random centre to a random row, iterate briefly, keep what is better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._engine import Run
from seedbed._validation import FloatArray, Points, is_integer
from seedbed.init._base import Meta, Reference, Seeds, parameter
from seedbed.init._draws import draw_one, plain
from seedbed.init._inner import run_inner_once
from seedbed.init._registry import register
from seedbed.init._shortfall import replace_repeats
from seedbed.init._started import Started


@register
@dataclass(frozen=True, kw_only=True)
class RandomSwap(Started):
    """Trial and error from the seeds of another method; the error never rises."""

    meta = Meta(
        id="random-swap",
        name="Random swap",
        aliases=("rs-clustering",),
        family="modern",
        reference=Reference(
            authors="Fränti, P.",
            title="Efficiency of random swap clustering",
            venue="Journal of Big Data 5, article 13",
            year=2018,
            doi="10.1186/s40537-018-0122-y",
        ),
        summary="move a centre at random, iterate twice, keep what is better",
        complexity="O(NKD) per trial",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="where the best clustering is wanted and time matters little; it never gets stuck",
        avoid="for large data: HG-means and breathing k-means get further in the same time",
    )

    trials: int = parameter(
        1000,
        "swaps that are tried; the paper tries 5000",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )
    iterations: int = parameter(
        2,
        "iterations of k-means after each swap",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)

        def run(centers: FloatArray) -> Run:
            return run_inner_once(safe.points, centers, n_threads, max_iter=self.iterations, tol=0)

        best = run(self._start(safe.points, n_clusters, rng, n_threads).centers)
        accepted = 0
        for _ in range(self.trials):
            tried = best.centers.copy()
            tried[rng.integers(n_clusters)] = safe.points.x[draw_one(safe.mass, rng)]
            after = run(tried)
            if after.sse < best.sse:
                best, accepted = after, accepted + 1
        centers, repeated = replace_repeats(points, safe.restored(best.centers), rng)
        return Seeds(centers, info={"accepted": accepted, "shortfall": repeated})
