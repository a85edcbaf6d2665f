"""`seedbed study run`: the design, the progress of the work, and how to go on."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seedbed import study
from seedbed.cli._errors import UserError, as_user_error
from seedbed.cli._study_show import print_report, print_status
from seedbed.study._store import Store

INTERRUPTED = 130
RESULTS = Path("results")


def choose(path: Path | None, preset: str | None) -> study.Design:
    """The design that was asked for: a file, a preset, or the quick one."""
    if path is not None and preset is not None:
        raise UserError("give a design file or --preset, not both")
    with as_user_error(ValueError):
        return study.read_design(path) if path else study.preset(preset or "quick")


def run(
    design: study.Design,
    output: Path | None,
    *,
    workers: int | None,
    dask: str | None,
    retry_failed: bool,
    dry_run: bool,
    quiet: bool,
) -> None:
    folder = output or RESULTS / design.name
    with as_user_error(ValueError):
        design = design.settled()
        study.check(design)
    if not quiet:
        _announce(design, folder)
    if dry_run:
        return
    display = _Display(enabled=not quiet)
    try:
        with display, as_user_error(ValueError, OSError):
            done = study.run(
                design,
                folder,
                workers=workers,
                dask=dask,
                retry_failed=retry_failed,
                watcher=display,
            )
    except KeyboardInterrupt:
        source = folder / "design.toml"
        print(
            f"\nstopped; what is done is kept in {folder}. Go on with:\n"
            f"  seedbed study run {source} -o {folder}",
            file=sys.stderr,
        )
        raise
    if quiet:
        return
    print_status(done)
    if done.status().done:
        print_report(done)


def _announce(design: study.Design, folder: Path) -> None:
    units = design.units()
    methods = [entry.build() for entry in design.methods]
    runs = sum(1 if method.deterministic else design.runs for method in methods) * len(units)
    labels = ", ".join(entry.label for entry in design.methods)
    print(f"study {design.name!r}: {len(units)} data sets × methods {labels}")
    print(f"{runs:,} runs of k-means; results in {folder}")


class _Display:
    """A line with units done, runs per second, time left and failures; on a terminal only. Where
    there is none, a line for every twentieth of the work."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.live = enabled and sys.stderr.isatty()
        self._bar: Any = None
        self._task: Any = None
        self._runs = self._failures = self._done = self._total = 0
        self._began = time.monotonic()

    def __enter__(self) -> _Display:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def started(self, store: Store, todo: Sequence[study.Unit], done: int) -> None:
        self._total = len(todo)
        if self.enabled and done:
            print(f"{done} data sets are done already; {len(todo)} remain", file=sys.stderr)
        if self.live and todo:
            self._start()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            TextColumn("data sets"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failures]}"),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task("", total=self._total, rate="", failures="")
        self._bar.start()

    def finished(self, unit: study.Unit, n_runs: int) -> None:
        self._runs += n_runs
        self._advance()

    def failed(self, unit: study.Unit, error: str) -> None:
        self._failures += 1
        if self.enabled:
            line = f"{unit.name} failed: {error}"
            if self._bar is not None:
                self._bar.console.print(line, markup=False, highlight=False)
            else:
                print(line, file=sys.stderr)
        self._advance()

    def _advance(self) -> None:
        self._done += 1
        rate = f"{self._runs / max(1e-9, time.monotonic() - self._began):,.0f} runs/s"
        failures = f"{self._failures} failed" if self._failures else ""
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, rate=rate, failures=failures)
        elif self.enabled and self._done % max(1, self._total // 20) == 0:
            print(f"{self._done} of {self._total} data sets, {rate} {failures}", file=sys.stderr)
