"""Global k-means and its faster forms: solutions for k = 1, 2, …, K, each from the one before.

To the solution with k − 1 centres one more is added, a row: every row is tried (Likas, Vlassis &
Verbeek), or the one that promises most (their fast form), or some drawn at random (Vardakas &
Likas). Solutions for all smaller numbers of clusters come free, in ``info``.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._engine import Run
from seedbed._validation import Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import Frame, distinct_frame, frame, n_max_parameter
from seedbed.init._inner import run_inner
from seedbed.init._pairs import Floats, Pairs, nearest_squares
from seedbed.init._registry import register
from seedbed.init._shortfall import draw_by_mass

_STARTS = 1 << 21  # numbers in the starts of one call: 16 MiB
_TIE = 1e-10  # errors as close as this (relative) are equal: they differ by rounding

_LIKAS = Reference(
    authors="Likas, A., Vlassis, N. & Verbeek, J. J.",
    title="The global k-means clustering algorithm",
    venue="Pattern Recognition 36, 451–461",
    year=2003,
    doi="10.1016/S0031-3203(02)00060-2",
)


@dataclass(frozen=True, kw_only=True)
class _Incremental(Method):
    """What the three share: everything but which rows are tried as the next centre."""

    @abstractmethod
    def _frame(self, points: Points, n_threads: int) -> Frame:
        """The rows that are looked at; refuses more than the method can take on."""

    @abstractmethod
    def _candidates(
        self, whole: Frame, centers: Floats, rng: np.random.Generator, notes: dict[str, list[float]]
    ) -> NDArray[np.int64]:
        """Rows of the frame to try as a further centre, none where none could help."""

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        whole = self._frame(points, n_threads)
        centers = whole.mean()[np.newaxis]
        errors = [float(whole.mass @ nearest_squares(whole.x, centers))]
        added, runs = list[int](), 0
        notes: dict[str, list[float]] = {}
        while len(centers) < n_clusters:
            rows = self._candidates(whole, centers, rng, notes)
            if len(rows) == 0:
                break
            row, best = _best_addition(whole, centers, rows, n_threads)
            found: Any = best.centers
            centers = found
            errors.append(best.sse)
            added.append(row)
            runs += len(rows)
        info: dict[str, Any] = {
            "sse": whole.squares(np.array(errors)),
            "rows": whole.user_rows(added),
            "runs": runs,
        }
        info |= {name: whole.squares(np.array(values)) for name, values in notes.items()}
        return whole.mean_seeds(centers, n_clusters, n_threads, **info)


def _best_addition(
    whole: Frame, centers: Floats, rows: NDArray[np.int64], n_threads: int
) -> tuple[int, Run]:
    """The row whose addition ends in the least error, the first of equal ones, and that run."""
    found = list[tuple[float, int, Run]]()
    step = max(1, _STARTS // (centers.size + whole.points.d))
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        starts = np.empty((len(some), len(centers) + 1, whole.points.d))
        starts[:, :-1] = centers
        starts[:, -1] = whole.x[some]
        ended = run_inner(whole.points, starts, n_threads)
        least = min([run.sse for run in ended] + [error for error, _, _ in found])
        found += [(run.sse, int(row), run) for row, run in zip(some, ended, strict=True)]
        found = [one for one in found if one[0] <= least * (1 + _TIE)]
    _, row, run = found[0]
    return row, run


@register
@dataclass(frozen=True, kw_only=True)
class GlobalKMeans(_Incremental):
    """Try every row as the next centre, run k-means from each, keep the best."""

    meta = Meta(
        id="global-k-means",
        name="Global k-means",
        aliases=("global",),
        family="other",
        reference=_LIKAS,
        summary="add one centre at a time, the best of all rows after k-means",
        complexity="N(K − 1) runs of k-means, each O(NKD) per iteration",
        cost="quadratic",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for small data where the result should be near the best possible and always the same, "
        "or where solutions for all numbers of clusters up to K are wanted",
        avoid="beyond one or two thousand rows: fast global k-means or global k-means++ come close",
    )

    n_max: int = n_max_parameter(2_000)

    def _frame(self, points: Points, n_threads: int) -> Frame:
        why = "it runs k-means once for every row and cluster"
        return distinct_frame(points, self.n_max, self.meta.id, n_threads, why)

    def _candidates(
        self, whole: Frame, centers: Floats, rng: np.random.Generator, notes: dict[str, list[float]]
    ) -> NDArray[np.int64]:
        return np.flatnonzero(nearest_squares(whole.x, centers))


@register
@dataclass(frozen=True, kw_only=True)
class FastGlobalKMeans(_Incremental):
    """Run k-means only from the row that lowers the error most at once.

    ``info["gains"]`` has by how much: the bound bₙ of the paper for each added row.
    """

    meta = Meta(
        id="fast-global-k-means",
        name="Fast global k-means",
        aliases=("fast-global",),
        family="other",
        reference=_LIKAS,
        summary="add one centre at a time, the row that lowers the error most at once",
        complexity="O(N²KD), and K − 1 runs of k-means",
        cost="quadratic",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for up to ten thousand rows: nearly as good as global k-means at a small part of the "
        "cost, and always the same",
        avoid="for large data: every added centre looks at all pairs of rows",
    )

    n_max: int = n_max_parameter(10_000)

    def _frame(self, points: Points, n_threads: int) -> Frame:
        return distinct_frame(points, self.n_max, self.meta.id, n_threads)

    def _candidates(
        self, whole: Frame, centers: Floats, rng: np.random.Generator, notes: dict[str, list[float]]
    ) -> NDArray[np.int64]:
        row, gain = Pairs(whole.x).best_gain(whole.mass, nearest_squares(whole.x, centers))
        if gain == 0.0:
            return np.empty(0, dtype=np.int64)
        notes.setdefault("gains", []).append(gain)
        return np.array([row])


@register
@dataclass(frozen=True, kw_only=True)
class GlobalKMeansPlusPlus(_Incremental):
    """Try some rows drawn with probability proportional to their squared error."""

    meta = Meta(
        id="global-k-means++",
        name="Global k-means++",
        aliases=("global-kmpp",),
        family="modern",
        reference=Reference(
            authors="Vardakas, G. & Likas, A.",
            title="Global k-means++: an effective relaxation of the global k-means clustering "
            "algorithm",
            venue="arXiv:2211.12271",
            year=2022,
            doi="10.48550/arXiv.2211.12271",
        ),
        summary="add one centre at a time, the best of some D² draws after k-means",
        complexity="L(K − 1) runs of k-means, each O(NKD) per iteration",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for results close to global k-means on data of any size, if some hundred runs of "
        "k-means are affordable",
        avoid="with many clusters: the runs grow with K and each with K again",
    )

    candidates: int = parameter(
        25,
        "rows drawn for each added centre (L in the paper); equal draws are tried once",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    def _frame(self, points: Points, n_threads: int) -> Frame:
        return frame(points, n_threads)

    def _candidates(
        self, whole: Frame, centers: Floats, rng: np.random.Generator, notes: dict[str, list[float]]
    ) -> NDArray[np.int64]:
        error = whole.mass * nearest_squares(whole.x, centers)
        return np.unique(draw_by_mass(error, self.candidates, rng))
