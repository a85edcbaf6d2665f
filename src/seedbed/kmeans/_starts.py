"""Where the runs of an estimator start: what `init` and `n_init` mean."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from seedbed._core._engine import Run
from seedbed._random import RandomState, streams
from seedbed._validation import Points
from seedbed.exceptions import DistinctRowsError, ParameterError
from seedbed.init import Method, Seeds, get
from seedbed.kmeans._runs import as_centers, too_few_distinct

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
    }
)


@dataclass(frozen=True, eq=False)
class Starts:
    """The starting points of an estimator's runs: `draw(r)` makes those of run r."""

    name: str
    n_runs: int
    draw: Callable[[int], Seeds]

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
    if isinstance(init, str | Method) or (isinstance(init, type) and issubclass(init, Method)):
        method = get(init)
        n_runs = _runs_of(method) if n_init == "auto" or method.deterministic else int(n_init)
        return _from_method(
            method, n_runs, points, n_clusters, random_state, n_threads, not repeats_allowed
        )
    if callable(init):
        n_runs = MANY if n_init == "auto" else int(n_init)
        return _from_callable(init, n_runs, points, n_clusters, random_state)
    return _from_array(init, points, n_clusters)


def _runs_of(method: Method) -> int:
    return 1 if method.deterministic or method.meta.id in ONE_IS_ENOUGH else MANY


def _from_method(
    method: Method,
    n_runs: int,
    points: Points,
    n_clusters: int,
    random_state: RandomState,
    n_threads: int,
    strict: bool,
) -> Starts:
    rngs = streams(0 if method.deterministic else random_state, n_runs)

    def draw(r: int) -> Seeds:
        try:
            return method.seed_points(
                points, n_clusters, random_state=rngs[r], n_threads=n_threads, strict=strict
            )
        except DistinctRowsError as error:
            raise too_few_distinct(error.found, n_clusters) from None

    return Starts(method.meta.id, n_runs, draw)


def _from_callable(
    init: Callable[..., Any],
    n_runs: int,
    points: Points,
    n_clusters: int,
    random_state: RandomState,
) -> Starts:
    rngs = streams(random_state, n_runs)
    name = getattr(init, "__name__", type(init).__name__)
    options = {"sample_weight": points.weight} if _takes_weights(init) else {}

    def draw(r: int) -> Seeds:
        rng = np.random.RandomState(rngs[r].bit_generator)  # what scikit-learn's callables expect
        centers = np.asarray(init(points.x, n_clusters, random_state=rng, **options))
        if centers.ndim != 2 or len(centers) != n_clusters:
            raise ValueError(
                f"init={name} returned an array of shape {centers.shape}; it must return "
                f"n_clusters × n_features, here {(n_clusters, points.d)}"
            )
        return Seeds(as_centers(centers, points, what=f"what init={name} returned"))

    return Starts(name, n_runs, draw)


def _takes_weights(init: Callable[..., Any]) -> bool:
    try:
        return "sample_weight" in inspect.signature(init).parameters
    except (TypeError, ValueError):  # some builtins have no signature
        return False


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
    return Starts("array", len(cube), lambda r: Seeds(cube[r]))
