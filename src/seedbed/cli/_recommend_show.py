"""`seedbed recommend`: from a file to advice, as people read it and as programs do."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import seedbed
from seedbed._scaling import Scaling, check_scaling
from seedbed.advise import Option, Recommendation, recommend
from seedbed.advise._recommend_words import text
from seedbed.cli._errors import UserError, as_user_error
from seedbed.cli._json import print_object
from seedbed.cli._tables import Choice, choose, read
from seedbed.init._auto import changed, name_of


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    file: Path
    n_clusters: str
    deterministic: bool
    budget: float | None
    threads: int | None
    scale: str
    choice: Choice
    separator: str | None
    header: bool | None


def advise(request: Request) -> Recommendation:
    """Read the file and say what suits it."""
    if not request.n_clusters.isdecimal() or int(request.n_clusters) < 1:
        raise UserError(f"-k {request.n_clusters!r} is not a whole number of at least 1")
    with as_user_error(ValueError):
        check_scaling(request.scale)
    table = read(request.file, separator=request.separator, header=request.header)
    points = choose(table, request.choice)
    for note in table.notes:
        print(f"note: {note}", file=sys.stderr)
    with as_user_error(ValueError):
        return recommend(
            Scaling.of(points.x, request.scale).apply(points.x),
            int(request.n_clusters),
            deterministic=request.deterministic,
            budget=request.budget,
            sample_weight=points.weight,
            n_threads=request.threads,
        )


def print_text(request: Request, advice: Recommendation) -> None:
    """Print the advice, with the command that follows it."""
    print(text(advice, do=shlex.join(_command(request, advice))))


def print_json(request: Request, advice: Recommendation) -> None:
    """Print one JSON object on stdout and nothing else."""
    record = {
        "seedbed": seedbed.__version__,
        "file": str(request.file),
        "n_rows": advice.n_rows,
        "n_attributes": advice.n_features,
        "n_clusters": advice.n_clusters,
        **_plain(advice.chosen),
        "deterministic": advice.deterministic,
        "budget": advice.budget,
        "within_budget": advice.within_budget,
        "why": advice.why,
        "alternatives": [_plain(option) for option in advice.alternatives],
    }
    print_object(record)


def _plain(option: Option) -> dict[str, Any]:
    return {
        "method": option.method.meta.id,
        "name": name_of(option.method),
        "parameters": changed(option.method),
        "runs": option.runs,
        "seconds": option.seconds,
        "excess": option.excess,
        "high": option.high,
    }


def _command(request: Request, advice: Recommendation) -> Iterator[str]:
    """The words of the command that does what is recommended."""
    yield from ("seedbed", "cluster", str(request.file), "-k", str(advice.n_clusters))
    name = name_of(advice.method)
    if "(" in name:
        yield from ("--init", advice.method.meta.id)
        for option, value in changed(advice.method).items():
            yield from ("--param", f"{option}={json.dumps(value)}")
    else:
        yield from ("--init", name)
    choice = request.choice
    for flag, value, default in (
        ("--n-init", str(advice.runs), "1"),
        ("--scale", request.scale, "none"),
        *(("--columns", names, "") for names in choice.columns),
        *(("--drop-columns", names, "") for names in choice.drop),
        ("--weight-column", choice.weight or "", ""),
        ("--separator", request.separator or "", ""),
    ):
        if value != default:
            yield from (flag, value)
    if request.header is not None:
        yield "--header" if request.header else "--no-header"
