"""K-means inside a method: the study's iteration from many starts over one data set."""

from __future__ import annotations

from seedbed._core._engine import Run, TooFewDistinct, run_many
from seedbed._validation import FloatArray, Points

MOST_ITERATIONS, TOLERANCE = 100, 1e-6  # the study's: when an iteration lowers the error by less


def run_inner(
    points: Points,
    starts: FloatArray,
    n_threads: int,
    *,
    max_iter: int = MOST_ITERATIONS,
    tol: float = TOLERANCE,
    keep_labels: bool = False,
) -> tuple[Run, ...]:
    """The study's k-means from each of the starts (runs × clusters × features).

    Empty clusters move to far points; where there are too few distinct points for that, they stay.
    """

    def runs(empty_cluster: str) -> tuple[Run, ...]:
        return run_many(
            points.data,
            starts,
            algorithm="auto",
            stop="sse",
            tol=tol,
            max_iter=max_iter,
            empty_cluster=empty_cluster,
            n_threads=n_threads,
            history=False,
            keep_labels=keep_labels,
        )

    try:
        return runs("relocate")
    except TooFewDistinct:
        return runs("keep")


def run_inner_once(
    points: Points,
    start: FloatArray,
    n_threads: int,
    *,
    max_iter: int = MOST_ITERATIONS,
    tol: float = 1e-6,
) -> Run:
    """The same from one start (clusters × features); labels are kept."""
    (run,) = run_inner(points, start[None], n_threads, max_iter=max_iter, tol=tol)
    return run
