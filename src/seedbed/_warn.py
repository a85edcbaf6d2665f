"""Warnings that point at the line of the user's code, not at ours."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_HERE = str(Path(__file__).resolve().parent)


def warn(message: str, category: type[Warning]) -> None:
    """Warn as if from the first frame outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
