"""`seedbed cluster`: from a request to a result, through the library and nothing else."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from seedbed._scaling import Scaling, check_scaling
from seedbed._validation import as_points, as_threads
from seedbed.cli._errors import UserError, as_user_error, warnings_as_notes
from seedbed.cli._functions import method_of
from seedbed.cli._outputs import write_all
from seedbed.cli._progress import Progress, watch
from seedbed.cli._tables import Choice, Columns, choose, read
from seedbed.criteria import Comparison, compare
from seedbed.init import Method, Seeds
from seedbed.kmeans import KMeans
from seedbed.kmeans._parameters import check, resolve_tol
from seedbed.kmeans._starts import starts_for

Doubles = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    file: Path
    n_clusters: str
    init: str
    params: tuple[str, ...]
    algorithm: str
    stop: str
    tol: str
    max_iter: int
    n_init: str
    seed: int
    threads: int | None
    empty_cluster: str
    refine: str | None
    float32: bool
    scale: str
    choice: Choice
    separator: str | None
    header: bool | None
    labels_file: Path | None
    centers_file: Path | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """What came out, and how."""

    request: Request
    method: Method
    options: dict[str, Any]  # those of the estimator, as numbers
    points: Columns
    scaling: Scaling
    seeds: Seeds  # where the best run started
    model: KMeans
    comparison: Comparison | None
    seconds: dict[str, float]  # by stage
    notes: tuple[str, ...]

    @property
    def centers(self) -> Doubles:
        """The centres in the units of the data."""
        return self.scaling.undo(self.model.cluster_centers_)


@dataclass
class _Clock:
    """How long each stage took; the progress display shows the one that runs."""

    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str, what: str) -> Iterator[None]:
        self.progress.stage(what)
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start


def run(request: Request, *, show_progress: bool) -> Result:
    """Check everything that can be checked, read, cluster, and write what was asked for."""
    method, options = _check(request)
    with (
        Progress(enabled=show_progress) as progress,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        clock = _Clock(progress)
        with clock.stage("reading", f"reading {request.file.name}"):
            table = read(request.file, separator=request.separator, header=request.header)
            points = choose(table, request.choice)
        _check_rows(options["n_clusters"], points, request.file)
        with clock.stage("scaling", "scaling"), as_user_error(ValueError):
            scaling = Scaling.of(points.x, request.scale)
            scaled = scaling.apply(points.x)
        x = _in_single_precision(scaled, points.names) if request.float32 else scaled
        method, seeds, model = _cluster(x, points, method, options, clock)
    result = Result(
        request=request,
        method=method,
        options=options,
        points=points,
        scaling=scaling,
        seeds=seeds,
        model=model,
        comparison=None if points.classes is None else compare(points.classes, model.labels_),
        seconds=clock.seconds,
        notes=(*table.notes, *dict.fromkeys(str(w.message) for w in caught)),
    )
    _write(result)
    return result


def _check(request: Request) -> tuple[Method, dict[str, Any]]:
    """The method and the estimator's options, before any file is touched."""
    options: dict[str, Any] = {
        "n_clusters": _number(int, "-k", request.n_clusters),
        "n_init": _number_or_auto(int, "--n-init", request.n_init),
        "max_iter": request.max_iter,
        "tol": _number_or_auto(float, "--tol", request.tol),
        "random_state": request.seed,
        "algorithm": request.algorithm,
        "stop": request.stop,
        "empty_cluster": request.empty_cluster,
        "refine": request.refine,
        "n_threads": request.threads,
    }
    if options["n_clusters"] < 1:
        raise UserError(f"-k {request.n_clusters} is less than 1; ask for one cluster at least")
    with as_user_error(ValueError):
        check("seedbed cluster", options, options)
        check_scaling(request.scale)
    with warnings_as_notes(), as_user_error(ValueError, TypeError):
        method = method_of(request.init, **dict(map(_parameter, request.params)))
    if request.separator is not None and len(request.separator.encode()) != 1:
        raise UserError(f"--separator {request.separator!r} is not one ASCII character")
    options["tol"] = resolve_tol(options["tol"], request.stop)
    return method, options


def _number(kind: type[int] | type[float], option: str, given: str) -> int | float:
    try:
        return kind(given)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise UserError(f"{option} {given!r} is not {what}") from None


def _number_or_auto(kind: type[int] | type[float], option: str, given: str) -> int | float | str:
    return given if given == "auto" else _number(kind, option, given)


def _parameter(given: str) -> tuple[str, Any]:
    """``name=value``: a number, true, false or null as in JSON, and anything else is a word."""
    name, equals, value = given.partition("=")
    if not equals or not name.strip():
        raise UserError(f"--param {given!r} is not of the form name=value")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()


def _check_rows(n_clusters: int, points: Columns, file: Path) -> None:
    n = len(points.x)
    if n_clusters > n:
        raise UserError(f"-k {n_clusters} is more than the {n} row(s) of {file}; give {n} at most")


def _in_single_precision(x: Doubles, names: Sequence[str]) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        made = x.astype(np.float32)
    large = np.isinf(made)
    if large.any():
        i, j = np.unravel_index(int(large.argmax()), x.shape)
        raise UserError(
            f"--float32: row {i + 1}, column {names[int(j)]!r} holds {x[i, j]:g}, too large for "
            f"float32 ({np.finfo(np.float32).max:.2g} at most); leave --float32 out, or see --scale"
        )
    return made


def _cluster(
    x: Any, points: Columns, method: Method, options: dict[str, Any], clock: _Clock
) -> tuple[Method, Seeds, KMeans]:
    """Seed and cluster as ``KMeans(init=method).fit`` does, and time the two apart. The method is
    returned because "auto" chooses it."""
    n_clusters, n_threads = options["n_clusters"], as_threads(options["n_threads"])
    with as_user_error(ValueError):
        with clock.stage("seeding", f"seeding with {method.meta.id}"):
            starts = starts_for(
                method,
                options["n_init"],
                as_points(x, points.weight, n_threads=n_threads),
                n_clusters,
                random_state=options["random_state"],
                n_threads=n_threads,
                repeats_allowed=options["empty_cluster"] in ("keep", "drop"),
            )
            seeds = starts.all()
        with clock.stage("clustering", "clustering"):
            model = KMeans(**{**options, "init": np.stack([s.centers for s in seeds])})
            watch(model, clock.progress, n_runs=len(seeds), work=x.size * n_clusters)
            model.fit(x, sample_weight=points.weight)
    model.init_choice_ = starts.choice
    chosen = method if starts.choice is None else starts.choice.method
    return chosen, seeds[model.runs_.best], model


def _write(result: Result) -> None:
    request, contents = result.request, dict[Path, pl.DataFrame | pl.Series]()
    if request.labels_file is not None:
        contents[request.labels_file] = pl.Series("cluster", result.model.labels_)
    if request.centers_file is not None:
        names = list(result.points.names)
        contents[request.centers_file] = pl.from_numpy(result.centers, schema=names)
    write_all(contents)
