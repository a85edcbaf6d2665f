"""Simulated annealing over sets of rows (Babu & Murty 1994).

The details of the publication could not be recovered: the move, the schedule and the first
temperature are ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import at_most, frame, n_max_parameter
from seedbed.init._registry import register
from seedbed.init._seed_search import Rows, SeedSearch

_PROBES = 20  # random moves from which the first temperature is estimated
_FROZEN = 1e-3  # the search ends at this part of the first temperature


@register
@dataclass(frozen=True, kw_only=True)
class Annealing(Method):
    """Replace one seed at a time, now and then for the worse, and keep the best set seen.

    The energy of a set of rows is the error after k-means. Starting from k-means++ seeds, a move
    replaces a random seed by a D² draw; it is accepted if the energy falls, or else with
    probability exp(−ΔE/T). After 2K moves T falls to ``cooling``·T, down to a thousandth of its
    first value. ``info`` has the best energy after every move.
    """

    meta = Meta(
        id="simulated-annealing",
        name="Simulated annealing",
        aliases=("annealing", "babu-murty-annealing"),
        family="other",
        reference=Reference(
            authors="Babu, G. P. & Murty, M. N.",
            title="Simulated annealing for selecting optimal initial seeds in the K-means "
            "algorithm",
            venue="Indian Journal of Pure and Applied Mathematics 25, 85–94",
            year=1994,
        ),
        summary="anneal a set of rows by the error k-means ends in",
        complexity="hundreds of runs of k-means, each O(NKD) per iteration",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="to see what a general-purpose search can do on small data",
        avoid="where time matters: as many k-means++ restarts usually do as well",
    )

    temperature: float | None = parameter(
        None,
        "the first temperature, in units of the squared error; None for the mean change of 20 "
        "random moves, 0 for hill climbing",
        allowed="None or a number >= 0",
        accepts=lambda v: v is None or (isinstance(v, int | float) and 0 <= v < np.inf),
    )
    cooling: float = parameter(
        0.9,
        "factor by which the temperature falls after 2K moves",
        allowed="a number in (0, 1)",
        accepts=lambda v: isinstance(v, float) and 0 < v < 1,
    )
    patience: int = parameter(
        200,
        "moves without a new best set after which the search ends",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    n_max: int = n_max_parameter(100_000)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        at_most(points, self.n_max, self.meta.id, "it runs k-means hundreds of times")
        search = SeedSearch(frame(points, n_threads), n_clusters, n_threads)
        rows = search.plus_plus(rng)
        energy = float(search.errors(rows[np.newaxis])[0])
        if self.temperature is None:
            first = _mean_change(search, rows, energy, rng)
        else:
            first = math.ldexp(self.temperature, -2 * search.frame.exponent)
        best, history, accepted = self._anneal(search, rows, energy, first, rng)
        return search.frame.row_seeds(
            best,
            n_clusters,
            n_threads,
            energy=search.frame.squares(history[-1]),
            energies=search.frame.squares(np.array(history)),
            temperature=search.frame.squares(first),
            accepted=accepted,
            runs=search.runs,
        )

    def _anneal(
        self, search: SeedSearch, rows: Rows, energy: float, first: float, rng: np.random.Generator
    ) -> tuple[Rows, list[float], int]:
        """The best set, the best energy after every move, and how many moves were accepted."""
        levels = math.ceil(math.log(_FROZEN) / math.log(self.cooling))
        best, history, accepted, since = rows, [energy], 0, 0
        for move in range(2 * search.n_clusters * levels):
            if since == self.patience or history[-1] == 0.0:
                break
            heat = first * self.cooling ** (move // (2 * search.n_clusters))
            slot, chance = int(rng.integers(search.n_clusters)), rng.random()
            moved = search.replaced(rows, slot, rng)
            found = float(search.errors(moved[np.newaxis])[0])
            rise = found - energy
            if rise <= 0.0 or (heat > 0.0 and chance < math.exp(-rise / heat)):
                rows, energy, accepted = moved, found, accepted + 1
            better = found < history[-1]
            best = moved if better else best
            since = 0 if better else since + 1
            history.append(min(found, history[-1]))
        return best, history, accepted


def _mean_change(search: SeedSearch, rows: Rows, energy: float, rng: np.random.Generator) -> float:
    """The mean change of energy over some random moves, all from the same set."""
    slots = rng.integers(search.n_clusters, size=_PROBES)
    moved = np.stack([search.replaced(rows, int(slot), rng) for slot in slots])
    return float(np.abs(search.errors(moved) - energy).mean())
