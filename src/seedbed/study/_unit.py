"""The work of one data set: it is got once, and every method's runs over it are one native call."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from seedbed._core._engine import Run
from seedbed._random import generator
from seedbed._validation import FloatArray, Points, as_points
from seedbed.criteria import compare
from seedbed.kmeans._runs import run_points
from seedbed.study._design import Design, Entry
from seedbed.study._sources import Loaded, Unit

LABEL_BYTES = 64 * 2**20  # of the runs that are under way together

Columns = dict[str, npt.NDArray[Any]]

_TYPES: dict[str, Any] = {
    "dataset": np.str_,
    "group": np.str_,
    "n": np.int64,
    "d": np.int64,
    "k": np.int64,
    "method": np.str_,
    "run": np.int32,
    "initial_sse": np.float64,
    "final_sse": np.float64,
    "rand": np.float64,
    "van_dongen": np.float64,
    "vi": np.float64,
    "iterations": np.int32,
    "stop_reason": np.str_,
    "seed_seconds": np.float64,
    "cluster_seconds": np.float64,
}
TIMES = ("seed_seconds", "cluster_seconds")  # all else is the same on every machine
_OF_SET = ("dataset", "group", "n", "d", "k")


def run_unit(design: Design, unit: Unit) -> Columns:
    """All runs of all methods on one data set, one row each."""
    loaded = unit.load()
    dtype = np.dtype(design.precision)
    points = as_points(np.ascontiguousarray(loaded.X, dtype=dtype), n_threads=1)
    check_clusters(unit.name, loaded.n_clusters, points.n)
    rows: list[tuple[Any, ...]] = []
    for entry in design.methods:
        rows += _rows_of(design, entry, unit.name, points, loaded)
    names = [name for name in _TYPES if name not in _OF_SET]
    columns = {
        name: np.array(values, dtype=_TYPES[name])
        for name, values in zip(names, zip(*rows, strict=True), strict=True)
    }
    of_set = (unit.name, unit.group, points.n, points.d, loaded.n_clusters)
    constant = {
        name: np.full(len(rows), value, dtype=None if isinstance(value, str) else _TYPES[name])
        for name, value in zip(_OF_SET, of_set, strict=True)
    }
    return {name: (constant | columns)[name] for name in _TYPES}


def check_clusters(name: str, n_clusters: int, n: int) -> None:
    if n_clusters > n:
        raise ValueError(
            f"{name} has {n} rows and cannot have {n_clusters} clusters; lower clusters = …, or "
            "leave the data set out"
        )


def most_bytes(unit: Unit, design: Design) -> int:
    """How much memory a unit takes at most, about: the data as loaded, scaled, packed and sketched,
    and the labels of the runs that are under way."""
    n, d, _ = unit.extent()
    return n * d * (8 + 8 + 8 + 4 + 1) + min(design.runs * 4 * n, LABEL_BYTES + 4 * n) + 150 * 2**20


def _rows_of(
    design: Design, entry: Entry, dataset: str, points: Points, loaded: Loaded
) -> Iterator[tuple[Any, ...]]:
    method = entry.build()
    n_runs = 1 if method.deterministic else design.runs
    batch = max(1, LABEL_BYTES // (4 * points.n))
    keys = stream_keys(dataset, entry)
    for first in range(0, n_runs, batch):
        centers, seconds = [], []
        for r in range(first, min(first + batch, n_runs)):
            before = time.thread_time()
            rng = generator(design.seed, *keys, r)
            seeds = method.seed_points(
                points, loaded.n_clusters, random_state=rng, n_threads=1, strict=True
            )
            seconds.append(time.thread_time() - before)
            centers.append(seeds.centers)
        runs = run_points(
            points,
            cast(FloatArray, np.stack(centers)),
            algorithm=design.algorithm,
            stop=design.stop,
            tol=design.tol,
            max_iter=design.max_iter,
            empty_cluster=design.empty_cluster,
            n_threads=1,
            history=False,
            keep_labels=bool(design.criteria) and loaded.y is not None,
        )
        for r, run in enumerate(runs):
            yield (
                entry.label,
                first + r,
                run.initial_sse,
                run.sse,
                *_criteria(design, run, loaded.y),
                run.n_iter,
                run.stop_reason,
                seconds[r],
                run.cpu_seconds,
            )


def _criteria(design: Design, run: Run, y: npt.NDArray[Any] | None) -> tuple[float, float, float]:
    """Rand, van Dongen and variation of information; NaN where not asked for or not known."""
    if y is None or run.labels is None or not design.criteria:
        return np.nan, np.nan, np.nan
    found = compare(y, run.labels)
    values = {
        "rand": found.normalised_rand,
        "van_dongen": found.van_dongen,
        "vi": found.variation_of_information,
    }
    rand, van_dongen, vi = (values[c] if c in design.criteria else np.nan for c in values)
    return rand, van_dongen, vi


def stream_keys(dataset: str, entry: Entry) -> tuple[int, int]:
    """What, with the study's seed and the run, a random stream is made of."""
    return _number_of(dataset), _number_of(entry.identity)


def _number_of(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
