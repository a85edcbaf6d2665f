"""Packages that are installed only by those who need them."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, purpose: str) -> Any:
    """Import a package of the extra ``data``, or say how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f'{module} is needed {purpose}; install it with: pip install "seedbed[data]"'
        ) from error
