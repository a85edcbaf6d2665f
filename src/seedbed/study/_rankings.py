"""Rankings of a study in the publication's notation, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seedbed import stats
from seedbed.study._tables import CRITERIA, STATISTICS, score_table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Ranking:
    """How the methods rank by one criterion and statistic, over the data sets of one group.

    Attributes
    ----------
    group : str
        "real", "easy", "moderate", "difficult" or "own".
    criterion : str
        Such as "final_sse" or "rand".
    statistic : str
        "best", "mean" or "std" over the runs.
    pairs : Pairwise
        The tests of all pairs.
    """

    group: str
    criterion: str
    statistic: str
    pairs: stats.Pairwise

    @property
    def groups(self) -> stats.Groups:
        """The verdicts; ``str`` of a ranking shows them."""
        return self.pairs.groups

    def __str__(self) -> str:
        return str(self.groups)


def rank_all(
    summary: pl.DataFrame, methods: list[str], *, alpha: float = 0.05, tie_tolerance: float = 0.0
) -> list[Ranking]:
    """A ranking for every group, criterion and statistic that the results allow: three methods and
    two data sets at least. Errors tie within ``tie_tolerance``, relative: runs to the same optimum
    stop at slightly different places."""
    rankings = []
    for group in summary["group"].unique(maintain_order=True):
        for criterion in CRITERIA:
            for statistic in STATISTICS:
                table = score_table(summary, group, criterion.column, statistic, methods)
                scores = table.drop("dataset").drop_nulls()
                if scores.width < 3 or scores.height < 2:
                    continue
                better = criterion.higher_is_better and statistic != "std"
                tied = tie_tolerance if criterion.column.endswith("_sse") else 0.0
                pairs = stats.pairwise(
                    scores,
                    alpha=alpha,
                    higher_is_better=better,
                    tie_tolerance=0.0 if statistic == "std" else tied,
                )
                rankings.append(Ranking(group, criterion.column, statistic, pairs))
    return rankings


@dataclass(frozen=True)
class Recommendation:
    """What a study says to practitioners, for one group of data sets and one statistic.

    It is about the final SSE.

    Attributes
    ----------
    group : str
        The data sets: "real", "easy" and so on.
    statistic : str
        "best" or "mean" over the runs.
    never_worse : tuple of str
        Methods that no other is significantly better than.
    dominated : dict of str to tuple of str
        For a method, those that are significantly better and take no more time.
    """

    group: str
    statistic: str
    never_worse: tuple[str, ...]
    dominated: dict[str, tuple[str, ...]]

    def __str__(self) -> str:
        lines = [
            f"{self.group}, {self.statistic} final SSE: none is significantly better than "
            + ", ".join(self.never_worse)
        ]
        lines += [
            f"  {loser} is worse and no faster than {', '.join(winners)}"
            for loser, winners in self.dominated.items()
        ]
        return "\n".join(lines)


def recommend(summary: pl.DataFrame, rankings: list[Ranking]) -> list[Recommendation]:
    """Which methods are never significantly worse, and which lose on both quality and time."""
    out = []
    for ranking in rankings:
        if ranking.criterion != "final_sse" or ranking.statistic == "std":
            continue
        names = list(ranking.pairs.names)
        better = significantly_better(ranking.pairs)
        seconds = _typical_seconds(summary, ranking.group, names)
        never = tuple(name for i, name in enumerate(names) if not better[:, i].any())
        dominated = {
            name: winners
            for i, name in enumerate(names)
            if (
                winners := tuple(
                    names[j] for j in range(len(names)) if better[j, i] and seconds[j] <= seconds[i]
                )
            )
        }
        out.append(Recommendation(ranking.group, ranking.statistic, never, dominated))
    return out


def significantly_better(pairs: stats.Pairwise) -> NDArray[np.bool_]:
    """Entry i, j: whether method i is significantly better than method j."""
    place = {name: i for i, name in enumerate(pairs.names)}
    better = np.zeros((len(place), len(place)), dtype=bool)
    sums = pairs.ranks.doubled.sum(axis=0)
    for (first, second), differ in zip(pairs.pairs, pairs.different, strict=True):
        i, j = place[first], place[second]
        if differ:
            better[(i, j) if sums[i] < sums[j] else (j, i)] = True
    return better


def _typical_seconds(summary: pl.DataFrame, group: str, names: list[str]) -> NDArray[np.float64]:
    """Geometric mean over the data sets of the mean time of a run."""
    table = score_table(summary, group, "seconds", "mean", names).drop("dataset").to_numpy()
    return np.asarray(np.exp(np.log(np.maximum(table, 1e-9)).mean(axis=0)))
