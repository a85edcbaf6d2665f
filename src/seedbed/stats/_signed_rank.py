"""Wilcoxon's signed-rank test of two methods on relative differences, and its effect size.

Wilcoxon (1945), Biometrics Bull. 1:80; Pratt (1959), J. Am. Stat. Assoc. 54:655; the matched-pairs
rank-biserial correlation is Kerby's (2014), Compr. Psychol. 3:1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from seedbed.stats._ranks import Ranks
from seedbed.stats._tails import log_two_sided

ZEROS = ("wilcox", "pratt", "zsplit")
_EXACT_UP_TO = 50  # differences, none of them zero or equal in size to another


@dataclass(frozen=True)
class SignedRank:
    """Positive values say that the first method has the larger loss."""

    z: float
    log_p_value: float
    rank_biserial: float
    exact: bool


def relative_differences(ranks: Ranks, i: int, j: int) -> NDArray[np.float64]:
    """(a - b) / max(|a|, |b|), between -2 and 2; 0 where the two tie, as the ranks see it."""
    a, b = ranks.loss[:, i], ranks.loss[:, j]
    tied = ranks.doubled[:, i] == ranks.doubled[:, j]
    largest = np.maximum(np.abs(a), np.abs(b))
    unit = np.where(tied | (largest == 0.0), 1.0, largest)
    return np.where(tied, 0.0, a / unit - b / unit)


def signed_rank(differences: NDArray[np.float64], zeros: str = "wilcox") -> SignedRank:
    """Test whether paired differences are symmetric about zero.

    The p-value is exact for up to 50 differences without zeros and ties, else from the normal
    approximation with the variance corrected for ties and without correction for continuity.
    ``zeros`` says what becomes of differences of zero: left out ("wilcox"), ranked and then left
    out ("pratt"), or ranked and split between the signs ("zsplit").
    """
    if zeros not in ZEROS:
        raise ValueError(f"zeros={zeros!r} is unknown; use one of {', '.join(ZEROS)}")
    nonzero = differences != 0.0
    if not nonzero.any():
        return SignedRank(0.0, 0.0, 0.0, exact=False)
    d = differences[nonzero] if zeros == "wilcox" else differences
    sizes = stats.rankdata(np.abs(d))
    # Positive minus negative rank sum: under the null its mean is zero and, as each size gets
    # a random sign, its variance is the sum of their squares. Zeros contribute nothing to either;
    # split between the signs they are as many ranks with random sign again.
    score = float((np.sign(d) * sizes).sum())
    counted = sizes if zeros == "zsplit" else sizes[d != 0.0]
    z = score / math.sqrt(float((counted**2).sum()))
    biserial = score / float(counted.sum())
    exact = len(d) <= _EXACT_UP_TO and len(np.unique(np.abs(d))) == len(d) and bool((d != 0).all())
    if exact:
        p = float(stats.wilcoxon(d, method="exact").pvalue)
        return SignedRank(z, min(0.0, math.log(p)), biserial, exact=True)
    return SignedRank(z, float(log_two_sided(np.array(z))), biserial, exact=False)
