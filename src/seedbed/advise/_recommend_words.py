"""A recommendation as people read it: in a terminal and in a notebook."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from seedbed.init._auto import changed, name_of, percent, said

if TYPE_CHECKING:
    from seedbed.advise._recommend import Option, Recommendation

HEADING = ("", "method", "runs", "time, about", "SSE above best known", "in 95 % below")
WIDTH = 96


def line(option: Option) -> str:
    """An option in one line."""
    return (
        f"{said(option.method, option.runs)}: about {duration(option.seconds)}, "
        f"{percent(option.excess)} above the best known SSE"
    )


def text(advice: Recommendation, *, do: str | None = None) -> str:
    """The whole recommendation for a terminal; ``do`` is what to write, Python by default."""
    filled = [
        textwrap.fill(p, WIDTH, break_on_hyphens=False, break_long_words=False)
        for p in _paragraphs(advice)
    ]
    return "\n".join([*filled, "", f"    {do or code(advice)}", "", *_table(advice)])


def html(advice: Recommendation) -> str:
    """The whole recommendation for a notebook."""
    body = "\n".join(_row("td", cells) for cells in _cells(advice))
    prose = "\n".join(f"<p>{escape(p)}</p>" for p in _paragraphs(advice))
    return (
        f"{prose}\n<pre>{escape(code(advice))}</pre>\n"
        f"<table>\n{_row('th', HEADING)}\n{body}\n</table>"
    )


def code(advice: Recommendation) -> str:
    """What to write."""
    runs = f", n_init={advice.runs}" if advice.runs > 1 else ""
    return f"seedbed.KMeans({advice.n_clusters}, init={_init(advice)}{runs})"


def duration(seconds: float) -> str:
    """Seconds in a unit that suits them, two digits of it."""
    for unit, name in ((3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            value = seconds / unit
            return f"{value:.2g} {name}" if value < 10 else f"{value:.0f} {name}"
    return "less than 1 ms"


def _init(advice: Recommendation) -> str:
    method, name = advice.method, name_of(advice.method)
    if "(" not in name:
        return f'"{name}"'
    given = ", ".join(f"{option}={value!r}" for option, value in changed(method).items())
    return f"seedbed.init.{type(method).__name__}({given})"


def _paragraphs(advice: Recommendation) -> Iterator[str]:
    time = duration(advice.seconds)
    about = time if time.startswith("less") else f"about {time}"
    yield f"Use {said(advice.method, advice.runs)}: {about} here."
    yield advice.why
    if advice.budget is not None:
        yield _on_budget(advice)
    yield _on_better(advice)


def _on_budget(advice: Recommendation) -> str:
    limit = duration(advice.budget or 0)
    if not advice.within_budget:
        return f"Nothing fits into the {limit} of the budget; this is the cheapest way."
    return f"It is the best that fits into the {limit} of the budget."


def _on_better(advice: Recommendation) -> str:
    if not advice.better:
        what = "No deterministic method" if advice.deterministic else "Nothing"
        return f"{what} that was studied ends lower."
    best = advice.better[-1]
    times = best.seconds / advice.seconds
    return f"To do better: {line(best)} ({times:.2g} times as long)."


def _cells(advice: Recommendation) -> Iterator[tuple[str, ...]]:
    for option in advice.alternatives:
        yield (
            "→" if option == advice.chosen else "",
            name_of(option.method),
            str(option.runs),
            duration(option.seconds),
            percent(option.excess),
            percent(option.high),
        )


def _table(advice: Recommendation) -> Iterator[str]:
    rows = [HEADING, *_cells(advice)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
