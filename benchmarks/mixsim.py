"""Times MixSim over the study's grid: mixtures of a given overlap, points, whole synthetic sets.

    python benchmarks/mixsim.py             # some minutes: writes benchmarks/mixsim.md

Processor time of one thread, so that other work on the machine disturbs little. A mixture is timed
from the first random number to the covariances that have the overlap, draws that were rejected
included; where no draw can have it, the time of one rejection is given in brackets.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from seedbed.data import OverlapUnreachable, mixture, sample
from seedbed.data._complexity import complexity_class
from seedbed.data._draws import CLUSTERS, FEATURES, MEAN_OVERLAPS, SIZES, judge
from seedbed.data._synthetic_index import STUDY_SEED, study_index

# R 4.2.2, MixSim 1.1-8, 64 features and 12 clusters: CPU seconds, median of some runs.
IN_R = {"0.025": "0.28", "0.05": "13.2", "0.1": "fails after 20", "0.2": "fails after 20"}


def seconds(call: Callable[[], object]) -> float:
    before = time.process_time()
    call()
    return time.process_time() - before


def time_mixture(overlap: float, d: int, k: int, repeats: int) -> tuple[list[float], bool]:
    """Times of some mixtures of a cell, and whether it can be reached at all."""
    times = []
    for seed in range(repeats):
        draw = partial(mixture, k, d, mean_overlap=overlap, random_state=seed, max_attempts=20)
        try:
            times.append(seconds(draw))
        except OverlapUnreachable:
            return [seconds(partial(_rejected, overlap, d, k)) for _ in range(repeats)], False
    return times, True


def _rejected(overlap: float, d: int, k: int) -> None:
    try:
        mixture(k, d, mean_overlap=overlap, random_state=0, max_attempts=1)
    except OverlapUnreachable:
        return
    raise AssertionError("reachable after all")


def mixture_table(repeats: int) -> list[str]:
    lines = [
        "## A mixture of a given mean overlap",
        "",
        f"Milliseconds, mean of {repeats} mixtures (largest of them). Target: 100 in every cell.",
        "",
        "| overlap | K' | " + " | ".join(f"D={d}" for d in FEATURES) + " |",
        "|---" * (len(FEATURES) + 2) + "|",
    ]
    for overlap in MEAN_OVERLAPS:
        for k in CLUSTERS:
            cells = []
            for d in FEATURES:
                times, reachable = time_mixture(overlap, d, k, repeats)
                text = f"{1e3 * np.mean(times):.1f} ({1e3 * max(times):.0f})"
                cells.append(text if reachable else f"[{1e3 * np.mean(times):.1f}]")
            lines.append(f"| {overlap} | {k} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    in_r = "; ".join(f"{overlap}: {text}" for overlap, text in IN_R.items())
    return [*lines, "", f"R's package at D=64, K'=12, in *seconds*: {in_r}.", ""]


def sample_table(repeats: int) -> list[str]:
    lines = [
        "## Points of a mixture",
        "",
        f"Milliseconds, 12 components, best of {repeats}. Target: 300 for 65536×64 (R: 650).",
        "",
        "| N | " + " | ".join(f"D={d}" for d in FEATURES) + " |",
        "|---" * (len(FEATURES) + 1) + "|",
    ]
    mixtures = {d: mixture(12, d, mean_overlap=0.02, random_state=0) for d in FEATURES}
    for n in SIZES:
        best = [
            min(seconds(partial(sample, made, n, random_state=1)) for _ in range(repeats))
            for made in mixtures.values()
        ]
        lines.append(f"| {n} | {' | '.join(f'{1e3 * s:.1f}' for s in best)} |")
        print(lines[-1], flush=True)
    return [*lines, ""]


def stream_table(n_draws: int) -> list[str]:
    times = []
    classes = dict.fromkeys(("easy", "moderate", "difficult", "unreachable"), 0)
    for number in range(n_draws):
        before = time.process_time()
        omega = judge(STUDY_SEED, number).complexity
        times.append(time.process_time() - before)
        classes["unreachable" if omega is None else complexity_class(omega)] += 1
    index = study_index()
    per_accepted = np.mean(times) * index.n_draws / sum(map(len, index.accepted.values()))
    found = ", ".join(f"{n} {name}" for name, n in classes.items())
    surplus = sum(index.n_surplus.values())
    lines = [
        "## The study's synthetic sets",
        "",
        f"The first {n_draws} draws ({found}) took",
        f"{1e3 * np.mean(times):.0f} ms each: mixture, points, scaling, k-means from the true",
        "centres, criteria and a hash of the data. The 12,288 sets took",
        f"{index.n_draws} draws ({index.n_unreachable} unreachable, {surplus} of a class that was",
        f"full), so that an accepted set costs {1e3 * per_accepted:.0f} ms. Target: 250.",
        "",
    ]
    print("\n".join(lines))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    mixture(3, 2, mean_overlap=0.01, random_state=0)  # imports what the first call would
    lines = ["# MixSim", "", "Processor time, one thread.", ""]
    lines += mixture_table(arguments.repeats) + sample_table(arguments.repeats)
    lines += stream_table(arguments.draws)
    arguments.output.write_text("\n".join(lines).rstrip() + "\n")
    print(f"written to {arguments.output}")


if __name__ == "__main__":
    main()
