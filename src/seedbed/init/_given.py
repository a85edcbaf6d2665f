"""Centres that the user brings, as an array or as a function, behind the protocol of a method."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from seedbed._random import RandomState, generator
from seedbed._validation import FloatArray, Points, as_matrix, as_n_clusters, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds
from seedbed.init._registry import get

_OWN = Reference(authors="the user", title="centres brought along", venue="not published", year=0)


def as_method(method: Any, **parameters: Any) -> Method:
    """A `Method` from a name, a method, an array of centres or a function that returns them."""
    if isinstance(method, str | Method | type):
        return get(method, **parameters)
    if parameters:
        raise TypeError(
            f"parameters {sorted(parameters)} need a method given by name; "
            f"got one of type {type(method).__name__}"
        )
    if callable(method):
        return Called(function=method)
    return Given(centers=as_matrix(method))


def _checked(centers: Any, points: Points, n_clusters: int, source: str) -> FloatArray:
    array: Any = as_matrix(centers)
    if array.shape != (n_clusters, points.d):
        raise ValueError(
            f"{source} has shape {array.shape}, but n_clusters={n_clusters} centres of "
            f"{points.d} features need shape ({n_clusters}, {points.d})"
        )
    checked: Any = np.array(array, dtype=points.x.dtype, order="C")
    points_of(checked, None)  # finds NaN and infinity
    return cast(FloatArray, checked)


def _takes_weights(function: Callable[..., Any]) -> bool:
    try:
        return "sample_weight" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # some builtins have no signature
        return False


@dataclass(frozen=True, kw_only=True, eq=False)
class Given(Method):
    """An array of centres, the same for any data."""

    meta = Meta(
        id="given",
        name="given centres",
        family="given",
        reference=_OWN,
        summary="an array of centres",
        complexity="O(KD)",
        cost="other",
        deterministic=True,
        order_sensitive=False,
        weights="no",
        selects_rows=False,
        translation_invariant=False,
    )

    centers: FloatArray

    def seed_points(
        self,
        points: Points,
        n_clusters: int,
        *,
        random_state: RandomState = None,
        n_threads: int | None = None,
        strict: bool = False,
    ) -> Seeds:
        """The centres, if their shape fits the data."""
        n_clusters = as_n_clusters(n_clusters, points.n)
        return Seeds(_checked(self.centers, points, n_clusters, "the array of centres"))

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        return self.seed_points(points, n_clusters)


@dataclass(frozen=True, kw_only=True, eq=False)
class Called(Method):
    """A function ``f(X, n_clusters, random_state)`` that returns centres, as for scikit-learn.

    It gets the data as they are (not centred), a numpy RandomState, and the weights if it has a
    parameter ``sample_weight``.
    """

    meta = Meta(
        id="callable",
        name="a function",
        family="given",
        reference=_OWN,
        summary="a function that returns centres",
        complexity="its own",
        cost="other",
        deterministic=False,
        order_sensitive=True,
        weights="no",
        selects_rows=False,
        translation_invariant=False,
    )

    function: Callable[..., Any]

    def seed_points(
        self,
        points: Points,
        n_clusters: int,
        *,
        random_state: RandomState = None,
        n_threads: int | None = None,
        strict: bool = False,
    ) -> Seeds:
        """What the function returns, if its shape fits the data."""
        n_clusters = as_n_clusters(n_clusters, points.n)
        state = np.random.RandomState(generator(random_state).bit_generator)
        options = {"sample_weight": points.weight} if _takes_weights(self.function) else {}
        centers = self.function(points.x, n_clusters, random_state=state, **options)
        name = getattr(self.function, "__name__", type(self.function).__name__)
        return Seeds(_checked(centers, points, n_clusters, f"the result of {name}()"))

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        return self.seed_points(points, n_clusters, random_state=rng)
