"""LS++: swap seeds for D² draws while that lowers the error, one at a time or several at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedbed._core._search import swap_search
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._registry import register
from seedbed.init._shortfall import replace_repeats
from seedbed.init._started import Started


@register
@dataclass(frozen=True, kw_only=True)
class LSPlusPlus(Started):
    """Local search from the seeds of another method; the error of the seeds never rises.

    With ``swaps`` above one, as many rows are drawn, and as many seeds of least worth are then left
    out one after the other: Beretta, L., Cohen-Addad, V., Lattanzi, S. & Parotsidis, N. (2023).
    Multi-swap k-means++. Advances in Neural Information Processing Systems 36.
    """

    meta = Meta(
        id="ls++",
        name="LS++",
        aliases=("local-search-k-means++", "ls-k-means++"),
        presets={"multi-swap-k-means++": {"swaps": 3}},
        family="modern",
        reference=Reference(
            authors="Lattanzi, S. & Sohler, C.",
            title="A better k-means++ algorithm via local search",
            venue="Proceedings of the 36th International Conference on Machine Learning, "
            "PMLR 97, 3662–3671",
            year=2019,
        ),
        summary="swap seeds for D² draws while the error falls",
        complexity="O(NKD) to start and O(ND) per step",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="for one very good start: after K steps or so within a constant factor of the best",
        avoid="where seeding must cost no more than k-means++: every step is a pass over the data",
    )

    steps: int = parameter(
        25,
        "draws, each followed by a swap if one lowers the error",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )
    swaps: int = parameter(
        1,
        "seeds swapped at once",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        start = self._start(points, n_clusters, rng, n_threads)
        uniforms = rng.random((self.steps, min(self.swaps, points.n)))
        found = swap_search(points.data, start.centers, uniforms, n_threads)
        info = {
            "potential": found.cost,
            "swapped": int((found.rows >= 0).sum()),
            "distances": found.distances,
            "shortfall": start.info.get("shortfall", 0),
        }
        if start.indices is not None:
            rows = np.where(found.rows >= 0, found.rows, start.indices)
            return rows_as_seeds(points, rows, **info)
        centers, repeated = replace_repeats(points, found.centers, rng)
        info["shortfall"] += repeated
        return Seeds(centers, info=info)
