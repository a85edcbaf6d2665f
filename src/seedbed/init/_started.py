"""What methods share that improve the seeds of another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from seedbed._validation import Points
from seedbed.init._base import Method, Seeds, parameter
from seedbed.init._registry import get


def _is_method(value: Any) -> bool:
    if not isinstance(value, str | Method):
        return False
    try:
        get(value)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, kw_only=True)
class Started(Method):
    """A search that starts where another method leaves off."""

    start: str | Method = parameter(  # noqa: RUF009 (a field, and methods are frozen)
        "greedy-k-means++",
        "the method whose seeds are improved",
        allowed="the name of a method or a Method",
        accepts=_is_method,
    )

    @property
    def order_sensitive(self) -> bool:
        return self.meta.order_sensitive or get(self.start).order_sensitive

    @property
    def translation_invariant(self) -> bool:
        return self.meta.translation_invariant and get(self.start).translation_invariant

    def _start(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        return get(self.start)._seed(points, n_clusters, rng, n_threads)
