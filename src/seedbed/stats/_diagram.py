"""The critical difference diagram: methods on the axis of mean ranks, bars over those not told apart.

The layout of Demšar (2006), JMLR 7:1. Each label has a line of its own, so labels cannot overlap
however many there are, and bars follow the verdicts of whatever test was made.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seedbed.stats._pairwise import Pairwise

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = 0.24  # inches between labels
_BAR = 0.14  # inches between bars
_AXIS_WIDTH = 5.0  # inches
_ABOVE = 0.65  # inches for the axis and its numbers
_MARGIN = 0.15  # inches around everything
_COLOUR = "0.35"


def critical_difference_diagram(result: Pairwise, ax: Axes | None = None) -> Axes:
    """Draw the methods on the axis of mean ranks, with a bar over each group.

    Methods under a common bar could not be told apart. The best is on the left. Where the verdicts
    are not intervals of the rank order (Wilcoxon's test), a bar belongs only to the methods that
    have a dot on it.

    Parameters
    ----------
    result : Pairwise
        What `bergmann_hommel` or `pairwise` returned, with any test and adjustment.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure of fitting size. Labels of an axes that is given
        stand to its left and right: leave room there.

    Returns
    -------
    matplotlib.axes.Axes
    """
    import matplotlib.pyplot as plt

    bars = _bars(result)
    rows = _stacked([(low, high) for low, high, _ in bars], gap=0.02 * result.ranks.n_methods)
    heights = _Heights(result.ranks.n_methods, 1 + max(rows, default=-1))
    if ax is None:
        figure = plt.figure(figsize=(_AXIS_WIDTH, heights.total + 2 * _MARGIN))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        texts = _draw(result, ax, bars, rows, heights)
        _fit(ax, texts, heights)
    else:
        _draw(result, ax, bars, rows, heights)
    return ax


class _Heights:
    """Where things are, in inches below the axis."""

    def __init__(self, n_methods: int, n_bar_rows: int) -> None:
        self.bars_end = _BAR * (n_bar_rows + 1)
        self.below = self.bars_end + _LINE * math.ceil(n_methods / 2)
        self.total = _ABOVE + self.below

    def bar(self, row: int) -> float:
        return -_BAR * (row + 1)

    def label(self, place: int) -> float:
        return -self.bars_end - _LINE * (place + 0.5)


def _bars(result: Pairwise) -> list[tuple[float, float, list[float]]]:
    """Ends of the bar of each group of two or more, and the mean ranks that belong to it."""
    mean = dict(zip(result.names, result.ranks.mean_ranks.tolist(), strict=True))
    sets = result.groups.cliques
    ranks = [sorted(mean[name] for name in group) for group in sets if len(group) > 1]
    return sorted((r[0], r[-1], r) for r in ranks)


def _stacked(spans: list[tuple[float, float]], gap: float) -> list[int]:
    """A row for each span, such that spans of one row keep apart; spans come in order of start."""
    ends: list[float] = []
    rows = []
    for low, high in spans:
        free = (row for row, end in enumerate(ends) if end + gap < low)
        row = next(free, len(ends))
        if row == len(ends):
            ends.append(high)
        ends[row] = high
        rows.append(row)
    return rows


def _draw(
    result: Pairwise,
    ax: Axes,
    bars: list[tuple[float, float, list[float]]],
    rows: list[int],
    heights: _Heights,
) -> list[Any]:
    n = result.ranks.n_methods
    ax.set_axis_off()
    ax.set_xlim(1 - 0.02 * n, n + 0.02 * n)
    ax.set_ylim(-heights.below, _ABOVE)
    _draw_axis(ax, n)
    # Bars stick out a little, so that even methods of equal mean rank are seen to be joined.
    overhang = 0.008 * (n - 1)
    for (low, high, members), row in zip(bars, rows, strict=True):
        y = heights.bar(row)
        ax.plot([low - overhang, high + overhang], [y, y], color="k", lw=3, solid_capstyle="butt")
        if not result.groups.totally_ordered:
            ax.plot(members, [y] * len(members), "o", color="k", ms=5)
    _draw_critical_difference(result, ax)
    return _draw_labels(result, ax, heights)


def _draw_axis(ax: Axes, n: int) -> None:
    ax.plot([1, n], [0, 0], color="k", lw=1)
    step = max(1, math.ceil((n - 1) / 14))
    for tick in range(1, n + 1):
        named = (tick - 1) % step == 0
        ax.plot([tick, tick], [0, 0.1 if named else 0.05], color="k", lw=1)
        if named:
            ax.text(tick, 0.14, str(tick), ha="center", va="bottom", fontsize=9)


def _draw_critical_difference(result: Pairwise, ax: Axes) -> None:
    cd = result.critical_difference
    if cd is None or cd > result.ranks.n_methods - 1:
        return
    y = _ABOVE - 0.22
    ax.plot([1, 1, 1, 1 + cd, 1 + cd, 1 + cd], [y - 0.04, y + 0.04, y, y, y - 0.04, y + 0.04], "k")
    ax.text(1 + cd / 2, y + 0.05, f"CD = {cd:.3g}", ha="center", va="bottom", fontsize=9)


def _draw_labels(result: Pairwise, ax: Axes, heights: _Heights) -> list[Any]:
    """The better half on the left from top to bottom, the others on the right from bottom to top:
    no two connecting lines cross."""
    n = result.ranks.n_methods
    left, right = ax.get_xlim()
    texts = []
    for place, i in enumerate(np.argsort(result.ranks.sums, kind="stable")):
        mean, on_left = result.ranks.mean_ranks[i], place < math.ceil(n / 2)
        y = heights.label(place if on_left else n - 1 - place)
        edge = left if on_left else right
        ax.plot([mean, mean, edge], [0, y, y], color=_COLOUR, lw=0.8, clip_on=False, zorder=0)
        words = (result.names[i], f"{mean:.2f}")
        texts.append(
            ax.annotate(
                "  ".join(words if on_left else reversed(words)),
                (edge, y),
                xytext=(-4 if on_left else 4, 0),
                textcoords="offset points",
                ha="right" if on_left else "left",
                va="center",
                fontsize=10,
                annotation_clip=False,
            )
        )
    return texts


def _fit(ax: Axes, texts: list[Any], heights: _Heights) -> None:
    """Make the figure wide enough for the labels, which are measured as they will be drawn."""
    figure: Any = ax.figure
    renderer = figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in texts]
    middle = math.ceil(len(texts) / 2)
    left, right = (
        max((box.width / figure.dpi for box in side), default=0.0) + _MARGIN + 0.1
        for side in (boxes[:middle], boxes[middle:])
    )
    width, height = left + _AXIS_WIDTH + right, heights.total + 2 * _MARGIN
    figure.set_size_inches(width, height)
    ax.set_position(
        (left / width, _MARGIN / height, _AXIS_WIDTH / width, heights.total / height)
    )
