"""The figures of quality, iterations and time, drawn in the page's colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seedbed.report._axes import Scale, duration, log_scale, percent, point, shorten
from seedbed.report._measures import Cost, Offer
from seedbed.report._methods import StudyMethod
from seedbed.report._svg import drawing, element, text

LEAST = 1e-6  # an excess up to this is drawn at the foot of the axis: runs tie within it


def quality_and_time(
    offers: Sequence[Offer], methods: Mapping[str, StudyMethod], title: str, *, narrow: bool = False
) -> str:
    """A line per method, from one run to the best of all; the lower left is good and cheap."""
    shown = [label for label in methods if any(o.method == label for o in offers)]
    width, named = (380.0, 128.0) if narrow else (860.0, 150.0)
    height = max(320.0 if narrow else 440.0, 16.0 * len(shown) + 70)
    x = log_scale([o.seconds for o in offers], 58.0, width - named)
    y = log_scale([o.excess for o in offers], height - 48, 14.0, LEAST)
    parts = [*_frame(x, y, width - named, height), *_titles(x, y, narrow)]
    ends = []
    for label in shown:
        line = [(x(o.seconds), y(o.excess)) for o in offers if o.method == label]
        parts.append(_line(methods[label], line))
        ends.append((line[-1][1], line[-1][0], methods[label]))
    parts += _named_ends(ends, width - named, height - 40, narrow)
    return drawing(width, height, *parts, title=title)


def _line(method: StudyMethod, places: Sequence[tuple[float, float]]) -> str:
    d = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = " ".join(map(str, method.style.dash)) or None
    stroke = element(
        "path", d=d, fill="none", stroke=method.style.colour, stroke_width=2, stroke_dasharray=dash
    )
    return stroke + "".join(point(method, x, y, 4) for x, y in places)


def _frame(x: Scale, y: Scale, right: float, height: float) -> list[str]:
    parts = []
    for tick in y.ticks():
        words = "0" if tick <= LEAST and y.low <= LEAST else percent(tick)
        parts.append(element("path", d=f"M58,{y(tick):.1f}H{right:g}", class_="grid"))
        parts.append(text(words, 52, y(tick) + 4, text_anchor="end", font_size=11, class_="soft"))
    for tick in x.ticks():
        parts.append(element("path", d=f"M{x(tick):.1f},14V{height - 48:g}", class_="grid"))
        parts.append(
            text(
                duration(tick),
                x(tick),
                height - 32,
                text_anchor="middle",
                font_size=11,
                class_="soft",
            )
        )
    return parts


def _titles(x: Scale, y: Scale, narrow: bool) -> list[str]:
    middle = (x.start + x.end) / 2
    across = (
        "processor time of all runs"
        if narrow
        else "processor time of one run, of the best of two, three, … runs"
    )
    return [
        text(across, middle, y.start + 36, text_anchor="middle", font_size=12),
        text("SSE above the best known", 62, 11, font_size=11, class_="soft"),
    ]


def _named_ends(
    ends: list[tuple[float, float, StudyMethod]], right: float, foot: float, narrow: bool
) -> list[str]:
    """Names beside the ends of the lines, moved apart where they would overlap."""
    ends.sort(key=lambda end: end[0])
    places = _apart([end[0] for end in ends], 15.0, 14.0, foot)
    parts = []
    for (y, x, method), place in zip(ends, places, strict=True):
        leader = f"M{x + 7:.1f},{y:.1f}L{right + 2:.1f},{place:.1f}"
        parts.append(element("path", d=leader, class_="grid"))
        parts.append(point(method, right + 9, place, 4.5))
        parts.append(
            text(shorten(method.name, 16 if narrow else 20), right + 18, place + 4, font_size=12)
        )
    return parts


def _apart(wanted: Sequence[float], gap: float, top: float, foot: float) -> list[float]:
    """Places in the same order, at least ``gap`` apart, near the wanted ones and above the foot."""
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y, placed[-1] + gap if placed else top))
    for i in reversed(range(len(placed))):
        most = foot if i == len(placed) - 1 else placed[i + 1] - gap
        placed[i] = min(placed[i], most)
    return placed


# ---- iterations and time


def cost_chart(
    costs: Sequence[Cost], methods: Mapping[str, StudyMethod], title: str, *, narrow: bool = False
) -> str:
    """Two panels, a row per method: iterations and processor time of a run."""
    panel, names = (216.0, 134.0) if narrow else (330.0, 160.0)
    rows = len(costs)
    below = 44 + 24.0 * rows + 24
    width = names + panel + 20 if narrow else names + 2 * panel + 60
    height = 2 * below if narrow else below
    second = (names, below) if narrow else (names + panel + 40, 0.0)
    most = max(c.iterations_quartiles[1] for c in costs)
    iterations = Scale(
        0.0, max(most, max(c.iterations for c in costs)) * 1.05, names, names + panel, log=False
    )
    every = [v for c in costs for v in (c.seconds, *c.seconds_quartiles, c.seeding_seconds)]
    time = log_scale([v for v in every if v > 1e-9], second[0], second[0] + panel)
    parts = _panel(
        "iterations",
        iterations,
        [str(int(t)) if t == int(t) else f"{t:g}" for t in iterations.ticks()],
        0.0,
        rows,
    )
    parts += _panel(
        "processor time of a run", time, [duration(t) for t in time.ticks()], second[1], rows
    )
    for i, cost in enumerate(costs):
        method, y = methods[cost.method], 56 + 24.0 * i
        parts += _row(method, iterations, y, cost.iterations, cost.iterations_quartiles, names)
        parts += _row(
            method,
            time,
            y + second[1],
            cost.seconds,
            cost.seconds_quartiles,
            names if narrow else 0.0,
        )
        if cost.seeding_seconds > 1e-9:
            parts.append(
                element(
                    "circle",
                    cx=time(cost.seeding_seconds),
                    cy=y + second[1],
                    r=3.5,
                    fill="var(--ground)",
                    stroke=method.style.colour,
                    stroke_width=1.5,
                )
            )
    return drawing(width, height, *parts, title=title)


def _panel(title: str, scale: Scale, words: Sequence[str], top: float, rows: int) -> list[str]:
    parts = [text(title, scale.start, top + 16, font_size=13, font_weight=600)]
    for tick, shown in zip(scale.ticks(), words, strict=True):
        parts.append(
            element("path", d=f"M{scale(tick):.1f},{top + 42:g}v{24 * rows + 4:g}", class_="grid")
        )
        parts.append(
            text(shown, scale(tick), top + 36, text_anchor="middle", font_size=11, class_="soft")
        )
    return parts


def _row(
    method: StudyMethod,
    scale: Scale,
    y: float,
    middle: float,
    ends: tuple[float, float],
    names: float,
) -> list[str]:
    low, high = (scale(max(end, scale.low)) for end in ends)
    parts = [
        element(
            "path",
            d=f"M{low:.1f},{y:g}H{high:.1f}",
            stroke=method.style.colour,
            stroke_width=5,
            stroke_opacity=0.45,
            fill="none",
        ),
        point(method, scale(middle), y, 5.5),
    ]
    if names:
        parts.append(
            text(shorten(method.name, 17), names - 12, y + 4, text_anchor="end", font_size=12)
        )
    return parts
