"""Times every assignment algorithm over a grid of shapes, beside what `auto` picks there.

    python benchmarks/algorithms.py            # one run each: writes benchmarks/algorithms.md
    python benchmarks/algorithms.py --runs 50  # many runs over one data set, where a tree may pay

The rule behind `auto` (native/engine.cpp) is read off this table. Algorithms take turns and the
best time of each counts.
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path

import numpy as np

import seedbed

ALGORITHMS = ("lloyd", "tie-pde", "hamerly", "elkan", "yinyang", "tree", "auto")
MAX_ITER = 50


def make_data(n: int, d: int, k: int, kind: str) -> np.ndarray:
    rng = np.random.default_rng(0)
    if kind == "uniform":
        return rng.random((n, d))
    return rng.random((k, d))[rng.integers(k, size=n)] + 0.1 * rng.standard_normal((n, d))


def time_all(X: np.ndarray, k: int, runs: int, budget: float) -> dict[str, float]:
    rng = np.random.default_rng(1)
    starts = np.stack([X[rng.choice(len(X), k, replace=False)] for _ in range(runs)])
    best = dict.fromkeys(ALGORITHMS, float("inf"))
    started, rounds = time.perf_counter(), 0
    while rounds < 2 or time.perf_counter() - started < budget:
        for name in ALGORITHMS:
            if 5 * min(best.values()) < best[name] < float("inf"):
                continue  # hopeless here
            before = time.perf_counter()
            seedbed.run_many(
                X, starts, algorithm=name, stop="labels", max_iter=MAX_ITER, n_threads=1
            )
            best[name] = min(best[name], time.perf_counter() - before)
        rounds += 1
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="*", default=[4096, 65536])
    parser.add_argument("--d", type=int, nargs="*", default=[2, 4, 8, 16, 64])
    parser.add_argument("--k", type=int, nargs="*", default=[4, 12, 40, 100])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--budget", type=float, default=0.5, help="seconds per shape, at least")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    many = "" if arguments.runs == 1 else f"-{arguments.runs}-runs"
    output = arguments.output or Path(__file__).with_name(f"algorithms{many}.md")
    lines = [
        "# Assignment algorithms",
        "",
        f"Milliseconds, float64, one thread, {arguments.runs} run(s) of up to {MAX_ITER}",
        "iterations; the best in bold. The last column is the time of `auto` over the best.",
        "",
        "| N×D, K | data | " + " | ".join(ALGORITHMS) + " | auto/best |",
        "|---" * (len(ALGORITHMS) + 3) + "|",
    ]
    seedbed.run_many(np.eye(4), np.eye(4)[None])  # imports what the first call would
    for n, d, k in itertools.product(arguments.n, arguments.d, arguments.k):
        for kind in ("clustered", "uniform"):
            best = time_all(make_data(n, d, k, kind), k, arguments.runs, arguments.budget)
            least = min(best.values())
            cells = [
                f"**{1e3 * s:.2f}**" if s == least else f"{1e3 * s:.2f}" for s in best.values()
            ]
            lines.append(
                f"| {n}×{d}, {k} | {kind} | {' | '.join(cells)} | {best['auto'] / least:.2f} |"
            )
            print(lines[-1], flush=True)
    output.write_text("\n".join([*lines, ""]))
    print(f"written to {output}")


if __name__ == "__main__":
    main()
