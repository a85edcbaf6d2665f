"""Criteria over K in words: the table, the reading, and both in a notebook."""

from __future__ import annotations

import html
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from seedbed.advise._compare_words import aligned, html_table, listed

if TYPE_CHECKING:
    from seedbed.advise._choose_k_result import KChoice

_STAR = "*\u00a0"  # no line breaks after it
_NAMES = {
    "silhouette": "the silhouette",
    "calinski_harabasz": "Calinski–Harabasz",
    "gap": "the gap statistic",
    "sse": "the bend of the SSE",
}


def heading(found: KChoice) -> str:
    """What was clustered, and into how many."""
    d = found.n_features
    scaled = "" if found.scaling.how == "none" else f", scaled by {found.scaling.how}"
    return (
        f"{found.n_rows:,} rows × {d:,} attribute{'s' * (d != 1)}{scaled}; "
        f"K = {found.ks[0]} to {found.ks[-1]}{'' if found.complete else '; interrupted'}"
    )


def table(found: KChoice) -> dict[str, list[Any]]:
    """The columns for readers, as text; what a criterion prefers is marked with a star."""
    chosen = found.preferred

    def marked(name: str, cells: list[str]) -> list[str]:
        return [
            f"{_STAR}{cell}" if k == chosen[name] else cell
            for k, cell in zip(found.ks, cells, strict=True)
        ]

    columns = {
        "K": [str(k) for k in found.ks],
        "SSE": marked("sse", [f"{v:.7g}" for v in found.sse]),
    }
    if found.silhouette_rows:
        columns["silhouette"] = marked(
            "silhouette", _with_errors(found.silhouette, found.silhouette_error)
        )
    columns["Calinski–Harabasz"] = marked(
        "calinski_harabasz", [_number(v, ",.1f") for v in found.calinski_harabasz]
    )
    if found.references:
        columns["gap"] = marked("gap", _with_errors(found.gap, found.gap_error))
    return columns


def _with_errors(values: Any, errors: Any) -> list[str]:
    return [
        _number(v, ".4f") + (f" ± {e:.4f}" if e > 0.0 else "")
        for v, e in zip(values, errors, strict=True)
    ]


def _number(value: float, how: str) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return "—" if math.isnan(value) else format(value, how)


def reading(found: KChoice) -> Iterator[str]:
    """What it comes to, then criterion by criterion."""
    yield _summary(found)
    for name, say in (
        ("silhouette", _silhouette),
        ("calinski_harabasz", _index),
        ("gap", _gap),
        ("sse", _bend),
    ):
        line = say(found, found.preferred[name])
        if line:
            yield line
    yield (
        "These are hints: each criterion has its own idea of a cluster, and none knows what the "
        "clusters are for. Look at them before you choose."
    )


def _summary(found: KChoice) -> str:
    votes = defaultdict(list)
    for name in _NAMES:
        if found.preferred[name] is not None:
            votes[found.preferred[name]].append(_NAMES[name])
    if not votes:
        return "No criterion prefers any K."
    ordered = sorted(votes.items(), key=lambda item: (-len(item[1]), item[0] or 0))
    said = [f"K = {k} ({listed(names)})" for k, names in ordered]
    if len(said) == 1:
        return f"All criteria prefer {said[0]}."
    if len(ordered[0][1]) > 1 and len(ordered[0][1]) > len(ordered[1][1]):
        return f"Most speaks for {said[0]}; others prefer {listed(said[1:])}."
    return f"The criteria disagree: {listed(said)}."


def _edge(found: KChoice, k: int) -> str:
    if k == found.ks[-1]:
        return "; that is the largest that was tried, so try larger ones"
    return ""


def _silhouette(found: KChoice, best: int | None) -> str:
    if best is None:
        return ""
    place = found.ks.index(best)
    mean, error = found.silhouette[place], found.silhouette_error[place]
    rows = "all rows"
    if found.silhouette_rows < found.n_rows:
        rows = f"{found.silhouette_rows:,} of {found.n_rows:,} rows, the same for every K"
    spread = f" ± {error:.4f}" if error > 0.0 else ""
    ties = found.silhouette_ties
    others = f"; the sample cannot tell K = {listed(map(str, ties))} from it" if ties else ""
    return (
        f"Silhouette ({rows}): largest at K = {best}, {mean:.4f}{spread}{others}"
        f"{_edge(found, best)}."
    )


def _index(found: KChoice, best: int | None) -> str:
    if best is None:
        return ""
    value = _number(found.calinski_harabasz[found.ks.index(best)], ",.1f")
    return f"Calinski–Harabasz: largest at K = {best}, {value}{_edge(found, best)}."


def _gap(found: KChoice, best: int | None) -> str:
    if not found.references:
        return ""
    rows = "all rows" if found.gap_rows == found.n_rows else f"{found.gap_rows:,} rows drawn"
    n = found.references
    sets = f"Gap ({n} reference set{'s' * (n != 1)}, {rows})"
    if best is None:
        return (
            f"{sets}: it rises by more than a standard error all the way to K = {found.ks[-1]}, so "
            "it prefers none of these; try larger ones."
        )
    following = found.ks[found.ks.index(best) + 1]
    return (
        f"{sets}: K = {best} is the smallest that is not more than one standard error below the "
        f"next, {following}."
    )


def _bend(found: KChoice, best: int | None) -> str:
    if best is None:
        return "SSE: it falls without a bend."
    return (
        f"SSE: it always falls with K; it bends most at K = {best}, farthest below the line from "
        f"K = {found.ks[0]} to {found.ks[-1]} (another range may move the bend)."
    )


def text(found: KChoice) -> str:
    """Heading, table and reading."""
    return "\n".join([heading(found), "", aligned(table(found)), "", *reading(found)])


def notebook(found: KChoice) -> str:
    """The same for a notebook."""
    said = "".join(f"<li>{html.escape(line)}</li>" for line in list(reading(found))[1:])
    return (
        f"<div><p>{html.escape(heading(found))}. {html.escape(next(reading(found)))}</p>"
        f"{html_table(table(found))}<ul>{said}</ul></div>"
    )
