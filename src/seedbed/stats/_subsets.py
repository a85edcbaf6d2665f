"""Bergmann–Hommel over subsets: for any p-values of the pairs of up to sixteen methods.

For each level t among the p-values, pairs with p >= t may share a block. The most pairs within the
blocks of a partition follow for every subset of the methods from smaller subsets, 3^n steps in all
where partitions would be Bell(n): 43 million instead of 10 billion for 16 methods. All levels are
done at once, as the last axis of an array whose other axes are the methods, in or out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seedbed.stats._adjust import pair_indices

FloatArray = NDArray[np.float64]

LARGEST = 16  # methods: seconds, and 8 MB


def by_subsets(log_p: FloatArray, n_methods: int) -> FloatArray:
    """Adjusted log p of all pairs, not made monotone."""
    levels, level_of_pair = np.unique(log_p, return_inverse=True)
    subsets = np.arange(2**n_methods)
    size = ((subsets[:, None] >> np.arange(n_methods)) & 1).sum(axis=1)
    pairs = size * (size - 1) // 2
    # levels 0…allowed-1 are not above any p-value within the subset, so that it may be a block
    allowed = _smallest_level(level_of_pair, n_methods, len(levels) - 1) + 1
    most = _most_pairs(n_methods, len(levels), allowed, pairs)
    total = most[subsets[::-1]] + pairs[:, None]  # the subset as a block, and the best of the rest
    with np.errstate(divide="ignore"):
        values = np.log(total) + levels
    values[np.arange(len(levels)) >= allowed[:, None]] = -np.inf
    best = values.max(axis=1)
    return np.minimum(
        0.0,
        [
            best[((subsets >> i) & (subsets >> j) & 1).astype(bool)].max()
            for i, j in zip(*pair_indices(n_methods), strict=True)
        ],
    )


def _smallest_level(level_of_pair: NDArray[np.intp], n: int, top: int) -> NDArray[np.intp]:
    """For each subset, the lowest level among its pairs; the top one where it has none."""
    table = np.full((n, n), top)
    first, second = pair_indices(n)
    table[first, second] = table[second, first] = level_of_pair
    lowest = np.full(1, top)
    for method in range(n):
        with_method = np.full(1, top)  # among pairs of this method with members of the subset
        for other in range(method):
            with_method = np.append(with_method, np.minimum(with_method, table[method, other]))
        lowest = np.append(lowest, np.minimum(lowest, with_method))
    return lowest


def _most_pairs(
    n: int, n_levels: int, allowed: NDArray[np.intp], pairs: NDArray[np.intp]
) -> NDArray[np.uint8]:
    """Subset × level: the most pairs within the blocks of a partition of the subset.

    The last method of a subset is in some block; the other blocks partition what is left, which
    only holds methods before it and was done already.
    """
    most = np.zeros((2,) * n + (n_levels,), dtype=np.uint8)  # at most 120 pairs
    for block in range(1, 2**n):
        last = block.bit_length() - 1
        k = allowed[block]
        bits = [(block >> i) & 1 for i in range(last, -1, -1)]
        absent = (0,) * (n - 1 - last)
        # methods outside the block are free: both entries of their axes, at once
        rest = tuple(0 if bit else slice(None) for bit in bits)
        whole = tuple(1 if bit else slice(None) for bit in bits)
        target = most[(*absent, *whole, slice(k))]
        source = most[(*absent, *rest, slice(k))]
        np.maximum(target, source + np.uint8(pairs[block]), out=target)
    return most.reshape(2**n, n_levels)
