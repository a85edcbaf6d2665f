"""What the pictures of this room share: axes, plain labels, and drawings that fit into a page."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SOFT, FAINT = "#767c85", "#9aa0a840"  # both can be seen on light and on dark ground


def pyplot() -> Any:
    """matplotlib, or how to get it."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plotting needs matplotlib: pip install 'seedbed[plot]'") from None
    return pyplot


def tidy(ax: Axes, *, title: str, x: str, y: str) -> None:
    """Titles, a light grid, and no box."""
    ax.set_title(title, loc="left", fontsize=11)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(color=FAINT, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(SOFT)
    ax.tick_params(which="both", color=SOFT, labelsize=9)


def plain(label: str) -> str:
    """A label as it is: matplotlib would leave out one that begins with an underscore."""
    return f"\u200b{label}" if label.startswith("_") else label


def as_svg(figure: Figure, name: str) -> str:
    """The drawing as SVG to stand in a page, in the page's colours; closes the figure.

    ``name`` keeps what it refers to inside apart from other drawings of the same page.
    """
    plt = pyplot()
    text = io.StringIO()
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    plt.close(figure)
    drawing = text.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", drawing, flags=re.S)
    return re.sub(
        r'id="(figure|axes|patch|line2d|text|xtick|ytick|matplotlib)', rf'id="{name}-\1', drawing
    )
