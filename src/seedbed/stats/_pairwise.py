"""Which methods differ: a test for every pair, adjusted for the number of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from seedbed.stats import _adjust
from seedbed.stats._display import Shown, format_probability, text_table
from seedbed.stats._effects import Effects, effects
from seedbed.stats._groups import Groups, groups_of
from seedbed.stats._line import on_a_line
from seedbed.stats._omnibus import Omnibus, check_three, iman_davenport
from seedbed.stats._partitions import by_enumeration
from seedbed.stats._ranks import RankOptions, Ranks, as_ranks
from seedbed.stats._signed_rank import ZEROS, relative_differences, signed_rank
from seedbed.stats._subsets import LARGEST, by_subsets
from seedbed.stats._tails import (
    log_studentised_range,
    log_two_sided,
    studentised_range_quantile,
)

if TYPE_CHECKING:
    from seedbed.stats._pool import PoolDependence

FloatArray = NDArray[np.float64]

TESTS = ("mean-rank", "wilcoxon")
ADJUSTMENTS = ("bergmann-hommel", "shaffer", "holm", "nemenyi", "bonferroni", "none")
_NAMES = {
    "bergmann-hommel": "Bergmann–Hommel",
    "shaffer": "Shaffer",
    "holm": "Holm",
    "nemenyi": "Nemenyi",
    "bonferroni": "Bonferroni",
    "none": "none",
}
_POOL_SHOWN = 12  # methods up to which leaving out each in turn takes no noticeable time
_ENUMERATED = 9  # methods up to which enumerating partitions is quick


@dataclass(frozen=True)
class Options:
    """What was asked of `pairwise`, apart from the scores."""

    test: str = "mean-rank"
    adjust: str = "bergmann-hommel"
    alpha: float = 0.05
    tie_correction: bool = False
    monotone: bool = False
    gate: bool = True
    zeros: str = "wilcox"

    def __post_init__(self) -> None:
        for name, allowed in (("test", TESTS), ("adjust", ADJUSTMENTS), ("zeros", ZEROS)):
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} is unknown; use one of {', '.join(allowed)}"
                )
        if not 0.0 < self.alpha < 1.0:
            raise ValueError(
                f"alpha={self.alpha!r} is not usable; give 0 < alpha < 1, such as 0.05"
            )
        if self.adjust == "nemenyi" and self.test != "mean-rank":
            raise ValueError(
                f'adjust="nemenyi" is for mean ranks, not for test={self.test!r}; use "holm" or '
                '"bergmann-hommel"'
            )
        if self.tie_correction and self.test != "mean-rank":
            raise ValueError(
                f"tie_correction is for mean ranks; test={self.test!r} accounts for ties by itself"
            )
        if self.monotone and self.adjust != "bergmann-hommel":
            raise ValueError(
                f"monotone is for Bergmann–Hommel; adjust={self.adjust!r} is monotone by itself"
            )


@dataclass(frozen=True, eq=False, repr=False)
class Pairwise(Shown):
    """Every pair of methods: the test, the adjusted p-value and the verdict.

    Arrays have one entry per pair, in the order of the upper triangle of a methods × methods table.
    What has a sign is first minus second in loss: negative values favour the first.

    Attributes
    ----------
    ranks : Ranks
        The scores and their ranks.
    options : Options
        What was asked for: ``test``, ``adjust``, ``alpha``, …
    statistic : ndarray
        z of the mean-rank difference, or of the signed-rank sum.
    log_p_value, log_p_adjusted : ndarray
        Natural logarithms, exact where p itself underflows.
    omnibus : Omnibus or None
        Iman and Davenport's test, the gate before the pairs; None for two methods.
    computation : str
        How the adjustment was computed; says so where another one had to stand in.
    """

    ranks: Ranks
    options: Options
    statistic: FloatArray
    log_p_value: FloatArray
    log_p_adjusted: FloatArray
    omnibus: Omnibus | None
    computation: str

    @property
    def names(self) -> tuple[str, ...]:
        """The methods, in the order of the columns."""
        return self.ranks.names

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names of the pairs."""
        return [(self.names[i], self.names[j]) for i, j in zip(*self._indices, strict=True)]

    @property
    def p_value(self) -> FloatArray:
        """p-values before adjustment."""
        return np.exp(self.log_p_value)

    @property
    def p_adjusted(self) -> FloatArray:
        """Adjusted p-values: a pair differs at every level that is not smaller."""
        return np.exp(self.log_p_adjusted)

    @property
    def gate_closed(self) -> bool:
        """Whether the omnibus test was asked for and found no difference."""
        closed = self.omnibus is not None and not self.omnibus.rejects(self.options.alpha)
        return self.options.gate and closed

    @property
    def different(self) -> NDArray[np.bool_]:
        """The verdicts: which pairs differ at level alpha."""
        if self.gate_closed:
            return np.zeros(len(self.log_p_adjusted), dtype=bool)
        return self.log_p_adjusted <= math.log(self.options.alpha)

    @property
    def critical_difference(self) -> float | None:
        """Mean-rank difference from which Nemenyi's test tells methods apart; else None."""
        if self.options.adjust != "nemenyi":
            return None
        q = studentised_range_quantile(self.options.alpha, self.ranks.n_methods)
        return q / math.sqrt(2.0) * _standard_error(self.ranks, self.options.tie_correction)

    def matrix(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values of the pairs as a symmetric methods × methods table, ones on the diagonal."""
        out = np.ones((self.ranks.n_methods,) * 2, dtype=values.dtype)
        first, second = self._indices
        out[first, second] = out[second, first] = values
        return out

    @cached_property
    def groups(self) -> Groups:
        """Sets of methods that cannot be told apart, worst first."""
        retained = self.matrix(~self.different)
        return groups_of(self.names, self.ranks.sums, retained)

    @cached_property
    def effects(self) -> Effects:
        """How large the differences are, with the default settings of `effects`."""
        return effects(self.ranks)

    @cached_property
    def pool(self) -> PoolDependence:
        """Which verdicts change when a third method is left out; see `pool_dependence`."""
        from seedbed.stats._pool import pool_dependence

        return pool_dependence(self)

    @property
    def _indices(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return _adjust.pair_indices(self.ranks.n_methods)

    def _columns(self) -> dict[str, list[Any]]:
        first, second = self._indices
        effect = self.effects
        return {
            "first": [self.names[i] for i in first],
            "second": [self.names[j] for j in second],
            "rank_difference": effect.difference.tolist(),
            "difference_low": effect.difference_low.tolist(),
            "difference_high": effect.difference_high.tolist(),
            "statistic": self.statistic.tolist(),
            "p": self.p_value.tolist(),
            "p_adjusted": self.p_adjusted.tolist(),
            "log_p_adjusted": self.log_p_adjusted.tolist(),
            "different": self.different.tolist(),
            "wins": effect.wins.tolist(),
            "ties": effect.ties.tolist(),
            "losses": effect.losses.tolist(),
            "median_excess": effect.median_excess.tolist(),
            "rank_biserial": effect.rank_biserial.tolist(),
        }

    def _for_readers(self) -> dict[str, list[Any]]:
        effect = self.effects
        return {
            "pair": [f"{first} – {second}" for first, second in self.pairs],
            **effect.rank_columns(),
            "z": [f"{z:.2f}" for z in self.statistic],
            "p": [format_probability(p) for p in self.log_p_value],
            "adjusted p": [format_probability(p) for p in self.log_p_adjusted],
            "different": self.different.tolist(),
            **effect.size_columns(),
        }

    def __repr__(self) -> str:
        return (
            f"Pairwise({self.options.test}, {self.options.adjust}, alpha={self.options.alpha:g}: "
            f"{self.groups})"
        )

    def __str__(self) -> str:
        return "\n\n".join(
            [
                "\n".join(self._summary()),
                self.effects.method_table(),
                text_table(self._for_readers()),
                "Differences are first minus second: negative ones favour the first.\n"
                f"{self._pool_remark()}",
            ]
        )

    def _pool_remark(self) -> str:
        """What the criticism of tests that depend on the pool comes to here."""
        if self.ranks.n_methods < 4:
            return "Of so few methods none can be left out to see whether a verdict depends on it."
        if self.ranks.n_methods > _POOL_SHOWN:
            return "`pool_dependence(result)` tells which verdicts hang on a third method."
        return self.pool.remark()

    def _summary(self) -> list[str]:
        options = self.options
        lines = [] if self.omnibus is None else [str(self.omnibus)]
        test = "mean-rank z" if options.test == "mean-rank" else "Wilcoxon signed-rank"
        lines.append(
            f"Pairs: {test}, adjusted by {_NAMES[options.adjust]} ({self.computation}), "
            f"level {options.alpha:g}"
        )
        if self.gate_closed and self.omnibus is not None:
            p = format_probability(self.omnibus.log_p_value)
            lines.append(
                f"The omnibus test does not reject (p = {p}), so no "
                "pair is called different; gate=False lets the pairs speak for themselves"
            )
        lines.append(f"Groups, worst to best: {self.groups}")
        if not self.groups.totally_ordered:
            letters = ", ".join(f"{name} {text}" for name, text in self.groups.letters.items())
            lines.append(
                "The verdicts are no intervals of the rank order; the groups are their hull, which "
                f"only joins. Letters (methods without a common letter differ): {letters}"
            )
        return lines


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

    The same as `pairwise` with its default test and adjustment; the parameters are explained there.
    """
    return pairwise(
        scores,
        alpha=alpha,
        tie_correction=tie_correction,
        monotone=monotone,
        gate=gate,
        **ranking,
    )


def _standard_error(ranks: Ranks, tie_correction: bool) -> float:
    """Of the difference of two mean ranks when all methods are equal."""
    t = ranks.n_methods
    factor = ranks.tie_factor if tie_correction else 1.0
    return math.sqrt(factor * t * (t + 1) / (6.0 * ranks.n_blocks))


def _mean_rank_z(ranks: Ranks, tie_correction: bool) -> FloatArray:
    first, second = _adjust.pair_indices(ranks.n_methods)
    distance = ranks.sums[first] - ranks.sums[second]
    if not distance.any():  # every data set may be tied throughout: nothing to divide by
        return np.zeros(len(distance))
    return distance / (2.0 * ranks.n_blocks * _standard_error(ranks, tie_correction))


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
