"""`seedbed methods`: the registry as a table, and one method in full."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from seedbed.cli._errors import as_user_error, warnings_as_notes
from seedbed.init import Meta, Method, Methods, get, methods

_WEIGHTS = {
    "yes": "a row of weight w counts as w equal rows",
    "part": "count, but not quite as repeated rows would",
    "no": "do not count, except that rows of weight 0 are not used",
}


def show(*, deterministic: bool, linear: bool, family: str | None, as_json: bool) -> None:
    """Print the methods, all or some of them."""
    with warnings_as_notes(), as_user_error(ValueError):
        chosen = methods(family=family, cost="linear" if linear else None)
    presets = list(_presets(chosen, deterministic))
    if deterministic:
        chosen = Methods(meta for meta in chosen if meta.deterministic)
    if as_json:
        _print_json([_record(get(meta.id)) for meta in chosen])
        return
    console = Console(highlight=False)
    console.print(_table(chosen))
    if presets:
        console.print("\n[bold]Presets[/bold]")
        console.print(_grid(presets))
    count = f"{len(chosen)} method{'s' * (len(chosen) != 1)}"
    console.print(f"\n{count}. `seedbed methods NAME` explains one.")


def explain(name: str, *, as_json: bool) -> None:
    """Print all that is known about one method."""
    with warnings_as_notes(), as_user_error(ValueError):
        method = get(name)
    if as_json:
        _print_json(_record(method))
        return
    meta = method.meta
    console = Console(highlight=False)
    letter = f", {meta.letter}" if meta.letter else ""
    console.print(f"[bold]{escape(meta.name)}[/bold] ({escape(meta.id)}{letter})")
    for paragraph in (meta.summary, *method.description()):
        console.print(Text(f"{paragraph}\n"))
    console.print(_grid(_facts(method)))
    if method.parameters():
        console.print("\n[bold]Parameters[/bold]")
        console.print(_grid(_parameters(method)))
    if meta.presets:
        console.print("\n[bold]Presets[/bold]")
        console.print(_grid(_presets([meta], False)))


def _table(chosen: Sequence[Meta]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("method", no_wrap=True)
    table.add_column("")  # its letter
    table.add_column("family", no_wrap=True)
    table.add_column("year", justify="right")
    for heading in ("cost", "random", "order", "weights"):
        table.add_column(heading)
    for i, meta in enumerate(chosen):
        if i > 0 and _group(meta) != _group(chosen[i - 1]):
            table.add_row()
        table.add_row(
            escape(meta.id),
            meta.letter or "",
            escape(meta.family),
            str(meta.year),
            meta.cost,
            "no" if meta.deterministic else "yes",
            "matters" if meta.order_sensitive else "free",
            meta.weights,
        )
    return table


def _group(meta: Meta) -> tuple[bool, str]:
    """Methods of one group stand together; the study's are one."""
    return (True, "") if meta.letter else (False, meta.family)


def _presets(metas: Sequence[Meta], deterministic: bool) -> Iterator[tuple[str, str]]:
    """Names that stand for a method with certain parameters, those for the same in one line."""
    for meta in metas:
        names: dict[Method, list[str]] = {}
        for name in meta.presets:
            names.setdefault(get(name), []).append(name)
        for method, same in names.items():
            if method.deterministic or not deterministic:
                given = meta.presets[same[0]]
                shown = ", ".join(f"{name}={value}" for name, value in given.items())
                yield ", ".join(same), f"{meta.id} with {shown}"


def _grid(rows: Iterator[tuple[str, str]] | Sequence[tuple[str, str]]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(Text(label, style="bold"), Text(text))
    return grid


def _facts(method: Method) -> list[tuple[str, str]]:
    meta = method.meta
    facts = [
        ("use it", meta.use),
        ("avoid it", meta.avoid),
        ("cost", f"{meta.complexity} ({meta.cost})"),
        ("random", "no" if method.deterministic else "yes: --seed, --n-init"),
        ("row order", "matters" if method.order_sensitive else "does not matter"),
        ("weights", _WEIGHTS[meta.weights]),
        ("seeds are", "rows of the data" if meta.selects_rows else "not rows of the data"),
        ("family", meta.family),
        ("other names", ", ".join(meta.aliases)),
        ("reference", str(meta.reference)),
    ]
    return [(label, text) for label, text in facts if text]


def _parameters(method: Method) -> Iterator[tuple[str, str]]:
    for p in method.parameters():
        value = getattr(method, p.name)
        here = f" here {value}," if value != p.default else ""
        yield p.name, f"{p.doc}\n{p.allowed};{here} default {p.default}"


def _record(method: Method) -> dict[str, Any]:
    meta = method.meta
    return {
        "id": meta.id,
        "letter": meta.letter,
        "name": meta.name,
        "aliases": list(meta.aliases),
        "presets": {name: dict(parameters) for name, parameters in meta.presets.items()},
        "family": meta.family,
        "year": meta.year,
        "summary": meta.summary,
        "use": meta.use,
        "avoid": meta.avoid,
        "cost": meta.cost,
        "complexity": meta.complexity,
        "deterministic": method.deterministic,
        "order_sensitive": method.order_sensitive,
        "weights": meta.weights,
        "selects_rows": meta.selects_rows,
        "parameters": [
            {
                "name": p.name,
                "value": getattr(method, p.name),
                "default": p.default,
                "meaning": p.doc,
                "allowed": p.allowed,
            }
            for p in method.parameters()
        ],
        "reference": str(meta.reference),
        "doi": meta.reference.doi,
    }


def _print_json(record: Any) -> None:
    print(json.dumps(record, indent=2, default=str))
