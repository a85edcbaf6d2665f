"""Search that starts where another method leaves off: how it is told which."""

from __future__ import annotations

from typing import Any

from seedbed.init._base import Method, parameter
from seedbed.init._registry import get


def start_parameter() -> Any:
    """The parameter ``start``: the method whose seeds are improved."""
    return parameter(
        "greedy-k-means++",
        "the method whose seeds are improved",
        allowed="the name of a method or a Method",
        accepts=_is_method,
    )


def _is_method(value: Any) -> bool:
    if not isinstance(value, str | Method):
        return False
    try:
        get(value)
    except ValueError:
        return False
    return True
