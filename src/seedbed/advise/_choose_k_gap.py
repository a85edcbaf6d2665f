"""The gap statistic: how much lower the error is than for data without clusters.

Tibshirani, R., Walther, G. & Hastie, T. (2001). Estimating the number of clusters in a data set via
the gap statistic. Journal of the Royal Statistical Society B 63(2), 411–423.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

Floats = npt.NDArray[np.float64]

REFERENCES = ("pca", "box")


@dataclass(frozen=True, eq=False)
class Box:
    """Where reference rows are drawn from, evenly: the smallest box around the data along the
    attributes ("box") or along the principal axes ("pca")."""

    low: Floats
    high: Floats
    axes: Floats | None
    middle: Floats

    @classmethod
    def around(cls, X: npt.NDArray[np.floating], how: str) -> Box:
        x = X.astype(np.float64)
        middle = x.mean(axis=0)
        if how == "box":
            return cls(x.min(axis=0), x.max(axis=0), None, middle)
        x -= middle
        with threadpool_limits(1):  # sums in the same order on any number of threads
            _, axes = np.linalg.eigh(x.T @ x)
            largest = np.abs(axes).argmax(axis=0)
            axes = axes * np.sign(axes[largest, np.arange(len(largest))])
            turned = x @ axes
        return cls(turned.min(axis=0), turned.max(axis=0), axes, middle)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Rows that are spread evenly."""
        rows: Floats = rng.uniform(self.low, self.high, size=(n, len(self.low)))
        if self.axes is None:
            return rows
        with threadpool_limits(1):
            turned: Floats = rows @ self.axes.T + self.middle
        return turned


def gap_statistic(
    errors: Sequence[float], reference_errors: Sequence[Sequence[float]]
) -> tuple[Floats, Floats]:
    """Gap(k) and its standard error s(k), which includes that of the simulation.

    ``errors`` are W(k) of the data, and ``reference_errors`` those of each reference set. Where an
    error is 0, its logarithm is −∞, and a gap between two such is not a number.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        data, logs = np.log(np.array(errors)), np.log(np.array(reference_errors))
        gap = logs.mean(axis=0) - data
        spread = logs.std(axis=0) * np.sqrt(1.0 + 1.0 / len(logs))
    return gap, spread


def first_within_error(ks: Sequence[int], gap: Floats, error: Floats) -> int | None:
    """The smallest k with Gap(k) ≥ Gap(k′) − s(k′), k′ the next one; None where there is none."""
    for k, here, following, spread in zip(ks, gap, gap[1:], error[1:], strict=False):
        if here >= following - spread:
            return k
    return None
