"""Fitting under scikit-learn's callback protocol (scikit-learn 1.9 and later).

The tasks are fit → run → iteration. Runs follow one another, so that a callback sees one at a
time, and the native loop calls back after each iteration from the thread that called `fit`. This
module is entered only when a callback is registered: without one, fitting pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seedbed._compat import with_callbacks
from seedbed._core._engine import Run
from seedbed._validation import FloatArray, Points
from seedbed.kmeans._runs import Runs
from seedbed.kmeans._starts import Starts

if TYPE_CHECKING:
    from seedbed.init import Seeds
    from seedbed.kmeans._estimator import KMeans


@dataclass(frozen=True, eq=False)
class _Hooks:
    """The hooks of one fit, with what they are given every time."""

    estimator: KMeans
    n_threads: int
    given: dict[str, Any]  # X, y and metadata of the fit

    def begin(self, context: Any) -> Any:
        return context.call_on_fit_task_begin(estimator=self.estimator, **self.given)

    def end(self, context: Any, attributes: Callable[[], dict[str, Any]]) -> bool:
        """True when a callback asks to stop at this level."""
        return bool(
            context.call_on_fit_task_end(
                estimator=self.estimator, reconstruction_attributes=attributes, **self.given
            )
        )


@with_callbacks  # type: ignore[untyped-decorator]
def fit_watched(estimator: KMeans, X: Any, y: Any, sample_weight: Any) -> None:
    """Fit the estimator and tell its callbacks."""
    points, n_threads = estimator._checked(X, sample_weight)
    starts = estimator._starts(points, n_threads)
    metadata = None if sample_weight is None else {"sample_weight": points.weight}
    hooks = _Hooks(estimator, n_threads, {"X": points.x, "y": y, "metadata": metadata})
    root = estimator._init_callback_context(max_subtasks=starts.n_runs)
    hooks.begin(root)
    runs, seeds = _run_all(hooks, points, starts, root)
    estimator._adopt(points, runs, seeds[runs.best], n_threads)
    hooks.end(root, dict)  # the estimator has its attributes now


def _run_all(hooks: _Hooks, points: Points, starts: Starts, root: Any) -> tuple[Runs, list[Seeds]]:
    records: list[Run] = []
    seeds: list[Seeds] = []
    for r in range(starts.n_runs):
        context = hooks.begin(
            root.subcontext(task_name="run", max_subtasks=int(hooks.estimator.max_iter))
        )
        seeds.append(starts.one(r))
        records.append(_run_one(hooks, points, seeds[-1].centers, context))
        if hooks.estimator.verbose:
            print(starts.describe(r, records[-1]))
        if hooks.end(context, lambda: {"cluster_centers_": records[-1].centers}):
            break
    return Runs(tuple(records)), seeds


def _run_one(hooks: _Hooks, points: Points, start: FloatArray, run_context: Any) -> Run:
    def ended(
        iteration: int, sse: float, changed: int, distances: int, centers: FloatArray
    ) -> bool:
        context = hooks.begin(run_context.subcontext(task_name="iteration"))
        return hooks.end(context, lambda: {"cluster_centers_": centers})

    (run,) = hooks.estimator._run(points, start[None], hooks.n_threads, ended)
    return run
