"""What tests of all pairs found: p-values, verdicts, and everything that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seedbed.stats._adjust import pair_indices
from seedbed.stats._display import Shown, format_probability, text_table
from seedbed.stats._effects import Effects, effects
from seedbed.stats._groups import Groups, groups_of
from seedbed.stats._omnibus import Omnibus
from seedbed.stats._ranks import Ranks
from seedbed.stats._signed_rank import ZEROS
from seedbed.stats._tails import studentised_range_quantile

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

    @property
    def smallest_pool(self) -> int:
        """How many methods there must be for one to be left out."""
        return 4 if self.test == "mean-rank" else 3

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
        return (
            q
            / math.sqrt(2.0)
            * self.ranks.standard_error(tie_correction=self.options.tie_correction)
        )

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
        return pair_indices(self.ranks.n_methods)

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
        if self.ranks.n_methods < self.options.smallest_pool:
            return "Of so few methods none can be left out to see whether a verdict depends on it."
        if self.ranks.n_methods > _POOL_SHOWN:
            return "`pool_dependence(result)` tells which verdicts hang on a third method."
        return self.pool.remark()

    def _summary(self) -> list[str]:
        options = self.options
        lines = [self.ranks.describe() if self.omnibus is None else str(self.omnibus)]
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
