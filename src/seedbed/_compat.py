"""What differs between the versions of scikit-learn that seedbed works with (1.6 and later)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    HAS_CALLBACKS = True
except ImportError:  # scikit-learn before 1.9
    HAS_CALLBACKS = False

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Takes the place of scikit-learn's mixin: no callbacks can be registered."""

    def with_callbacks(method: F) -> F:
        """Takes the place of scikit-learn's decorator: nothing to tear down."""
        return method


__all__ = ["HAS_CALLBACKS", "CallbackSupportMixin", "with_callbacks"]
