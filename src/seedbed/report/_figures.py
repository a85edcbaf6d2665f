"""The figures of a report as SVG and PDF files, for papers and slides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from seedbed import stats
from seedbed.report._axes import duration, log_scale, percent
from seedbed.report._charts import LEAST
from seedbed.report._extras import require
from seedbed.report._findings import Findings
from seedbed.report._measures import TINY

FORMATS: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
_HEAT = ("#f3f6f2", "#d3e6dc", "#9dcbc9", "#62aab8", "#3a859f", "#255f80", "#173a59")
HEAT_ENDS = (1e-6, 1e-3, 1e-2, 0.05, 0.2, 1.0)


def write_figures(found: Findings, folder: Path) -> list[Path]:
    """Draw every figure, the same bytes for the same study; say which files were written."""
    matplotlib = require("matplotlib", "to draw the figures")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    settings = {"svg.hashsalt": "seedbed", "svg.fonttype": "none", "pdf.fonttype": 42}
    with matplotlib.rc_context(settings):
        for name, figure in _drawn(found):
            for kind, metadata in FORMATS.items():
                path = folder / f"{name}.{kind}"
                figure.savefig(path, metadata=metadata)
                written.append(path)
    return written


def _drawn(found: Findings) -> Iterator[tuple[str, Any]]:
    for group in found.cube.groups:
        yield f"quality_and_time_{group}", _quality(found, group)
        yield f"costs_{group}", _costs(found, group)
        yield f"excess_{group}", _heat(found, group)
    for ranking in found.rankings:
        name = f"ranking_{ranking.group}_{ranking.criterion}_{ranking.statistic}"
        yield name, _ranking(ranking.pairs)


def _new(width: float, height: float) -> tuple[Any, Any]:
    """A figure that no window shows, so that nothing has to be closed."""
    figure = require("matplotlib.figure", "to draw the figures").Figure(
        figsize=(width, height), layout="constrained"
    )
    return figure, figure.add_subplot()


def _log_axis(ax: Any, which: str, values: Sequence[float], show: Callable[[float], str]) -> None:
    """Whole powers of ten, shown as readers know them."""
    scale = log_scale(values, 0.0, 1.0, LEAST if show is _share else TINY)
    ax.set(**{f"{which}scale": "log", f"{which}lim": (scale.low / 1.1, scale.high)})
    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_major_formatter(lambda value, _: show(value))
    axis.set_minor_formatter(lambda *_: "")


def _share(value: float) -> str:
    return "0" if value <= LEAST else percent(value)


def _ranking(pairs: stats.Pairwise) -> Any:
    from matplotlib import pyplot

    figure: Any = stats.critical_difference_diagram(pairs).figure
    pyplot.close(figure)  # it can still be saved
    return figure


def _quality(found: Findings, group: str) -> Any:
    figure, ax = _new(7.0, 4.5)
    for label, method in found.methods.items():
        mine = [o for o in found.offers if (o.group, o.method) == (group, label)]
        look = method.style
        ax.plot(
            [o.seconds for o in mine],
            [max(LEAST, o.excess) if math.isfinite(o.excess) else math.nan for o in mine],
            color=look.colour,
            marker=look.marker,
            linestyle=(0, look.dash) if look.dash else "-",
            markersize=5,
            label=method.name,
        )
    of_group = [o for o in found.offers if o.group == group]
    _log_axis(ax, "x", [o.seconds for o in of_group], duration)
    _log_axis(ax, "y", [o.excess for o in of_group], _share)
    ax.set(
        xlabel="processor time of one run, of the best of two, three, … runs",
        ylabel="SSE above the best known",
    )
    ax.grid(alpha=0.3)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def _costs(found: Findings, group: str) -> Any:
    mine = [cost for cost in found.costs if cost.group == group]
    figure = require("matplotlib.figure", "to draw the figures").Figure(
        figsize=(7.0, 1.0 + 0.3 * len(mine)), layout="constrained"
    )
    left, right = figure.subplots(1, 2, sharey=True)
    for i, cost in enumerate(mine):
        look = found.methods[cost.method].style
        for ax, middle, ends in (
            (left, cost.iterations, cost.iterations_quartiles),
            (right, cost.seconds, cost.seconds_quartiles),
        ):
            ax.plot(ends, (i, i), color=look.colour, lw=4, alpha=0.4, solid_capstyle="butt")
            ax.plot(middle, i, marker=look.marker, color=look.colour, ms=7)
        right.plot(cost.seeding_seconds, i, "o", mfc="w", mec=look.colour, ms=4)
    left.set_yticks(range(len(mine)), [found.methods[c.method].name for c in mine])
    left.invert_yaxis()
    left.set(xlabel="iterations", xlim=(0, None))
    times = [t for c in mine for t in (c.seconds, *c.seconds_quartiles, c.seeding_seconds)]
    _log_axis(right, "x", times, duration)
    right.set(xlabel="processor time of a run (hollow: seeding)")
    for ax in (left, right):
        ax.grid(axis="x", alpha=0.3)
    return figure


def _heat(found: Findings, group: str) -> Any:
    """Mean excess, methods × data sets; data sets are named where there is room."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    places = found.cube.groups[group]
    values = np.array([found.cube.excess(label)[places].mean(axis=1) for label in found.methods])
    named = len(places) <= 80
    width = min(14.0, max(5.0, 2.5 + 0.22 * len(places)))
    figure, ax = _new(width, 1.2 + 0.28 * len(found.methods) + (1.3 if named else 0.0))
    ends = [-1.0, *HEAT_ENDS, max(10.0, float(np.nanmax(values, initial=0.0)) * 1.01)]
    shown = ax.pcolormesh(
        values,
        cmap=ListedColormap(_HEAT),
        norm=BoundaryNorm(ends, len(_HEAT)),
        rasterized=not named,
    )
    ax.set_yticks(np.arange(len(values)) + 0.5, [m.name for m in found.methods.values()])
    ax.invert_yaxis()
    if named:
        names = [found.cube.sets[i].name for i in places]
        ax.set_xticks(np.arange(len(names)) + 0.5, names, rotation=60, ha="right", fontsize=8)
    else:
        ax.set_xlabel(f"{len(places):,} data sets, by name")
    bar = figure.colorbar(shown, ax=ax, ticks=HEAT_ENDS, spacing="uniform")
    bar.ax.set_yticklabels(["0", "0.1 %", "1 %", "5 %", "20 %", "100 %"])
    bar.set_label("SSE above the best known")
    return figure
