"""The results of a study, read from its folder."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from seedbed.study._design import Design
from seedbed.study._published import (
    Cell,
    RankingComparison,
    compare_final_sse,
    compare_rankings,
)
from seedbed.study._rankings import Ranking, Recommendation, rank_all, recommend
from seedbed.study._store import Failure, Store
from seedbed.study._tables import summarise

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Status:
    """How far a study has come.

    Attributes
    ----------
    folder : Path
        Where it is kept.
    total, done, failed : int
        Data sets of the design, those with results, and those on which something failed.
    groups : dict of str to tuple of int
        Done and all, per group.
    """

    folder: Path
    total: int
    done: int
    failed: int
    groups: dict[str, tuple[int, int]]  # done and all, per group

    @property
    def complete(self) -> bool:
        """Whether every data set has results."""
        return self.done == self.total


@dataclass(frozen=True)
class Study:
    """Results of a study, complete or not yet. Tables are computed when first asked for.

    `run` returns one, and `Study.open` reads one from its folder.

    Parameters
    ----------
    store : Store
        The folder that the results are in.
    """

    store: Store

    @classmethod
    def open(cls, folder: str | Path) -> Study:
        """The study in a folder.

        Parameters
        ----------
        folder : path-like
            Where `run` kept it.

        Returns
        -------
        Study
            Its results so far.
        """
        return cls(Store.open(folder))

    @property
    def folder(self) -> Path:
        """Where the results are kept."""
        return self.store.folder

    @property
    def design(self) -> Design:
        """What was compared."""
        return self.store.design

    @property
    def failures(self) -> list[Failure]:
        """Data sets on which something failed."""
        return self.store.failures()

    def rows(self) -> pl.LazyFrame:
        """All runs, one row each.

        Returns
        -------
        polars.LazyFrame
            Read when it is collected.
        """
        return self.store.rows()

    def status(self) -> Status:
        """How far the study has come.

        Returns
        -------
        Status
            Counts of data sets.
        """
        units, done = self.design.units(), self.store.done()
        every = Counter(unit.group for unit in units)
        finished = Counter(unit.group for unit in units if unit.name in done)
        return Status(
            self.folder,
            len(units),
            sum(finished.values()),
            len(self.failures),
            {group: (finished[group], n) for group, n in every.items()},
        )

    @cached_property
    def summary(self) -> pl.DataFrame:
        """Runs, best, mean and standard deviation per data set, method and criterion."""
        return summarise(self.rows())

    @cached_property
    def rankings(self) -> list[Ranking]:
        """The methods ranked by every criterion and statistic, in the publication's notation."""
        labels = [entry.label for entry in self.design.methods]
        tolerance = self.design.tol if self.design.stop == "sse" else 0.0
        return rank_all(self.summary, labels, tie_tolerance=tolerance)

    @cached_property
    def recommendations(self) -> list[Recommendation]:
        """What follows for practitioners, per group and statistic."""
        return recommend(self.summary, self.rankings)

    @cached_property
    def published_final_sse(self) -> list[Cell]:
        """Our final SSE beside the printed one."""
        return compare_final_sse(self.summary, self.design.runs)

    @cached_property
    def published_rankings(self) -> list[RankingComparison]:
        """Our rankings beside the printed ones."""
        return compare_rankings(self.rankings)
