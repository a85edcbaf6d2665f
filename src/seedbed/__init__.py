"""seedbed: k-means that starts well. Initialisation methods, an exact and reproducible k-means, and
what is needed to compare them.

Names are imported when they are first used, so ``import seedbed`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seedbed import advise, criteria, data, exceptions, init, stats, study
    from seedbed.advise import choose_k, compare, recommend
    from seedbed.init import methods, seed
    from seedbed.kmeans import KMeans, run_many

    __version__: str

__all__ = [
    "KMeans",
    "__version__",
    "advise",
    "choose_k",
    "compare",
    "criteria",
    "data",
    "exceptions",
    "init",
    "methods",
    "recommend",
    "run_many",
    "seed",
    "stats",
    "study",
]

_HOME = {
    "KMeans": "seedbed.kmeans",
    "run_many": "seedbed.kmeans",
    "choose_k": "seedbed.advise",
    "compare": "seedbed.advise",
    "methods": "seedbed.init",
    "recommend": "seedbed.advise",
    "seed": "seedbed.init",
}
_ROOMS = ("advise", "criteria", "data", "exceptions", "init", "stats", "study")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"seedbed.{name}")
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    if name == "__version__":
        return _installed_version()
    raise AttributeError(f"module 'seedbed' has no attribute {name!r}")


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("seedbed")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted(__all__)
