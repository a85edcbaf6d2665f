"""Times the loading of real data sets; writes benchmarks/data.md.

    python benchmarks/data.py FOLDER   # with the sets in it: clean .npz, or original files

Each set is brought into a store first, which is also timed once; then it is loaded from there in
rounds: the median must hold, the slowest shows what else the machine did. Files are in the page
cache, as they are for anyone who loads a set a second time; reading the catalogue is timed apart.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).with_name("data.md")
ROUNDS = 15
MOST = {"covertype": 500.0}  # milliseconds; 50 for the others


def milliseconds(call, rounds: int) -> list[float]:
    times = []
    for _ in range(rounds):
        before = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - before))
    return times


def measure(folder: Path) -> list[str]:
    """A line of the table for each set that is in the folder."""
    import seedbed as sb

    lines = []
    with tempfile.TemporaryDirectory() as store:
        sb.data.set_folder(store, folder)
        for place in sb.data.present():
            entry = sb.data.catalogue()[place.slug]
            if not place.kind or entry.bundled:
                continue
            (first,) = milliseconds(lambda s=place.slug: sb.data.load(s), 1)
            times = milliseconds(lambda s=place.slug: sb.data.load(s), ROUNDS)
            n, d = entry.shape
            size = f"{n:,} × {d} | {8 * n * d / 1e6:.1f}"
            middle = statistics.median(times)
            most = MOST.get(place.slug, 50.0)
            held = "yes" if middle <= most else "no"
            lines.append(
                f"| {place.slug} | {size} | {place.kind} | {first:.1f} "
                f"| {middle:.2f} | {max(times):.2f} | {most:g} | {held} |"
            )
    return lines


def start_up() -> float:
    """Milliseconds for reading the catalogue in a new process, the import apart."""
    code = (
        "import time; import seedbed.data as d; t = time.perf_counter(); d.catalogue(); "
        "print(1000 * (time.perf_counter() - t))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    warnings.simplefilter("ignore")
    text = [
        "# Loading real data sets",
        "",
        f"`python benchmarks/data.py FOLDER` on {platform.machine()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}; times in milliseconds, {ROUNDS} "
        "rounds. *First* reads the file named under *from*, unpacks it, checks its content and "
        "keeps it; *again* loads it from the store. The median is what must hold; "
        f"the machine has {os.cpu_count()} cores and had a load of {os.getloadavg()[0]:.1f}.",
        "",
        f"Reading the catalogue, once in a process: {start_up():.1f} ms.",
        "",
        "| set | shape | MB | from | first | again, median | slowest | allowed | held |",
        "|---|---|---|---|---|---|---|---|---|",
        *measure(folder),
        "",
    ]
    RESULTS.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))


if __name__ == "__main__":
    main()
