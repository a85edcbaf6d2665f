"""
Which methods differ?
=====================

Ranks, verdicts, groups and the familiar diagram for the eight methods of the study. Each of four
bundled data sets is clustered with several numbers of clusters, which makes 28 cases to rank the
methods on. (Cases that share a data set are not independent, so that the p-values are an
illustration; a study uses as many data sets as it can find.) Scores are mean final errors. Needs
matplotlib::

    python examples/rank_methods.py
    python examples/rank_methods.py --runs 50 --diagram diagram.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.preprocessing import minmax_scale

import seedbed as sb

DATA = (datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer, datasets.load_digits)
CLUSTERS = range(3, 10)


def mean_error(X: np.ndarray, n_clusters: int, method: sb.init.Meta, runs: int) -> float:
    """Mean final SSE over runs from seeds of this method."""
    model = sb.KMeans(n_clusters, init=method.id, n_init=runs, stop="sse", tol=1e-6, random_state=0)
    return float(model.fit(X).runs_.sse.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description="Which of the eight studied methods differ?")
    parser.add_argument("--runs", type=int, default=10, help="runs of a random method")
    parser.add_argument("--diagram", type=Path, help="write the diagram: .svg, .pdf or .png")
    options = parser.parse_args()

    methods = [method for method in sb.methods() if method.letter]
    scores = [
        [mean_error(X, k, method, options.runs) for method in methods]
        for X in (minmax_scale(load().data) for load in DATA)
        for k in CLUSTERS
    ]
    # k-means stops at a relative gain of 1e-6: what differs by less is the same result
    result = sb.stats.bergmann_hommel(
        scores, names=[str(method.letter) for method in methods], tie_tolerance=1e-6
    )
    print(result)
    ax = sb.stats.critical_difference_diagram(result)
    if options.diagram:
        ax.figure.savefig(options.diagram)
        print(f"\nwrote {options.diagram}")


if __name__ == "__main__":
    main()
