"""Running a study: what is missing is done, and kept as soon as it is done."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from seedbed import data as _data
from seedbed._core._engine import default_threads
from seedbed.study._design import Design
from seedbed.study._files import FileSet
from seedbed.study._results import Study
from seedbed.study._sources import RealSets, Unit
from seedbed.study._store import Store
from seedbed.study._unit import check_clusters
from seedbed.study._workers import Outcome, check_main, in_process, in_processes, on_dask


class Watcher(Protocol):
    """Is told what happens. The command shows a progress bar; a program may do as it likes."""

    def started(self, store: Store, todo: Sequence[Unit], done: int) -> None:
        """Work begins.

        Parameters
        ----------
        store : Store
            Where the results go.
        todo : sequence of Unit
            The data sets to be done.
        done : int
            How many were done before.
        """

    def finished(self, unit: Unit, n_runs: int) -> None:
        """A data set is done and kept.

        Parameters
        ----------
        unit : Unit
            Which one.
        n_runs : int
            How many runs it took.
        """

    def failed(self, unit: Unit, error: str) -> None:
        """A data set could not be done.

        Parameters
        ----------
        unit : Unit
            Which one.
        error : str
            What happened.
        """


class _Silent:
    def started(self, store: Store, todo: Sequence[Unit], done: int) -> None: ...

    def finished(self, unit: Unit, n_runs: int) -> None: ...

    def failed(self, unit: Unit, error: str) -> None: ...


def run(
    design: Design,
    folder: str | os.PathLike[str],
    *,
    workers: int | None = None,
    dask: Any = None,
    retry_failed: bool = False,
    watcher: Watcher | None = None,
) -> Study:
    """Run a study, or what is missing of it.

    The same design gives the same results, whoever does the work and however often it is
    interrupted; only processor times differ.

    Parameters
    ----------
    design : Design
        What to compare; `preset` and `read_design` give one.
    folder : path-like
        Where the results are kept. If it holds a study of the same design, that is taken up again;
        one of another design is refused.
    workers : int, optional
        Processes, each with one thread; None for as many as this process may use. 1 works in this
        process. Processes import the script that calls this, which must therefore do so below
        ``if __name__ == "__main__":``.
    dask : str or distributed.Client, optional
        The address of a Dask scheduler, or a client, to work there instead.
    retry_failed : bool, default=False
        Try data sets again on which the study failed before.
    watcher : Watcher, optional
        Is told what happens.

    Returns
    -------
    Study
        The results so far; ``failures`` lists data sets that could not be done.
    """
    design = design.settled()
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers} is not usable; give an int >= 1")
    check_main()
    check(design)
    store = Store.create(Path(folder), design)
    todo = store.missing(retry_failed=retry_failed)
    store.require_space(todo)
    n_workers = min(workers or default_threads(), max(1, len(todo)))
    watcher = watcher or _Silent()
    store.add_session(workers="dask" if dask is not None else n_workers, units=len(todo))
    watcher.started(store, todo, len(store.done()))
    outcomes = _work(design, todo, n_workers, dask)
    try:
        for outcome in outcomes:
            _keep(store, outcome, watcher)
    finally:
        outcomes.close()
    return Study(store)


def check(design: Design) -> None:
    """Refuse, before any work, a design that cannot be carried out on this machine.

    Parameters
    ----------
    design : Design
        What to check; ValueError says what is missing and what to do.
    """
    for source in design.data:
        if isinstance(source, RealSets):
            _check_presence(source)
        elif not isinstance(source, FileSet):
            continue  # made here, with as many rows as clusters at least
        for unit in source.units():
            n, _, k = unit.extent()
            check_clusters(unit.name, k, n)
    if not design.units():
        raise ValueError(
            "the design has no data sets on this machine; `seedbed data list` shows what there is"
        )


def _check_presence(source: RealSets) -> None:
    absent = [slug for slug in source.slugs() if not _data.whereabouts(slug).kind]
    if absent:
        raise ValueError(
            f"{len(absent)} data set{'s are' if len(absent) > 1 else ' is'} not on this "
            f"machine: {', '.join(absent)}; get them with `seedbed data fetch "
            f"{' '.join(absent[:3])}{' …' if len(absent) > 3 else ''}`, or leave them out"
        )


def _work(design: Design, todo: Sequence[Unit], n_workers: int, dask: Any) -> Generator[Outcome]:
    if dask is not None:
        own = isinstance(dask, str)
        client = _connected(dask) if own else dask
        try:
            yield from on_dask(design, todo, client)
        finally:
            if own:
                client.close()
    elif n_workers == 1:
        yield from in_process(design, todo)
    else:
        yield from in_processes(design, todo, n_workers)


def _connected(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ModuleNotFoundError:
        raise ValueError(
            'working on a Dask cluster needs distributed: pip install "seedbed[dask]"'
        ) from None
    try:
        return distributed.Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {address}: {error}") from None


def _keep(store: Store, outcome: Outcome, watcher: Watcher) -> None:
    if outcome.columns is None:
        store.keep_failure(outcome.unit, outcome.error, outcome.traceback)
        watcher.failed(outcome.unit, outcome.error)
    else:
        store.keep(outcome.unit, outcome.columns)
        watcher.finished(outcome.unit, len(outcome.columns["run"]))
