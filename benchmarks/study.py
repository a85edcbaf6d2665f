"""Times the synthetic study on a stratified sample and says what the whole of it takes.

    pip install ".[study]"
    python benchmarks/study.py                # 120 sets, writes benchmarks/study.md
    python benchmarks/study.py --sets 12      # a glance

Every class gives the same number of sets, evenly spread over its 4,096. The sample is run by two
worker processes, as `seedbed study run --preset synthetic` does; a second pass in one process tells
where the time goes. Beside it, scikit-learn's KMeans goes from the same starting centres for as
many iterations as each run took, on some of the runs of every set and method.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).with_name("study.md")
PER_CLASS = 4096
CLASSES = 3


def sample(sets: int):
    from seedbed import study

    count = sets // CLASSES
    source = study.SyntheticSets(count=count, step=PER_CLASS // count)
    return replace(study.preset("synthetic"), data=(source,), name="sample")


def time_in_processes(design, workers: int) -> float:
    from seedbed import study

    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        done = study.run(design, Path(folder) / "study", workers=workers)
        seconds = time.perf_counter() - began
        assert done.status().complete, done.failures
    return seconds


def time_parts(design) -> tuple[dict[str, float], int]:
    """Processor seconds of one process for each part of the work, and the number of runs.

    What `run_unit` spends beside seeding and clustering counts as criteria: they are most of it."""
    from seedbed.study._store import Store
    from seedbed.study._unit import run_unit

    parts = dict.fromkeys(("generation", "seeding", "clustering", "criteria", "storage"), 0.0)
    n_runs = 0
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "study", design)
        for unit in design.units():
            began = time.process_time()
            unit.load()
            loaded = time.process_time() - began
            began = time.process_time()
            columns = run_unit(design, unit)
            worked = time.process_time() - began
            began = time.process_time()
            store.keep(unit, columns)
            parts["storage"] += time.process_time() - began
            seeding, clustering = columns["seed_seconds"].sum(), columns["cluster_seconds"].sum()
            parts["generation"] += loaded
            parts["seeding"] += seeding
            parts["clustering"] += clustering
            parts["criteria"] += max(0.0, worked - loaded - seeding - clustering)
            n_runs += len(columns["run"])
    return parts, n_runs


def scikit_seconds_per_run(design, runs: int) -> tuple[float, float]:
    """Mean seconds of one k-means run by scikit-learn and by us, from the same starts for as many
    iterations; seeding not counted for either."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    import seedbed
    from seedbed._random import generator
    from seedbed.study._unit import stream_keys

    theirs, ours = [], []
    with threadpool_limits(1):
        for unit in design.units():
            loaded = unit.load()
            for entry in design.methods:
                method = entry.build()
                for r in range(1 if method.deterministic else runs):
                    rng = generator(design.seed, *stream_keys(unit.name, entry), r)
                    start = method.seed(loaded.X, loaded.n_clusters, random_state=rng, n_threads=1)
                    run = seedbed.run_many(loaded.X, start.centers[None], n_threads=1)
                    ours.append(run.cpu_seconds[0])
                    model = KMeans(
                        loaded.n_clusters,
                        init=start.centers,
                        n_init=1,
                        max_iter=int(run.n_iter[0]),
                        tol=0.0,
                    )
                    began = time.process_time()
                    model.fit(loaded.X)
                    theirs.append(time.process_time() - began)
    return float(np.mean(theirs)), float(np.mean(ours))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=120)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scikit-runs", type=int, default=1, help="per set and random method")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*did not converge|.*Number of distinct")
    design = sample(arguments.sets)
    units = len(design.units())
    whole = CLASSES * PER_CLASS / units
    wall = time_in_processes(design, arguments.workers)
    parts, n_runs = time_parts(design)
    total = sum(parts.values())
    theirs, ours = scikit_seconds_per_run(design, arguments.scikit_runs)
    their_total = theirs * n_runs + parts["seeding"] + parts["generation"] + parts["criteria"]
    lines = [
        "# The synthetic study: how long it takes",
        "",
        f"Made by `python benchmarks/study.py --sets {arguments.sets}` on {os.cpu_count()} cores: "
        f"{units} sets, {n_runs:,} runs, a stratified sample.",
        "",
        f"- {arguments.workers} worker processes: {wall:.0f} s for the sample, so "
        f"**{wall * whole / 3600:.2f} h for all 12,288 sets**.",
        f"- One process: {total:.0f} s of processor time, {1e3 * total / n_runs:.2f} ms per run, "
        "all included.",
        f"- A k-means run alone: {1e3 * parts['clustering'] / n_runs:.2f} ms here; "
        f"scikit-learn {1e3 * theirs:.1f} ms from the same start for as many iterations "
        f"(one thread; {1e3 * ours:.2f} ms for ours, run singly).",
        f"- A loop over scikit-learn's KMeans with our seeding would take "
        f"{their_total * whole / 2 / 3600:.1f} h on two cores, "
        f"**{their_total / total:.1f}×** as long.",
        "",
        "| part | seconds | share |",
        "|---|---|---|",
        *(
            f"| {name} | {value:.1f} | {100 * value / total:.1f} % |"
            for name, value in parts.items()
        ),
        "",
    ]
    arguments.output.write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
