"""Tables of a study: the best, mean and standard deviation of every criterion, per data set and
method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

STATISTICS = ("best", "mean", "std")


@dataclass(frozen=True)
class Criterion:
    """A column that methods are compared by."""

    column: str
    title: str
    higher_is_better: bool = False


CRITERIA = (
    Criterion("initial_sse", "initial SSE"),
    Criterion("final_sse", "final SSE"),
    Criterion("rand", "normalised Rand", higher_is_better=True),
    Criterion("van_dongen", "van Dongen"),
    Criterion("vi", "variation of information"),
    Criterion("iterations", "iterations"),
    Criterion("seconds", "processor seconds"),
)


def summarise(rows: pl.LazyFrame) -> pl.DataFrame:
    """A row per data set, method and criterion: runs, best, mean and standard deviation.

    The standard deviation is that of a sample (n − 1), and null for methods that ran once. Sums are
    taken in the order of the runs, so that the table is the same whenever it is made.
    """
    import polars as pl

    key = ["group", "dataset", "method"]
    seconds = pl.col("seed_seconds") + pl.col("cluster_seconds")
    ordered = rows.with_columns(seconds=seconds).sort(*key, "run").collect()
    sets = ordered.group_by(key, maintain_order=True).agg(runs=pl.len())
    starts = np.cumsum([0, *sets["runs"].to_list()])[:-1]
    parts = []
    for place, criterion in enumerate(CRITERIA):
        values = ordered[criterion.column].cast(pl.Float64).to_numpy()
        columns = _statistics(values, starts, criterion.higher_is_better)
        parts.append(
            sets.with_columns(**{name: pl.Series(column) for name, column in columns.items()})
            .with_columns(pl.col(*STATISTICS).fill_nan(None))
            .with_columns(criterion=pl.lit(criterion.column), place=pl.lit(place))
        )
    return (
        pl.concat(parts)
        .filter(pl.col("mean").is_not_null())
        .sort("group", "dataset", "place", "method")
        .select("group", "dataset", "method", "criterion", "runs", *STATISTICS)
    )


def _statistics(
    values: NDArray[np.float64], starts: NDArray[np.int64], higher_is_better: bool
) -> dict[str, NDArray[np.float64]]:
    """Best, mean and standard deviation of the stretches that begin at ``starts``."""
    n = np.diff(np.append(starts, len(values)))
    best = np.maximum if higher_is_better else np.minimum
    mean = np.add.reduceat(values, starts) / n
    squares = np.add.reduceat((values - np.repeat(mean, n)) ** 2, starts)
    with np.errstate(invalid="ignore", divide="ignore"):
        std = np.where(n > 1, np.sqrt(squares / (n - 1)), np.nan)
    return {"best": best.reduceat(values, starts), "mean": mean, "std": std}


def score_table(
    summary: pl.DataFrame, group: str, criterion: str, statistic: str, methods: list[str]
) -> pl.DataFrame:
    """Data sets × methods, as `seedbed.stats` takes it. Methods without the statistic (the
    standard deviation of those that ran once) have no column."""
    import polars as pl

    chosen = summary.filter(
        (pl.col("group") == group)
        & (pl.col("criterion") == criterion)
        & pl.col(statistic).is_not_null()
    )
    wide = chosen.pivot("method", index="dataset", values=statistic).sort("dataset")
    return wide.select("dataset", *(label for label in methods if label in wide.columns))
