"""Does any method differ at all? Friedman's test, and Iman and Davenport's sharper form of it.

Friedman (1937), J. Am. Stat. Assoc. 32:675; Iman & Davenport (1980), Commun. Stat. A9:571.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Unpack

from seedbed.stats._display import Shown, format_probability
from seedbed.stats._ranks import RankOptions, Ranks, as_ranks
from seedbed.stats._tails import log_chi2, log_f


@dataclass(frozen=True, eq=False)
class Omnibus(Shown):
    """The result of a test whether all methods are equal.

    Attributes
    ----------
    test : str
        "friedman" or "iman-davenport".
    statistic : float
        Chi-squared, or F.
    df : tuple of int
        Its degrees of freedom, one or two.
    log_p_value : float
        Natural logarithm of the p-value, exact where the p-value itself underflows.
    tie_correction : bool
        Whether the statistic is corrected for ties.
    kendall_w : float
        Kendall's coefficient of concordance, with ties accounted for: 0, the data sets agree in
        nothing; 1, all rank the methods alike.
    ranks : Ranks
        What was tested.
    """

    test: str
    statistic: float
    df: tuple[int, ...]
    log_p_value: float
    tie_correction: bool
    kendall_w: float
    ranks: Ranks

    @property
    def p_value(self) -> float:
        """The p-value; 0 where it is below what a double can express (see ``log_p_value``)."""
        return math.exp(self.log_p_value)

    def rejects(self, alpha: float = 0.05) -> bool:
        """Whether some method differs, at this level.

        Parameters
        ----------
        alpha : float, default=0.05
            The level.

        Returns
        -------
        bool
            True where the p-value is at most ``alpha``.
        """
        return self.log_p_value <= math.log(alpha)

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "test": [self.test],
            "statistic": [self.statistic],
            "df": [",".join(map(str, self.df))],
            "p": [self.p_value],
            "log_p": [self.log_p_value],
            "tie_correction": [self.tie_correction],
            "kendall_w": [self.kendall_w],
            "n_methods": [self.ranks.n_methods],
            "n_blocks": [self.ranks.n_blocks],
            "n_tied_blocks": [self.ranks.n_tied_blocks],
        }

    def __str__(self) -> str:
        name = {"friedman": "Friedman", "iman-davenport": "Iman–Davenport"}[self.test]
        letter = "χ²" if self.test == "friedman" else "F"
        ties = "corrected for ties" if self.tie_correction else "not corrected for ties"
        return (
            f"{name}: {letter}({', '.join(map(str, self.df))}) = {self.statistic:.6g} ({ties}), "
            f"p = {format_probability(self.log_p_value)}; Kendall's W = {self.kendall_w:.3f}; "
            f"{self.ranks.describe()}"
        )


def friedman(
    scores: Any, *, tie_correction: bool = True, **ranking: Unpack[RankOptions]
) -> Omnibus:
    """Friedman's test whether some of three or more methods differ.

    Parameters
    ----------
    scores : table, data sets × methods, or Ranks
        NumPy, pandas, polars, or what `rank` returned.
    tie_correction : bool, default=True
        Divide by what ties leave of the variance. Celebi, Kingravi & Vela (2013), like most of the
        machine-learning literature, do not.
    **ranking
        Options of `rank`: ``higher_is_better``, ``tie_tolerance``, ``missing``, ``names``.

    Returns
    -------
    Omnibus
        A table in which every row ties gives 0 and p = 1.
    """
    ranks = as_ranks(scores, **ranking)
    check_three(ranks, "friedman")
    between, within = _spread(ranks), ranks.variation(with_ties=tie_correction)
    df = ranks.n_methods - 1
    chi2 = df * between / within if between else 0.0
    return Omnibus(
        "friedman", chi2, (df,), log_chi2(chi2, df), tie_correction, _concordance(ranks), ranks
    )


def iman_davenport(
    scores: Any, *, tie_correction: bool = True, **ranking: Unpack[RankOptions]
) -> Omnibus:
    """Iman and Davenport's F test, less conservative than Friedman's chi-squared.

    With the tie correction it is the two-way analysis of variance of the ranks. Where all data sets
    rank the methods in the same order F is infinite and p = 0.

    Parameters
    ----------
    scores : table, data sets × methods, or Ranks
        NumPy, pandas, polars, or what `rank` returned.
    tie_correction : bool, default=True
        As in `friedman`.
    **ranking
        Options of `rank`: ``higher_is_better``, ``tie_tolerance``, ``missing``, ``names``.

    Returns
    -------
    Omnibus
        Statistic, degrees of freedom and p-value.
    """
    ranks = as_ranks(scores, **ranking)
    check_three(ranks, "iman_davenport")
    between, within = _spread(ranks), ranks.variation(with_ties=tie_correction)
    blocks, df1 = ranks.n_blocks, ranks.n_methods - 1
    df2 = df1 * (blocks - 1)
    rest = blocks * within - between  # an exact integer: zero if and only if all agree
    f = (blocks - 1) * between / rest if rest else math.inf if between else 0.0
    return Omnibus(
        "iman-davenport",
        f,
        (df1, df2),
        log_f(f, df1, df2),
        tie_correction,
        _concordance(ranks),
        ranks,
    )


def check_three(ranks: Ranks, what: str) -> None:
    """Refuse what mean-rank tests cannot say about two methods."""
    if ranks.n_methods < 3:
        raise ValueError(
            f"{what} compares three or more methods, not {ranks.n_methods}; for two methods use "
            'the test "wilcoxon"'
        )


def _spread(ranks: Ranks) -> int:
    """Sum of squares of the doubled rank sums about their mean, exact."""
    middle = ranks.n_blocks * (ranks.n_methods + 1)
    return sum((int(total) - middle) ** 2 for total in ranks.sums)


def _concordance(ranks: Ranks) -> float:
    between = _spread(ranks)
    return between / (ranks.n_blocks * ranks.variation()) if between else 0.0
