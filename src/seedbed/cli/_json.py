"""Results as one JSON object, which knows neither arrays nor numbers that are not finite."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np


def print_object(record: dict[str, Any]) -> None:
    """Print one JSON object on stdout and nothing else."""
    print(json.dumps(plain(record), allow_nan=False))


def plain(value: Any) -> Any:
    """The same in what JSON knows: NaN and infinity become null, and what is left becomes text."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)
