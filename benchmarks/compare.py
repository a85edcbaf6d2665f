"""Times `seedbed compare` on 100,000 × 20: eight methods with ten runs each, and K = 2 to 20.

    pip install ".[study]"
    python benchmarks/compare.py              # writes benchmarks/compare.md
    python benchmarks/compare.py --rows 10000 # a glance

Data with clusters (30 Gaussian ones, asked for 8) and without (uniform, on which k-means takes
longest). The command is timed as a process of its own, reading a Parquet file included. Where the
machine does other work too, processor seconds tell more than the clock: k-means is spread over the
threads, all else is not, so on idle cores it takes about all processor seconds but those that
k-means saves by the threads.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).with_name("compare.md")
MOST = 15.0  # seconds on two cores, for eight methods


def data_sets(rows: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    centers = rng.uniform(-3, 3, size=(30, 20))
    return {
        "30 clusters": centers[rng.integers(0, 30, rows)] + rng.normal(size=(rows, 20)),
        "uniform": rng.uniform(size=(rows, 20)),
    }


def time_command(*arguments: str) -> tuple[float, float, dict]:
    """Seconds by the clock and of the processor, and what the command said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "seedbed.cli", "compare", *arguments, "--json"],
        check=True,
        capture_output=True,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used, json.loads(done.stdout)


def on_idle_cores(used: float, said: dict, threads: int) -> float:
    """Seconds by the clock if no one else were there, about."""
    spread = sum(sum(runs["cluster_seconds"]) for runs in said["runs"].values())
    return used - spread * (1 - 1 / threads)


def measure(rows: int, threads: int) -> list[str]:
    import polars as pl

    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name, X in data_sets(rows).items():
            path = Path(folder) / "x.parquet"
            pl.from_numpy(X).write_parquet(path)
            for k in ("8", "2:20"):
                wall, used, said = time_command(str(path), "-k", k, "--threads", str(threads))
                idle, most = "", ""
                if k == "8":
                    idle, most = f"{on_idle_cores(used, said, threads):.1f}", f"{MOST:g}"
                lines.append(f"| {name} | `-k {k}` | {wall:.1f} | {used:.1f} | {idle} | {most} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    before = os.getloadavg()[0]
    table = measure(options.rows, options.threads)
    lines = [
        "# Comparing methods, and numbers of clusters",
        "",
        f"`python benchmarks/compare.py` on {platform.machine()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}: `seedbed compare FILE` on "
        f"{options.rows:,} × 20 with {options.threads} threads, the whole process with imports and "
        "reading. `-k 8`: the eight methods of the study, ten runs each (62 runs in all). "
        "`-k 2:20`: 19 numbers of clusters, four criteria.",
        "",
        f"The machine has {os.cpu_count()} cores and had a load of {before:.1f} before and "
        f"{os.getloadavg()[0]:.1f} after. Where that is more than the cores, this was measured "
        "beside other work: then the clock says little, and *idle* is what the processor seconds "
        "come to where k-means has its threads for itself.",
        "",
        "| data | asked for | seconds | processor seconds | idle, about | target |",
        "|---|---|---|---|---|---|",
        *table,
        "",
    ]
    options.output.write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
