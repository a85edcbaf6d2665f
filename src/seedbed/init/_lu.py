"""Lu, Tang, Tang and Yang's hierarchical method: k-means on a pyramid of ever coarser pictures of
the data, from the top down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import describe_attributes, group_rows, group_sums, nearest_levels
from seedbed._core._seeding import distinct_rows
from seedbed._validation import FloatArray, Points, is_integer, points_of
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._inner import run_inner
from seedbed.init._registry import register
from seedbed.init._shortfall import add_farthest

_POINTS_PER_SEED = 20  # the top of the pyramid has at least as many
_MOST_KEYS = 12  # attributes that decide which points are merged
_LARGE = 1_000_000  # rows from which the picture is finer


@register
@dataclass(frozen=True, kw_only=True)
class Lu(Method):
    """Weighted k-means from the coarsest picture of the data to the finest.

    The finest picture has the rows rounded to ``2**bits`` values per attribute; in each coarser
    one, cells of double the width are merged into the weighted mean of their points. The coarsest
    has at least 20 points per cluster, and its heaviest points are where k-means starts.
    """

    meta = Meta(
        id="lu",
        name="Lu pyramid",
        aliases=("lu-tang-tang-yang", "pyramid", "hierarchical-pyramid"),
        family="linear",
        reference=Reference(
            authors="Lu, J. F., Tang, J. B., Tang, Z. M. & Yang, J. Y.",
            title="Hierarchical initialization approach for k-means clustering",
            venue="Pattern Recognition Letters 29, 787–795",
            year=2008,
        ),
        summary="k-means on coarse pictures of the data, then on finer ones",
        complexity="O(ND + NKD) per inner iteration",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for large data with few attributes: most of the work is done on small pictures",
        avoid="with many attributes, where no two rows share a cell and nothing is saved; and "
        "where the heaviest cells lie in one cluster (spread=True helps)",
    )

    bits: int | None = parameter(
        None,
        "the finest picture has 2**bits values per attribute; None for 8, or 10 beyond a million "
        "rows",
        allowed="None or an int between 1 and 16",
        accepts=lambda v: v is None or (is_integer(v) and 1 <= v <= 16),
    )
    spread: bool = parameter(
        False,
        "whether to weigh the heaviest points by their distance to those taken, one after another",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool | np.bool_),
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        bits = (10 if points.n > _LARGE else 8) if self.bits is None else int(self.bits)
        pyramid = _pyramid(points, bits, _POINTS_PER_SEED * n_clusters, n_threads)
        top = pyramid[-1]
        centers = top.x[_heaviest(top, n_clusters, spread=bool(self.spread))]
        if len(centers) == n_clusters:
            for level in reversed(pyramid):
                centers = run_inner(level, centers[np.newaxis], n_threads)[0].centers
        found = _unrounded(points, centers, bits, n_threads)
        kept = distinct_rows(points_of(found, None).data, n_clusters)
        seeds, added = add_farthest(points, found[kept], n_clusters, n_threads)
        info = {
            "bits": bits,
            "levels": tuple(level.n for level in pyramid),
            "shortfall": len(added),
        }
        return Seeds(seeds, info=info)


def _pyramid(points: Points, bits: int, least: int, n_threads: int) -> list[Points]:
    """Pictures of the data, the finest first, all in units of the finest grid.

    Those above the finest have at least ``least`` points; one that merges nothing is left out.
    """
    levels = nearest_levels(points.data, np.arange(points.d), 1 << bits, n_threads)
    labels, first = group_rows(levels)
    keys, mass = levels[first], np.bincount(labels, weights=points.weight).astype(np.float64)
    sums = mass[:, np.newaxis] * keys
    pictures = [_picture(sums, mass, n_threads)]
    if points.d > _MOST_KEYS:
        keys = keys[:, describe_attributes(points.data, n_threads).widest(_MOST_KEYS)]
    for shift in range(1, bits + 1):
        labels, first = group_rows(keys, shift)
        if len(first) < least:
            break
        if len(first) == len(mass):
            continue
        keys, sums = keys[first], group_sums(sums, labels, len(first))
        mass = group_sums(mass[:, np.newaxis], labels, len(first))[:, 0]
        pictures.append(_picture(sums, mass, n_threads))
    return pictures


def _picture(sums: NDArray[np.float64], mass: NDArray[np.float64], n_threads: int) -> Points:
    """Points at the means of cells, from the sums of what lies in them."""
    means: Any = sums / mass[:, np.newaxis]
    return points_of(means, mass, n_threads=n_threads)


def _heaviest(picture: Points, count: int, *, spread: bool) -> NDArray[np.intp]:
    """The heaviest points, the lexicographically first among equals."""
    assert picture.weight is not None
    rank = np.lexsort([*picture.x.T[::-1], -picture.weight])
    if not spread:
        return rank[:count]
    x, weight = picture.x[rank], picture.weight[rank]
    chosen, nearest = [0], np.full(len(x), np.inf)
    while len(chosen) < min(count, len(x)):
        nearest = np.minimum(nearest, np.linalg.norm(x - x[chosen[-1]], axis=1))
        chosen.append(int((weight * nearest).argmax()))
    return rank[chosen]


def _unrounded(points: Points, centers: FloatArray, bits: int, n_threads: int) -> FloatArray:
    """Centres on the grid as centres among the rows."""
    box = describe_attributes(points.data, n_threads)
    low, high = box.least.astype(np.float64), box.greatest.astype(np.float64)
    part = centers / ((1 << bits) - 1)
    inside: Any = np.clip(low * (1.0 - part) + high * part, low, high)
    return inside.astype(points.x.dtype)  # type: ignore[no-any-return]
