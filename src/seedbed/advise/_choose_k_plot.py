"""A picture of the criteria over K."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from seedbed.advise._figures import SOFT, pyplot, tidy

if TYPE_CHECKING:
    from seedbed.advise._choose_k_result import KChoice

COLOUR, CHOSEN = "#2e6a7d", "#e3770c"


def draw(found: KChoice, axes: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
    """Four panels; what a criterion prefers is marked."""
    if axes is None:
        _, axes = pyplot().subplots(2, 2, figsize=(9.5, 6.2), layout="constrained")
    panels = np.asarray(axes)
    if panels.size != 4:
        raise ValueError(f"axes has {panels.size} axes; give four, or leave it out")
    rows = "all rows"
    if found.silhouette_rows < found.n_rows:
        rows = f"{found.silhouette_rows:,} rows"
    for ax, name, title, values, errors in zip(
        panels.flat,
        ("sse", "silhouette", "calinski_harabasz", "gap"),
        (
            "SSE: falls with K, look for a bend",
            f"Silhouette ({rows}): high is good",
            "Calinski–Harabasz: high is good",
            f"Gap ({found.references} reference sets)",
        ),
        (found.sse, found.silhouette, found.calinski_harabasz, found.gap),
        (None, found.silhouette_error, None, found.gap_error),
        strict=True,
    ):
        _panel(ax, found, name, values, errors)
        shown = errors is not None and np.nanmax(errors, initial=0.0) > 0.0
        tidy(ax, title=title, x="K", y="± 1 standard error" if shown else "")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.margins(y=0.12)
        if len(found.ks) > 1:
            edge = 0.04 * (found.ks[-1] - found.ks[0])
            ax.set_xlim(found.ks[0] - edge, found.ks[-1] + edge)
    return panels


def _panel(ax: Any, found: KChoice, name: str, values: Any, errors: Any) -> None:
    ks = np.array(found.ks)
    finite = np.isfinite(values)
    if not finite.any():
        ax.text(0.5, 0.5, "left out", transform=ax.transAxes, ha="center", fontsize=10)
        return
    ax.plot(ks[finite], values[finite], color=COLOUR, marker="o", markersize=4, linewidth=1.5)
    if errors is not None and np.nanmax(errors, initial=0.0) > 0.0:
        ax.errorbar(
            ks[finite], values[finite], yerr=errors[finite], fmt="none", ecolor=COLOUR, capsize=2
        )
    chosen = found.preferred[name]
    if chosen is None:
        return
    place = found.ks.index(chosen)
    ax.axvline(chosen, color=SOFT, linewidth=1, linestyle=":")
    ax.plot(chosen, values[place], color=CHOSEN, marker="o", markersize=9, zorder=3)
    ax.annotate(
        f"K = {chosen}",
        (chosen, 0.0),
        xycoords=("data", "axes fraction"),
        xytext=(5, 5),
        textcoords="offset points",
        fontsize=10,
        fontweight="bold",
    )
