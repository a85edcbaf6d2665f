"""Which methods differ: a test for every pair, adjusted for the number of pairs."""

from __future__ import annotations

import math
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from seedbed.stats import _adjust
from seedbed.stats._line import on_a_line
from seedbed.stats._omnibus import check_three, iman_davenport
from seedbed.stats._partitions import by_enumeration
from seedbed.stats._ranks import RankOptions, Ranks, as_ranks
from seedbed.stats._result import Options, Pairwise
from seedbed.stats._signed_rank import relative_differences, signed_rank
from seedbed.stats._subsets import LARGEST, by_subsets
from seedbed.stats._tails import log_studentised_range, log_two_sided

FloatArray = NDArray[np.float64]

_ENUMERATED = 9  # methods up to which enumerating partitions is quick


def pairwise(
    scores: Any,
    *,
    test: str = "mean-rank",
    adjust: str = "bergmann-hommel",
    alpha: float = 0.05,
    tie_correction: bool = False,
    monotone: bool = False,
    gate: bool = True,
    zeros: str = "wilcox",
    **ranking: Unpack[RankOptions],
) -> Pairwise:
    """Test every pair of methods and adjust for the number of pairs.

    Parameters
    ----------
    scores : table, data sets × methods, or Ranks
        NumPy, pandas, polars, or what `rank` returned.
    test : {"mean-rank", "wilcoxon"}
        The z test of mean ranks, whose verdict on two methods depends on the others (see
        `pool_dependence`), or Wilcoxon's signed-rank test of relative differences, which does not.
    adjust : {"bergmann-hommel", "shaffer", "holm", "nemenyi", "bonferroni", "none"}
        From the most powerful to the simplest. Nemenyi is for mean ranks only.
    alpha : float, default=0.05
        Level of the verdicts; a pair differs when its adjusted p-value is at most this.
    tie_correction : bool, default=False
        Account for ties in the standard error of mean ranks and in the gate. Off as in the
        literature, which makes the test conservative where there are many ties.
    monotone : bool, default=False
        Raise Bergmann–Hommel's values so that they grow with p, as scmamp and KEEL do. The plain
        ones follow the definition and reject at least as much.
    gate : bool, default=True
        Call no pair different unless Iman and Davenport's test rejects.
    zeros : {"wilcox", "pratt", "zsplit"}
        What Wilcoxon's test does with ties: leave out; rank, then leave out; rank and split.
    **ranking
        Options of `rank`: ``higher_is_better``, ``tie_tolerance``, ``missing``, ``names``.

    Returns
    -------
    Pairwise

    Notes
    -----
    Bergmann–Hommel is exact for mean ranks with any number of methods, and for Wilcoxon with up to
    16; beyond, Shaffer's values (never smaller) stand in, and ``computation`` says so.
    """
    options = Options(test, adjust, float(alpha), tie_correction, monotone, gate, zeros)
    ranks = as_ranks(scores, **ranking)
    if test == "mean-rank":
        check_three(ranks, "the mean-rank test")
        statistic = _mean_rank_z(ranks, tie_correction)
        log_p = log_two_sided(statistic)
        how = ""
    else:
        statistic, log_p, how = _wilcoxon(ranks, zeros)
    log_adjusted, computation = _adjusted(ranks, options, statistic, log_p)
    return Pairwise(
        ranks=ranks,
        options=options,
        statistic=statistic,
        log_p_value=log_p,
        log_p_adjusted=log_adjusted,
        omnibus=(
            iman_davenport(ranks, tie_correction=tie_correction) if ranks.n_methods > 2 else None
        ),
        computation="; ".join(filter(None, (computation, how))),
    )


def bergmann_hommel(
    scores: Any,
    *,
    alpha: float = 0.05,
    tie_correction: bool = False,
    monotone: bool = False,
    gate: bool = True,
    **ranking: Unpack[RankOptions],
) -> Pairwise:
    """Mean-rank tests of all pairs with the adjustment of Bergmann and Hommel, as in the study.

    The same as `pairwise` with its default test and adjustment.

    Parameters
    ----------
    scores : table, data sets × methods, or Ranks
        NumPy, pandas, polars, or what `rank` returned.
    alpha : float, default=0.05
        Level of the verdicts.
    tie_correction : bool, default=False
        Account for ties in the standard error of mean ranks and in the gate.
    monotone : bool, default=False
        Raise the values so that they grow with p, as scmamp and KEEL do.
    gate : bool, default=True
        Call no pair different unless Iman and Davenport's test rejects.
    **ranking
        Options of `rank`: ``higher_is_better``, ``tie_tolerance``, ``missing``, ``names``.

    Returns
    -------
    Pairwise
        Prints itself; ``groups`` has the verdicts in one line.

    Examples
    --------
    >>> scores = [[1.0 + i, 2.0 + i, 4.0 + i, 4.5 + i] for i in range(12)]
    >>> str(bergmann_hommel(scores, names=["P", "V", "K", "F"]).groups)
    '{K,F} < {V,K} < {P,V}'
    """
    return pairwise(
        scores,
        alpha=alpha,
        tie_correction=tie_correction,
        monotone=monotone,
        gate=gate,
        **ranking,
    )


def _mean_rank_z(ranks: Ranks, tie_correction: bool) -> FloatArray:
    first, second = _adjust.pair_indices(ranks.n_methods)
    distance = ranks.sums[first] - ranks.sums[second]
    if not distance.any():  # every data set may be tied throughout: nothing to divide by
        return np.zeros(len(distance))
    return distance / (2.0 * ranks.n_blocks * ranks.standard_error(tie_correction=tie_correction))


def _wilcoxon(ranks: Ranks, zeros: str) -> tuple[FloatArray, FloatArray, str]:
    tests = [
        signed_rank(relative_differences(ranks, int(i), int(j)), zeros)
        for i, j in zip(*_adjust.pair_indices(ranks.n_methods), strict=True)
    ]
    exact = sum(t.exact for t in tests)
    how = f"zeros: {zeros}; {exact} of {len(tests)} exact, else normal"
    return np.array([t.z for t in tests]), np.array([t.log_p_value for t in tests]), how


def _adjusted(
    ranks: Ranks, options: Options, statistic: FloatArray, log_p: FloatArray
) -> tuple[FloatArray, str]:
    """Adjusted log p, and how they were computed."""
    n = ranks.n_methods
    if options.adjust == "bergmann-hommel":
        values, how = _bergmann_hommel(ranks, options, log_p)
        return (
            (_adjust.monotone(values, log_p), f"{how}, monotone")
            if options.monotone
            else (
                values,
                how,
            )
        )
    if options.adjust == "nemenyi":
        sizes, where = np.unique(np.abs(statistic), return_inverse=True)
        return log_studentised_range(sizes * math.sqrt(2.0), n)[where], "studentised range"
    if options.adjust == "shaffer":
        return _adjust.shaffer(log_p, n), "static"
    if options.adjust == "holm":
        return _adjust.holm(log_p), "step-down"
    if options.adjust == "bonferroni":
        return _adjust.bonferroni(log_p), "single step"
    return log_p, "raw p-values"


def _bergmann_hommel(ranks: Ranks, options: Options, log_p: FloatArray) -> tuple[FloatArray, str]:
    n = ranks.n_methods
    if n <= _ENUMERATED:
        return by_enumeration(log_p, n), "exact, by enumeration"
    if options.test == "mean-rank":
        return on_a_line(ranks.sums, log_p), "exact, on the line of mean ranks"
    if n <= LARGEST:
        return by_subsets(log_p, n), "exact, over subsets"
    return (
        _adjust.shaffer(log_p, n),
        f"SHAFFER'S VALUES INSTEAD: {n} methods are too many for the exact computation with "
        f"test={options.test!r}, which goes up to {LARGEST}",
    )
