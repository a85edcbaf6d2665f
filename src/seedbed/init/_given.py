"""Centres that the user brings, as an array or as a function, behind the protocol of a method."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from seedbed._validation import Points, as_centers
from seedbed.init._base import Meta, Method, Parameter, Reference, Seeds
from seedbed.init._registry import get

Array = TypeVar("Array", bound=NDArray[Any])

_GIVEN = Meta(
    id="given",
    name="given centres",
    family="given",
    reference=Reference(
        authors="the user", title="centres brought along", venue="not published", year=0
    ),
    summary="an array of centres",
    complexity="O(KD)",
    cost="other",
    deterministic=True,
    order_sensitive=False,
    weights="no",
    selects_rows=False,
    translation_invariant=False,
)


def as_method(method: Any, **parameters: Any) -> Method:
    """A `Method` from a name, a method, an array of centres or a function that returns them.

    Parameters
    ----------
    method : str, Method, array or function
        What ``init=`` of `seedbed.kmeans.KMeans` takes.
    **parameters
        Of the method, where it is given by name.

    Returns
    -------
    Method
        An instance.
    """
    if isinstance(method, str | Method | type):
        return get(method, **parameters)
    if parameters:
        raise TypeError(
            f"parameters {sorted(parameters)} need a method given by name; "
            f"got one of type {type(method).__name__}"
        )
    if callable(method):
        return Called(function=method)
    centers = np.asarray(method)
    if centers.ndim != 2:
        raise TypeError(
            f"method={method!r} of type {type(method).__name__} is not usable; give a name "
            "(seedbed.methods() lists all), a Method, a function f(X, n_clusters, random_state) or "
            "an array n_clusters × n_features"
        )
    return Given(centers=centers)


@dataclass(frozen=True, kw_only=True, eq=False)
class Given(Method):
    """An array of centres, the same for any data."""

    meta = _GIVEN
    takes_all_rows: ClassVar[bool] = True

    centers: NDArray[Any]

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        what = "the array of centres"
        return Seeds(as_centers(self.centers, points, what=what, n_clusters=n_clusters).copy())


@dataclass(frozen=True, kw_only=True, eq=False)
class Called(Method):
    """A function ``f(X, n_clusters, random_state)`` that returns centres, as for scikit-learn.

    It gets the data as they are (not centred) and read-only, a numpy RandomState, and the weights
    if it has a parameter ``sample_weight``. Its name is that of the method.
    """

    meta = dataclasses.replace(
        _GIVEN,
        id="function",
        name="a function",
        summary="a function that returns centres",
        complexity="its own",
        deterministic=False,
        order_sensitive=True,
    )
    takes_all_rows: ClassVar[bool] = True

    function: Callable[..., Any]

    def __post_init__(self) -> None:
        name = getattr(self.function, "__name__", type(self.function).__name__)
        object.__setattr__(self, "meta", dataclasses.replace(self.meta, id=name, name=name))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """None: what the function takes is its own affair."""
        return ()

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        state = np.random.RandomState(rng.bit_generator)  # what functions for scikit-learn expect
        weight = None if points.weight is None else _read_only(points.weight)
        options = {"sample_weight": weight} if _takes_weights(self.function) else {}
        centers = np.asarray(
            self.function(_read_only(points.x), n_clusters, random_state=state, **options)
        )
        what = f"the result of {self.meta.name}()"
        return Seeds(as_centers(centers, points, what=what, n_clusters=n_clusters).copy())


def _read_only(values: Array) -> Array:
    """A view that cannot be written to: the values are those of the user's own array."""
    view = values.view()
    view.flags.writeable = False
    return view


def _takes_weights(function: Callable[..., Any]) -> bool:
    try:
        return "sample_weight" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # some builtins have no signature
        return False
