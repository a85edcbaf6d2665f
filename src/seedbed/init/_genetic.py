"""A genetic algorithm over sets of rows (Babu & Murty 1993).

The details of the publication could not be recovered: the operators and their rates are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import distinct_rows
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import at_most, frame, n_max_parameter
from seedbed.init._macqueen import draw_rows
from seedbed.init._principal import principal_axis
from seedbed.init._registry import register
from seedbed.init._seed_search import Rows, SeedSearch


@register
@dataclass(frozen=True, kw_only=True)
class Genetic(Method):
    """Breed sets of rows by the error that a few iterations of k-means reach from them.

    Parents win binary tournaments. Their seeds are put in order along the first principal axis and
    exchanged from a random place on; each seed is then replaced by a D² draw with probability 1/K,
    and so is one that occurs twice. The best set always survives. ``info`` has the best error of
    every generation.
    """

    meta = Meta(
        id="genetic",
        name="Genetic algorithm",
        aliases=("genetic-algorithm", "ga", "babu-murty"),
        family="other",
        reference=Reference(
            authors="Babu, G. P. & Murty, M. N.",
            title="A near-optimal initial seed value selection in K-means algorithm using a "
            "genetic algorithm",
            venue="Pattern Recognition Letters 14, 763–769",
            year=1993,
        ),
        summary="breed sets of rows by the error a short k-means ends in",
        complexity="a thousand short runs of k-means, each O(NKD) per iteration",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="to see what a general-purpose search can do on small data",
        avoid="where the best error counts: HG-means, a later genetic search over centres, is far "
        "stronger",
    )

    population: int = parameter(
        20,
        "sets of rows alive at a time",
        allowed="an int >= 2",
        accepts=lambda v: is_integer(v) and v >= 2,
    )
    generations: int = parameter(
        50,
        "how often the sets are bred",
        allowed="an int >= 0",
        accepts=lambda v: is_integer(v) and v >= 0,
    )
    iterations: int = parameter(
        10,
        "most iterations of k-means in judging a set",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    n_max: int = n_max_parameter(100_000)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        at_most(points, self.n_max, self.meta.id, "it runs k-means a thousand times")
        whole = frame(points, n_threads)
        search = SeedSearch(whole, n_clusters, n_threads, max_iter=self.iterations)
        spread = whole.x - whole.mean()
        place = spread @ principal_axis(spread, whole.mass)[1]
        sets = np.stack([draw_rows(points, n_clusters, rng) for _ in range(self.population)])
        errors = search.errors(sets)
        history = [float(errors.min())]
        for _ in range(self.generations if n_clusters < points.n else 0):
            best = int(errors.argmin())
            children = [_child(search, sets, errors, place, rng) for _ in sets[1:]]
            sets = np.stack([sets[best], *children])
            errors = np.concatenate([errors[[best]], search.errors(sets[1:])])
            history.append(float(errors.min()))
            if history[-1] == 0.0:
                break
        return whole.row_seeds(
            sets[errors.argmin()],
            n_clusters,
            n_threads,
            error=whole.squares(history[-1]),
            errors=whole.squares(np.array(history)),
            runs=search.runs,
        )


def _child(
    search: SeedSearch,
    sets: Rows,
    errors: NDArray[np.float64],
    place: NDArray[np.float64],
    rng: np.random.Generator,
) -> Rows:
    """A set bred of two winners, mutated, without repetitions."""
    k = search.n_clusters

    def parent() -> Rows:
        rivals = rng.integers(len(sets), size=2)
        winner: Rows = sets[rivals[errors[rivals].argmin()]]
        return winner[np.argsort(place[winner], kind="stable")]

    mother, father = parent(), parent()
    cut = int(rng.integers(k + 1))
    child = np.concatenate([mother[:cut], father[cut:]])
    kept = child[rng.random(k) >= 1 / k]
    if len(kept):
        kept = kept[distinct_rows(search.frame.points.take(kept).data, k)]
    full = search.completed(kept, rng)
    return mother if full is None else full  # rows too close for squares to tell them apart
