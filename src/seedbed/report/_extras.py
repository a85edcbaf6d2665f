"""Packages that only reports need."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, purpose: str) -> Any:
    """Import a package of the extra ``report``, or say how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{module.partition('.')[0]} is needed {purpose}; install it with: "
            'pip install "seedbed[report]"'
        ) from error
