"""Hartigan's refinement after k-means: rows move one at a time while the error falls.

Where no row can move, every row is nearer to its own mean than to any other (unless it lies on
both): n_b d_b² / (n_b + 1) ≥ n_a d_a² / (n_a - 1) implies d_b > d_a. So such a clustering is a
fixed point of Lloyd's iterations too, and its labels are those of the nearest centre. In floating
point that is not taken on trust: Lloyd's iterations follow until no label changes, and both
alternate until neither finds anything to improve.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from seedbed._core._engine import Ended, Run
from seedbed._core._search import hartigan
from seedbed._validation import FloatArray, Points

Lloyd = Callable[[FloatArray, int, Ended | None], Run]
"""K-means from centres (clusters × features), so many iterations at most, until no label changes;
with the history and the labels."""

_LEAST = 2  # iterations in which Lloyd can see that no label changes


def refine(
    points: Points,
    run: Run,
    lloyd: Lloyd,
    *,
    max_iter: int,
    n_threads: int,
    ended: Ended | None = None,
) -> Run:
    """The run, carried on until no single row can move and lower the error.

    A pass over the rows counts as an iteration. A run that ended at ``max_iter`` or by a callback
    stays as it is.
    """
    run = run if run.labels is not None else run._replace(labels=_labels(points, run, n_threads))
    while run.stop_reason not in ("max_iter", "callback"):
        left = max_iter - run.n_iter
        if left <= _LEAST:
            return run._replace(stop_reason="max_iter")
        passed, settled = _pass(points, run, left - _LEAST, n_threads)
        if settled and run.stop_reason == "labels":
            return passed._replace(stop_reason="hartigan")
        again = lloyd(passed.centers, max_iter - passed.n_iter, _counting_from(passed, ended))
        carried = _joined(points, passed, again, n_threads)
        if not carried.sse < run.sse:  # nothing but rounding is left to move
            return carried._replace(
                centers=run.centers, labels=run.labels, sse=run.sse, stop_reason="hartigan"
            )
        run = carried
    return run


def _pass(points: Points, run: Run, max_passes: int, n_threads: int) -> tuple[Run, bool]:
    """The run after Hartigan's passes, and whether none of them moved a row.

    Its centres are then the means of the labels; where no row moved they are left as they were."""
    assert run.labels is not None
    began = time.thread_time()
    found = hartigan(points.data, run.centers, run.labels, max_passes, n_threads)
    moved = int(found.passes[:, 1].sum())
    rows = np.column_stack([found.passes, np.zeros(len(found.passes))])
    settled = moved == 0
    passed = run._replace(
        centers=run.centers if settled and run.stop_reason == "labels" else found.centers,
        labels=found.labels,
        n_iter=run.n_iter + len(found.passes),
        n_distances=run.n_distances + int(found.passes[:, 2].sum()),
        n_moved=run.n_moved + moved,
        cpu_seconds=run.cpu_seconds + time.thread_time() - began,
        history=np.concatenate([run.history, rows]),
    )
    return passed, settled


def _joined(points: Points, before: Run, after: Run, n_threads: int) -> Run:
    """One record of a run and the iterations that carried it on."""
    history = after.history.copy()
    first = points.data.assign(before.centers, n_threads)
    history[0, 1] = np.count_nonzero(first != before.labels)  # the engine knew of no labels before
    return after._replace(
        initial_sse=before.initial_sse,
        n_iter=before.n_iter + after.n_iter,
        n_distances=before.n_distances + after.n_distances,
        n_relocated=before.n_relocated + after.n_relocated,
        n_moved=before.n_moved,
        cpu_seconds=before.cpu_seconds + after.cpu_seconds,
        history=np.concatenate([before.history, history]),
    )


def _counting_from(run: Run, ended: Ended | None) -> Ended | None:
    """The callback, told of iterations as they are counted in the whole run."""
    if ended is None:
        return None

    def counted(
        iteration: int, sse: float, changed: int, distances: int, centers: FloatArray
    ) -> bool:
        return ended(run.n_iter + iteration, sse, changed, distances, centers)

    return counted


def _labels(points: Points, run: Run, n_threads: int) -> NDArray[np.int32]:
    return points.data.assign(run.centers, n_threads)
