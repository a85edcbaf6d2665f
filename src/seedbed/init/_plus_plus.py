"""k-means++ and its greedy form: seeds drawn with probability proportional to the squared distance
to the nearest seed so far (D² draws).

In scikit-learn "k-means++" is the greedy form; here, as in the paper, ELKI, faiss and mlpack, it is
the plain one.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seedbed._core._seeding import Drawn, draw_starts, draw_streams
from seedbed._random import Streams
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._registry import register
from seedbed.init._shortfall import add_distinct

_REFERENCE = Reference(
    authors="Arthur, D. & Vassilvitskii, S.",
    title="k-means++: the advantages of careful seeding",
    venue="Proceedings of the 18th ACM-SIAM Symposium on Discrete Algorithms, 1027–1035",
    year=2007,
)


class _Drawn(Method):
    """Seeds by D² draws, several starts at a time."""

    @abstractmethod
    def trials_for(self, n_clusters: int) -> int:
        """Draws per seed for that many clusters."""

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        (seeds,) = self._seed_starts(points, n_clusters, (rng,), n_threads)
        return seeds

    def _seed_starts(
        self,
        points: Points,
        n_clusters: int,
        rngs: Sequence[np.random.Generator],
        n_threads: int,
    ) -> list[Seeds]:
        trials = self.trials_for(n_clusters)
        starts = []
        for drawn in _drawn(points, n_clusters, trials, rngs, n_threads):
            rows, shortfall = add_distinct(points, drawn.rows, n_clusters)
            starts.append(
                rows_as_seeds(
                    points,
                    rows,
                    trials=trials,
                    potential=drawn.potential,
                    distances=drawn.distances,
                    shortfall=shortfall,
                )
            )
        return starts


def _drawn(
    points: Points,
    n_clusters: int,
    trials: int,
    rngs: Sequence[np.random.Generator],
    n_threads: int,
) -> list[Drawn]:
    if isinstance(rngs, Streams):
        return draw_streams(points.data, rngs.first_words(), n_clusters, trials, n_threads)
    uniforms = np.stack([rng.random((n_clusters, trials)) for rng in rngs])
    return draw_starts(points.data, uniforms, n_threads)


@register
@dataclass(frozen=True, kw_only=True)
class KMeansPlusPlus(_Drawn):
    """One D² draw per seed; expected error within 8(ln K + 2) of the best possible."""

    meta = Meta(
        id="k-means++",
        letter="K",
        name="k-means++",
        aliases=("plus-plus", "kmpp", "d2"),
        family="linear",
        reference=_REFERENCE,
        summary="D² draws: rows far from the seeds so far are likelier",
        complexity="O(NKD)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="where its guarantee matters, or with several restarts",
        avoid="for a single run: the greedy form is better on average and varies less",
    )

    def trials_for(self, n_clusters: int) -> int:
        """Draws per seed: one.

        Parameters
        ----------
        n_clusters : int
            How many seeds.

        Returns
        -------
        int
            1.
        """
        return 1


@register
@dataclass(frozen=True, kw_only=True)
class GreedyKMeansPlusPlus(_Drawn):
    """Several D² draws per seed, of which the one that lowers the error most is kept.

    This is what scikit-learn calls "k-means++".
    """

    meta = Meta(
        id="greedy-k-means++",
        letter="G",
        name="Greedy k-means++",
        aliases=("greedy", "greedy-kmpp", "greedy-plus-plus"),
        family="linear",
        reference=_REFERENCE,
        summary="the best of several D² draws for each seed",
        complexity="O(NKD log K)",
        cost="linear",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="as the default: good on average, little variation, cheap",
        avoid="where K is in the thousands and seeding dominates the time",
    )

    trials: int | str | None = parameter(
        None,
        "draws per seed: None for 2 + ⌊ln K⌋ as in the authors' code and scikit-learn, 'survey' "
        "for max(1, ⌈ln K⌉) as in the study, or a number; 1 is plain k-means++",
        allowed="None, 'survey' or an int >= 1",
        accepts=lambda v: v >= 1 if is_integer(v) else v in (None, "survey"),
    )

    def trials_for(self, n_clusters: int) -> int:
        """Draws per seed for that many clusters."""
        if self.trials is None:
            return 2 + int(math.log(n_clusters))
        if self.trials == "survey":
            return max(1, math.ceil(math.log(n_clusters)))
        return int(self.trials)
