"""What the figures show: quality for a given time, and what runs cost.

Over data sets, ratios are averaged by their geometric mean, so that one odd set cannot decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from seedbed.report._cube import CLUSTERING, SEEDING, Cube, FloatArray

RESTARTS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
TINY = 1e-9  # seconds: less than a clock can tell


@dataclass(frozen=True)
class Offer:
    """What the best of ``runs`` runs of a method gives and takes, over the sets of a group.

    ``excess`` is how much the final SSE is above the best known one, relative to it: the geometric
    mean over the data sets of the expected ratio, less 1. ``seconds`` is the geometric mean of the
    processor time of so many runs.
    """

    group: str
    method: str
    runs: int
    excess: float
    seconds: float


@dataclass(frozen=True)
class Cost:
    """What one run of a method takes, over the data sets of a group: the geometric mean of the mean
    over runs, and the quartiles over data sets."""

    group: str
    method: str
    iterations: float
    iterations_quartiles: tuple[float, float]
    seconds: float
    seconds_quartiles: tuple[float, float]
    seeding_seconds: float
    clustering_seconds: float


def offers(cube: Cube) -> list[Offer]:
    """Every method at every number of restarts that its runs allow."""
    found = []
    for label in cube.labels:
        excess = np.sort(cube.excess(label), axis=1)
        seconds = cube.values["seconds"][label].mean(axis=1)
        n = excess.shape[1]
        for runs in sorted({r for r in RESTARTS if r < n} | {n}):
            ratios = 1.0 + excess @ best_of_weights(n, runs)
            for group, places in cube.groups.items():
                found.append(
                    Offer(
                        group,
                        label,
                        runs,
                        geometric_mean(ratios[places]) - 1.0,
                        runs * geometric_mean(seconds[places]),
                    )
                )
    ordered = {group: i for i, group in enumerate(cube.groups)}
    return sorted(found, key=lambda offer: ordered[offer.group])


def best_of_weights(n: int, r: int) -> FloatArray:
    """With what probability each of ``n`` sorted values is the least of ``r`` drawn from them."""
    j = np.arange(1, n + 1)
    possible = j <= n - r + 1
    weights = np.zeros(n)
    weights[possible] = np.exp(_log_choose(n - j[possible], r - 1) - _log_choose(np.array(n), r))
    return weights


def _log_choose(n: NDArray[np.int_], k: int) -> FloatArray:
    found: FloatArray = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    return found


def costs(cube: Cube) -> list[Cost]:
    """Iterations and time of every method in every group."""
    found = []
    for group, places in cube.groups.items():
        for label in cube.labels:
            iterations, seconds, seeding, clustering = (
                cube.values[column][label][places].mean(axis=1)
                for column in ("iterations", "seconds", SEEDING, CLUSTERING)
            )
            found.append(
                Cost(
                    group,
                    label,
                    geometric_mean(np.maximum(iterations, 1.0)),
                    _quartiles(iterations),
                    geometric_mean(seconds),
                    _quartiles(seconds),
                    geometric_mean(seeding),
                    geometric_mean(clustering),
                )
            )
    return found


def geometric_mean(values: FloatArray) -> float:
    """Of those that are known; NaN if none is."""
    known = values[np.isfinite(values)]
    if not known.size:
        return float("nan")
    return float(np.exp(np.log(np.maximum(known, TINY)).mean()))


def _quartiles(values: FloatArray) -> tuple[float, float]:
    low, high = np.percentile(values, [25, 75])
    return float(low), float(high)
