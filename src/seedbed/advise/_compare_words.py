"""A comparison in words: the table, the verdict, and both in a notebook."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seedbed.advise._compare_result import Comparison, MethodRuns

SAME = 1e-3  # relative: errors as close as this are called equal
ROUNDING = 1e-7  # percent: nearer, and it is the least itself
MANY = 3  # methods that a sentence describes one by one
ERRORS = 2.0  # standard errors within which two means cannot be told apart

_NARROW = "\u00a0"  # a space at which no line breaks
_STYLE = (
    "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:0.5em 0",
    "text-align:{align};padding:0.2em 0.7em;border-bottom:1px solid #8884",
)


def heading(found: Comparison) -> str:
    """What was compared, on what."""
    random = [r for r in found.results if not r.deterministic]
    counts = sorted({len(r) for r in random})
    runs = "deterministic methods only"
    if counts:
        many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        runs = f"{many} run{'s' * (many != '1')} of each random method"
    if found.budget is not None:
        runs += f", {duration(found.budget)} of processor time each"
    scaled = "" if found.scaling == "none" else f", scaled by {found.scaling}"
    ended = "" if found.complete else "; interrupted"
    return (
        f"{found.n_rows:,} rows × {found.n_features:,} attribute{'s' * (found.n_features != 1)}"
        f"{scaled}, K = {found.n_clusters}; {runs}{ended}"
    )


def measure(found: Comparison) -> str:
    """What the errors in the table are."""
    if found.least > 0.0:
        errors = f"Errors (SSE) in percent above the least that was found, {found.least:.8g}."
    else:
        errors = "Errors (SSE) as they are: the least that was found is 0."
    return f"{errors} Times are of the processor, per run."


def table(found: Comparison) -> dict[str, list[str]]:
    """The columns for readers, as text."""
    columns: dict[str, list[str]] = {}
    for result in found.results:
        for name, value in _row(found, result).items():
            columns.setdefault(name, []).append(value)
    return columns


def _row(found: Comparison, result: MethodRuns) -> dict[str, str]:
    least, within = found.least, result.within(found.seconds)
    expected = "none fits"
    if within.runs:
        bound = "≤" if within.at_most else ""
        expected = f"{bound}{excess(within.sse, least)}{_NARROW}({within.runs:,})"
    return {
        "method": result.label,
        "runs": f"{len(result):,}",
        "start": excess(float(result.initial_sse.mean()), least),
        "best": excess(result.best, least),
        "mean": excess(result.mean, least),
        "sd": excess(result.sd + least, least),
        "iter.": f"{result.n_iter.mean():.1f}",
        "seeds": _short(float(result.seed_seconds.mean())),
        "k-means": _short(float(result.cluster_seconds.mean())),
        f"best in {duration(found.seconds)} (runs)": expected,
    }


def verdict(found: Comparison) -> str:
    """What it comes to: who found the least, who is best at equal runs, who at equal time."""
    winners = {r.label: _hits(r, found.least) for r in found.results if close(r.best, found.least)}
    sentences = [
        f"The least SSE, {found.least:.8g}, was reached within {SAME:.1%} by "
        f"{_named(winners, found)}."
    ]
    if len(found.results) > 1:
        sentences += [_at_equal_runs(found), _at_equal_time(found)]
    short = [f"{r.label} (up to {r.shortfall.max()})" for r in found.results if r.shortfall.any()]
    if short:
        sentences.append(f"Some seeds could not be placed by the method itself: {listed(short)}.")
    sentences += [f"{label} was left out: {why}." for label, why in found.refused.items()]
    if not found.complete:
        sentences.append("The comparison was interrupted; more runs may change it.")
    return " ".join(sentences)


def _hits(result: MethodRuns, least: float) -> str:
    if result.deterministic:
        return "always"
    hits = sum(close(float(value), least) for value in result.sse)
    return f"{hits:,} of {len(result):,} runs"


def _at_equal_runs(found: Comparison) -> str:
    best = min(found.results, key=lambda r: r.mean)
    same = [r.label for r in found.results if r is not best and _cannot_be_told(best, r)]
    others = ""
    if same:
        names = "the others" if len(same) == len(found.results) - 1 else listed(same)
        others = f"; these runs cannot tell {names} from it"
    return (
        f"A single run is best on average with {best.label}, {above(best.mean, found.least)}"
        f"{others}."
    )


def _cannot_be_told(best: MethodRuns, other: MethodRuns) -> bool:
    """Whether the difference of two means is within the error of sampling, or negligible."""
    if close(other.mean, best.mean):
        return True
    variance = 0.0
    for result in (best, other):
        if not result.deterministic:
            if len(result) == 1:
                return True
            variance += result.sd**2 / len(result)
    return other.mean - best.mean <= ERRORS * math.sqrt(variance)


def _at_equal_time(found: Comparison) -> str:
    reached = {r.label: r.within(found.seconds) for r in found.results}
    fitting = {label: within for label, within in reached.items() if within.runs}
    time = f"In {duration(found.seconds)} of processor time each"
    if not fitting:
        return f"{time}, no method finishes a run."
    least = min(within.sse for within in fitting.values())
    best = {
        label: f"{within.runs:,} run{'s' * (within.runs != 1)}"
        for label, within in fitting.items()
        if close(within.sse, least)
    }
    if len(best) == len(found.results):
        return f"{time}, every method can be expected to end within {SAME:.1%} of the lowest."
    return (
        f"{time}, {_named(best, found)} can be expected to end lowest, {above(least, found.least)}."
    )


def _named(notes: dict[str, str], found: Comparison) -> str:
    """Methods with a note each; only how many where there are so many that none stands out."""
    if len(notes) == len(found.results) > 1:
        return "every method"
    if len(notes) > MANY:
        return f"{len(notes)} of the {len(found.results)} methods ({', '.join(notes)})"
    return listed(f"{label} ({note})" for label, note in notes.items())


def close(value: float, least: float) -> bool:
    """Whether an error is as good as the least."""
    return value <= least * (1.0 + SAME)


def above(value: float, least: float) -> str:
    """How far an error is above the least, in a sentence."""
    if least == 0.0:
        return f"at an SSE of {value:.4g}"
    percent = excess(value, least)
    if percent in ("0", "0.00%"):
        return "at the least that was found"
    return f"{percent} above the least found"


def excess(value: float, least: float) -> str:
    """An error in percent above the least, or as it is where the least is nothing."""
    if math.isnan(value):
        return "—"
    if least == 0.0:
        return f"{value:.4g}"
    percent = 100.0 * (value / least - 1.0)
    if percent < ROUNDING:
        return "0"
    return f"{percent:,.{2 if percent < 100 else 0}f}%"


def duration(seconds: float, digits: int = 3) -> str:
    """A time with some digits and its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            after = max(0, digits - 1 - math.floor(math.log10(seconds / size)))
            return f"{seconds / size:,.{after}f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _short(seconds: float) -> str:
    return duration(seconds, 2).replace(" ", _NARROW)


def listed(words: Iterable[str]) -> str:
    """Words as in a sentence: one, two and three."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def aligned(columns: dict[str, list[str]]) -> str:
    """Columns as aligned text, the first to the left and the others to the right."""
    widths = [max(map(len, (name, *cells))) for name, cells in columns.items()]
    lines = []
    for first, *rest in (tuple(columns), *zip(*columns.values(), strict=True)):
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def text(found: Comparison) -> str:
    """Heading, table and verdict."""
    parts = [heading(found), measure(found), "", aligned(table(found)), "", verdict(found)]
    return "\n".join(parts)


def notebook(found: Comparison) -> str:
    """The same for a notebook: a table that stands by itself and takes the page's colours."""
    return (
        f"<div><p>{html.escape(heading(found))}. {html.escape(measure(found))}</p>"
        f"{html_table(table(found))}<p>{html.escape(verdict(found))}</p></div>"
    )


def html_table(columns: dict[str, list[Any]]) -> str:
    """Columns of text as a table, words to the left and numbers to the right."""
    table_style, cell_style = _STYLE
    styles = [cell_style.format(align="right" if i else "left") for i in range(len(columns))]

    def row(tag: str, cells: Iterable[str]) -> str:
        made = (
            f'<{tag} style="{style}">{html.escape(str(cell))}</{tag}>'
            for cell, style in zip(cells, styles, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(row("td", cells) for cells in zip(*columns.values(), strict=True))
    return (
        f'<table style="{table_style}"><thead>{row("th", columns)}</thead>'
        f"<tbody>{body}</tbody></table>"
    )
