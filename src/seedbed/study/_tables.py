"""Tables of a study: the best, mean and standard deviation of every criterion, per data set and
method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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

    The standard deviation is that of a sample (n − 1), and null for methods that ran once.
    """
    import polars as pl

    rows = rows.with_columns(seconds=pl.col("seed_seconds") + pl.col("cluster_seconds"))
    parts = []
    for place, criterion in enumerate(CRITERIA):
        value = pl.col(criterion.column).cast(pl.Float64)
        parts.append(
            rows.group_by("group", "dataset", "method")
            .agg(
                runs=pl.len(),
                best=value.max() if criterion.higher_is_better else value.min(),
                mean=value.mean(),
                std=value.std(),
            )
            .with_columns(criterion=pl.lit(criterion.column), place=pl.lit(place))
        )
    return (
        pl.concat(parts)
        .filter(pl.col("mean").is_not_null())
        .sort("group", "dataset", "place", "method")
        .select("group", "dataset", "method", "criterion", "runs", *STATISTICS)
        .collect()
    )


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
