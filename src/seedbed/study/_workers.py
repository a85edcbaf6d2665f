"""Who does the work: processes of this machine, or a Dask cluster. Both give outcomes as they come,
in no particular order; what a unit gives does not depend on who did it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from seedbed.study._design import Design
from seedbed.study._machine import available_bytes
from seedbed.study._sources import Unit
from seedbed.study._unit import Columns, most_bytes, run_unit

_DEATHS = 2  # of a worker on the same unit, after which the unit is given up


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a unit: its rows, or the error."""

    unit: Unit
    columns: Columns | None
    error: str = ""
    traceback: str = ""


def attempt(design: Design, unit: Unit) -> Outcome:
    """Run a unit; an error is an outcome, too."""
    try:
        return Outcome(unit, run_unit(design, unit))
    except Exception as error:
        return Outcome(unit, None, f"{type(error).__name__}: {error}", traceback.format_exc())


def in_process(design: Design, units: Sequence[Unit]) -> Iterator[Outcome]:
    """One unit after the other, here."""
    for unit in units:
        yield attempt(design, unit)


def in_processes(design: Design, units: Sequence[Unit], n_workers: int) -> Iterator[Outcome]:
    """Some processes, each with one native thread, as many at a time as memory allows.

    A worker that dies (killed for memory, say) takes the pool down: it is made anew, and the units
    that were under way are tried again, one at a time, so that the one to blame is found.
    """
    waiting, deaths, started = deque(units), Counter[str](), False
    while waiting:
        alone = bool(deaths) and any(deaths[unit.name] for unit in waiting)
        running: dict[Future[Outcome], Unit] = {}
        pool = _pool(1 if alone else n_workers)
        try:
            if not started:
                _require_start(pool, n_workers)
                started = True
            yield from _drive(pool, design, waiting, running, 1 if alone else n_workers)
        except BrokenProcessPool:
            for unit in reversed(list(running.values())):
                deaths[unit.name] += 1
                if deaths[unit.name] < _DEATHS:
                    waiting.appendleft(unit)
                else:
                    yield Outcome(unit, None, "the worker process died, twice", _DIED)
        finally:
            _end(pool)


_DIED = (
    "A worker process ended without an exception, as when the system kills it for want of memory; "
    "try fewer workers (--workers 1) or a machine with more memory."
)


_GUARD = (
    "a worker process imports the script that started it, so a script must call study.run below "
    '`if __name__ == "__main__":`; or pass workers=1 to work in one process'
)


def check_main() -> None:
    """Refuse to start a study while a new process imports its main script."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise RuntimeError(f"the script began a study again when it was imported: {_GUARD}")


def _require_start(pool: ProcessPoolExecutor, n_workers: int) -> None:
    """Raise where no worker gets as far as to take up work."""
    ready = [pool.submit(os.getpid) for _ in range(n_workers)]
    finished, _ = wait(ready, return_when=FIRST_COMPLETED)
    try:
        for future in finished:
            future.result()
    except BrokenProcessPool:
        raise RuntimeError(f"the worker processes ended as they started: {_GUARD}") from None


def _drive(
    pool: ProcessPoolExecutor,
    design: Design,
    waiting: deque[Unit],
    running: dict[Future[Outcome], Unit],
    n_workers: int,
) -> Iterator[Outcome]:
    free = available_bytes()
    while waiting or running:
        while waiting and len(running) < n_workers:
            taken = sum(most_bytes(unit, design) for unit in running.values())
            if running and taken + most_bytes(waiting[0], design) > free:
                break
            running[pool.submit(attempt, design, waiting[0])] = waiting[0]
            waiting.popleft()
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            outcome = future.result()
            del running[future]
            yield outcome


def _pool(n_workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        n_workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker
    )


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers at once: what they were doing is not kept anyway."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


def on_dask(design: Design, units: Sequence[Unit], client: Any) -> Iterator[Outcome]:
    """The workers of a Dask cluster; data sets must be at hand there, too. Units of a worker that
    is lost are given to another by the scheduler."""
    waiting = deque(units)
    ahead = 2 * max(1, sum(client.nthreads().values()))
    asked: dict[Any, Unit] = {}

    def ask() -> Any:
        unit = waiting.popleft()
        future = client.submit(attempt, design, unit, key=f"seedbed-{design.digest}-{unit.name}")
        asked[future.key] = unit
        return future

    coming = import_module("distributed").as_completed(
        [ask() for _ in range(min(ahead, len(waiting)))]
    )
    for future in coming:
        unit = asked.pop(future.key)
        error = future.exception()
        if error is None:
            yield future.result()
        else:  # the scheduler gave up: workers died again and again
            yield Outcome(unit, None, f"{type(error).__name__}: {error}", str(error))
        if waiting:
            coming.add(ask())
