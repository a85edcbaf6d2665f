"""Times the synthetic study on a stratified sample and says what the whole of it takes.

    pip install ".[study]"
    python benchmarks/study.py                # 120 sets, writes benchmarks/study.md
    python benchmarks/study.py --sets 12      # a glance

Every class gives the same number of sets, evenly spread over its 4,096 in the order of rows ×
attributes × clusters: the time of a set varies by a factor of a thousand, and sets taken without
regard to it would tell the mean to a quarter only. The sample is run by two worker processes, as
`seedbed study run --preset synthetic` does; a second pass in one process tells where the time goes.
Beside it, in turns, set by set (the speed of a machine changes), goes the loop
that one would write with scikit-learn: seeds by its own functions or by NumPy where they have what
it takes, and by ours where not; then its KMeans, from the same starting centres as ours for as many
iterations. Some of the runs of every set and method are timed so, twice: with the threads that
scikit-learn takes by itself, by the clock, as a plain loop runs; and on one thread, in processor
time, as if somebody had spread the loop over the cores without any loss. A part of the page is
written as soon as it is known.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans, kmeans_plusplus
from threadpoolctl import threadpool_limits

from seedbed import run_many, study
from seedbed._random import generator
from seedbed._validation import as_points
from seedbed.data._complexity import CLASSES
from seedbed.data._draws import Draw
from seedbed.data._synthetic_index import PER_CLASS, STUDY_SEED, study_index
from seedbed.study._store import Store
from seedbed.study._unit import run_unit, stream_keys

RESULTS = Path(__file__).with_name("study.md")
PARTS, MOST_ITERATIONS = 10, 100  # of Bradley and Fayyad's seeding, here and there

# Where ours ends k-means on a part, scikit-learn has no such rule (the error gains less than one in
# ten thousand). With this tolerance it took 1.03 times as many iterations on the parts of 24 sets.
PART_TOLERANCE = 5e-3


def sample(sets: int) -> study.Design:
    sources = tuple(
        study.SyntheticSets(classes=(name,), count=1, first=index)
        for name in CLASSES
        for index in spread_by_size(name, sets // len(CLASSES))
    )
    return replace(study.preset("synthetic"), data=sources, name="sample")


def spread_by_size(class_: str, count: int) -> list[int]:
    """Indices of ``count`` sets of a class: the middle of each of as many equal parts by size."""
    draws = study_index().accepted[class_]
    order = np.argsort([size_of(outcome.number) for outcome in draws], kind="stable")
    return [int(order[(2 * part + 1) * PER_CLASS // (2 * count)]) for part in range(count)]


def size_of(draw: int) -> int:
    cell = Draw(STUDY_SEED, draw).cell
    return cell.n_samples * cell.n_features * cell.n_clusters


def told(units: Sequence[study.Unit], doing: str) -> Iterator[study.Unit]:
    """The units, and on stderr how many of them are done."""
    began = time.perf_counter()
    for done, unit in enumerate(units):
        spent = time.perf_counter() - began
        print(f"\r{doing}: {done} of {len(units)} sets, {spent:.0f} s ", end="", file=sys.stderr)
        yield unit
    print(f"\r{doing}: all {len(units)} sets, {time.perf_counter() - began:.0f} s", file=sys.stderr)


def processor_seconds(call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call returns, and how long it took."""
    before = time.process_time()
    found = call()
    return found, time.process_time() - before


def time_in_processes(design: study.Design, workers: int) -> float:
    print(f"{workers} worker processes: {len(design.units())} sets", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        done = study.run(design, Path(folder) / "study", workers=workers)
        seconds = time.perf_counter() - began
        assert done.status().complete, done.failures
    return seconds


class Parts(NamedTuple):
    """Processor seconds of each part of the work on a set."""

    generation: float
    seeding: float
    clustering: float
    criteria: float  # and all else that `run_unit` does beside seeding and clustering
    storage: float


def time_parts(design: study.Design, unit: study.Unit, store: Store) -> Parts:
    _, loading = processor_seconds(unit.load)
    columns, working = processor_seconds(lambda: run_unit(design, unit))
    _, storing = processor_seconds(lambda: store.keep(unit, columns))
    seeding, clustering = columns["seed_seconds"].sum(), columns["cluster_seconds"].sum()
    rest = max(0.0, working - loading - seeding - clustering)
    return Parts(loading, seeding, clustering, rest, storing)


# -- Seeding as one would write it with scikit-learn and NumPy: X, clusters, generator -> centres


def random_rows(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    return x[rng.choice(len(x), k, replace=False)]


def random_partition(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    labels = rng.integers(k, size=len(x))
    sums = [np.bincount(labels, attribute, minlength=k) for attribute in x.T]
    return np.stack(sums, axis=1) / np.bincount(labels, minlength=k)[:, None]


def farthest_rows(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    rows, nearest = [rng.integers(len(x))], np.full(len(x), np.inf)
    while len(rows) < k:
        difference = x - x[rows[-1]]
        nearest = np.minimum(nearest, np.einsum("ij,ij->i", difference, difference))
        rows.append(nearest.argmax())
    return x[rows]


def plus_plus(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    return kmeans_plusplus(x, k, random_state=draw_state(rng), n_local_trials=1)[0]


def greedy_plus_plus(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    return kmeans_plusplus(x, k, random_state=draw_state(rng))[0]


def refined_start(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Bradley and Fayyad's: the centres of random parts, and the best clustering of all of them."""
    parts = np.array_split(rng.permutation(x), PARTS)
    starts = [scikit_kmeans(p, random_rows(p, k, rng)).cluster_centers_ for p in parts]
    pooled = np.concatenate(starts)
    refined = [scikit_kmeans(pooled, start) for start in starts]
    return min(refined, key=lambda model: model.inertia_).cluster_centers_


def draw_state(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def scikit_kmeans(
    x: np.ndarray,
    start: np.ndarray,
    *,
    max_iter: int = MOST_ITERATIONS,
    tol: float = PART_TOLERANCE,
) -> KMeans:
    return KMeans(len(start), init=start, n_init=1, max_iter=max_iter, tol=tol).fit(x)


PLAIN_SEEDING = {
    "forgy": random_partition,
    "macqueen": random_rows,
    "maximin": farthest_rows,
    "bradley-fayyad": refined_start,
    "k-means++": plus_plus,
    "greedy-k-means++": greedy_plus_plus,
}


# -- Beside scikit-learn


class Times(NamedTuple):
    """Seconds of one run: seeding and clustering, ours and those of the loop."""

    seeding: float
    their_seeding: float
    clustering: float
    their_clustering: float
    plain: float  # theirs by the clock, with all threads

    @property
    def ours(self) -> float:
        return self.seeding + self.clustering

    @property
    def theirs(self) -> float:
        return self.their_seeding + self.their_clustering


def time_beside_scikit(
    design: study.Design, unit: study.Unit, runs: int
) -> dict[study.Entry, Times]:
    """The mean run of every method; one thread unless said, one run at a time."""
    loaded = unit.load()
    points = as_points(loaded.X, n_threads=1)

    def mean_run(entry: study.Entry) -> Times:
        keys = stream_keys(unit.name, entry)
        some = range(min(runs, runs_of(design, entry)))
        rngs = [generator(design.seed, *keys, r) for r in some]
        times = [time_run(entry.build(), points, loaded.n_clusters, rng) for rng in rngs]
        return Times(*np.mean(times, axis=0))

    with threadpool_limits(1):
        return {entry: mean_run(entry) for entry in design.methods}


def time_in_turns(design: study.Design, scikit_runs: int) -> tuple[Parts, dict[study.Entry, Times]]:
    """All of our work in one process, and the mean run over the sets beside scikit-learn's."""
    parts, beside = [], []
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "study", design)
        for unit in told(design.units(), "one process, beside scikit-learn"):
            parts.append(time_parts(design, unit, store))
            beside.append(time_beside_scikit(design, unit, scikit_runs))
    mean = {
        entry: Times(*np.mean([times[entry] for times in beside], axis=0))
        for entry in design.methods
    }
    return Parts(*np.sum(parts, axis=0)), mean


def time_run(method: Any, points: Any, k: int, rng: np.random.Generator) -> Times:
    seeds, seeding = processor_seconds(
        lambda: method.seed_points(points, k, random_state=rng, n_threads=1)
    )
    run = run_many(points.x, seeds.centers[None], n_threads=1)
    plain = PLAIN_SEEDING.get(method.meta.id)

    def seed() -> None:
        if plain:
            plain(points.x, k, rng)

    def cluster() -> None:
        scikit_kmeans(points.x, seeds.centers, max_iter=int(run.n_iter[0]), tol=0.0)

    their_seeding = processor_seconds(seed)[1] if plain else seeding
    _, their_clustering = processor_seconds(cluster)
    with threadpool_limits(os.cpu_count()):
        began = time.perf_counter()
        seed()
        cluster()
        by_clock = time.perf_counter() - began
    return Times(
        seeding,
        their_seeding,
        float(run.cpu_seconds[0]),
        their_clustering,
        by_clock if plain else by_clock + seeding,
    )


def runs_of(design: study.Design, entry: study.Entry) -> int:
    return 1 if entry.build().deterministic else design.runs


# -- The page


def wall_lines(design: study.Design, workers: int, wall: float) -> Iterator[str]:
    yield (
        f"{workers} worker processes: {wall:.0f} s for the sample, so "
        f"**{hours_of_all(design, wall):.2f} h for all 12,288 sets**."
    )


def hours_of_all(design: study.Design, seconds: float) -> float:
    """Of all sets, where those of the sample take so long."""
    return seconds * len(CLASSES) * PER_CLASS / len(design.units()) / 3600


def part_lines(parts: Parts, n_runs: int) -> Iterator[str]:
    total = sum(parts)
    yield f"One process: {total:.0f} s of processor time, {1e3 * total / n_runs:.2f} ms per run."
    yield ""
    yield "| part | seconds | share |"
    yield "|---|---|---|"
    for name, value in parts._asdict().items():
        yield f"| {name} | {value:.1f} | {100 * value / total:.1f} % |"


def scikit_lines(
    design: study.Design, times: dict[study.Entry, Times], parts: Parts, wall: float
) -> Iterator[str]:
    def loop(seconds: Callable[[Times], float]) -> float:
        runs = sum(runs_of(design, entry) * seconds(t) for entry, t in times.items())
        return len(design.units()) * runs + parts.generation + parts.criteria

    plain, single = loop(lambda t: t.plain), loop(lambda t: t.theirs)
    yield (
        f"A plain loop over scikit-learn's KMeans takes {hours_of_all(design, plain):.1f} h for "
        f"all 12,288 sets on the same cores, with as many threads as it likes: "
        f"**{plain / wall:.1f}×** as long. Spread over the cores without any loss, one thread "
        f"each, it would still take **{single / sum(parts):.1f}×** the processor time of ours. "
        "Generation and criteria are ours in both."
    )
    yield ""
    yield (
        "Milliseconds of a run, the mean over the sets, one thread, run singly; k-means goes from "
        "the same start for as many iterations."
    )
    yield ""
    yield "| method | seeding, ours | scikit-learn | k-means, ours | scikit-learn | together |"
    yield "|---|---|---|---|---|---|"
    for entry, t in times.items():
        own = entry.build().meta
        cells = " | ".join(f"{1e3 * value:.2f}" for value in t[:4])
        note = "" if own.id in PLAIN_SEEDING else " (seeded by ours)"
        yield f"| {own.name}{note} | {cells} | {t.theirs / t.ours:.1f}× |"
    yield ""
    yield (
        "Seeds for scikit-learn: `kmeans_plusplus`, with one trial or its default; random rows, "
        "random partitions and farthest rows by NumPy; for Bradley–Fayyad its KMeans on ten parts "
        f"and on their centres, where tol={PART_TOLERANCE:g} stops it after about as many "
        "iterations as ours."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=120)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scikit-runs", type=int, default=5, help="per set and random method")
    parser.add_argument("--output", type=Path, default=RESULTS)
    given = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*did not converge|.*Number of distinct")
    design = sample(given.sets)
    units = len(design.units())
    n_runs = units * sum(runs_of(design, entry) for entry in design.methods)
    page: list[str] = []

    def add(lines: Iterable[str]) -> None:
        """What is known stays known when the rest is interrupted."""
        new = [*lines, ""]
        print("\n".join(new), flush=True)
        page.extend(new)
        given.output.write_text("\n".join(page), "utf-8")

    add(["# The synthetic study: how long it takes"])
    add(
        [
            f"Made by `python benchmarks/study.py --sets {given.sets}` on {os.cpu_count()} cores: "
            f"{units} sets, {n_runs:,} runs, a stratified sample."
        ]
    )
    wall = time_in_processes(design, given.workers)
    add(wall_lines(design, given.workers, wall))
    parts, beside = time_in_turns(design, given.scikit_runs)
    add(part_lines(parts, n_runs))
    add(scikit_lines(design, beside, parts, wall))


if __name__ == "__main__":
    main()
