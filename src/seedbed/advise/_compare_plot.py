"""Pictures of a comparison: what to expect against time, and every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seedbed.advise._compare_words import duration
from seedbed.advise._figures import SOFT, plain, pyplot, tidy
from seedbed.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from seedbed.advise._compare_result import Comparison, MethodRuns

POINTS = 12  # on a curve at most
STEEP = 30.0  # the largest error beside the middle one from which on a linear scale hides too much


def draw_time(found: Comparison, ax: Axes | None = None) -> Axes:
    """Expected least error of 1, 2, … runs of each method, against their processor time."""
    ax = ax or pyplot().subplots(figsize=(6.4, 4.4), layout="constrained")[1]
    heights: list[float] = []
    for result in found.results:
        at = counts(len(result))
        look = style(result.method)
        errors = [_excess(found, result.expected_best(int(m))) for m in at]
        heights += errors
        (line,) = ax.plot(
            at * result.seconds_per_run,
            errors,
            color=look.colour,
            marker=look.marker,
            markersize=5,
            linewidth=1.5,
            label=plain(result.label),
        )
        if look.dash:
            line.set_dashes(look.dash)
    ax.axvline(found.seconds, color=SOFT, linewidth=1, linestyle=":")
    ax.annotate(
        duration(found.seconds),
        (found.seconds, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(-3, -3),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=9,
    )
    ax.set_xscale("log")
    _scale(ax, "y", heights)
    tidy(
        ax,
        title="The best of 1, 2, … runs, as expected",
        x="processor time, seconds",
        y=_measure(found),
    )
    for words in ax.legend(frameon=False, fontsize=9).get_texts():
        words.set_parse_math(False)
    return ax


def draw_runs(found: Comparison, ax: Axes | None = None) -> Axes:
    """Every run of every method by its final error, and the mean as a bar."""
    height = 1.2 + 0.38 * len(found.results)
    ax = ax or pyplot().subplots(figsize=(6.4, height), layout="constrained")[1]
    errors: list[float] = []
    for place, result in enumerate(found.results):
        look = style(result.method)
        values = np.array([_excess(found, float(value)) for value in result.sse])
        errors += values.tolist()
        ax.plot(
            values,
            place + _spread(values),
            color=look.colour,
            marker=look.marker,
            markersize=5,
            linestyle="none",
            alpha=0.65 if len(values) > 1 else 1.0,
        )
        if len(values) > 1:
            mean = _excess(found, result.mean)
            ax.plot([mean, mean], [place - 0.36, place + 0.36], color=SOFT, linewidth=2)
    ax.set_yticks(range(len(found.results)))
    for words in ax.set_yticklabels([_tick(result) for result in found.results]):
        words.set_parse_math(False)
    ax.invert_yaxis()
    _scale(ax, "x", errors)
    tidy(ax, title="Every run, and the mean", x=_measure(found), y="")
    return ax


def figure(found: Comparison) -> Figure:
    """Both pictures side by side."""
    made, (left, right) = pyplot().subplots(1, 2, figsize=(12.5, 4.6), layout="constrained")
    draw_runs(found, left)
    draw_time(found, right)
    picture: Figure = made
    return picture


def counts(n: int) -> Any:
    """Numbers of runs, from 1 to n, that are marked on a curve."""
    return np.unique(np.geomspace(1, n, min(n, POINTS)).round().astype(int))


def _excess(found: Comparison, value: float) -> float:
    return 100.0 * max(0.0, value / found.least - 1.0) if found.least > 0.0 else value


def _measure(found: Comparison) -> str:
    return "SSE, % above the least found" if found.least > 0.0 else "SSE"


def _scale(ax: Any, axis: str, values: list[float]) -> None:
    """From 0; where few errors dwarf the others, linear up to the middle one and logarithmic
    beyond."""
    positive = [value for value in values if value > 0.0]
    middle = float(np.median(positive)) if positive else 0.0
    if positive and max(positive) > STEEP * middle:
        getattr(ax, f"set_{axis}scale")("symlog", linthresh=middle)
    if positive:
        getattr(ax, f"set_{axis}lim")(-0.04 * max(positive) if axis == "y" else None)


def _spread(values: Any) -> Any:
    """Heights that keep runs of equal error apart, by their rank."""
    if len(values) == 1:
        return np.zeros(1)
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return 0.24 * ((order * 5 % 7) / 3.0 - 1.0)


def _tick(result: MethodRuns) -> str:
    return f"{result.label} ({len(result):,})"
