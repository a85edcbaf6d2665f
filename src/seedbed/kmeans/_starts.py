"""Where the runs of an estimator start: what `init` and `n_init` mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from seedbed._core._engine import Run
from seedbed._random import RandomState, streams
from seedbed._validation import Points, as_centers
from seedbed.exceptions import DistinctRowsError, ParameterError
from seedbed.init import Auto, Choice, Method, Seeds, as_method
from seedbed.kmeans._runs import too_few_distinct

MANY = 10
# Random methods whose first run is usually good: one run unless more are asked for.
ONE_IS_ENOUGH = frozenset(
    {
        "k-means++",
        "greedy-k-means++",
        "bradley-fayyad",
        "k-means||",
        "afk-mc2",
        "ostrovsky",
        "rs-k-means++",
        "lightweight-coreset",
        "ls++",
        "fls++",
        "random-swap",
        "breathing-k-means",
        "hg-means",
        "global-k-means++",
        "genetic",
        "simulated-annealing",
    }
)


class Starts(NamedTuple):
    """The starting points of an estimator's runs: `draw` makes those of some of them. ``choice``
    is what "auto" chose, and why."""

    name: str
    n_runs: int
    draw: Callable[[slice], list[Seeds]]
    choice: Choice | None = None

    def all(self) -> list[Seeds]:
        """Those of every run, made together."""
        return self.draw(slice(None))

    def one(self, r: int) -> Seeds:
        """Those of run r."""
        (seeds,) = self.draw(slice(r, r + 1))
        return seeds

    def describe(self, r: int, run: Run) -> str:
        """One line about run r, once it is over."""
        return (
            f"{self.name}, run {r + 1} of {self.n_runs}: SSE {run.initial_sse:.8g} → {run.sse:.8g} "
            f"in {run.n_iter} iteration{'s' * (run.n_iter != 1)}, stopped by {run.stop_reason}"
        )


def starts_for(
    init: Any,
    n_init: int | str,
    points: Points,
    n_clusters: int,
    *,
    random_state: RandomState,
    n_threads: int,
    repeats_allowed: bool,
) -> Starts:
    """What to start from. `repeats_allowed`: seeds may coincide where rows are too few."""
    if not (isinstance(init, str) or callable(init)):  # as a method is
        return _from_array(init, points, n_clusters)
    method = as_method(init)
    most_runs = None if n_init == "auto" else int(n_init)
    choice = None
    if isinstance(method, Auto):
        choice = method.choose(points, n_clusters, most_runs=most_runs)
        method = choice.method
    n_runs = _runs_of(method, choice) if most_runs is None else most_runs
    return _from_method(
        method,
        1 if method.deterministic else n_runs,
        points,
        n_clusters,
        random_state,
        n_threads,
        strict=not repeats_allowed,
        choice=choice,
    )


def _runs_of(method: Method, choice: Choice | None) -> int:
    if choice is not None:
        return choice.runs
    return 1 if method.meta.id in ONE_IS_ENOUGH else MANY


def _from_method(
    method: Method,
    n_runs: int,
    points: Points,
    n_clusters: int,
    random_state: RandomState,
    n_threads: int,
    *,
    strict: bool,
    choice: Choice | None,
) -> Starts:
    rngs = streams(0 if method.deterministic else random_state, n_runs)

    def draw(runs: slice) -> list[Seeds]:
        try:
            return method.seed_starts(
                points, n_clusters, rngs[runs], n_threads=n_threads, strict=strict
            )
        except DistinctRowsError as error:
            raise too_few_distinct(error.found, n_clusters) from None

    return Starts(method.meta.id, n_runs, draw, choice)


def _from_array(init: Any, points: Points, n_clusters: int) -> Starts:
    try:
        array = np.asarray(init)
    except ValueError as error:
        raise ParameterError(f"init={init!r} is not an array: {error}") from None
    if array.ndim not in (2, 3) or array.shape[-2] != n_clusters:
        raise ParameterError(
            f"init of type {type(init).__name__} has shape {array.shape}; use the name of a method "
            "(seedbed.methods() lists them), a method, a function of (X, n_clusters, "
            "random_state), or an array n_clusters × n_features, here "
            f"{(n_clusters, points.d)}, or runs × n_clusters × n_features"
        )
    centers = as_centers(array, points, what="init")
    cube = centers if centers.ndim == 3 else centers[None]
    return Starts("array", len(cube), lambda runs: [Seeds(start.copy()) for start in cube[runs]])
