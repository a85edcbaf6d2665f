"""`seedbed compare`: from a request to a result, through the library and nothing else."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from seedbed.advise import Comparison, KChoice
from seedbed.advise._choose_k import Session as KSession
from seedbed.advise._compare import STUDIED
from seedbed.advise._compare import Session as MethodSession
from seedbed.cli import INTERRUPTED, _compare_show
from seedbed.cli._errors import UserError, as_user_error, warnings_as_notes
from seedbed.cli._functions import method_of
from seedbed.cli._outputs import write_all
from seedbed.cli._paths import PICTURES, extension
from seedbed.cli._progress import Progress
from seedbed.cli._tables import Choice, Columns, choose, read
from seedbed.init import Method

_RANGE = re.compile(r"(\d+):(\d+)(?::(\d+))?")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    file: Path
    clusters: str
    methods: tuple[str, ...]
    runs: int | None
    budget: float | None
    scale: str
    seed: int
    threads: int | None
    algorithm: str
    stop: str
    tol: str
    max_iter: int
    silhouette_rows: int
    references: int
    gap_rows: int
    choice: Choice
    separator: str | None
    header: bool | None
    table: Path | None
    plot: Path | None
    html: Path | None


def run(request: Request, *, as_json: bool, quiet: bool) -> int:
    """Read, compare, write, show; the exit code, which tells of an interruption."""
    ks = numbers_of_clusters(request.clusters)
    methods = _methods(request)
    _check_extras(request)
    with (
        Progress(enabled=not quiet) as progress,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        progress.stage(f"reading {request.file.name}")
        table = read(request.file, separator=request.separator, header=request.header)
        columns = choose(table, request.choice)
        with as_user_error(ValueError):
            session = (
                _method_session(request, columns, ks, methods)
                if isinstance(ks, int)
                else _k_session(request, columns, ks, methods)
            )
            interrupted = _work(session, progress)
    if not session.started:
        return INTERRUPTED
    found = session.comparison() if isinstance(session, MethodSession) else session.choice()
    _write(request, found)
    notes = (*table.notes, *dict.fromkeys(str(w.message) for w in caught))
    _compare_show.show(found, request, columns, notes, as_json=as_json, quiet=quiet)
    return INTERRUPTED if interrupted else 0


def numbers_of_clusters(given: str) -> int | tuple[int, ...]:
    """``8``, or several: ``2:20`` (both ends included), ``2:20:3``, ``2,5,10``."""
    if given.strip().lstrip("+").isdecimal():
        return int(given)
    found = _RANGE.fullmatch(given.strip())
    if found:
        first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if first > last or step < 1:
            raise UserError(f"-k {given!r} is an empty range; give the smaller number first")
        return tuple(range(first, last + 1, step))
    parts = [part.strip() for part in given.split(",")]
    if len(parts) > 1 and all(part.isdecimal() for part in parts):
        return tuple(int(part) for part in parts)
    raise UserError(f"-k {given!r} is neither a whole number nor several, such as 2:20 or 2,5,10")


def _methods(request: Request) -> list[Method | str]:
    """Names as they are, once they are known to be right, and functions as methods."""
    with warnings_as_notes(), as_user_error(ValueError, TypeError):
        made = [method_of(name, option="--methods") for name in request.methods]
    return [
        method if ":" in name else name for name, method in zip(request.methods, made, strict=True)
    ]


def _check_extras(request: Request) -> None:
    """Refuse before any work what could not be made at the end."""
    for option, path, needed in (
        ("--plot", request.plot, ("matplotlib",)),
        ("--html", request.html, ("matplotlib", "jinja2")),
    ):
        missing = [name for name in needed if find_spec(name) is None]
        if path is not None and missing:
            raise UserError(
                f"{option} needs {' and '.join(missing)}; "
                'install what is missing with: pip install "seedbed[study]"'
            )


def _method_session(
    request: Request, columns: Columns, k: int, methods: list[Method | str]
) -> MethodSession:
    _check_rows(k, columns, request)
    return MethodSession(
        columns.x,
        k,
        methods=methods or STUDIED,
        runs=request.runs,
        budget=request.budget,
        sample_weight=columns.weight,
        **_common(request),
        empty_cluster="relocate",
    )


def _k_session(
    request: Request, columns: Columns, ks: tuple[int, ...], methods: list[Method | str]
) -> KSession:
    for option, given in (
        ("--budget", request.budget),
        ("--weight-column", request.choice.weight),
    ):
        if given is not None:
            raise UserError(f"{option} is for comparing methods; -k {request.clusters} is a range")
    if len(methods) > 1:
        raise UserError(
            f"--methods names {len(methods)} methods; for a range give the one that starts anew"
        )
    _check_rows(max(ks), columns, request)
    return KSession(
        columns.x,
        ks,
        method=methods[0] if methods else "greedy-k-means++",
        runs=1 if request.runs is None else request.runs,
        silhouette_rows=request.silhouette_rows,
        references=request.references,
        reference="pca",
        gap_rows=request.gap_rows,
        **_common(request),
    )


def _common(request: Request) -> dict[str, Any]:
    try:
        tol: float | str = request.tol if request.tol == "auto" else float(request.tol)
    except ValueError:
        raise UserError(f"--tol {request.tol!r} is not a number") from None
    return {
        "scale": request.scale,
        "random_state": request.seed,
        "n_threads": request.threads,
        "algorithm": request.algorithm,
        "stop": request.stop,
        "tol": tol,
        "max_iter": request.max_iter,
    }


def _check_rows(k: int, columns: Columns, request: Request) -> None:
    n = len(columns.x)
    if k < 1:
        raise UserError(f"-k {request.clusters} is less than 1; ask for one cluster at least")
    if k > n:
        raise UserError(
            f"-k {request.clusters} is more than the {n} row(s) of {request.file}; give {n} at most"
        )


def _work(session: MethodSession | KSession, progress: Progress) -> bool:
    """Run to the end or until Ctrl-C; whether it was interrupted."""
    try:
        session.run(
            lambda what, done, total: progress.stage(what.ljust(30), done=done, total=total)
        )
    except KeyboardInterrupt:
        return True
    return False


def _write(request: Request, found: Comparison | KChoice) -> None:
    contents: dict[Path, pl.DataFrame | pl.Series | bytes] = {}
    if request.table is not None:
        contents[request.table] = found.to_frame("polars")
    if request.plot is not None:
        contents[request.plot] = _drawn(found, extension(request.plot, PICTURES, what="drawn"))
    if request.html is not None:
        contents[request.html] = found.to_html(request.file.name).encode()
    write_all(contents)


def _drawn(found: Comparison | KChoice, kind: str) -> bytes:
    import matplotlib

    matplotlib.use("Agg")
    file = BytesIO()
    found.figure().savefig(file, format=kind[1:], dpi=150)
    return file.getvalue()
