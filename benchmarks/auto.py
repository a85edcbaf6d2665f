"""What ``init="auto"`` gives away against the best in hindsight, and what it gains on scikit-learn.

    python tools/make_evidence.py study FOLDER --half evaluation
    python benchmarks/auto.py FOLDER

Judged on data sets that had no part in the making of the rule (`tools/evidence_designs.py`). One
thread, processor time. What was measured is kept in FOLDER/auto.csv and not measured again; the
table is benchmarks/auto.md.
"""

# ruff: noqa: E402 (threads are limited before NumPy is imported, and tools/ is made importable)

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

import numpy as np
import polars as pl
import sklearn
from evidence_designs import sources
from make_evidence import best_of, runs_of
from sklearn.cluster import KMeans as TheirKMeans

import seedbed as sb
from seedbed._validation import as_points
from seedbed.advise._recommend_time import seconds_of_a_run
from seedbed.init import Auto
from seedbed.init._auto import LEAST_RUNS, allowance, choose, name_of
from seedbed.init._auto_evidence import STANDARD, Shape
from seedbed.study._machine import describe_machine

SEEDS = range(3)
RUNS = (1, 2, 3, 5, 10, 20)  # of a studied method, best of
AUTO, FIXED = "auto", "auto, deterministic"
LARGE = "auto as on large data (the work of two runs)"
GREEDY = "seedbed's default (greedy k-means++, 1 run)"
THEIRS, TEN, EQUAL = (
    "scikit-learn's default (greedy k-means++, 1 run)",
    "scikit-learn, n_init=10",
    "scikit-learn, as many runs as fit into the time of auto",
)
TWENTY = "greedy k-means++, the best of 20 runs"
HINDSIGHT = "the best studied way for the work that auto allows itself, known afterwards"
SHOWN = (AUTO, FIXED, LARGE, GREEDY, THEIRS, TEN, EQUAL, TWENTY, HINDSIGHT)
PLACES = {
    "real": "real sets, the publication's K",
    "synthetic": "synthetic sets",
    "real-16": "real sets, K = 16",
    "real-64": "real sets, K = 64",
}

Row = dict[str, Any]


def ours(k: int, init: Any, n_init: int | str = "auto") -> Callable[[Any, int], float]:
    options = {"init": init, "n_init": n_init, "n_threads": 1}
    return lambda X, s: sb.KMeans(k, random_state=s, **options).fit(X).inertia_


def theirs(k: int, n_init: int) -> Callable[[Any, int], float]:
    return lambda X, s: TheirKMeans(k, n_init=n_init, random_state=s).fit(X).inertia_


def timed(fit: Callable[[Any, int], float], X: Any, seed: int) -> tuple[float, float]:
    began = time.thread_time()
    return fit(X, seed), time.thread_time() - began


def until(X: Any, k: int, seed: int, seconds: float) -> tuple[float, float]:
    """The best of as many runs of scikit-learn's default as end within the time; one at least."""
    best, spent, runs = np.inf, 0.0, 0
    while runs == 0 or spent * (runs + 1) / runs <= seconds:
        sse, taken = timed(theirs(k, 1), X, 1000 * (seed + 1) + runs)
        best, spent, runs = min(best, sse), spent + taken, runs + 1
    return best, spent


def measure(place: str, name: str, X: Any, k: int) -> Iterator[Row]:
    """Every competitor on one data set."""
    n, d = X.shape
    choice = choose(Shape(n=n, d=d, k=k))
    large = choose(Shape(n=n, d=d, k=k), allowed=LEAST_RUNS)
    case = {"place": place, "dataset": name, "n": n, "d": d, "k": k}
    case["chosen"] = f"{name_of(choice.method)} × {choice.runs}"
    case["foretold"] = choice.way.cost * seconds_of_a_run(
        as_points(X, n_threads=1), k, 1, clock=time.thread_time
    )
    for seed in SEEDS:
        sse, spent = timed(ours(k, "auto"), X, seed)
        found = {AUTO: (sse, spent), EQUAL: until(X, k, seed, spent)}
        found[FIXED] = timed(ours(k, Auto(deterministic=True)), X, seed)
        found[LARGE] = timed(ours(k, large.method, large.runs), X, seed)
        found[GREEDY] = timed(ours(k, "greedy-k-means++"), X, seed)
        found[THEIRS] = timed(theirs(k, 1), X, seed)
        found[TEN] = timed(theirs(k, 10), X, seed)
        for who, (sse, seconds) in found.items():
            yield {**case, "who": who, "seed": seed, "sse": sse, "seconds": seconds}


def measure_all(kept: Path) -> pl.DataFrame:
    """All data sets of the evaluation half; those that are kept are not measured again."""
    done = pl.read_csv(kept) if kept.exists() else None
    known = set() if done is None else set(done.select("place", "dataset").iter_rows())
    for place, source in sources("evaluation").items():
        for unit in source.units():
            if (place, unit.name) in known:
                continue
            loaded = unit.load()
            X = np.ascontiguousarray(loaded.X)
            rows = pl.DataFrame(list(measure(place, unit.name, X, loaded.n_clusters)))
            done = rows if done is None else pl.concat([done, rows])
            done.write_csv(kept)
    assert done is not None
    return done


def expected(sse: Any, runs: int) -> float:
    """Where the best of so many runs ends on average."""
    values, chances = best_of(sse, runs)
    return float((values * chances).sum())


def from_studies(runs: pl.DataFrame) -> Iterator[Row]:
    """For each data set where the best of many runs of the standard ends, and the least that a
    studied way ends at on average, if it costs no more than auto allows itself there."""
    for (place, name), part in runs.group_by("place", "dataset", maintain_order=True):
        n, d, k = part.select("n", "d", "k").row(0)
        allowed = allowance(Shape(n=n, d=d, k=k))
        ends = []
        for _, mine in part.group_by("method", maintain_order=True):
            sse, cost = mine["final_sse"].to_numpy(), float(mine["cost"].mean())
            ends += [(r * cost, expected(sse, r)) for r in RUNS if r <= len(sse)]
        affordable = [sse for cost, sse in ends if cost <= allowed] or [min(ends)[1]]
        yield {"place": place, "dataset": name, "who": HINDSIGHT, "sse": min(affordable)}
        standard = part.filter(method=STANDARD)["final_sse"].to_numpy()
        yield {"place": place, "dataset": name, "who": TWENTY, "sse": expected(standard, 20)}


def judged(measured: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """All results with their excess over the best known error of the data set."""
    every = pl.concat([measured, pl.DataFrame(list(from_studies(runs)))], how="diagonal")
    case = ["place", "dataset"]
    best = pl.concat(
        [
            measured.select(*case, "sse"),
            runs.select(*case, sse="least"),
        ]
    )
    least = best.group_by(case).agg(least=pl.col("sse").min())
    return every.join(least, on=case).with_columns(excess=pl.col("sse") / pl.col("least") - 1)


def summary(rows: pl.DataFrame) -> Iterator[str]:
    """A table of excesses in per cent, and of times relative to scikit-learn's default."""
    yield "| | median | mean | 95 % | worst | best known found | time |"
    yield "|---|---|---|---|---|---|---|"
    standard = (
        rows.filter(who=THEIRS).group_by("place", "dataset").agg(one=pl.col("seconds").mean())
    )
    for who in SHOWN:
        mine = rows.filter(who=who)
        x = 100 * mine["excess"].to_numpy()
        found = 100 * float((x <= 0.01).mean())
        ratio = mine.join(standard, on=["place", "dataset"]).select(
            (pl.col("seconds") / pl.col("one")).log().mean().exp()
        )
        cost = ratio.item()
        yield (
            f"| {who} | {np.median(x):.3f} | {x.mean():.3f} | {np.quantile(x, 0.95):.2f} | "
            f"{x.max():.2f} | {found:.0f} % | {'' if cost is None else f'{cost:.1f}'} |"
        )


def against(rows: pl.DataFrame) -> Iterator[str]:
    """How often auto ends lower than each competitor, as high, or higher."""
    case = ["place", "dataset", "seed"]
    mine = rows.filter(who=AUTO).select(*case, auto="sse")
    yield "| auto against | lower | equal (within 0.01 %) | higher |"
    yield "|---|---|---|---|"
    for who in (GREEDY, THEIRS, TEN, EQUAL):
        both = mine.join(rows.filter(who=who).select(*case, other="sse"), on=case)
        gap = (both["auto"] / both["other"] - 1).to_numpy()
        shares = ((gap < -1e-4).mean(), (np.abs(gap) <= 1e-4).mean(), (gap > 1e-4).mean())
        yield f"| {who} | " + " | ".join(f"{100 * share:.0f} %" for share in shares) + " |"


def choices(rows: pl.DataFrame) -> Iterator[str]:
    yield "| chosen | data sets | mean excess % |"
    yield "|---|---|---|"
    mine = rows.filter(who=AUTO)
    table = mine.group_by("chosen").agg(pl.len() // len(SEEDS), pl.col("excess").mean())
    for chosen, n, excess in table.sort("len", descending=True).iter_rows():
        yield f"| {chosen} | {n} | {100 * excess:.3f} |"


def worst(rows: pl.DataFrame) -> Iterator[str]:
    yield "| data set | rows | features | K | chosen | mean excess % |"
    yield "|---|---|---|---|---|---|"
    case = ["place", "dataset", "n", "d", "k", "chosen"]
    table = rows.filter(who=AUTO).group_by(case).agg(pl.col("excess").mean())
    for place, name, n, d, k, chosen, x in (
        table.sort("excess", descending=True).head(8).iter_rows()
    ):
        del place
        yield f"| {name} | {n:,} | {d} | {k} | {chosen} | {100 * x:.3f} |"


def page(rows: pl.DataFrame, runs: pl.DataFrame) -> str:
    machine = describe_machine()
    sets = rows.select("place", "dataset").n_unique()
    measured = (
        rows.filter(who=AUTO)
        .group_by("place", "dataset")
        .agg(pl.col("foretold").first(), pl.col("seconds").mean())
    )
    told = (measured["foretold"] / measured["seconds"]).to_numpy()
    lines = [
        '# `init="auto"` on data it was not made from',
        "",
        f"Written by `python benchmarks/auto.py` (seedbed {sb.__version__}, scikit-learn "
        f"{sklearn.__version__}, Python {platform.python_version()}, "
        f"{machine['cpu']}). {sets} data sets that had no part in "
        "the making of the rule: real ones of even number in the publication, synthetic ones at "
        f"other indices. {len(SEEDS)} seeds each, default stopping rules (centres within 1e-4), "
        "one thread.",
        "",
        "Excess is the final SSE over the best known one of the data set, less 1, in per cent; "
        f"best known is the least of {len(runs):,} runs of the evaluation studies and of all runs "
        "here, reference runs included; it counts as found within 0.01 %. Time is processor time "
        "in runs of scikit-learn's default on the same data (geometric mean). The last two rows "
        "are expectations from the studies; all else was run.",
        "",
        "## All data sets",
        "",
        *summary(rows),
        "",
        *against(rows),
    ]
    for place, title in PLACES.items():
        here = rows.filter(place=place)
        n = here.select("dataset").n_unique()
        lines += ["", f"## {title[0].upper()}{title[1:]} ({n})", "", *summary(here)]
    lines += ["", "## What was chosen", "", *choices(rows)]
    lines += ["", "## Where auto gives away most", "", *worst(rows)]
    lines += [
        "",
        "## Times that `recommend` foretells",
        "",
        "Foretold over measured seconds: median "
        f"{np.median(told):.2f}, from {np.quantile(told, 0.05):.2f} to "
        f"{np.quantile(told, 0.95):.2f} for nine out of ten data sets.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="of the studies")
    options = parser.parse_args()
    measured = measure_all(options.folder / "auto.csv")
    runs = runs_of(options.folder, "evaluation")
    (HERE / "auto.md").write_text(page(judged(measured, runs), runs), encoding="utf-8")


if __name__ == "__main__":
    main()
