"""The critical difference diagram, drawn in the page's colours.

`seedbed.stats.critical_difference_diagram` draws the same for papers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from seedbed import stats
from seedbed.report._axes import point, shorten
from seedbed.report._methods import StudyMethod
from seedbed.report._svg import drawing, element, text
from seedbed.stats._diagram import bars, stacked

_WIDTH, _LEFT, _RIGHT, _AXIS = 512.0, 166.0, 346.0, 34.0
_ROW = 20.0


def critical_differences(
    pairs: stats.Pairwise, methods: Mapping[str, StudyMethod], title: str
) -> str:
    """Methods on the axis of mean ranks, the best on the left; bars join those that cannot be told
    apart."""
    n, left, right, axis = pairs.ranks.n_methods, _LEFT, _RIGHT, _AXIS
    means = dict(zip(pairs.names, pairs.ranks.mean_ranks.tolist(), strict=True))
    order = sorted(means, key=lambda name: means[name])

    def x(rank: float) -> float:
        return left + (right - left) * (rank - 1) / max(n - 1, 1)

    step = max(1, math.ceil((n - 1) / 10))
    ticks = range(1, n + 1, step)
    ruler = "".join(f"M{x(tick):.1f},{axis:g}v-6" for tick in ticks)
    parts = [element("path", d=f"M{left:g},{axis:g}H{right:g}{ruler}", class_="ink")]
    parts += [text(str(tick), x(tick), axis - 10, class_="tick") for tick in ticks]
    joins = bars(pairs)
    rows = stacked([(low, high) for low, high, _ in joins])
    for (low, high, inside), row in zip(joins, rows, strict=True):
        y = axis + 10 + 8 * row
        parts.append(
            element("path", d=f"M{x(low):.1f},{y:g}H{x(high):.1f}", class_="ink", stroke_width=4)
        )
        if not pairs.groups.totally_ordered:
            parts += [element("circle", cx=x(m), cy=y, r=4, fill="var(--ink)") for m in inside]
    top = axis + 22 + 8 * (max(rows, default=-1) + 1)
    half = math.ceil(n / 2)
    for place, name in enumerate(order):
        on_left = place < half
        row = place if on_left else n - 1 - place
        y = top + _ROW * row
        parts.append(_rank_label(methods[name], means[name], x(means[name]), axis, y, on_left))
    height = top + _ROW * half
    return drawing(_WIDTH, height, *parts, title=title, desc=f"Worst to best: {pairs.groups}")


def _rank_label(
    method: StudyMethod, mean: float, x: float, axis: float, y: float, on_left: bool
) -> str:
    edge, at = (_LEFT - 8, _LEFT - 18) if on_left else (_RIGHT + 8, _RIGHT + 18)
    outwards = -1 if on_left else 1
    line = element("path", d=f"M{x:.1f},{axis:g}V{y:g}H{edge:g}", class_="axis")
    words = shorten(method.name, 16)
    name = text(words, at + 8 * outwards, y + 4, class_="end" if on_left else None)
    rank = text(
        f"{mean:.2f}", edge - 3 * outwards, y - 3, class_="small" if on_left else "small end"
    )
    return line + point(method, at, y) + name + rank
