"""Times the statistics where they are asked for most, and checks that nothing overflows.

    python benchmarks/statistics.py            # writes benchmarks/statistics.md

Figures are processor time, the best of several: nothing here runs in parallel, so that on an idle
machine it is the time one waits. Set OMP_NUM_THREADS=1, lest NumPy's own threads be counted.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy

from seedbed import stats


def table(blocks: int, methods: int, step: float) -> np.ndarray:
    rng = np.random.default_rng(0)
    return 10 + rng.standard_normal((blocks, methods)) + step * np.arange(methods)


def verdict(scores: np.ndarray, **options: object) -> str:
    """All that leads to the groups: ranks, omnibus test, pairs, adjustment, groups."""
    return str(stats.pairwise(scores, **options).groups)


def best_time(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def rows(repeats: int) -> list[tuple[str, str, float]]:
    study, many, wide = table(12288, 8, 0.03), table(32, 30, 0.1), table(12288, 30, 0.03)
    perfect = np.tile(np.arange(8.0), (4096, 1))
    result = stats.bergmann_hommel(study)
    cases: list[tuple[str, str, Callable[[], object]]] = [
        ("T = 8, B = 12288", "mean ranks, Bergmann–Hommel", lambda: verdict(study)),
        ("T = 8, B = 12288", "mean ranks, Nemenyi", lambda: verdict(study, adjust="nemenyi")),
        ("T = 8, B = 12288", "Wilcoxon, Bergmann–Hommel", lambda: verdict(study, test="wilcoxon")),
        ("T = 8, B = 12288", "effect sizes, 1000 resamples", lambda: stats.effects(study)),
        ("T = 8, B = 12288", "pool dependence", lambda: stats.pool_dependence(result)),
        ("T = 8, B = 4096, z = 129", "mean ranks, Bergmann–Hommel", lambda: verdict(perfect)),
        ("T = 30, B = 32", "mean ranks, Bergmann–Hommel", lambda: verdict(many)),
        ("T = 30, B = 12288", "mean ranks, Bergmann–Hommel", lambda: verdict(wide)),
    ]
    for n in (9, 12, 14, 16):
        cases.append(
            (
                f"T = {n}, B = 32",
                "Wilcoxon, Bergmann–Hommel",
                lambda n=n: verdict(many[:, :n], test="wilcoxon"),
            )
        )
    return [(size, what, best_time(work, repeats)) for size, what, work in cases]


def extremes() -> str:
    """At z = 129 every logarithm must be finite, for every adjustment."""
    perfect = np.tile(np.arange(8.0), (4096, 1))
    results = [stats.pairwise(perfect, adjust=adjust) for adjust in stats.ADJUSTMENTS]
    finite = all(np.isfinite(result.log_p_adjusted).all() for result in results)
    z = np.abs(results[0].statistic).max()
    smallest = results[0].log_p_adjusted.min() / np.log(10)
    return (
        f"At z = {z:.1f} the smallest adjusted p-value is 10^{smallest:.1f}; "
        f"all values of all adjustments are {'finite' if finite else 'NOT FINITE'}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    lines = [
        "# The statistics",
        "",
        f"Milliseconds of processor time, best of {options.repeats}, one thread; "
        f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}.",
        "From the table of scores to the groups: T methods on B data sets.",
        "",
        "| size | what | ms |",
        "|---|---|---:|",
        *(f"| {size} | {what} | {1000 * t:.1f} |" for size, what, t in rows(options.repeats)),
        "",
        extremes(),
    ]
    text = "\n".join(lines) + "\n"
    options.output.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
