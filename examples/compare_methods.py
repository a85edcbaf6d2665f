"""
Eight starts on four data sets
==============================

The eight methods of the study, compared on data that come with scikit-learn. Random methods run
many times from the same seed, deterministic ones once. The data are scaled to [0, 1] and every run
stops when the error falls by less than a millionth, as in the study of Celebi, Kingravi & Vela
(2013)::

    python examples/compare_methods.py
    python examples/compare_methods.py --data iris digits --runs 1000
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sklearn import datasets
from sklearn.preprocessing import minmax_scale

from seedbed import KMeans, methods

DATA = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast-cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
}
HEADER = (
    f"{'':22}{'initial SSE':>12}{'final SSE':^36}{'iterations':>10}{'time':>10}\n"
    f"{'':22}{'mean':>12}{'best':>12}{'mean':>12}{'std':>12}{'mean':>10}{'ms/run':>10}"
)


def compare(name: str, n_runs: int, seed: int) -> None:
    """Print one line per method for one data set."""
    X, y = DATA[name](return_X_y=True)
    X, n_clusters = minmax_scale(X), len(np.unique(y))
    print(f"{name}: {X.shape[0]} rows × {X.shape[1]} attributes, {n_clusters} clusters")
    print(HEADER)
    lines = []
    for method in methods():
        if method.letter is None:  # not among the eight studied ones
            continue
        model = KMeans(
            n_clusters,
            init=method.id,
            n_init=n_runs,
            stop="sse",
            tol=1e-6,
            max_iter=100,
            random_state=seed,
        )
        start = time.perf_counter()
        runs = model.fit(X).runs_
        milliseconds = 1000 * (time.perf_counter() - start) / len(runs)
        line = (
            f"  {method.letter} {method.id:18}{runs.initial_sse.mean():12.2f}"
            f"{runs.sse.min():12.4f}{runs.sse.mean():12.4f}{runs.sse.std():12.4f}"
            f"{runs.n_iter.mean():10.1f}{milliseconds:10.2f}"
        )
        lines.append((round(runs.sse.mean(), 6), line))
    lines.sort(key=lambda entry: entry[0])  # equal ones keep the order of the study
    print("\n".join(line for _, line in lines), end="\n\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Eight ways to start k-means, compared.")
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA), metavar="NAME")
    parser.add_argument("--runs", type=int, default=100, help="runs of a random method")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(
        f"Final SSE after k-means, best mean first (less is better). Random methods: "
        f"{options.runs} runs;\ndeterministic ones (var-part, pca-part): one.\n"
    )
    for name in options.data:
        compare(name, options.runs, options.seed)


if __name__ == "__main__":
    main()
