"""Breathing k-means: add centres where the error is large, remove those that are of little use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._engine import Run
from seedbed._core._search import nearest, two_nearest
from seedbed._validation import FloatArray, Points, is_integer
from seedbed.init._base import Meta, Reference, Seeds, parameter
from seedbed.init._draws import Plain, plain
from seedbed.init._inner import run_inner_once
from seedbed.init._registry import register
from seedbed.init._shortfall import replace_repeats
from seedbed.init._started import Started

_OFFSET = 0.01  # of a new centre from the one it is put beside, in root mean squared errors


@register
@dataclass(frozen=True, kw_only=True)
class BreathingKMeans(Started):
    """K-means that breathes: more centres, then again K, as long as the error falls; then with
    shallower breaths, until the depth is zero. Each breath goes on from the last one, not from the
    best; the best is returned."""

    meta = Meta(
        id="breathing-k-means",
        name="Breathing k-means",
        aliases=("breathing",),
        family="modern",
        reference=Reference(
            authors="Fritzke, B.",
            title="Breathing k-means: superior k-means solutions through dynamic k-values",
            venue="arXiv:2006.15666",
            year=2020,
            doi="10.48550/arXiv.2006.15666",
        ),
        summary="add centres where error is large, remove the least useful",
        complexity="some 10 to 20 runs of k-means",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for the best result in about twenty times the time of one run, above all for large K",
        avoid="where a run of k-means is already costly, or K is two or three",
    )

    depth: int = parameter(
        5,
        "centres added by the first breaths",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )
    tol: float = parameter(
        1e-4,
        "share of the error by which a breath must lower it",
        allowed="a number between 0 and 1",
        accepts=lambda v: isinstance(v, float | int) and not isinstance(v, bool) and 0 <= v < 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        start = self._start(safe.points, n_clusters, rng, n_threads)
        best = run = run_inner_once(safe.points, start.centers, n_threads)
        depth = min(self.depth, n_clusters, points.n - n_clusters) if n_clusters > 1 else 0
        breaths = 0
        while depth > 0 and best.sse > 0:
            run = _breathe(safe, run, depth, rng, n_threads)
            breaths += 1
            if run.sse < best.sse * (1 - self.tol):
                best = run
            else:
                depth -= 1
        centers, repeated = replace_repeats(points, safe.restored(best.centers), rng)
        return Seeds(centers, info={"breaths": breaths, "shortfall": repeated})


def _breathe(safe: Plain, run: Run, depth: int, rng: np.random.Generator, n_threads: int) -> Run:
    more = np.concatenate([run.centers, _beside_the_worst(safe, run, depth, rng, n_threads)])
    inhaled = run_inner_once(safe.points, more, n_threads)
    near = two_nearest(safe.points.data, inhaled.centers, n_threads)
    loss = safe.mass * (near.next_squares - near.squares)
    utility: Any = np.bincount(near.first, weights=loss, minlength=len(more))
    left: Any = np.delete(inhaled.centers, least_useful(inhaled.centers, utility, depth), axis=0)
    return run_inner_once(safe.points, np.ascontiguousarray(left), n_threads)


def _beside_the_worst(
    safe: Plain, run: Run, depth: int, rng: np.random.Generator, n_threads: int
) -> FloatArray:
    """A new centre beside each of those whose clusters have the largest error."""
    near = nearest(safe.points.data, run.centers, n_threads)
    share = safe.mass * near.squares
    error = np.bincount(near.labels, weights=share, minlength=len(run.centers))
    worst = np.argsort(-error, kind="stable")[:depth]
    offset = _OFFSET * np.sqrt(share.sum() / safe.mass.sum())
    moves = offset * (rng.random((depth, safe.points.d)) - 0.5)
    beside: FloatArray = (run.centers[worst] + moves).astype(run.centers.dtype)
    return beside


def least_useful(centers: FloatArray, utility: NDArray[np.float64], n_removed: int) -> list[int]:
    """The centres to remove: those of least utility, but not the nearest neighbour of one that
    goes, as long as enough others are left."""
    x = centers.astype(np.float64)
    removed: list[int] = []
    frozen: set[int] = set()
    for c in np.argsort(utility, kind="stable").tolist():
        if len(removed) == n_removed:
            break
        if c in frozen:
            continue
        removed.append(c)
        gaps = np.square(x - x[c]).sum(axis=1)
        gaps[c] = np.inf
        if len(frozen) + n_removed < len(centers):
            frozen.add(int(gaps.argmin()))
    return removed
