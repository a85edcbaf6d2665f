"""The methods of a study as a report shows them: name, look, what they do and where from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from seedbed.init._base import Meta
from seedbed.report._page import Cell
from seedbed.report._palette import Style, style
from seedbed.study import Design, Entry


@dataclass(frozen=True)
class StudyMethod:
    """A method of a study. ``label`` is what the tables of results call it, ``name`` what readers
    do."""

    label: str
    name: str
    style: Style
    meta: Meta
    deterministic: bool
    parameters: dict[str, Any]

    @property
    def cell(self) -> Cell:
        return Cell(self.name, style=self.style)

    @property
    def letter_and_name(self) -> str:
        return self.name if self.name == self.label else f"{self.label}, {self.name}"


def shown_methods(design: Design) -> dict[str, StudyMethod]:
    """The methods of a design by label. Two that would have the same name go by their labels."""
    names = Counter(_name(entry) for entry in design.methods)
    return {
        entry.label: _shown(entry, _name(entry) if names[_name(entry)] == 1 else entry.label)
        for entry in design.methods
    }


def _shown(entry: Entry, name: str) -> StudyMethod:
    made = entry.build()
    return StudyMethod(
        entry.label,
        name,
        style(made),
        made.meta,
        made.deterministic,
        dict(entry.parameters),
    )


def _name(entry: Entry) -> str:
    """The method's own name, unless it has parameters or the design labels it otherwise."""
    meta = entry.build().meta
    usual = {meta.letter, meta.id, meta.name, *meta.aliases}
    plain = not entry.parameters and entry.label in usual
    return meta.name if plain else entry.label
