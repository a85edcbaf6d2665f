"""`seedbed methods`: the registry as a table, and one method in full."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from seedbed.cli._errors import UserError, as_user_error, did_you_mean, listed
from seedbed.init import Meta, Method, get, methods

_WEIGHTS = {
    "yes": "a row of weight w counts as w equal rows",
    "part": "count, but not quite as repeated rows would",
    "no": "do not count, except that rows of weight 0 are not used",
}


def show(*, deterministic: bool, family: str | None, as_json: bool) -> None:
    """Print the methods, all or some of them."""
    chosen = [m for m in _of_family(family) if m.deterministic or not deterministic]
    if as_json:
        _print_json([_record(get(meta.id)) for meta in chosen])
        return
    console = Console(highlight=False)
    console.print(_table(chosen))
    console.print(
        f"\n{len(chosen)} method{'s' * (len(chosen) != 1)}. `seedbed methods NAME` explains one."
    )


def explain(name: str, *, as_json: bool) -> None:
    """Print all that is known about one method."""
    with as_user_error(ValueError):
        method = get(name)
    if as_json:
        _print_json(_record(method))
        return
    meta = method.meta
    console = Console(highlight=False)
    letter = f", {meta.letter}" if meta.letter else ""
    console.print(f"[bold]{escape(meta.name)}[/bold] ({escape(meta.id)}{letter})")
    console.print(Padding(escape(meta.summary), (0, 0, 1, 0)))
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column()
    for label, text in _facts(method):
        facts.add_row(label, escape(text))
    console.print(facts)
    if method.parameters():
        console.print()
        console.print(_parameter_table(method))


def _of_family(family: str | None) -> Sequence[Meta]:
    known = methods()
    if family is None:
        return known
    families = sorted({meta.family for meta in known})
    if family not in families:
        hint = did_you_mean(family, families) or f"; there are {listed(families)}"
        raise UserError(f"--family: there is no family {family!r}{hint}")
    return [meta for meta in known if meta.family == family]


def _table(chosen: Sequence[Meta]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("method", no_wrap=True)
    table.add_column("")  # its letter
    table.add_column("name")
    table.add_column("year", justify="right")
    for heading in ("cost", "random", "row order", "weights"):
        table.add_column(heading)
    for meta in chosen:
        table.add_row(
            escape(meta.id),
            meta.letter or "",
            escape(meta.name),
            str(meta.year),
            meta.cost,
            "no" if meta.deterministic else "yes",
            "matters" if meta.order_sensitive else "free",
            meta.weights,
        )
    return table


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
        ("other names", ", ".join((*meta.aliases, *meta.presets))),
        ("reference", str(meta.reference)),
    ]
    return [(label, text) for label, text in facts if text]


def _parameter_table(method: Method) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("parameter", "default", "meaning", "allowed"):
        table.add_column(heading)
    for p in method.parameters():
        value = getattr(method, p.name)
        shown = f"{value}" if value == p.default else f"{value} (else {p.default})"
        table.add_row(p.name, escape(shown), escape(p.doc), escape(p.allowed))
    return table


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
