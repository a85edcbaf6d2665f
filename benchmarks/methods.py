"""Seeds every real data set of the study with every method, runs k-means from there, and writes
benchmarks/methods.md.

    python benchmarks/methods.py                          # all that is not known yet (hours)
    python benchmarks/methods.py --sets 06 27 --methods forgy pca-part
    python benchmarks/methods.py --limit 600 --again      # measure anew, with more patience
    python benchmarks/methods.py --methods onoda --again  # what changed anew, the rest as it was

Attributes are min-max scaled, K is the study's, and so is the stopping rule (relative gain of the
SSE at most 1e-6, at most 100 iterations). Random methods run several times, and the table has
means; no run starts when half the limit is spent, and at the limit the method is ended. What was
measured is kept in build/benchmarks/methods, a file per data set, and not measured again: an
interrupted benchmark goes on where it was, and the table has all that is kept. Times are processor
time on one thread, which other processes disturb least; the limit is on the clock on the wall.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import platform
import shlex
import time
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _worker import Failed, TooSlow, Worker

import seedbed as sb
from seedbed._scaling import Scaling
from seedbed.init import Method

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
KEPT = HERE.parent / "build" / "benchmarks" / "methods"

Record = dict[str, Any]  # of one method on one data set


def names() -> Iterator[str]:
    """Every method by id, and after it the presets that stand for other parameters."""
    for meta in sb.methods():
        seen = {sb.init.get(meta.id)}
        yield meta.id
        for preset in meta.presets:
            if sb.init.get(preset) not in seen:
                seen.add(sb.init.get(preset))
                yield preset


def data_sets() -> dict[str, tuple[Path, str, int]]:
    """Number → file, name and number of clusters, the smallest first."""
    with (SHARED / "paper" / "paper_datasets.csv").open() as lines:
        table = {int(row["id"]): row for row in csv.DictReader(lines)}
    files = {path.name[:2]: path for path in (SHARED / "datasets" / "clean").glob("*.npz")}
    rows = {number: table[int(number)] for number in files}
    order = sorted(files, key=lambda number: int(rows[number]["n"]) * int(rows[number]["d"]))
    return {n: (files[n], rows[n]["name"], int(rows[n]["k"])) for n in order}


def machine() -> str:
    """What the figures were measured on, as far as it is told."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = models[0] if models else platform.machine()
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


def partly(*options: str) -> str:
    """What a page says when the last run measured only some of its rows."""
    return f" The last run was with `{shlex.join(options)}`: other rows were measured before."


class Bench:
    """In the worker: one data set, ready to be seeded and clustered."""

    def __init__(self, file: Path, n_clusters: int, runs: int, seconds: float) -> None:
        raw = np.asarray(np.load(file, allow_pickle=False)["X"], dtype=np.float64)
        self.x = np.ascontiguousarray(Scaling.of(raw, "minmax").apply(raw))
        self.n_clusters, self.runs, self.seconds = n_clusters, runs, seconds
        self._one(sb.init.get("macqueen"), 0)  # the first call pays for imports

    def __call__(self, name: str) -> Record:
        method = sb.init.get(name)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                measured = list(self._some(method))
            except ValueError as error:
                return {"refused": " ".join(str(error).split())}
        means = {key: float(np.mean([run[key] for run in measured])) for key in measured[0]}
        notes = list(dict.fromkeys(" ".join(str(w.message).split()) for w in caught))
        return {**means, "runs": len(measured), "notes": notes}

    def _some(self, method: Method) -> Iterator[dict[str, float]]:
        """Runs until there are enough of them or time is short."""
        started = time.perf_counter()
        for r in range(1 if method.deterministic else self.runs):
            if r == 0 or time.perf_counter() - started < self.seconds:
                yield self._one(method, r)

    def _one(self, method: Method, r: int) -> dict[str, float]:
        start = time.process_time()
        seeds = method.seed(self.x, self.n_clusters, random_state=r, n_threads=1)
        seeded = time.process_time()
        (run,) = sb.run_many(self.x, seeds.centers[None], n_threads=1)
        return {
            "initial": run.initial_sse,
            "final": run.sse,
            "iterations": run.n_iter,
            "seeding": seeded - start,
            "clustering": time.process_time() - seeded,
            "shortfall": float(seeds.info.get("shortfall", 0)),
        }


def measure(
    number: str, wanted: Iterable[str], *, runs: int, limit: float, again: bool
) -> dict[str, Record]:
    """All records of one data set, those kept from before included."""
    file, title, n_clusters = data_sets()[number]
    kept = KEPT / f"{number}.json"
    records: dict[str, Record] = json.loads(kept.read_text()) if kept.is_file() else {}
    todo = [name for name in wanted if again or not _is_known(records.get(name), limit)]
    with Worker(Bench, file, n_clusters, runs, limit / 2) as worker:
        for name in todo:
            worker.start()
            started = time.perf_counter()
            try:
                records[name] = worker.call(name, limit=limit)
            except TooSlow as error:
                records[name] = {"stopped": str(error), "limit": limit}
            except Failed as error:
                records[name] = {"failed": str(error)}
            keep(kept, records)
            outcome = _outcome(records[name]) or f"SSE {records[name]['final']:.6g}"
            print(f"{number} {title}, {name}: {outcome} ({time.perf_counter() - started:.1f} s)")
    return records


def _is_known(record: Record | None, limit: float) -> bool:
    """Whether there is nothing to learn from measuring (with this limit) again."""
    return record is not None and "failed" not in record and record.get("limit", limit) >= limit


def keep(file: Path, records: dict[str, Record]) -> None:
    """Write in one step, so that an interruption leaves the old or the new, whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(".tmp")
    temporary.write_text(json.dumps(records, indent=1))
    temporary.replace(file)


def _outcome(record: Record) -> str:
    """Why there is no result; nothing where there is one."""
    for kind in ("refused", "stopped", "failed"):
        if kind in record:
            return f"{kind}: {record[kind].strip().splitlines()[-1]}"
    return ""


def report(results: dict[str, dict[str, Record]], order: list[str], settings: str) -> str:
    sets = data_sets()
    parts = [
        "# Methods on the real data sets",
        "",
        f"Written by `python benchmarks/methods.py` on {machine()}. {settings}",
        "",
        "## All together",
        "",
        "Excess is over the least mean final SSE of any method on the data set, in the geometric",
        "mean over the sets that the method finished; time is the sum over them. Methods are in",
        "the order of their final excess; only those that finished the same sets can be compared.",
        "",
        *overall(results, order),
    ]
    for number in sets:
        if number in results:
            parts += section(number, results[number], order)
    return "\n".join(parts) + "\n"


def overall(results: dict[str, dict[str, Record]], order: list[str]) -> Iterator[str]:
    least = {
        number: min((r["final"] for r in records.values() if "final" in r), default=math.nan)
        for number, records in results.items()
    }
    rows = []
    for name in order:
        records = {n: of[name] for n, of in results.items() if name in of}
        done = {n: r for n, r in records.items() if "final" in r}
        without = [
            sum(kind in r for r in records.values()) for kind in ("refused", "stopped", "failed")
        ]
        excess = [
            _geometric_mean([r[key] / least[n] for n, r in done.items()])
            for key in ("initial", "final")
        ]
        iterations = np.mean([r["iterations"] for r in done.values()]) if done else math.nan
        seconds = [sum(r[key] for r in done.values()) for key in ("seeding", "clustering")]
        rows.append((name, len(done), *without, *excess, iterations, *seconds))
    yield (
        "| method | sets | refused | over the limit | failed | initial excess | final excess "
        "| iterations | seeding s | k-means s |"
    )
    yield "|---" * 10 + "|"
    for row in sorted(rows, key=lambda row: (math.isnan(row[6]), row[6])):
        name, done, *without, initial, final, iterations, seeding, clustering = row
        counts = " | ".join(map(str, (done, *without)))
        excess = f"{initial - 1:.1%} | {final - 1:.2%}"
        cost = f"{iterations:.1f} | {seeding:.4g} | {clustering:.4g}"
        yield f"| {_cell(name)} | {counts} | {f'{excess} | {cost}' if done else ' | | | |'} |"


def _geometric_mean(ratios: list[float]) -> float:
    return math.exp(np.mean(np.log(ratios))) if ratios else math.nan


def section(number: str, records: dict[str, Record], order: list[str]) -> Iterator[str]:
    file, title, n_clusters = data_sets()[number]
    n, d = np.load(file, allow_pickle=False)["X"].shape
    yield ""
    yield f"## {int(number)}. {title}: {n} × {d}, K = {n_clusters}"
    yield ""
    yield "| method | initial SSE | final SSE | iterations | seeding ms | k-means ms | notes |"
    yield "|---" * 7 + "|"
    for name in order:
        if name in records:
            yield _line(name, records[name])


def _line(name: str, record: Record) -> str:
    if reason := _outcome(record):
        return f"| {_cell(name)} | | | | | | {_cell(reason)} |"
    notes = list(record["notes"])
    if record["runs"] > 1:
        notes.insert(0, f"{record['runs']} runs")
    if record["shortfall"]:
        notes.append(f"{record['shortfall']:g} seeds short")
    return (
        f"| {_cell(name)} | {record['initial']:.6g} | {record['final']:.6g} "
        f"| {record['iterations']:.3g} | {1e3 * record['seeding']:.3g} "
        f"| {1e3 * record['clustering']:.3g} | {_cell('; '.join(notes))} |"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    parser = argparse.ArgumentParser(description="Every method on the study's real data sets.")
    parser.add_argument("--sets", nargs="*", metavar="NN", help="numbers as in the file names")
    parser.add_argument("--methods", nargs="*", metavar="NAME", help="ids or presets")
    parser.add_argument("--runs", type=int, default=5, help="of a random method")
    parser.add_argument("--limit", type=float, default=120, help="seconds per method and set")
    parser.add_argument("--again", action="store_true", help="also what is known already")
    parser.add_argument("--output", type=Path, default=HERE / "methods.md")
    given = parser.parse_args()
    every, sets = list(names()), data_sets()
    for wrong in {*(given.sets or ())} - {*sets} | {*(given.methods or ())} - {*every}:
        parser.error(f"unknown: {wrong}; there are {', '.join([*sets, *every])}")
    for number in given.sets or sets:
        measure(
            number,
            given.methods or every,
            runs=given.runs,
            limit=given.limit,
            again=given.again,
        )
    kept = {n: KEPT / f"{n}.json" for n in sets}
    results = {n: json.loads(file.read_text()) for n, file in kept.items() if file.is_file()}
    settings = (
        "Min-max scaled attributes; random methods: means over the runs; k-means stops at a "
        "relative gain in SSE of 1e-6 or after 100 iterations. Processor time, one thread; at most "
        f"{given.limit:g} s per method and data set."
    )
    if given.again and given.methods:
        settings += partly("--methods", *given.methods, "--again")
    given.output.write_text(report(results, every, settings), "utf-8")
    print(f"wrote {given.output}")


if __name__ == "__main__":
    main()
