"""What each option may be, in one table, checked in one place and in a few microseconds."""

from __future__ import annotations

import difflib
import inspect
import numbers
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from seedbed._core._engine import ALGORITHMS, EMPTY_POLICIES, MOST_THREADS, STOP_RULES
from seedbed.exceptions import ParameterError

DEFAULT_TOL = {"centers": 1e-4, "sse": 1e-6, "labels": 0.0}
LABEL_ORDERS = ("size", "lexicographic")
REFINEMENTS = ("hartigan",)


class _Rule(NamedTuple):
    accepts: Callable[[Any], bool]
    allowed: str
    names: tuple[str, ...] = ()  # to suggest the nearest of


def _is_int(value: Any) -> bool:
    return type(value) is int or (
        isinstance(value, numbers.Integral) and not isinstance(value, bool)
    )


def _is_count(value: Any) -> bool:
    return _is_int(value) and value >= 1


def _is_tolerance(value: Any) -> bool:
    if isinstance(value, str):
        return value == "auto"
    return isinstance(value, float | int | np.number) and bool(
        0 <= value <= sys.float_info.max  # an int may be larger
    )


def _is_threads(value: Any) -> bool:
    return value is None or (_is_count(value) and value <= MOST_THREADS)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def _is_random_state(value: Any) -> bool:
    if _is_int(value):
        return bool(value >= 0)
    return value is None or isinstance(value, np.random.Generator | np.random.RandomState)


def _one_of(names: Iterable[str], *, or_none: bool = False) -> _Rule:
    known = tuple(names)
    listed = ", ".join(map(repr, known)) + (" or None" if or_none else "")

    def accepts(value: Any) -> bool:
        return value in known if isinstance(value, str) else or_none and value is None

    return _Rule(accepts, f"one of {listed}", known)


_RULES: Mapping[str, _Rule] = {
    "n_clusters": _Rule(_is_count, "an int >= 1"),
    "n_init": _Rule(
        lambda v: v == "auto" if isinstance(v, str) else _is_count(v), "'auto' or an int >= 1"
    ),
    "max_iter": _Rule(_is_count, "an int >= 1"),
    "tol": _Rule(_is_tolerance, "'auto' or a finite number >= 0"),
    "verbose": _Rule(
        lambda v: isinstance(v, bool) or (_is_int(v) and v >= 0), "a bool or an int >= 0"
    ),
    "random_state": _Rule(
        _is_random_state,
        "None, an int >= 0, a numpy.random.Generator or a numpy.random.RandomState",
    ),
    "copy_x": _Rule(_is_bool, "a bool"),
    "algorithm": _one_of(ALGORITHMS),
    "stop": _one_of(STOP_RULES),
    "empty_cluster": _one_of(EMPTY_POLICIES),
    "n_threads": _Rule(
        _is_threads,
        f"None or an int >= 1, {MOST_THREADS} at most, as so many threads would be started",
    ),
    "keep_labels": _Rule(_is_bool, "a bool"),
    "history": _Rule(_is_bool, "a bool"),
    "order_labels": _one_of(LABEL_ORDERS, or_none=True),
    "refine": _one_of(REFINEMENTS, or_none=True),
}
_ACCEPTS = {name: rule.accepts for name, rule in _RULES.items()}


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The options in the table that a function takes, with their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if name in _RULES
    }


def check_estimator(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Raise `ParameterError` for the first parameter of an estimator that is not allowed. Most are
    what they are by default and need no look."""
    for name, default in defaults.items():
        value = values[name]
        if value is not default and not _ACCEPTS[name](value):
            raise _refusal("KMeans", name, value)


def check(owner: str, names: Iterable[str], values: Mapping[str, Any]) -> None:
    """Raise `ParameterError` for the first of `names` whose value is not allowed."""
    for name in names:
        if not _ACCEPTS[name](values[name]):
            raise _refusal(owner, name, values[name])


def _refusal(owner: str, name: str, value: Any) -> ParameterError:
    rule = _RULES[name]
    near = difflib.get_close_matches(value, rule.names, n=1) if isinstance(value, str) else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return ParameterError(f"{name}={value!r} is not allowed in {owner}; use {rule.allowed}{hint}")


def resolve_tol(tol: float | str, stop: str) -> float:
    """The tolerance as a number; "auto" depends on the stopping rule."""
    return DEFAULT_TOL[stop] if isinstance(tol, str) else float(tol)
