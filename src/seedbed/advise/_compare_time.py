"""Equal time: how many runs fit into it, and what the best of so many is expected to be.

With R runs made, the expected least of m ≤ R further ones is estimated by the mean of the least
over all subsets of m runs. Of the sorted values x₁ ≤ … ≤ x_R, xᵢ is the least of
C(R − i, m − 1) of the C(R, m) subsets, so the mean is a weighted sum, no draws are needed, and the
estimate is unbiased.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_ROUNDING = 1e-9  # relative: ten runs fit into ten times the time of one
TICK = 1e-9  # seconds: a coarse clock may say that a run took no time at all


@dataclass(frozen=True)
class Within:
    """What a method is expected to reach in some time.

    Attributes
    ----------
    runs : int
        How many fit; 0 where not even one does.
    sse : float
        The expected least SSE of so many runs; NaN without any.
    at_most : bool
        More runs fit than were made, so that ``sse`` is the best of those, and what is expected is
        that or less.
    """

    runs: int
    sse: float
    at_most: bool


def runs_within(seconds: float, per_run: float) -> int:
    """How many runs of this mean duration fit into so many seconds."""
    return math.floor(seconds / max(per_run, TICK) * (1.0 + _ROUNDING))


def expected_minimum(values: npt.NDArray[np.float64], m: int) -> float:
    """The mean of the least over all choices of ``m`` of the values; their least where m is more
    than there are."""
    if m < 1:
        raise ValueError(f"runs={m!r} is not usable; give an int >= 1")
    ordered = np.sort(values)
    n = len(ordered)
    if m >= n:
        return float(ordered[0])
    at = np.arange(1, n - m + 1)
    ratios = (n - at - m + 1) / (n - at)  # of the probabilities of neighbours to be the least
    shares = m / n * np.concatenate([[1.0], np.cumprod(ratios)])
    return math.fsum(shares * ordered[: n - m + 1])
