"""Ranks of the methods within each data set, as exact integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from seedbed.stats._display import Shown, text_table
from seedbed.stats._scores import as_scores


class RankOptions(TypedDict, total=False):
    """How scores become ranks; every test takes these and hands them to `rank`."""

    higher_is_better: bool
    tie_tolerance: float
    missing: str
    names: Sequence[str]


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(Shown):
    """Ranks within each data set: 1 is best, ties share the mean of their places.

    Attributes
    ----------
    names : tuple of str
        The methods, in the order of the columns.
    loss : ndarray of shape (n_blocks, n_methods)
        The scores turned so that less is better.
    doubled : ndarray of int64 of the same shape
        Twice the rank, which is always an integer; sums and differences of it are exact.
    higher_is_better, tie_tolerance
        What was asked for.
    n_dropped : int
        Incomplete data sets that were left out.
    """

    names: tuple[str, ...]
    loss: NDArray[np.float64]
    doubled: NDArray[np.int64]
    higher_is_better: bool
    tie_tolerance: float
    n_dropped: int

    @property
    def n_blocks(self) -> int:
        """Number of data sets."""
        return int(self.doubled.shape[0])

    @property
    def n_methods(self) -> int:
        """Number of methods."""
        return int(self.doubled.shape[1])

    @cached_property
    def sums(self) -> NDArray[np.int64]:
        """Twice the rank sums."""
        sums: NDArray[np.int64] = self.doubled.sum(axis=0)
        return sums

    @property
    def mean_ranks(self) -> NDArray[np.float64]:
        """Mean rank of each method; less is better."""
        return self.sums / (2.0 * self.n_blocks)

    @cached_property
    def tie_factor(self) -> float:
        """Variance of the ranks relative to ranks without ties: 1 without, 0 if all is tied."""
        return self.variation() / self.variation(with_ties=False)

    def variation(self, *, with_ties: bool = True) -> int:
        """Sum of squares of the doubled ranks about their mean, as they are or as without ties."""
        t = self.n_methods
        if with_ties:
            return int(((self.doubled - (t + 1)) ** 2).sum())
        return self.n_blocks * t * (t * t - 1) // 3

    @property
    def n_tied_blocks(self) -> int:
        """Data sets in which all methods tie: they count, but tell nothing."""
        return int((self.doubled == self.n_methods + 1).all(axis=1).sum())

    def standard_error(self, *, tie_correction: bool) -> float:
        """Of the difference of two mean ranks when all methods are equal."""
        t = self.n_methods
        factor = self.tie_factor if tie_correction else 1.0
        return math.sqrt(factor * t * (t + 1) / (6.0 * self.n_blocks))

    def describe(self) -> str:
        """What was ranked, and how, in a line."""
        parts = [f"{self.n_methods} methods", f"{self.n_blocks} data sets"]
        if self.n_tied_blocks:
            parts.append(f"{self.n_tied_blocks} of them tied throughout")
        if self.n_dropped:
            parts.append(f"{self.n_dropped} incomplete ones left out")
        parts.append("larger are better" if self.higher_is_better else "smaller are better")
        if self.tie_tolerance:
            parts.append(f"ties within a relative {self.tie_tolerance:g}")
        return ", ".join(parts)

    def without(self, method: int) -> Ranks:
        """The same data sets ranked again with one method left out."""
        kept = [j for j in range(self.n_methods) if j != method]
        loss = np.ascontiguousarray(self.loss[:, kept])
        return replace(
            self,
            names=tuple(self.names[j] for j in kept),
            loss=loss,
            doubled=_doubled_ranks(loss, self.tie_tolerance),
        )

    def _columns(self) -> dict[str, list[Any]]:
        order = np.argsort(self.sums, kind="stable")
        return {
            "method": [self.names[j] for j in order],
            "mean_rank": self.mean_ranks[order].tolist(),
            "rank_sum": (self.sums[order] / 2.0).tolist(),
        }

    def __repr__(self) -> str:
        return f"Ranks({self.n_methods} methods on {self.n_blocks} data sets)"

    def __str__(self) -> str:
        return f"{self!r}\n\n{text_table(self._columns())}"


def rank(
    scores: Any,
    *,
    higher_is_better: bool = False,
    tie_tolerance: float = 0.0,
    missing: str = "error",
    names: Sequence[str] | None = None,
) -> Ranks:
    """Rank the methods within each data set.

    Parameters
    ----------
    scores : table, data sets × methods
        NumPy, pandas, polars or nested lists; finite numbers.
    higher_is_better : bool, default=False
        The direction of the scores.
    tie_tolerance : float, default=0
        Scores tie with the best of their tie group when they differ from it by at most this much,
        relative to the larger magnitude of the two. Comparing with the best one keeps small
        steps from adding up. With 0 only equal numbers tie.
    missing : {"error", "drop"}
        What to do about NaN and null: refuse, or leave the data set out (and count it).
    names : sequence of str, optional
        Names of the methods; by default those of the columns, or m1, m2, …

    Returns
    -------
    Ranks
    """
    if not 0.0 <= tie_tolerance < 1.0:
        raise ValueError(f"tie_tolerance={tie_tolerance!r} is not usable; give 0 <= tolerance < 1")
    table = as_scores(scores, names=names, missing=missing)
    loss = -table.values if higher_is_better else table.values
    return Ranks(
        names=table.names,
        loss=loss,
        doubled=_doubled_ranks(loss, float(tie_tolerance)),
        higher_is_better=bool(higher_is_better),
        tie_tolerance=float(tie_tolerance),
        n_dropped=table.n_dropped,
    )


def as_ranks(scores: Any, **options: Unpack[RankOptions]) -> Ranks:
    """Ranks as they are, or a table ranked with these options."""
    if not isinstance(scores, Ranks):
        return rank(scores, **options)
    if options:
        raise TypeError(
            f"{', '.join(options)} cannot be changed for scores that are ranked already; "
            "give the option to rank()"
        )
    return scores


def _doubled_ranks(loss: NDArray[np.float64], tolerance: float) -> NDArray[np.int64]:
    """Each row is sorted and cut into tie groups; places first…last share the rank of their
    middle, first + last + 2 when doubled and counted from 0."""
    order = np.argsort(loss, axis=1, kind="stable")
    ordered = np.take_along_axis(loss, order, axis=1).T  # place × data set
    n, blocks = ordered.shape
    first = np.zeros((n, blocks), dtype=np.int64)
    head = ordered[0].copy()
    for place in range(1, n):
        value = ordered[place]
        with np.errstate(over="ignore"):  # a gap beyond float64 is a gap
            apart = value - head > tolerance * np.maximum(np.abs(value), np.abs(head))
        first[place] = np.where(apart, place, first[place - 1])
        head = np.where(apart, value, head)
    last = np.full((n, blocks), n - 1, dtype=np.int64)
    for place in range(n - 2, -1, -1):
        last[place] = np.where(first[place + 1] == place + 1, place, last[place + 1])
    doubled = np.empty((blocks, n), dtype=np.int64)
    np.put_along_axis(doubled, order, (first + last + 2).T, axis=1)
    return doubled
