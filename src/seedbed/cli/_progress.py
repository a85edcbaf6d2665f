"""A line on the terminal that says what goes on, once it has gone on for a while."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any, Self

from seedbed._compat import HAS_CALLBACKS
from seedbed.kmeans import KMeans

PATIENCE = 1.0  # seconds without a display
WORTH_WATCHING = 10**7  # multiplications per iteration: below, telling of it would cost time


class Progress:
    """A spinner with the stage, a bar where the number of runs is known, and the time.

    It goes to stderr, only where that is a terminal, and leaves nothing behind.
    """

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._what = ""
        self._done, self._total = 0, 0
        self._display: Any = None
        self._timer = threading.Timer(PATIENCE, self._start)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if self.enabled:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self.enabled = False
            if self._display is not None:
                self._display.stop()

    def stage(self, what: str, *, done: int = 0, total: int = 0) -> None:
        """Say what goes on now; with a total, how much of it is done."""
        with self._lock:
            self._what, self._done, self._total = what, done, total
            if self._display is not None:
                self._show()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Display

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(24))
        with self._lock:
            if not self.enabled:
                return
            self._display = Display(
                *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
            )
            self._display.add_task(self._what, total=None)
            self._show()
            self._display.start()

    def _show(self) -> None:
        (task,) = self._display.tasks
        self._display.update(
            task.id, description=self._what, completed=self._done, total=self._total or None
        )


def watch(model: KMeans, progress: Progress, *, n_runs: int, work: int) -> None:
    """Have the estimator tell of its iterations, where that is seen and costs nothing.

    Watched runs follow one another rather than run side by side, which is as fast where each is
    large enough to keep all threads busy.
    """
    if HAS_CALLBACKS and progress.enabled and work >= WORTH_WATCHING:
        model.set_callbacks(_Teller(progress, n_runs))


class _Teller:
    """A callback of scikit-learn's protocol that passes on where the fit is."""

    def __init__(self, progress: Progress, n_runs: int) -> None:
        self.progress, self.n_runs = progress, n_runs
        self.run, self.iteration = 0, 0

    def setup(self, estimator: Any, context: Any) -> None:
        """Nothing to prepare."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """Nothing to clear away."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        if context.task_name == "run":
            self.run, self.iteration = self.run + 1, 0

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:
        if context.task_name == "iteration":
            self.iteration += 1
            run = f"run {self.run} of {self.n_runs}, " if self.n_runs > 1 else ""
            self.progress.stage(
                f"clustering: {run}iteration {self.iteration}",
                done=self.run - 1,
                total=self.n_runs if self.n_runs > 1 else 0,
            )
