"""Write the tables of docs/which-method.md from the evidence that ``init="auto"`` uses.

    python docs/build_which_method.py

Each table stands between two comments, ``<!-- name -->`` and ``<!-- /name -->``; the prose around
them is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from seedbed.init._auto import choose, name_of
from seedbed.init._auto_evidence import Bracket, Shape, Way, evidence

PAGE = Path(__file__).resolve().parent / "which-method.md"
FEATURES = 10  # of the shapes that are shown
CLUSTERS = (2, 5, 10, 20, 50)
ROWS = (1_000, 10_000, 100_000, 1_000_000)
SHOWN = (  # methods and runs whose evidence is shown
    ("greedy-k-means++", 1),
    ("greedy-k-means++", 3),
    ("greedy-k-means++", 10),
    ("bradley-fayyad", 1),
    ("bradley-fayyad", 10),
    ("lightweight-coreset", 1),
    ("var-part", 1),
    ("pca-part", 1),
    ("otsu-var-part", 1),
    ("otsu-pca-part", 1),
    ("ls++", 1),
    ("ls++", 5),
    ("fls++", 1),
    ("random-swap (trials=100)", 1),
    ("breathing-k-means", 1),
    ("breathing-k-means", 3),
    ("hg-means (stall=20)", 1),
    ("hg-means (stall=20)", 3),
)


def decisions(*, deterministic: bool) -> Iterator[str]:
    """What is chosen for numbers of rows and clusters."""
    yield f"| rows (of {FEATURES} features) | " + " | ".join(f"K = {k}" for k in CLUSTERS) + " |"
    yield "|---" * (len(CLUSTERS) + 1) + "|"
    for n in ROWS:
        chosen = (
            choose(Shape(n=n, d=FEATURES, k=k), deterministic=deterministic) for k in CLUSTERS
        )
        yield f"| {n:,} | " + " | ".join(_cell(choice.way) for choice in chosen) + " |"


def _cell(way: Way) -> str:
    name = name_of(way.method)
    return f"{name}, {way.runs} runs" if way.runs > 1 else name


def errors() -> Iterator[str]:
    """Expected excesses, and costs, of the ways that are shown."""
    brackets = [bracket for bracket in evidence() if bracket.least_d == 1]
    heads = [_head(bracket) for bracket in brackets]
    yield "| method | runs | " + " | ".join(heads) + " | cost |"
    yield "|---" * (len(heads) + 3) + "|"
    for name, runs in SHOWN:
        ways = [_way(bracket, name, runs) for bracket in brackets]
        costs = [way.cost for way in ways]
        cells = [f"{100 * way.excess:.2f}" for way in ways]
        yield f"| {name} | {runs} | " + " | ".join(cells) + f" | {_spread(costs)} |"


def _spread(costs: list[float]) -> str:
    least, most = (f"{c:.0f}" if c >= 10 else f"{c:.2g}" for c in (min(costs), max(costs)))
    return least if least == most else f"{least} to {most}"


def _head(bracket: Bracket) -> str:
    if bracket.most_k > 10**6:
        return f"K ≥ {bracket.least_k}"
    return f"K = {bracket.least_k} to {bracket.most_k}"


def _way(bracket: Bracket, name: str, runs: int) -> Way:
    return next(
        way for way in evidence()[bracket] if (name_of(way.method), way.runs) == (name, runs)
    )


def built(text: str) -> str:
    """The page with its tables as they should be."""
    tables = {
        "choices": decisions(deterministic=False),
        "deterministic choices": decisions(deterministic=True),
        "evidence": errors(),
    }
    for name, lines in tables.items():
        table = "\n".join(lines)
        pattern = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
        text, found = re.subn(
            pattern, lambda m, t=table: f"{m[1]}{t}\n{m[2]}", text, flags=re.DOTALL
        )
        if found != 1:
            raise ValueError(f"{PAGE} has {found} places for the table {name!r}; it needs one")
    return text


if __name__ == "__main__":
    PAGE.write_text(built(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
