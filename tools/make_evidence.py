"""Make `src/seedbed/init/auto_evidence.csv`, the table behind ``init="auto"``.

    python tools/make_evidence.py study FOLDER --half making    # minutes to an hour; resumable
    python tools/make_evidence.py table FOLDER                  # writes the table

The first runs the studies of `evidence_designs`. The second reads the results of the making half.
Costs are processor times relative to one run of greedy k-means++ on the same data set, k-means
included; excesses are over the least error that any run of the studies found there.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterator
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from evidence_designs import HALVES, REFERENCE, designs

from seedbed import __version__, study
from seedbed.init._auto_evidence import STANDARD, Bracket

TABLE = Path(__file__).parent.parent / "src/seedbed/init/auto_evidence.csv"
BEST_OF = (1, 2, 3, 5, 10, 20)
CLUSTERS = (2, 4, 8, 16, 48)  # where brackets begin
FEATURES = (1, 50)
ANY = 2**31 - 1
LONG_ENOUGH = 1e-4  # seconds of a standard run from which ratios of times mean something
HIGH = 0.95
BORROWED = 5.0  # data sets that all others count as
COLUMNS = (
    *Bracket.__dataclass_fields__,
    *("method", "parameters", "runs", "cost", "excess", "high", "sets"),
)

Floats = npt.NDArray[np.float64]


def runs_of(folder: Path, half: str) -> pl.DataFrame:
    """All runs of one half but the reference: a row each, with its excess and its cost in standard
    runs."""
    frames = [
        study.Study.open(folder / half / name)
        .rows()
        .select(
            pl.lit(name.partition("-")[2]).alias("place"),
            *("dataset", "n", "d", "k", "method", "run", "final_sse"),
            seconds=pl.col("seed_seconds") + pl.col("cluster_seconds"),
        )
        .collect()
        for name in designs(half)
    ]
    case = ["place", "dataset"]
    least = pl.col("final_sse").min().over(case)
    standard = pl.col("seconds").filter(pl.col("method") == STANDARD).mean().over(case)
    every = pl.concat(frames).with_columns(
        least=least,
        excess=pl.col("final_sse") / least - 1,
        standard=standard,
        cost=pl.col("seconds") / standard,
    )
    return every.filter(pl.col("method") != REFERENCE[0].label)


def best_of(excess: Floats, runs: int) -> tuple[Floats, Floats]:
    """The least of ``runs`` out of these values, drawn without replacement: its possible values
    and their probabilities."""
    values, n = np.sort(excess), len(excess)
    chances = [comb(n - 1 - i, runs - 1) / comb(n, runs) for i in range(n)]
    return values, np.array(chances)


def quantile(values: Floats, mass: Floats, share: float) -> float:
    order = np.argsort(values)
    reached = np.searchsorted(np.cumsum(mass[order]), share * mass.sum() * (1 - 1e-12))
    return float(values[order][reached])


def ways(
    every: pl.DataFrame, judged: pl.DataFrame, timed: pl.DataFrame
) -> Iterator[dict[str, object]]:
    """A row of the table for each method and number of runs.

    Errors are those on the data sets of some numbers of clusters (``judged``), and on all data
    sets with the weight of a few: a method that was lucky on a dozen of them is not thought to be
    always so. Times are those on data sets that have similar numbers of features too (``timed``),
    or on all that are judged where a method was not timed there.
    """
    costs = {**_costs(judged), **_costs(timed)}
    pools = ((_per_set(judged), None), (_per_set(every), BORROWED))
    for label in judged["method"].unique(maintain_order=True):
        own = pools[0][0][label]
        for r in (r for r in BEST_OF if r <= min(map(len, own))):
            values, mass = _mixed([(pool[label], total) for pool, total in pools], r)
            yield {
                "label": label,
                "runs": r,
                "cost": f"{r * costs[label]:.3g}",
                "excess": f"{(values * mass).sum() / mass.sum():.3g}",
                "high": f"{quantile(values, mass, HIGH):.3g}",
                "sets": len(own),
            }


def _per_set(runs: pl.DataFrame) -> dict[str, list[Floats]]:
    """The excesses of every method, an array per data set."""
    found: dict[str, list[Floats]] = {}
    for (label, *_), part in runs.group_by("method", "place", "dataset", maintain_order=True):
        found.setdefault(str(label), []).append(part["excess"].to_numpy())
    return found


def _mixed(pools: list[tuple[list[Floats], float | None]], runs: int) -> tuple[Floats, Floats]:
    """What the best of some runs ends at over pools of data sets, and how likely; a pool has the
    weight of as many data sets as it has, or a given one."""
    values, mass = [], []
    for sets, total in pools:
        for excess in sets:
            drawn, chances = best_of(excess, runs)
            values.append(drawn)
            mass.append(chances * (1.0 if total is None else total / len(sets)))
    return np.concatenate(values), np.concatenate(mass)


def _costs(runs: pl.DataFrame) -> dict[str, float]:
    """Of one run of each method: the geometric mean over the data sets."""
    long = runs.filter(pl.col("standard") >= LONG_ENOUGH)
    per_set = long.group_by("method", "place", "dataset").agg(pl.col("cost").mean())
    means = per_set.group_by("method").agg(pl.col("cost").sort().log().mean().exp())
    return dict(means.iter_rows())


def brackets() -> Iterator[Bracket]:
    for least_k, next_k in zip(CLUSTERS, (*CLUSTERS[1:], ANY + 1), strict=True):
        for least_d, next_d in zip(FEATURES, (*FEATURES[1:], ANY + 1), strict=True):
            yield Bracket(least_k, next_k - 1, least_d, next_d - 1)


def table(folder: Path) -> str:
    """The table as text, with its provenance."""
    entries = {e.label: e for design in designs("making").values() for e in design.methods}
    every = runs_of(folder, "making")
    out = io.StringIO()
    out.write(
        f"# Made by tools/make_evidence.py (seedbed {__version__}) from {len(every):,} runs on "
        f"{every.select('place', 'dataset').n_unique()} data sets,\n"
        "# the making half of tools/evidence_designs.py. Cost: processor time in runs of greedy "
        "k-means++ with k-means.\n"
        "# Excess, high: final SSE over the best known, less 1: the mean, and what "
        f"{HIGH:.0%} of the cases stayed below;\n"
        f"# all data sets count as {BORROWED:g} more beside those of the bracket.\n"
    )
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for bracket in brackets():
        judged = every.filter(pl.col("k").is_between(bracket.least_k, bracket.most_k))
        timed = judged.filter(pl.col("d").is_between(bracket.least_d, bracket.most_d))
        for row in ways(every, judged, timed):
            entry = entries[str(row.pop("label"))]
            parameters = json.dumps(dict(entry.parameters)) if entry.parameters else ""
            writer.writerow(
                {**vars(bracket), "method": entry.method, "parameters": parameters, **row}
            )
    return out.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("study", "table"))
    parser.add_argument("folder", type=Path, help="where the results of the studies are")
    parser.add_argument("--half", choices=HALVES, default="making")
    options = parser.parse_args()
    if options.what == "table":
        TABLE.write_text(table(options.folder), encoding="utf-8")
        return
    for name, design in designs(options.half).items():
        study.run(design, options.folder / options.half / name, workers=1)
        print(f"{options.half} {name} done", flush=True)


if __name__ == "__main__":
    main()
