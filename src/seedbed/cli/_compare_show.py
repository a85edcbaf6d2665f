"""What `seedbed compare` prints: a table with its verdict, or one JSON object."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import seedbed
from seedbed.advise import Comparison, KChoice
from seedbed.advise import _choose_k_words as k_words
from seedbed.advise import _compare_words as words
from seedbed.cli._json import print_object

if TYPE_CHECKING:
    from seedbed.cli._compare_run import Request
    from seedbed.cli._tables import Columns

WIDTH = 118  # of the table where there is no terminal


def show(
    found: Comparison | KChoice,
    request: Request,
    columns: Columns,
    notes: tuple[str, ...],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the result on stdout and the notes on stderr."""
    if as_json:
        print_object(_record(found, request, columns, notes))
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH)
    said = [found.verdict] if isinstance(found, Comparison) else list(k_words.reading(found))
    if not quiet:
        _print_table(console, found, request)
    for line in said[:1] if quiet else said:
        console.print(escape(line))
    if quiet:
        return
    for option, path in (("table", request.table), ("plot", request.plot), ("page", request.html)):
        if path is not None:
            console.print(f"wrote {option} {escape(str(path))}", style="dim")
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


def _print_table(console: Console, found: Comparison | KChoice, request: Request) -> None:
    if isinstance(found, Comparison):
        heading, shown = words.heading(found), words.table(found)
        legend = words.measure(found)
    else:
        heading, shown = k_words.heading(found), k_words.table(found)
        legend = "* marks what a criterion prefers."
    console.print(f"[bold]{escape(request.file.name)}[/bold]: {escape(heading)}")
    console.print(escape(legend), style="dim")
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for place, name in enumerate(shown):
        table.add_column(escape(name), justify="right" if place else "left", no_wrap=place == 0)
    for row in zip(*shown.values(), strict=True):
        table.add_row(*map(escape, row))
    console.print()
    console.print(table)
    console.print()


def _record(
    found: Comparison | KChoice, request: Request, columns: Columns, notes: tuple[str, ...]
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "seedbed": seedbed.__version__,
        "file": str(request.file),
        "n_rows": found.n_rows,
        "attributes": list(columns.names),
        "weight_column": request.choice.weight,
        "options": dict(found.options),
        "complete": found.complete,
        "notes": list(notes),
    }
    return record | (_of_methods(found) if isinstance(found, Comparison) else _of_ks(found))


def _of_methods(found: Comparison) -> dict[str, Any]:
    return {
        "n_clusters": found.n_clusters,
        "scaling": found.scaling,
        "seconds": found.seconds,
        "budget": found.budget,
        "least_sse": found.least,
        "best_method": found.best_method,
        "verdict": found.verdict,
        "refused": dict(found.refused),
        "methods": found.rows,
        "runs": {
            result.label: {
                "initial_sse": result.initial_sse,
                "sse": result.sse,
                "n_iter": result.n_iter,
                "seed_seconds": result.seed_seconds,
                "cluster_seconds": result.cluster_seconds,
            }
            for result in found.results
        },
        "centers": found.centers,
    }


def _of_ks(found: KChoice) -> dict[str, Any]:
    return {
        "scaling": found.scaling.how,
        "silhouette_rows": found.silhouette_rows,
        "gap_rows": found.gap_rows,
        "references": found.references,
        "preferred": found.preferred,
        "silhouette_ties": found.silhouette_ties,
        "reading": found.reading.splitlines(),
        "criteria": found.rows,
    }
