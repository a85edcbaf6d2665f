"""Adjusting p-values of all pairs for their number: Bonferroni, Holm, Shaffer.

All take and return log p; pairs are in the order of `pair_indices`. Bergmann–Hommel has modules of
its own. Holm (1979), Scand. J. Stat. 6:65; Shaffer (1986), J. Am. Stat. Assoc. 81:826.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def pair_indices(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and second members of the pairs of n methods, row by row of the upper triangle."""
    first, second = np.triu_indices(n, 1)
    return first, second


def bonferroni(log_p: FloatArray) -> FloatArray:
    """Multiply by the number of pairs."""
    adjusted: FloatArray = np.minimum(0.0, log_p + np.log(len(log_p)))
    return adjusted


def holm(log_p: FloatArray) -> FloatArray:
    """Multiply by the number of hypotheses not yet rejected."""
    return _step_down(log_p, np.arange(len(log_p), 0, -1))


def shaffer(log_p: FloatArray, n_methods: int) -> FloatArray:
    """Multiply by the largest number of hypotheses that can still be true together."""
    return _step_down(log_p, shaffer_multipliers(n_methods))


def shaffer_multipliers(n_methods: int) -> NDArray[np.int64]:
    """Multipliers of the sorted p-values, smallest first."""
    possible = np.array(sorted(possible_counts(n_methods)))
    left = np.arange(n_methods * (n_methods - 1) // 2, 0, -1)
    multipliers: NDArray[np.int64] = possible[np.searchsorted(possible, left, side="right") - 1]
    return multipliers


@cache
def possible_counts(n_methods: int) -> frozenset[int]:
    """How many pairs of methods may be equal, given that equality is transitive."""
    if n_methods < 2:
        return frozenset({0})
    return frozenset(
        block * (block - 1) // 2 + rest
        for block in range(1, n_methods + 1)
        for rest in possible_counts(n_methods - block)
    )


def monotone(log_adjusted: FloatArray, log_p: FloatArray) -> FloatArray:
    """The largest adjusted value among all pairs whose p-value is not larger, ties included."""
    order = np.argsort(log_p, kind="stable")
    running = np.maximum.accumulate(log_adjusted[order])
    last_of_ties = np.searchsorted(log_p[order], log_p, side="right") - 1
    return running[last_of_ties]


def _step_down(log_p: FloatArray, multipliers: NDArray[np.int64]) -> FloatArray:
    order = np.argsort(log_p, kind="stable")
    out = np.empty_like(log_p)
    out[order] = np.minimum(0.0, np.maximum.accumulate(log_p[order] + np.log(multipliers)))
    return out
