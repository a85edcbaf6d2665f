"""Bergmann–Hommel by enumeration: for any p-values of the pairs of a few methods.

Equality is transitive, so the pairs that may be true together are those within the blocks of a
partition of the methods. The adjusted p-value of a pair is the largest of |I| · min p over all such
sets I that contain it. Bergmann & Hommel (1988), in Multiple Hypothesenprüfung, Springer, 100–115.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seedbed.stats._adjust import pair_indices

FloatArray = NDArray[np.float64]
Labels = NDArray[np.int8]


def by_enumeration(log_p: FloatArray, n_methods: int) -> FloatArray:
    """Adjusted log p of all pairs, not made monotone."""
    first, second = pair_indices(n_methods)
    order = np.argsort(log_p, kind="stable")
    labels = _partitions(n_methods)
    together = labels[:, first[order]] == labels[:, second[order]]  # partition × pair
    counts = together.sum(axis=1)
    together, counts = together[counts > 0], counts[counts > 0]
    smallest = log_p[order][together.argmax(axis=1)]  # pairs are sorted: the first that is in
    values = (np.log(counts) + smallest)[:, None]
    out = np.empty_like(log_p)
    out[order] = np.minimum(0.0, np.where(together, values, -np.inf).max(axis=0))
    return out


@lru_cache(maxsize=16)
def _partitions(n: int) -> Labels:
    """All partitions of n methods as rows of block numbers."""
    if n == 1:
        return np.zeros((1, 1), np.int8)
    labels = _partitions(n - 1)
    choices = labels.max(axis=1).astype(np.intp) + 2  # each of the blocks, or a new one
    start = np.cumsum(choices) - choices
    block = np.arange(choices.sum()) - np.repeat(start, choices)
    return np.column_stack([np.repeat(labels, choices, axis=0), block.astype(np.int8)])
