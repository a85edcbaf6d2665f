"""Pictures of mixtures: components as ellipses, points by their class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seedbed._validation import is_integer
from seedbed.data._mixture import Mixture
from seedbed.data._sample import OUTLIER, Sample, sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that stay apart for colour-blind readers (Okabe & Ito 2008), then repeated.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")


def plot_mixture(
    mixture: Mixture,
    points: Sample | Any = None,
    *,
    n_samples: int = 1000,
    level: float = 0.95,
    random_state: int | None = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw a two-dimensional mixture: its points, and the ellipse that holds a share of each.

    Needs matplotlib.

    Parameters
    ----------
    mixture : Mixture
        With two features.
    points : Sample, optional
        A sample of it (or anything with ``X`` and ``y`` on the scale of the mixture); by default
        ``n_samples`` are drawn, and none if that is 0.
    n_samples : int, default=1000
        How many points to draw where none are given.
    level : float, default=0.95
        Share of a component inside its ellipse, between 0 and 1.
    random_state : int or None, default=0
        Seed of the points that are drawn.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on.
    """
    _check(mixture, n_samples, level)
    try:
        from matplotlib import pyplot
        from matplotlib.patches import Ellipse
    except ImportError:
        raise ImportError("plotting needs matplotlib: pip install 'seedbed[plot]'") from None
    if ax is None:
        _, ax = pyplot.subplots(figsize=(4, 4), layout="constrained")
    if points is None and n_samples:
        points = sample(mixture, n_samples, random_state=random_state)
    if points is not None:
        ax.scatter(
            points.X[:, 0], points.X[:, 1], s=6, c=_colours_of(points.y), linewidths=0, alpha=0.6
        )
    for k in range(mixture.n_clusters):
        values, vectors = np.linalg.eigh(mixture.covariances[k])
        width, height = 2.0 * np.sqrt(-2.0 * np.log1p(-level) * values)  # chi-square, 2 degrees
        angle = np.degrees(np.arctan2(vectors[1, 0], vectors[0, 0]))
        ax.add_patch(
            Ellipse(mixture.means[k], width, height, angle=angle, fill=False, lw=1.2, ec=_colour(k))
        )
        ax.plot(*mixture.means[k], marker="+", ms=7, mew=1.5, color="black")
    ax.set_aspect("equal")
    ax.autoscale_view()
    return ax


def _colour(k: int) -> str:
    return _COLOURS[k % len(_COLOURS)]


def _colours_of(y: Any) -> list[str]:
    return ["#888888" if k == OUTLIER else _colour(int(k)) for k in y]


def _check(mixture: Mixture, n_samples: int, level: float) -> None:
    if mixture.n_features != 2:
        raise ValueError(
            f"the mixture has {mixture.n_features} features; only two can be drawn: make one with "
            "n_features=2"
        )
    if not 0.0 < level < 1.0:
        raise ValueError(f"level={level!r} is out of range; give a share between 0 and 1")
    if not is_integer(n_samples) or n_samples < 0:
        raise ValueError(f"n_samples={n_samples!r} is not usable; give an integer, 0 or more")
