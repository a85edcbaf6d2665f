"""Criteria over K as one page: reading, picture, table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import seedbed
from seedbed.advise import _choose_k_words as words
from seedbed.advise._figures import as_svg
from seedbed.report import Cell, Figure, Page, Section, Table, Text, render

if TYPE_CHECKING:
    from seedbed.advise._choose_k_result import KChoice

_FORMATS = {
    "sse": ".7g",
    "silhouette": ".4f",
    "silhouette_error": ".4f",
    "calinski_harabasz": ",.1f",
    "gap": ".4f",
    "gap_error": ".4f",
}
_TITLES = ["K", "SSE", "silhouette", "± error", "Calinski–Harabasz", "gap", "± error", "from"]


def page(found: KChoice, title: str) -> str:
    """The page as HTML."""
    summary, *said = words.reading(found)
    return render(
        Page(
            title,
            [
                Section("Reading", [Text([summary], lead=True), Text(said)]),
                Section(
                    "Picture",
                    [
                        Figure(
                            as_svg(found.figure(), "criteria"),
                            alt="SSE, silhouette, Calinski–Harabasz and gap over K",
                            numbers=_table(found),
                            caption="The K that a criterion prefers is marked.",
                        )
                    ],
                ),
                Section("Table", [_table(found)]),
            ],
            subtitle=words.heading(found),
            footer=f"Made by seedbed {seedbed.__version__}.",
        )
    )


def _table(found: KChoice) -> Table:
    rows = []
    for row in found.rows:
        cells = [
            Cell("–" if math.isnan(row[name]) else format(row[name], how), row[name])
            for name, how in _FORMATS.items()
        ]
        rows.append([row["k"], *cells, "the one before" if row["grown"] else "a fresh start"])
    return Table(_TITLES, rows)
