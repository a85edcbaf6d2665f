"""Kaufman and Rousseeuw's BUILD: each next seed is the row that lowers the error most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import distinct_frame, n_max_parameter
from seedbed.init._pairs import Floats, Pairs, squares_to
from seedbed.init._registry import register


@register
@dataclass(frozen=True, kw_only=True)
class KaufmanRousseeuw(Method):
    """The most central row, then greedily the row whose choice lowers the error most.

    This is the first phase of their k-medoids program PAM. As a start for k-means (Peña, Lozano &
    Larrañaga 1999) the survey counts squared distances, the default; the book counts distances.
    ``info["gains"]`` has the fall of the error for each seed after the first.
    """

    meta = Meta(
        id="kaufman",
        name="Kaufman–Rousseeuw",
        aliases=("kaufman-rousseeuw", "pam-build", "ka"),
        family="quadratic",
        reference=Reference(
            authors="Kaufman, L. & Rousseeuw, P. J.",
            title="Finding groups in data: an introduction to cluster analysis",
            venue="Wiley, New York",
            year=1990,
            doi="10.1002/9780470316801",
        ),
        summary="each next seed is the row that lowers the error most",
        complexity="O(N²D), at worst O(N²KD)",
        cost="quadratic",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="for a few thousand rows: careful and always the same; with power=1 outliers draw it "
        "less",
        avoid="for large data: it looks at all pairs of rows",
    )

    first: Literal["row", "mean"] = parameter(
        "row",
        "the first seed: the row nearest the mean, or (as the survey has it) the mean itself",
        allowed="'row' or 'mean'",
        accepts=lambda v: isinstance(v, str) and v in ("row", "mean"),
    )
    power: int = parameter(
        2,
        "what is lowered: the sum of squared distances (2) or of distances (1, as in the book)",
        allowed="1 or 2",
        accepts=lambda v: is_integer(v) and v in (1, 2),
    )
    n_max: int = n_max_parameter(10_000)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        frame = distinct_frame(points, self.n_max, self.meta.id, n_threads)
        x, mass, mean = frame.x, frame.mass, frame.mean()
        chosen, fallen = list[int](), list[float]()
        nearest = squares_to(x, mean)
        gain = _Gains(x, mass, self.power)
        if self.first == "row":
            chosen.append(int(nearest.argmin()))
            nearest = squares_to(x, x[chosen[0]])
        while len(chosen) + (self.first == "mean") < n_clusters:
            row, drop = gain.largest(nearest if self.power == 2 else np.sqrt(nearest))
            if drop == 0.0:
                break
            chosen.append(row)
            fallen.append(drop)
            np.minimum(nearest, squares_to(x, x[row]), out=nearest)
        drops = np.array(fallen)
        info = {
            "gains": frame.squares(drops) if self.power == 2 else np.ldexp(drops, frame.exponent),
            "distances": len(x) * (gain.computed + len(chosen) + 1),
        }
        if self.first == "row":
            return frame.row_seeds(chosen, n_clusters, n_threads, **info)
        return frame.mean_seeds(np.vstack([mean, x[chosen]]), n_clusters, n_threads, **info)


class _Gains:
    """The row of largest gain, again and again, while seeds are added.

    A row's gain never rises when a seed is added, so the gain it had at any time is a bound, and
    only rows whose bound reaches the best gain found are computed anew. Sums in floating point,
    taken in the same order, keep to that: the result is the same as computing all of them.
    """

    def __init__(self, x: Floats, mass: Floats, power: int) -> None:
        self.pairs, self.mass, self.power = Pairs(x), mass, power
        self.bound: Floats | None = None
        self.computed = 0  # rows whose gain was computed, each from its distances to all

    def largest(self, nearest: Floats) -> tuple[int, float]:
        """The row of largest gain, the lowest of equal ones, and its gain."""
        if self.bound is None:
            self.bound = self.pairs.gains(self.mass, nearest, self.power)
            self.computed = len(self.bound)
        else:
            self._refresh(self.bound, nearest)
        row = int(self.bound.argmax())
        return row, float(self.bound[row])

    def _refresh(self, bound: Floats, nearest: Floats) -> None:
        """Compute gains anew, the largest bounds first, until no bound can reach the best."""
        order = np.argsort(-bound, kind="stable")
        best, done, batch = 0.0, 0, 32
        while done < len(order) and bound[order[done]] >= best:
            rows = order[done : done + batch]
            bound[rows] = self.pairs.gains(self.mass, nearest, self.power, rows)
            best = max(best, float(bound[rows].max()))
            done, batch = done + len(rows), 2 * batch
        self.computed += done
