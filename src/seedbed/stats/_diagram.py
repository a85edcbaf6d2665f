"""The critical difference diagram: methods on the axis of mean ranks, bars join the like.

The layout of Demšar (2006), JMLR 7:1. Each label has a line of its own, so labels cannot overlap
however many there are, and bars follow the verdicts of whatever test was made.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seedbed.stats._result import Pairwise

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = 0.24  # inches between labels
_BAR = 0.14  # inches between bars
_AXIS_WIDTH = 5.0  # inches
_NUMBERS = 0.4  # inches above the axis for its numbers
_RULER = 0.3  # inches above that for the critical difference, where there is one
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

    joins = bars(result)
    rows = stacked([(low, high) for low, high, _ in joins])
    heights = _Heights(result, 1 + max(rows, default=-1))
    if ax is None:
        figure = plt.figure(figsize=(_AXIS_WIDTH, heights.total + 2 * _MARGIN))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        texts = _draw(result, ax, joins, rows, heights)
        _fit(ax, texts, heights)
    else:
        _draw(result, ax, joins, rows, heights)
    return ax


class _Heights:
    """Where things are, in inches above the axis, which is at 0."""

    def __init__(self, result: Pairwise, n_bar_rows: int) -> None:
        means, n = np.sort(result.ranks.mean_ranks), result.ranks.n_methods
        self.half = math.ceil(n / 2)
        # Lines to both sides that end next to each other would look like one.
        self.shift = 0.5 if means[self.half] - means[self.half - 1] < 0.02 * (n - 1) else 0.0
        self.above = _NUMBERS + _RULER * (result.critical_difference is not None)
        self.bars_end = _BAR * (n_bar_rows + 1)
        self.below = self.bars_end + _LINE * (self.half + self.shift)
        self.total = self.above + self.below

    def bar(self, row: int) -> float:
        return -_BAR * (row + 1)

    def label(self, place: int, n: int) -> float:
        row = place + 0.5 if place < self.half else n - 1 - place + 0.5 + self.shift
        return -self.bars_end - _LINE * row


def bars(result: Pairwise) -> list[tuple[float, float, list[float]]]:
    """Ends of the bar of each group of two or more, and the mean ranks that belong to it.

    A bar sticks out a little, so that even methods of equal mean rank are seen to be joined, but
    never as far as the next method.
    """
    mean = dict(zip(result.names, result.ranks.mean_ranks.tolist(), strict=True))
    longest = 0.008 * (result.ranks.n_methods - 1)
    found = []
    for group in result.groups.cliques:
        if len(group) > 1:
            inside = sorted(mean[name] for name in group)
            low, high = inside[0], inside[-1]
            below = max((m for m in mean.values() if m < low), default=-math.inf)
            above = min((m for m in mean.values() if m > high), default=math.inf)
            start = low - min(longest, 0.4 * (low - below))
            end = high + min(longest, 0.4 * (above - high))
            found.append((start, end, inside))
    return sorted(found)


def stacked(spans: list[tuple[float, float]]) -> list[int]:
    """A row for each span, such that spans of one row keep apart; spans come in order of start."""
    gap = 0.01 * max((high for _, high in spans), default=0.0)
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
    joins: list[tuple[float, float, list[float]]],
    rows: list[int],
    heights: _Heights,
) -> list[Any]:
    n = result.ranks.n_methods
    ax.set_axis_off()
    ax.set_xlim(1 - 0.02 * n, n + 0.02 * n)
    ax.set_ylim(-heights.below, heights.above)
    _draw_axis(ax, n)
    for (low, high, members), row in zip(joins, rows, strict=True):
        y = heights.bar(row)
        ax.plot([low, high], [y, y], color="k", lw=3, solid_capstyle="butt")
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
    if cd is None:
        return
    y = _NUMBERS + 0.08
    ends = [1, 1, 1, 1 + cd, 1 + cd, 1 + cd]
    ax.plot(ends, [y - 0.04, y + 0.04, y, y, y - 0.04, y + 0.04], color="k", clip_on=False)
    ax.text(1 + cd / 2, y + 0.05, f"CD = {cd:.3g}", ha="center", va="bottom", fontsize=9)


def _draw_labels(result: Pairwise, ax: Axes, heights: _Heights) -> list[Any]:
    """The better half on the left from top to bottom, the others on the right from bottom to top:
    no two connecting lines cross."""
    n = result.ranks.n_methods
    left, right = ax.get_xlim()
    texts = []
    for place, i in enumerate(np.argsort(result.ranks.sums, kind="stable")):
        mean, on_left = result.ranks.mean_ranks[i], place < heights.half
        y = heights.label(place, n)
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
    boxes = [text.get_window_extent() for text in texts]
    left, right = (
        max((box.width / figure.dpi for box in side), default=0.0) + _MARGIN + 0.1
        for side in (boxes[: heights.half], boxes[heights.half :])
    )
    width, height = left + _AXIS_WIDTH + right, heights.total + 2 * _MARGIN
    figure.set_size_inches(width, height)
    ax.set_position((left / width, _MARGIN / height, _AXIS_WIDTH / width, heights.total / height))
