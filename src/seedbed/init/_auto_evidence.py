"""What is known of the ways to start k-means: their costs and their errors, by the data's shape.

The table (`auto_evidence.csv`) is made by ``tools/make_evidence.py`` from the results of studies;
its first lines say which.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files

import numpy as np

from seedbed._validation import Points
from seedbed.init._base import Method
from seedbed.init._registry import get

STANDARD = "greedy-k-means++"
"""Costs are in runs of this method, k-means included: what scikit-learn does by default."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a choice depends on.

    Attributes
    ----------
    n : int
        Rows of positive weight.
    d : int
        Features.
    k : int
        Clusters.
    weighted : bool
        Whether the weights differ.
    """

    n: int
    d: int
    k: int
    weighted: bool = False

    @classmethod
    def of(cls, points: Points, n_clusters: int) -> Shape:
        """The shape of checked data."""
        if points.weight is None:
            return cls(n=points.n, d=points.d, k=n_clusters)
        weights = points.weight[points.weight > 0]
        differ = bool(np.ptp(weights) > 0)
        return cls(n=len(weights), d=points.d, k=n_clusters, weighted=differ)

    @property
    def work(self) -> int:
        """Rows × features × clusters, which the time of an iteration grows with; fewer than four
        features take as long as four."""
        return self.n * max(self.d, 4) * self.k


@dataclass(frozen=True, kw_only=True)
class Way:
    """A method, a number of runs of which the best is kept, and what the evidence says of both.

    Attributes
    ----------
    method : Method
        What to use.
    runs : int
        How often.
    cost : float
        In runs of greedy k-means++ with k-means.
    excess, high : float
        Share by which the final error is expected above the best known one: the mean, and what 95 %
        of the cases (data set and random numbers) stayed below.
    sets : int
        Data sets of the evidence with similar numbers of clusters; 0 where the result is optimal by
        proof.
    """

    method: Method
    runs: int
    cost: float
    excess: float
    high: float
    sets: int

    def with_runs(self, runs: int) -> Way:
        """The same with more runs than there is evidence for; what they gain is not claimed."""
        return replace(self, runs=runs, cost=self.cost * runs / self.runs)


@dataclass(frozen=True)
class Bracket:
    """Shapes that share their evidence: numbers of clusters and of features, ends included."""

    least_k: int
    most_k: int
    least_d: int
    most_d: int

    def holds(self, shape: Shape) -> bool:
        return self.least_k <= shape.k <= self.most_k and self.least_d <= shape.d <= self.most_d


def bracket_of(shape: Shape) -> Bracket:
    """Where the evidence for a shape of at least two clusters stands."""
    return next(bracket for bracket in evidence() if bracket.holds(shape))


@cache
def evidence() -> Mapping[Bracket, tuple[Way, ...]]:
    """The ways to start, for each bracket of shapes; the cheapest first."""
    text = files("seedbed.init").joinpath("auto_evidence.csv").read_text(encoding="utf-8")
    table: dict[Bracket, list[Way]] = {}
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        bracket = Bracket(*(int(row[f.name]) for f in fields(Bracket)))
        table.setdefault(bracket, []).append(_way(row))
    return {bracket: tuple(sorted(ways, key=_by_cost)) for bracket, ways in table.items()}


def _way(row: Mapping[str, str]) -> Way:
    return Way(
        method=get(row["method"], **json.loads(row["parameters"] or "{}")),
        runs=int(row["runs"]),
        cost=float(row["cost"]),
        excess=float(row["excess"]),
        high=float(row["high"]),
        sets=int(row["sets"]),
    )


def _by_cost(way: Way) -> tuple[float, float]:
    return way.cost, way.excess
