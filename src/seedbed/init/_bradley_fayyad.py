"""Bradley and Fayyad's refinement: cluster random parts of the data, then the centres found.

As in the study, the rows are partitioned and every part gets seeds of its own; the original draws
independent subsamples and starts them all from the same seeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import cluster_parts, distinct_among, draw_parts
from seedbed._validation import Points, is_integer, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._inner import MOST_ITERATIONS, run_inner
from seedbed.init._macqueen import MacQueen, draw_rows
from seedbed.init._registry import register
from seedbed.init._shortfall import replace_repeats

MOST_PARTS = np.iinfo(np.uint16).max


@register
@dataclass(frozen=True, kw_only=True)
class BradleyFayyad(Method):
    """The best clustering of the centres that k-means finds in random parts of the data."""

    meta = Meta(
        id="bradley-fayyad",
        letter="B",
        name="Bradley–Fayyad",
        aliases=("bradley", "refined-start", "bf"),
        family="linear",
        reference=Reference(
            authors="Bradley, P. S. & Fayyad, U. M.",
            title="Refining initial points for k-means clustering",
            venue="Proceedings of the 15th International Conference on Machine Learning, 91–99",
            year=1998,
        ),
        summary="k-means on random parts, then on the centres they give",
        complexity="O(NKD) per inner iteration",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="part",
        selects_rows=False,
        use="for large data with few clusters: it varies least among the random methods",
        avoid="where a part would hold too few rows of some cluster",
    )

    subsamples: int = parameter(
        10,
        "parts the rows are split into; fewer where a part would have fewer rows than clusters",
        allowed=f"an int from 2 to {MOST_PARTS}",
        accepts=lambda v: is_integer(v) and 2 <= v <= MOST_PARTS,
    )
    tol: float = parameter(
        1e-4,
        "k-means in a part ends when an iteration lowers its error by less than this share; the "
        "study's own 1e-6 takes longer, and final errors are the same",
        allowed="a number >= 0 and < 1",
        accepts=lambda v: isinstance(v, int | float) and 0 <= v < 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        parts = min(self.subsamples, points.n // n_clusters)
        if parts < 2:
            seeds = MacQueen()._seed(points, n_clusters, rng, n_threads)
            return Seeds(seeds.centers, seeds.indices, {"subsamples": 1})
        dealt = draw_parts(points.n, parts, rng)
        starts = cluster_parts(
            points.data,
            dealt,
            np.stack([_draw_start(points, part, n_clusters, rng) for part in dealt.split()]),
            tol=self.tol,
            max_iter=MOST_ITERATIONS,
            n_threads=n_threads,
        )
        pooled = points_of(starts.reshape(-1, points.d), None, n_threads=n_threads)
        refined = run_inner(pooled, starts, n_threads)
        best = min(range(parts), key=lambda i: (refined[i].sse, i))
        info = {"subsamples": parts, "chosen": best, "pooled_sse": refined[best].sse}
        centers, info["shortfall"] = replace_repeats(points, refined[best].centers, rng)
        return Seeds(centers, info=info)


def _draw_start(
    points: Points, part: NDArray[np.int64], n_clusters: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Rows of one part to start from; some are equal where it has fewer distinct rows."""
    distinct = part[distinct_among(points.data, part, n_clusters)]
    if len(distinct) < n_clusters:
        return np.resize(distinct, n_clusters)
    return draw_rows(points, n_clusters, rng, among=part)
