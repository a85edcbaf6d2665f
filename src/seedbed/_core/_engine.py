"""The typed face of the native engine: names for its codes, records for its results, and how many
threads `None` means."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native
from seedbed._core._native import EmptyCluster, TooFewDistinct, instruction_set

__all__ = [
    "ALGORITHMS",
    "EMPTY_POLICIES",
    "MOST_ITERATIONS",
    "MOST_THREADS",
    "STOP_REASONS",
    "STOP_RULES",
    "Dataset",
    "EmptyCluster",
    "Ended",
    "Run",
    "TooFewDistinct",
    "dataset",
    "default_threads",
    "instruction_set",
    "run_many",
]

FloatArray: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
Dataset: TypeAlias = _native.DatasetFloat | _native.DatasetDouble
Ended: TypeAlias = Callable[[int, float, int, int, Any], bool]
"""Called after each iteration with (iteration, sse, changed, distances, centers); True stops the
run, which then returns these centres."""

# Names and codes of the enumerations in native/engine.hpp.
ALGORITHMS: Final = {
    "auto": 0,
    "lloyd": 1,
    "tie-pde": 2,
    "hamerly": 3,
    "elkan": 4,
    "yinyang": 5,
    "tree": 6,
}
STOP_RULES: Final = {"centers": 0, "sse": 1, "labels": 2}
EMPTY_POLICIES: Final = {"relocate": 0, "keep": 1, "drop": 2, "error": 3}
STOP_REASONS: Final = {"labels": 0, "centers": 1, "sse": 2, "max_iter": 3, "callback": 4}
MOST_ITERATIONS: Final = 2**31 - 1  # the engine counts in 32 bits; no run comes near
MOST_THREADS: Final = 1024
"""The engine starts as many threads as it is told to, whatever the machine has."""
_ALGORITHM_OF: Final = {code: name for name, code in ALGORITHMS.items()}
_REASON_OF: Final = {code: name for name, code in STOP_REASONS.items()}


class Run(NamedTuple):
    """One run of k-means, as the engine left it.

    Attributes
    ----------
    centers : ndarray, clusters × features
        Where it ended.
    labels : ndarray of int32 or None
        The cluster of each row; None where they were not kept.
    initial_sse : float
        Error of the starting centres.
    sse : float
        Error at the end.
    n_iter : int
        Iterations.
    stop_reason : str
        "labels", "centers", "sse", "hartigan", "max_iter" or "callback".
    algorithm : str
        The algorithm that ran.
    n_distances : int
        Distances between a point and a centre that were computed.
    n_relocated : int
        Empty clusters that were moved to a far point.
    cpu_seconds : float
        Processor time, that of helping threads included.
    history : ndarray, iterations × 4
        SSE, labels changed, distances and relocated clusters of each iteration.
    n_moved : int
        Rows that a refinement moved between clusters.
    """

    centers: FloatArray
    labels: NDArray[np.int32] | None
    initial_sse: float
    sse: float
    n_iter: int
    stop_reason: str
    algorithm: str
    n_distances: int
    n_relocated: int
    cpu_seconds: float
    history: NDArray[np.float64]  # a row per iteration: SSE, labels changed, distances, relocated
    n_moved: int = 0  # rows that a refinement moved between clusters


def dataset(x: FloatArray, weight: NDArray[np.float64] | None, n_threads: int) -> Dataset:
    """A native data set that refers to `x` and `weight` (C-ordered, checked by the caller).

    Raises ValueError when a value of `x` is not finite.
    """
    kind: Any = _native.DatasetFloat if x.dtype == np.float32 else _native.DatasetDouble
    made: Dataset = kind(x, weight, n_threads)
    return made


def run_many(
    data: Dataset,
    centers: FloatArray,
    *,
    algorithm: str,
    stop: str,
    tol: float,
    max_iter: int,
    empty_cluster: str,
    n_threads: int,
    history: bool,
    keep_labels: bool,
    ended: Ended | None = None,
) -> tuple[Run, ...]:
    """K-means from each of the R × K × D starting `centers` (C-ordered, of the data's dtype)."""
    native: Any = data
    found = native.run_many(
        centers,
        algorithm=ALGORITHMS[algorithm],
        stop=STOP_RULES[stop],
        tol=tol,
        max_iter=min(max_iter, MOST_ITERATIONS),
        empty=EMPTY_POLICIES[empty_cluster],
        n_threads=n_threads,
        history=history,
        keep_labels=keep_labels,
        ended=ended,
    )
    return tuple(_record(run) for run in found)


def _record(run: tuple[Any, ...]) -> Run:
    centers, labels, initial_sse, sse, n_iter, reason, algorithm, *rest = run
    return Run(
        centers,
        labels,
        initial_sse,
        sse,
        n_iter,
        _REASON_OF[reason],
        _ALGORITHM_OF[algorithm],
        *rest,
    )


def default_threads() -> int:
    """How many threads `n_threads=None` means.

    SEEDBED_NUM_THREADS, else OMP_NUM_THREADS (both as they were when first needed, as OpenMP does;
    `MOST_THREADS` at most, as they are not for us alone), else the
    processors this process may run on, but no more than its control group's quota pays for.
    """
    given = _threads_of_environment()
    if given is not None:
        return given
    if hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count() or 1
    quota = _cgroup_quota()
    return available if quota is None else max(1, min(available, math.ceil(quota)))


@cache
def _threads_of_environment() -> int | None:
    for name in ("SEEDBED_NUM_THREADS", "OMP_NUM_THREADS"):
        given = os.environ.get(name)
        if given:
            first = given.split(",")[0].strip()  # OpenMP allows a list, one number per level
            if not first.isdecimal() or int(first) < 1:
                raise ValueError(f"{name}={given!r} is not usable; set it to an integer >= 1")
            return min(int(first), MOST_THREADS)
    return None


@cache
def _cgroup_quota() -> float | None:
    """Processors' worth of time that the control group (version 2) allows, or None for no limit."""
    return _least_quota(Path("/proc/self/cgroup"), Path("/sys/fs/cgroup"))


def _least_quota(membership: Path, root: Path) -> float | None:
    """The smallest quota among the process's own group and those above it."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return None
    own = next((line[3:] for line in lines if line.startswith("0::")), "/")
    group = root / own.strip("/")
    quotas = [_read_quota(g / "cpu.max") for g in (group, *group.parents) if g.is_relative_to(root)]
    return min((quota for quota in quotas if quota is not None), default=None)


def _read_quota(file: Path) -> float | None:
    try:
        limit, period = file.read_text().split()
        return None if limit == "max" else int(limit) / int(period)
    except (OSError, ValueError):
        return None
