"""Astrahan's method: dense rows that keep their distance from each other.

The report gives no radii and does not say how surplus seeds are joined; the defaults here and
Ward's linkage are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from seedbed._core._seeding import label_means
from seedbed._validation import Points, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import Frame, distinct_frame, n_max_parameter
from seedbed.init._linkage import agglomerate
from seedbed.init._pairs import Floats, Pairs, squares_to
from seedbed.init._registry import register


def _radius(doc: str) -> Any:
    return parameter(
        None,
        doc,
        allowed="None or a number > 0",
        accepts=lambda v: v is None or (isinstance(v, int | float) and 0 < v < np.inf),
    )


@register
@dataclass(frozen=True, kw_only=True)
class Astrahan(Method):
    """Rows by decreasing density, each accepted if it is far enough from those accepted before.

    The density of a row is the weight within ``d1`` of it, itself included; among equally dense
    rows the one whose neighbours are nearest comes first, then the one nearer the mean. Where more
    rows are accepted than asked for, Ward's linkage joins them, each with its density for weight;
    where fewer, the farthest rows are added. ``info`` has the radii used and how many rows were
    accepted.
    """

    meta = Meta(
        id="astrahan",
        name="Astrahan",
        family="quadratic",
        reference=Reference(
            authors="Astrahan, M. M.",
            title="Speech analysis by clustering, or the hyperphoneme method",
            venue="Stanford Artificial Intelligence Project, memorandum AIM-124",
            year=1970,
        ),
        summary="the densest rows that lie a given distance apart",
        complexity="O(N²D)",
        cost="quadratic",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="where clusters are dense cores in sparse surroundings and a sensible radius is known",
        avoid="without a radius to give it: the seeds depend on it, and densities vary with D",
    )

    d1: float | None = _radius(
        "radius within which neighbours are counted; None for a quarter of the mean distance of "
        "two rows, doubled until half the rows have five neighbours"
    )
    d2: float | None = _radius("least distance between accepted rows; None for 2·d1")
    n_max: int = n_max_parameter(10_000)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        frame = distinct_frame(points, self.n_max, self.meta.id, n_threads)
        if self.d1 is None:
            d1, density, tightness = _dense_enough(frame)
        else:
            d1 = frame.length_here(self.d1)
            density, tightness = _densities(frame, d1)
        d2 = 2 * d1 if self.d2 is None else frame.length_here(self.d2)
        to_mean = squares_to(frame.x, frame.mean())
        order = np.lexsort((to_mean, tightness, -density))  # stable: lowest row among equals
        accepted = _apart(frame.x, order, d2)
        info: dict[str, Any] = {
            "d1": frame.length(d1),
            "d2": frame.length(d2),
            "accepted": len(accepted),
        }
        if len(accepted) <= n_clusters:
            info["densities"] = density[accepted]
            return frame.row_seeds(accepted, n_clusters, n_threads, **info)
        means = _joined(frame.x[accepted], density[accepted], n_clusters)
        return frame.mean_seeds(means, n_clusters, n_threads, **info)


def _dense_enough(frame: Frame) -> tuple[float, Floats, Floats]:
    """The default radius, with the densities it gives."""
    mass, total = frame.mass, float(frame.mass.sum())
    one = min(1.0, total / len(mass))  # what counts as one row where weights are fractions
    d1, farthest = 0.0, 0.0
    for block, pair in Pairs(frame.x).squares():
        np.sqrt(pair, out=pair)
        farthest = max(farthest, float(pair.max()))
        pair *= mass
        d1 += 0.25 * float(mass[block] @ pair.sum(axis=1)) / total / total
    while True:
        density, tightness = _densities(frame, d1)
        sparse = float(mass[density < 6 * one].sum())  # the row itself and five others
        if sparse <= total / 2 or d1 >= farthest:
            return d1, density, tightness
        d1 *= 2


def _densities(frame: Frame, d1: float) -> tuple[Floats, Floats]:
    """The weight within ``d1`` of each row, and its mean distance from there."""
    density, reach = np.empty(len(frame.x)), np.empty(len(frame.x))
    for block, pair in Pairs(frame.x).squares():
        np.sqrt(pair, out=pair)
        near = np.where(pair <= d1, frame.mass, 0.0)
        density[block] = near.sum(axis=1)
        pair *= near
        reach[block] = pair.sum(axis=1)
    return density, reach / density


def _apart(x: Floats, order: Any, d2: float) -> list[int]:
    """Rows in that order, each at least ``d2`` from those before it."""
    free, accepted = np.ones(len(x), dtype=bool), list[int]()
    for row in order.tolist():
        if free[row]:
            accepted.append(row)
            free &= np.sqrt(squares_to(x, x[row])) >= d2
            free[row] = False
    return accepted


def _joined(x: Floats, density: Floats, n_clusters: int) -> Floats:
    """The means of the clusters into which Ward's linkage joins the accepted rows."""
    labels = agglomerate(x, density, n_clusters, "ward")
    means: Any = label_means(points_of(x, density).data, labels, n_clusters)
    return means  # type: ignore[no-any-return]
