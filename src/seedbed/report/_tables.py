"""The tables of a report as CSV and LaTeX files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedbed.report._axes import duration, percent
from seedbed.report._findings import Findings
from seedbed.report._pack import TITLES
from seedbed.stats._display import Shown

if TYPE_CHECKING:
    import polars as pl

MOST_ROWS = 200  # data sets that a LaTeX table still lists one by one


class Tabular(Shown):
    """Columns of a LaTeX table, as they are shown."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = columns

    def _columns(self) -> dict[str, list[Any]]:
        return self.columns

    def __str__(self) -> str:
        return ", ".join(self.columns)


def write_tables(found: Findings, folder: Path) -> list[Path]:
    """Write every table that the study has; say which files these are."""
    written = []
    for name, frame in _frames(found):
        path = folder / f"{name}.csv"
        frame.write_csv(path)
        written.append(path)
    for name, columns in _latex(found):
        path = folder / f"{name}.tex"
        path.write_text(Tabular(columns).to_latex() + "\n", encoding="utf-8")
        written.append(path)
    return written


def _frames(found: Findings) -> Iterator[tuple[str, pl.DataFrame]]:
    import polars as pl

    study = found.study
    yield "summary", study.summary
    yield "excess", _excess(found)
    yield (
        "rankings",
        pl.DataFrame(
            [(r.group, r.criterion, r.statistic, str(r)) for r in found.rankings],
            schema=dict.fromkeys(("group", "criterion", "statistic", "ranking"), pl.String),
            orient="row",
        ),
    )
    if found.rankings:
        yield "pairs", _pairs(found)
    yield "quality_and_time", pl.DataFrame([asdict(offer) for offer in found.offers])
    yield "costs", _costs(found)
    for name, records in (
        ("published_final_sse", study.published_final_sse),
        ("published_rankings", study.published_rankings),
        ("failures", study.failures),
    ):
        if records:
            yield name, pl.DataFrame([asdict(record) for record in records])


def _excess(found: Findings) -> pl.DataFrame:
    """Final SSE above the best known one: a row per data set and method."""
    import polars as pl

    cube = found.cube
    parts = []
    for label in cube.labels:
        shares = cube.excess(label)
        parts.append(
            pl.DataFrame(
                {
                    "group": [one.group for one in cube.sets],
                    "dataset": [one.name for one in cube.sets],
                    "n": [one.n for one in cube.sets],
                    "d": [one.d for one in cube.sets],
                    "k": [one.k for one in cube.sets],
                    "overlap": pl.Series([one.overlap for one in cube.sets], dtype=pl.Float64),
                    "best_known_sse": cube.best_sse,
                    "method": label,
                    "best": shares.min(axis=1),
                    "mean": shares.mean(axis=1),
                    "worst": shares.max(axis=1),
                }
            ).with_columns(pl.col("best", "mean", "worst").fill_nan(None))
        )
    return pl.concat(parts)


def _pairs(found: Findings) -> pl.DataFrame:
    """Every test of a pair of methods."""
    import polars as pl

    parts = []
    for ranking in found.rankings:
        pairs = ranking.pairs
        means = dict(zip(pairs.names, pairs.ranks.mean_ranks.tolist(), strict=True))
        parts.append(
            pl.DataFrame(
                {
                    "group": ranking.group,
                    "criterion": ranking.criterion,
                    "statistic": ranking.statistic,
                    "first": [first for first, _ in pairs.pairs],
                    "second": [second for _, second in pairs.pairs],
                    "mean_rank_first": [means[first] for first, _ in pairs.pairs],
                    "mean_rank_second": [means[second] for _, second in pairs.pairs],
                    "z": pairs.statistic,
                    "p": pairs.p_value,
                    "p_adjusted": pairs.p_adjusted,
                    "different": pairs.different,
                }
            )
        )
    return pl.concat(parts)


def _costs(found: Findings) -> pl.DataFrame:
    import polars as pl

    rows = []
    for cost in found.costs:
        row = asdict(cost)
        for name in ("iterations", "seconds"):
            row[f"{name}_q1"], row[f"{name}_q3"] = row.pop(f"{name}_quartiles")
        rows.append(row)
    return pl.DataFrame(rows)


# ---- LaTeX


def _latex(found: Findings) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    rankings = found.rankings
    if rankings:
        yield (
            "rankings",
            {
                "class": [r.group for r in rankings],
                "criterion": [TITLES[r.criterion] for r in rankings],
                "statistic": [r.statistic for r in rankings],
                "ranking": [str(r) for r in rankings],
            },
        )
    name_of = {label: method.name for label, method in found.methods.items()}
    offers = found.offers
    yield (
        "quality_and_time",
        {
            "class": [o.group for o in offers],
            "method": [name_of[o.method] for o in offers],
            "best of": [o.runs for o in offers],
            "excess SSE": [
                percent(round(o.excess, 6)) if math.isfinite(o.excess) else "--" for o in offers
            ],
            "time": [duration(o.seconds) for o in offers],
        },
    )
    costs = found.costs
    yield (
        "costs",
        {
            "class": [c.group for c in costs],
            "method": [name_of[c.method] for c in costs],
            "iterations": [f"{c.iterations:.1f}" for c in costs],
            "seeding": [duration(c.seeding_seconds) for c in costs],
            "clustering": [duration(c.clustering_seconds) for c in costs],
            "run": [duration(c.seconds) for c in costs],
        },
    )
    for group, places in found.cube.groups.items():
        if len(places) <= MOST_ROWS:
            yield f"final_sse_{group}", _final_sse(found, places)


def _final_sse(found: Findings, places: Any) -> dict[str, list[Any]]:
    """As the publication prints it: minimum, mean and standard deviation, method by method."""
    cube = found.cube
    kinds: dict[str, Callable[[Any], Any]] = {
        "min": lambda values: values.min(axis=1),
        "mean": lambda values: values.mean(axis=1),
        "std": lambda values: values.std(axis=1, ddof=1),
    }
    columns: dict[str, list[Any]] = {"data set": [], "statistic": []}
    columns |= {label: [] for label in cube.labels}
    found_values = {
        label: {
            kind: compute(cube.values["final_sse"][label][places])
            for kind, compute in kinds.items()
            if kind != "std" or cube.runs(label) > 1
        }
        for label in cube.labels
    }
    for i, place in enumerate(places):
        for kind in kinds:
            columns["data set"].append(cube.sets[place].name if kind == "min" else "")
            columns["statistic"].append(kind)
            for label in cube.labels:
                values = found_values[label].get(kind)
                columns[label].append("--" if values is None else f"{values[i]:.6g}")
    return columns
