"""How large the differences are: with thousands of data sets nearly all of them are significant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from seedbed._random import RandomState, generator
from seedbed.stats._adjust import pair_indices
from seedbed.stats._display import Shown, format_percent, text_table
from seedbed.stats._ranks import RankOptions, Ranks, as_ranks
from seedbed.stats._signed_rank import relative_differences, signed_rank

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Effects(Shown):
    """Sizes of the differences between methods.

    Arrays have one entry per method, or one per pair in the order of the upper triangle. What has a
    sign is first minus second in loss: negative values favour the first.

    Attributes
    ----------
    ranks : Ranks
        What was measured.
    confidence, n_resamples
        Of the bootstrap, which draws data sets with replacement.
    low, high : ndarray
        Bootstrap interval of each method's mean rank.
    difference, difference_low, difference_high : ndarray
        Difference of mean ranks with its bootstrap interval, per pair.
    wins, ties, losses : ndarray of int64
        On how many data sets the first is better, equal, worse.
    median_excess : ndarray
        Median over data sets of (first - second) / abs(second).
    rank_biserial : ndarray
        Matched-pairs rank-biserial correlation of the relative differences, from -1 to 1.
    """

    ranks: Ranks
    confidence: float
    n_resamples: int
    low: FloatArray
    high: FloatArray
    difference: FloatArray
    difference_low: FloatArray
    difference_high: FloatArray
    wins: IntArray
    ties: IntArray
    losses: IntArray
    median_excess: FloatArray
    rank_biserial: FloatArray

    @property
    def mean_ranks(self) -> FloatArray:
        """Mean rank of each method; less is better."""
        return self.ranks.mean_ranks

    def method_table(self) -> str:
        """Mean ranks with their intervals, best first."""
        order = np.argsort(self.ranks.sums, kind="stable")
        columns: dict[str, list[Any]] = {
            "method": [self.ranks.names[i] for i in order],
            "mean rank": [f"{self.mean_ranks[i]:.3f}" for i in order],
            f"{self.confidence:.0%} interval": [
                f"{self.low[i]:.3f} … {self.high[i]:.3f}" for i in order
            ],
        }
        return text_table(columns)

    def _columns(self) -> dict[str, list[Any]]:
        first, second = pair_indices(self.ranks.n_methods)
        return {
            "first": [self.ranks.names[i] for i in first],
            "second": [self.ranks.names[j] for j in second],
            "rank_difference": self.difference.tolist(),
            "difference_low": self.difference_low.tolist(),
            "difference_high": self.difference_high.tolist(),
            "wins": self.wins.tolist(),
            "ties": self.ties.tolist(),
            "losses": self.losses.tolist(),
            "median_excess": self.median_excess.tolist(),
            "rank_biserial": self.rank_biserial.tolist(),
        }

    def _for_readers(self) -> dict[str, list[Any]]:
        first, second = pair_indices(self.ranks.n_methods)
        names = self.ranks.names
        return {
            "pair": [f"{names[i]} – {names[j]}" for i, j in zip(first, second, strict=True)],
            **self.rank_columns(),
            **self.size_columns(),
        }

    def rank_columns(self) -> dict[str, list[str]]:
        """Differences of mean ranks and their intervals, as text."""
        return {
            "rank difference": [f"{d:.2f}" for d in self.difference],
            f"{self.confidence:.0%} interval": [
                f"{low:.2f} … {high:.2f}"
                for low, high in zip(self.difference_low, self.difference_high, strict=True)
            ],
        }

    def size_columns(self) -> dict[str, list[str]]:
        """Wins, ties and losses, the median excess and the rank-biserial correlation, as text."""
        counts = zip(self.wins, self.ties, self.losses, strict=True)
        return {
            "win/tie/loss": ["/".join(map(str, row)) for row in counts],
            "median excess": [format_percent(share) for share in self.median_excess],
            "rank-biserial": [f"{r:.2f}" for r in self.rank_biserial],
        }

    def __repr__(self) -> str:
        return f"Effects({self.ranks.n_methods} methods on {self.ranks.n_blocks} data sets)"

    def __str__(self) -> str:
        return f"{self.method_table()}\n\n{text_table(self._for_readers())}"


def effects(
    scores: Any,
    *,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: RandomState = 0,
    **ranking: Unpack[RankOptions],
) -> Effects:
    """Measure how large the differences between methods are.

    Parameters
    ----------
    scores : table, data sets × methods, or Ranks
        NumPy, pandas, polars, or what `rank` returned.
    confidence : float, default=0.95
        Coverage of the percentile intervals.
    n_resamples : int, default=1000
        Bootstrap samples of the data sets.
    random_state : int, Generator, RandomState or None, default=0
        The same number gives the same intervals.
    **ranking
        Options of `rank`.

    Returns
    -------
    Effects
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence={confidence!r} is not usable; give 0 < confidence < 1")
    if n_resamples < 1:
        raise ValueError(f"n_resamples={n_resamples!r} is not usable; give a number >= 1")
    ranks = as_ranks(scores, **ranking)
    first, second = pair_indices(ranks.n_methods)
    resampled = _resampled_means(ranks, n_resamples, generator(random_state))
    low, high = _interval(resampled, confidence)
    difference_low, difference_high = _interval(
        resampled[:, first] - resampled[:, second], confidence
    )
    a, b = ranks.doubled[:, first], ranks.doubled[:, second]
    pairs = [(int(i), int(j)) for i, j in zip(first, second, strict=True)]
    return Effects(
        ranks=ranks,
        confidence=float(confidence),
        n_resamples=int(n_resamples),
        low=low,
        high=high,
        difference=(ranks.sums[first] - ranks.sums[second]) / (2.0 * ranks.n_blocks),
        difference_low=difference_low,
        difference_high=difference_high,
        wins=(a < b).sum(axis=0),
        ties=(a == b).sum(axis=0),
        losses=(a > b).sum(axis=0),
        median_excess=np.array([_median_excess(ranks, i, j) for i, j in pairs]),
        rank_biserial=np.array(
            [signed_rank(relative_differences(ranks, i, j)).rank_biserial for i, j in pairs]
        ),
    )


def _resampled_means(ranks: Ranks, n: int, random: np.random.Generator) -> FloatArray:
    """Mean ranks of bootstrap samples; sums of integers, hence the same on every machine."""
    blocks = ranks.n_blocks
    means = np.empty((n, ranks.n_methods))
    doubled = ranks.doubled.astype(np.float64)  # exact, and multiplied quickly
    for i in range(n):
        times = np.bincount(random.integers(blocks, size=blocks), minlength=blocks)
        means[i] = (times @ doubled) / (2.0 * blocks)
    return means


def _interval(samples: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    outside = (1.0 - confidence) / 2.0
    low, high = np.quantile(samples, [outside, 1.0 - outside], axis=0)
    return low, high


def _median_excess(ranks: Ranks, i: int, j: int) -> float:
    """Infinite where most second scores are 0 and the first ones are not."""
    a, b = ranks.loss[:, i], ranks.loss[:, j]
    tied = ranks.doubled[:, i] == ranks.doubled[:, j]
    with np.errstate(divide="ignore", over="ignore"):
        excess = np.where(tied, 0.0, (a - b) / np.where(tied & (b == 0.0), 1.0, np.abs(b)))
    ordered = np.sort(excess)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return float(low) if low == high else float((low + high) / 2.0)
