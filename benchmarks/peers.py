"""Times seedbed beside its peers, in one run, as ratios; writes benchmarks/results.md.

    pip install ".[bench]"
    python benchmarks/peers.py                 # everything, about an hour on two cores
    python benchmarks/peers.py --shapes 0 1 2  # some shapes
    python benchmarks/peers.py --only seeding  # one section: fit, restarts, seeding, memory

Contenders take turns (round after round) and the best time of each counts, so that a noisy machine
hurts all of them alike. A turn begins when the threads of the one before are at rest: OpenMP's spin
for milliseconds after a call, and would take the next one's processor. Every contender starts from
the same centres and iterates until no label changes, at most 50 times; faiss, which has no such
rule, is given the number of iterations needed.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

SHAPES = [
    (1024, 8, 6),
    (65536, 16, 10),
    (65536, 64, 12),
    (581012, 10, 7),
    (1904711, 2, 7),
    (100000, 64, 100),
    (50000, 128, 1000),
]
KINDS = ("clustered", "uniform")
DTYPES = (np.float32, np.float64)
MAX_ITER = 50
RESULTS = Path(__file__).with_name("results.md")

Contender = Callable[[], object]


def make_data(shape: tuple[int, int, int], kind: str, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """Rows and starting centres (rows drawn without replacement)."""
    n, d, k = shape
    rng = np.random.default_rng(0)
    X = rng.random((n, d))
    if kind == "clustered":
        means = rng.random((k, d))
        X = means[rng.integers(k, size=n)] + 0.1 * rng.standard_normal((n, d))
    X = np.ascontiguousarray(X, dtype=dtype)
    return X, X[rng.choice(n, k, replace=False)].copy()


def rest() -> None:
    """Returns when no other thread of this process works, or after a second."""
    started = before = time.perf_counter()
    while before - started < 1.0:
        cpu = time.process_time()
        while time.perf_counter() - before < 2e-4:
            pass
        now = time.perf_counter()
        if time.process_time() - cpu < 1.2 * (now - before):
            return
        before = now


def race(contenders: dict[str, Contender], budget: float) -> dict[str, float]:
    """Best seconds of each; rounds are repeated until `budget` seconds are spent.

    At least two rounds, unless one alone takes ten budgets.
    """
    best = dict.fromkeys(contenders, float("inf"))
    started, rounds = time.perf_counter(), 0

    def spent() -> float:
        return time.perf_counter() - started

    while (
        rounds == 0
        or (rounds == 1 and spent() < 10 * budget)
        or (spent() < budget and rounds < 300)
    ):
        for name, run in contenders.items():
            rest()
            before = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - before)
        rounds += 1
    return best


def fit_contenders(X: np.ndarray, centers: np.ndarray, n_threads: int) -> dict[str, Contender]:
    import faiss
    import sklearn.cluster
    from sklearnex.cluster import KMeans as IntelKMeans
    from threadpoolctl import threadpool_limits

    import seedbed

    k = len(centers)
    ours = seedbed.KMeans(k, init=centers, max_iter=MAX_ITER, stop="labels", n_threads=n_threads)
    iterations = ours.fit(X).n_iter_

    def scikit(algorithm: str) -> Contender:
        model = sklearn.cluster.KMeans(
            k, init=centers, n_init=1, max_iter=MAX_ITER, tol=0, algorithm=algorithm
        )
        return lambda: model.fit(X)

    def with_threads(run: Contender) -> Contender:
        def limited() -> None:
            with threadpool_limits(n_threads):
                run()

        return limited

    def run_faiss() -> None:
        model = faiss.Kmeans(
            X.shape[1],
            k,
            niter=iterations,
            max_points_per_centroid=len(X),
            min_points_per_centroid=1,
        )
        model.train(X, init_centroids=centers)

    faiss.omp_set_num_threads(n_threads)
    intel = IntelKMeans(k, init=centers, n_init=1, max_iter=MAX_ITER, tol=0, n_jobs=n_threads)
    contenders: dict[str, Contender] = {"seedbed": lambda: ours.fit(X)}
    contenders["scikit-learn lloyd"] = with_threads(scikit("lloyd"))
    if k < 500:  # elkan needs minutes there, and loses
        contenders["scikit-learn elkan"] = with_threads(scikit("elkan"))
    contenders["scikit-learn-intelex"] = lambda: intel.fit(X)
    if X.dtype == np.float32:  # faiss would convert, and lose by that
        contenders["faiss"] = run_faiss
    return contenders


def check_quality(X: np.ndarray, centers: np.ndarray) -> None:
    """Same start, same rule: the error must be scikit-learn's or less (to float32's rounding)."""
    import sklearn.cluster

    import seedbed

    k = len(centers)
    ours = seedbed.KMeans(k, init=centers, max_iter=MAX_ITER, stop="labels").fit(X)
    theirs = sklearn.cluster.KMeans(k, init=centers, n_init=1, max_iter=MAX_ITER, tol=0).fit(X)
    slack = 1e-3 if X.dtype == np.float32 else 1e-9  # float32 runs part ways at near-ties
    if ours.inertia_ > theirs.inertia_ * (1 + slack):
        raise AssertionError(f"seedbed ended at {ours.inertia_}, scikit-learn at {theirs.inertia_}")


def geometric_mean(values: Iterable[float]) -> float:
    return float(np.exp(np.mean(np.log(list(values)))))


def shape_lines(by_shape: dict[str, list[float]]) -> list[str]:
    """The ratios of each shape in one row."""
    lines = ["", "| N×D, K | geometric mean | least |", "|---|---|---|"]
    return lines + [
        f"| {t} | {geometric_mean(r):.1f} | {min(r):.1f} |" for t, r in by_shape.items()
    ]


def bench_fit(shapes: list[int], threads: list[int], budget: float) -> list[str]:
    lines = [
        "## Fit: the same start, up to 50 iterations",
        "",
        "Milliseconds (best of several rounds) and the ratio of the fastest peer to seedbed.",
        "",
        "| N×D, K | data | type | threads | seedbed | fastest peer | ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    by_shape: dict[str, list[float]] = {}
    for index in shapes:
        n, d, k = SHAPES[index]
        title = f"{n}×{d}, {k}"
        for kind in KINDS:
            for dtype in DTYPES:
                X, centers = make_data(SHAPES[index], kind, dtype)
                if n * k * d < 1e9:
                    check_quality(X, centers)
                for n_threads in threads:
                    best = race(fit_contenders(X, centers, n_threads), budget)
                    ours = best.pop("seedbed")
                    peer = min(best, key=best.__getitem__)
                    ratio = best[peer] / ours
                    by_shape.setdefault(title, []).append(ratio)
                    lines.append(
                        f"| {title} | {kind} | {np.dtype(dtype).name} | {n_threads} "
                        f"| {1e3 * ours:.2f} | {peer} {1e3 * best[peer]:.2f} | {ratio:.1f} |"
                    )
                    print(lines[-1], flush=True)
    lines += shape_lines(by_shape)
    everything = [r for ratios in by_shape.values() for r in ratios]
    lines += [f"| **all** | **{geometric_mean(everything):.1f}** | **{min(everything):.1f}** |", ""]
    return lines


def bench_restarts(budget: float) -> list[str]:
    from sklearn.cluster import KMeans as ScikitKMeans
    from threadpoolctl import threadpool_limits

    import seedbed

    lines = [
        "## Many starts, and one small fit (seeding and estimator included)",
        "",
        "| task | threads | seedbed ms | scikit-learn ms | ratio |",
        "|---|---|---|---|---|",
    ]
    X, _ = make_data((4096, 8, 6), "uniform", np.float64)
    small, _ = make_data((1024, 8, 6), "clustered", np.float64)
    for n_threads in (1, 2):
        for title, data, n_init in (
            ("100 runs, 4096×8, K=6", X, 100),
            ("one fit, 1024×8, K=6", small, 1),
        ):
            ours = seedbed.KMeans(6, n_init=n_init, random_state=0, n_threads=n_threads)
            theirs = ScikitKMeans(6, n_init=n_init, random_state=0)
            with threadpool_limits(n_threads):
                best = race(
                    {
                        "seedbed": lambda model=ours, data=data: model.fit(data),
                        "scikit": lambda model=theirs, data=data: model.fit(data),
                    },
                    budget,
                )
            ratio = best["scikit"] / best["seedbed"]
            lines.append(
                f"| {title} | {n_threads} | {1e3 * best['seedbed']:.2f} "
                f"| {1e3 * best['scikit']:.2f} | {ratio:.1f} |"
            )
            print(lines[-1], flush=True)
    return [*lines, ""]


def bench_seeding(budget: float) -> list[str]:
    from sklearn.cluster import kmeans_plusplus
    from threadpoolctl import threadpool_limits

    import seedbed

    lines = [
        "## Seeding: greedy k-means++ beside scikit-learn's, same number of trials",
        "",
        "| N×D, K | data | type | threads | seedbed ms | scikit-learn ms | ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    by_shape: dict[str, list[float]] = {}
    for shape in ((581012, 10, 7), (100000, 64, 100)):
        n, d, k = shape
        title = f"{n}×{d}, {k}"
        for kind in KINDS:
            for dtype in DTYPES:
                X, _ = make_data(shape, kind, dtype)
                for n_threads in (1, 2):
                    with threadpool_limits(n_threads):
                        best = race(
                            {
                                "seedbed": lambda X=X, k=k, t=n_threads: seedbed.seed(
                                    X, k, "greedy-k-means++", random_state=0, n_threads=t
                                ),
                                "scikit": lambda X=X, k=k: kmeans_plusplus(X, k, random_state=0),
                            },
                            budget,
                        )
                    ratio = best["scikit"] / best["seedbed"]
                    by_shape.setdefault(title, []).append(ratio)
                    lines.append(
                        f"| {title} | {kind} | {np.dtype(dtype).name} | {n_threads} "
                        f"| {1e3 * best['seedbed']:.1f} | {1e3 * best['scikit']:.1f} "
                        f"| {ratio:.1f} |"
                    )
                    print(lines[-1], flush=True)
    return [*lines, *shape_lines(by_shape), ""]


# ru_maxrss would start at what the calling process had at its largest: it outlives fork and exec.
MEMORY_PROBE = """
import re, sys
from pathlib import Path
import numpy as np, seedbed
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
n, d, k, dtype = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
rng = np.random.default_rng(0)
X = np.empty((n, d), dtype)
for i in range(0, n, 4096):
    X[i : i + 4096] = rng.random((min(4096, n - i), d))
warm = seedbed.KMeans(k, random_state=0, max_iter=2).fit(X[: 20 * k])
before = peak()
seedbed.KMeans(k, random_state=0, max_iter=20).fit(X)
print((peak() - before) * 1024)
"""


def bench_memory() -> list[str]:
    lines = [
        "## Peak memory beyond the input (a whole fit, seeding included)",
        "",
        "Growth of the process's largest resident size, in bytes per point; below some thousand",
        "points pages are too coarse to tell.",
        "",
        "| N×D, K | type | bytes per point |",
        "|---|---|---|",
    ]
    for n, d, k in SHAPES[1:5]:
        for dtype in ("float32", "float64"):
            grown = subprocess.run(
                [sys.executable, "-c", MEMORY_PROBE, str(n), str(d), str(k), dtype],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            lines.append(f"| {n}×{d}, {k} | {dtype} | {int(grown) / n:.1f} |")
            print(lines[-1], flush=True)
    return [*lines, ""]


def environment() -> list[str]:
    from importlib.metadata import version

    from seedbed._core._engine import instruction_set

    packages = ["seedbed", "scikit-learn", "scikit-learn-intelex", "faiss-cpu", "numpy"]
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return [
        "# Beside the peers",
        "",
        "Made by `python benchmarks/peers.py`; read the ratios, the machine is noisy.",
        "",
        f"{model}, {os.cpu_count()} cores, {instruction_set()}; Python "
        f"{platform.python_version()}; " + ", ".join(f"{p} {version(p)}" for p in packages),
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", type=int, nargs="*", default=list(range(len(SHAPES))))
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--budget", type=float, default=4.0, help="seconds per comparison")
    parser.add_argument("--only", choices=["fit", "restarts", "seeding", "memory"])
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*threadpoolctl.*")
    sections = {
        "fit": lambda: bench_fit(arguments.shapes, arguments.threads, arguments.budget),
        "restarts": lambda: bench_restarts(arguments.budget),
        "seeding": lambda: bench_seeding(arguments.budget),
        "memory": bench_memory,
    }
    wanted = [arguments.only] if arguments.only else list(sections)
    lines = environment()
    for name in wanted:
        lines += sections[name]()
    arguments.output.write_text("\n".join(lines))
    print(f"written to {arguments.output}")


if __name__ == "__main__":
    main()
