"""A clustering as people read it, and as programs do."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import seedbed
from seedbed.cli._cluster import Result
from seedbed.cli._json import print_object
from seedbed.init import Method

MANY_CLUSTERS = 16
_STOPPED = {
    "labels": "no label changed any more",
    "centers": "the centres moved less than the tolerance",
    "sse": "the SSE fell by less than the tolerance",
    "hartigan": "no row could move to another cluster and lower the SSE",
    "max_iter": "the limit of iterations was reached before convergence (--max-iter)",
}
_SCALED = {
    "none": "none, attributes as they are",
    "minmax": "min-max, each attribute onto [0, 1]",
    "zscore": "z-score, each attribute to mean 0 and deviation 1",
}


def print_summary(result: Result) -> None:
    """Print the summary on stdout and the notes on stderr."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column(overflow="fold")
    for name, value in _facts(result):
        facts.add_row(name, escape(value))
    console = Console(highlight=False)
    console.print(facts)
    if len(_sizes(result)) <= MANY_CLUSTERS:
        console.print()
        console.print(_size_table(result))
    for note in result.notes:
        print(f"note: {note}", file=sys.stderr)


def print_json(result: Result) -> None:
    """Print one JSON object on stdout and nothing else."""
    print_object(_record(result))


def _facts(result: Result) -> Iterator[tuple[str, str]]:
    model, points, method = result.model, result.points, result.method
    n, d = points.x.shape
    yield "data", f"{result.request.file.name}: {n:,} rows × {d:,} attribute{'s' * (d != 1)}"
    if points.weight is not None:
        yield "weights", f"{result.request.choice.weight}, {points.weight.sum():g} in all"
    yield "scaling", _SCALED[result.scaling.how]
    yield "method", f"{method.meta.name}{_short_reference(method)}{_given(method)}"
    if model.init_choice_ is not None:
        yield "chosen", model.init_choice_.reason
    if shortfall := result.seeds.info.get("shortfall"):
        yield "shortfall", f"{shortfall} of the seeds could not be placed by the method itself"
    yield "initial SSE", f"{model.init_inertia_:.8g}"
    yield "final SSE", f"{model.inertia_:.8g}{_gain(result)}"
    yield "iterations", f"{model.n_iter_} ({model.algorithm_})"
    yield "stopped", _STOPPED.get(model.stop_reason_, model.stop_reason_)
    if result.request.refine is not None:
        yield "refined", f"{model.n_moved_:,} row{'s' * (model.n_moved_ != 1)} moved one by one"
    if len(model.runs_) > 1:
        sse = model.runs_.sse
        yield "runs", f"{len(sse)}, final SSE {sse.min():.8g} to {sse.max():.8g}; the best is shown"
    seconds = result.seconds
    yield "time", f"seeding {_time(seconds['seeding'])}, clustering {_time(seconds['clustering'])}"
    if result.comparison is not None:
        yield f"against {result.request.choice.label}", _criteria(result)
    if len(sizes := _sizes(result)) > MANY_CLUSTERS:
        yield "cluster sizes", f"{sizes.min():,} to {sizes.max():,}, median {np.median(sizes):,g}"
    for option, path in _outputs(result).items():
        if path is not None:
            yield f"wrote {option}", path


def _short_reference(method: Method) -> str:
    """Family names and the year, where there are any."""
    reference = method.meta.reference
    if not reference.year:  # a function of the user's
        return ""
    return f" ({re.sub(r',(?:[ -]*[A-Z][.])+', '', reference.authors)} {reference.year})"


def _given(method: Method) -> str:
    """The method's parameters where they are not the defaults."""
    defaults = {p.name: p.default for p in method.parameters()}
    given = {name: getattr(method, name) for name in defaults}
    changed = [f"{n}={v}" for n, v in given.items() if v != defaults[n]]
    return f" with {', '.join(changed)}" if changed else ""


def _gain(result: Result) -> str:
    before, after = result.model.init_inertia_, result.model.inertia_
    return f" ({100 * (after - before) / before:+.2f}%)" if 0 < before < np.inf else ""


def _criteria(result: Result) -> str:
    found = result.comparison
    assert found is not None
    return (
        f"normalised Rand {found.normalised_rand:.4f} (1 is best), van Dongen "
        f"{found.van_dongen:.4f} and VI {found.variation_of_information:.4f} (0 is best)"
    )


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _sizes(result: Result) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.bincount(result.model.labels_, minlength=len(result.model.cluster_centers_))


def _size_table(result: Result) -> Table:
    sizes = _sizes(result)
    table = Table(box=None, pad_edge=False)
    table.add_column("cluster", justify="right")
    table.add_column("rows", justify="right")
    table.add_column("share", justify="right")
    table.add_column("")
    for i, size in enumerate(sizes):
        bar = "█" * max(round(24 * size / sizes.max()), 1 if size else 0)
        table.add_row(str(i), f"{size:,}", f"{100 * size / sizes.sum():.1f}%", bar)
    return table


def _outputs(result: Result) -> dict[str, str | None]:
    files = {"labels": result.request.labels_file, "centres": result.request.centers_file}
    return {name: None if path is None else str(path) for name, path in files.items()}


def _record(result: Result) -> dict[str, Any]:
    model, points, method = result.model, result.points, result.method
    meta = method.meta
    n, d = points.x.shape
    return {
        "seedbed": seedbed.__version__,
        "file": str(result.request.file),
        "n_rows": n,
        "n_attributes": d,
        "attributes": points.names,
        "weight_column": result.request.choice.weight,
        "label_column": result.request.choice.label,
        "dtype": str(model.cluster_centers_.dtype),
        "scaling": {
            "how": result.scaling.how,
            "offset": result.scaling.offset,
            "unit": result.scaling.unit,
        },
        "method": {
            "id": meta.id,
            "name": meta.name,
            "letter": meta.letter,
            "reference": str(meta.reference),
            "deterministic": method.deterministic,
            "parameters": {p.name: getattr(method, p.name) for p in method.parameters()},
            "info": result.seeds.info,
            "chosen": None if model.init_choice_ is None else model.init_choice_.reason,
        },
        "options": result.options,
        "algorithm": model.algorithm_,
        "initial_sse": model.init_inertia_,
        "sse": model.inertia_,
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "stop_reason": model.stop_reason_,
        "n_moved": model.n_moved_,
        "runs": {
            "best": model.runs_.best,
            "initial_sse": model.runs_.initial_sse,
            "sse": model.runs_.sse,
            "n_iter": model.runs_.n_iter,
        },
        "sizes": _sizes(result),
        "centers": result.centers,
        "scaled_centers": model.cluster_centers_,
        "criteria": None if result.comparison is None else dataclasses.asdict(result.comparison),
        "seconds": result.seconds,
        "outputs": _outputs(result),
        "notes": result.notes,
    }
