"""`seedbed data list` and `seedbed data info`: the catalogue as a table, and one set in full."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from seedbed import data
from seedbed.cli._data_folder import in_folder
from seedbed.cli._errors import as_user_error
from seedbed.data._own import facts
from seedbed.exceptions import DataError

_K_FROM = {
    "classes": "the number of classes",
    "chosen": "chosen by the study's authors",
    "domain": "from domain knowledge",
}
_MANY_CLASSES = 12
_WIDE = 110  # columns of a terminal


def show(*, only_here: bool, folder: Path | None, as_json: bool) -> None:
    """Print the data sets, all or those on this machine."""
    with in_folder(folder), as_user_error(DataError):
        sets = [_record(place) for place in data.present() if place.kind or not only_here]
        where = ", ".join(str(path) for path in data.folders())
    if as_json:
        print(json.dumps(sets, indent=2))
        return
    console = Console(highlight=False)
    console.print(_table(sets, console.width))
    count = sum(bool(record["where"]) for record in sets)
    console.print(
        f"\n{count} of {len(sets)} on this machine; folder{'s' * (',' in where)}: {escape(where)}",
        soft_wrap=True,
    )
    console.print("`seedbed data info NAME` tells more, `seedbed data fetch NAME` downloads.")


def explain(slug: str, *, folder: Path | None, as_json: bool) -> None:
    """Print all that is known about one data set."""
    with in_folder(folder), as_user_error(DataError):
        record = _record(data.whereabouts(slug))
    if as_json:
        print(json.dumps(record, indent=2))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{escape(record['name'])}[/bold] ({escape(slug)})\n")
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column(overflow="fold")
    for label, text in _facts(record):
        facts.add_row(label, escape(text))
    console.print(facts)


def _record(place: data.Whereabouts) -> dict[str, Any]:
    """What is known about a set, in what JSON knows."""
    common = {"slug": place.slug, "where": place.kind, "origin": place.origin}
    if place.kind == "own":
        return common | _own_record(place.slug)
    entry = data.catalogue()[place.slug]
    recipe = entry.read
    return common | {
        "number": entry.number,
        "name": entry.name,
        "n": entry.shape[0],
        "d": entry.shape[1],
        "k": entry.k,
        "k_from": entry.k_from,
        "checked": "verified" if entry.verified else "recipe untested",
        "sha256": entry.sha256,
        "content": entry.content,
        "recipe": entry.recipe,
        "note": entry.note,
        "files": list(recipe.files) if recipe else [],
        "page": entry.page,
        "addresses": list(entry.addresses),
        "licence": entry.licence,
        "citation": entry.citation,
        "feature_names": list(entry.feature_names),
        "class_names": list(entry.class_names),
        "class_counts": None if entry.class_counts is None else list(entry.class_counts),
        "wrong_copies": [f"{c.shape[0]} × {c.shape[1]}: {c.note}" for c in entry.wrong],
    }


def _own_record(slug: str) -> dict[str, Any]:
    kept = facts(slug)
    as_kept = ("name", "sha256", "origin", "licence", "citation")
    lists = ("feature_names", "class_names", "class_counts")
    return {
        "number": None,
        "n": kept["shape"][0],
        "d": kept["shape"][1],
        "k": kept["n_clusters"],
        "k_from": "",
        "checked": "own",
        **{name: kept[name] for name in (*as_kept, *lists)},
    }


def _table(sets: list[dict[str, Any]], width: int) -> Table:
    """One line for each; names in full only where there is room for them."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("data set", no_wrap=True)
    for heading in ("N", "D", "K"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("here", no_wrap=True)
    table.add_column("recipe", no_wrap=True)
    if width >= _WIDE:
        table.add_column("name")
    for record in sets:
        row = (
            str(record["number"] or ""),
            escape(record["slug"]),
            f"{record['n']:,}",
            str(record["d"]),
            str(record["k"] or "–"),
            record["where"] or "–",
            record["checked"].removeprefix("recipe "),
            escape(record["name"]),
        )
        table.add_row(*row[: len(table.columns)])
    return table


def _facts(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "shape", f"{record['n']:,} rows × {record['d']} attributes"
    if record["k"]:
        origin = _K_FROM.get(record["k_from"], "")
        yield "clusters", f"{record['k']}{f' ({origin})' if origin else ''}"
    if record["number"]:
        yield "in the study", f"number {record['number']}"
    yield "here", f"{record['where']}: {record['origin']}" if record["where"] else "no"
    yield "content", _content(record)
    for label in ("recipe", "note"):
        if record.get(label):
            yield label, record[label]
    if record.get("files"):
        yield "files", ", ".join(record["files"])
    if record.get("page"):
        yield "described at", record["page"]
    if record.get("addresses"):
        yield "addresses", "\n".join(record["addresses"])
    yield "attributes", _few(record["feature_names"])
    yield "classes", _classes(record)
    for copy in record.get("wrong_copies", ()):
        yield "wrong copy", copy
    for label in ("licence", "citation"):
        if record[label]:
            yield label, record[label]


def _content(record: dict[str, Any]) -> str:
    if record["sha256"] is None:
        return "recipe untested: only shape and classes can be checked"
    return f"SHA-256 {record['sha256']}"


def _classes(record: dict[str, Any]) -> str:
    names, counts = record["class_names"], record["class_counts"]
    if not names:
        return "none"
    if counts is None:
        return _few(names)
    if names == [str(i) for i in range(1, len(names) + 1)] or len(names) > 2 * _MANY_CLASSES:
        return (
            f"{len(names)}, of {min(counts)} to {max(counts)} rows: {', '.join(map(str, counts))}"
        )
    return ", ".join(f"{name} {count:,}" for name, count in zip(names, counts, strict=True))


def _few(names: list[str]) -> str:
    rest = f", … {names[-1]}" if len(names) > _MANY_CLASSES else ""
    return ", ".join(names[:_MANY_CLASSES]) + rest
