"""The thin typed face of the native divisive partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

if TYPE_CHECKING:
    from seedbed._core._native import DatasetDouble, DatasetFloat

Axis = Literal["attribute", "principal"]
Threshold = Literal["mean", "otsu", "exact"]

_AXES: dict[Axis, int] = {"attribute": 0, "principal": 1}
_THRESHOLDS: dict[Threshold, int] = {"mean": 0, "otsu": 1, "exact": 2}


@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """One cluster cut in two.

    Attributes
    ----------
    cluster : the cluster that was cut; its left part keeps the number, the right takes the next
    attribute : the attribute cut across, None for a principal axis
    axis : the principal axis (length one, largest component positive), None for an attribute
    threshold : where it was cut, in the data's coordinates along the attribute or the axis
    sse : the cluster's squared error before
    sizes : rows that went left and right
    residual : how far the axis is from an eigenvector, relative to the eigenvalue; above 1e-8
        the iteration stagnated and the attribute of largest variance was taken instead
    """

    cluster: int
    attribute: int | None
    axis: NDArray[np.float64] | None
    threshold: float
    sse: float
    sizes: tuple[int, int]
    residual: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Partition:
    """Clusters by repeated splitting: fewer than asked for where no cluster has any error left."""

    centers: NDArray[np.float32] | NDArray[np.float64]
    sizes: NDArray[np.int64]
    errors: NDArray[np.float64]
    splits: tuple[Split, ...]


def partition(
    data: DatasetFloat | DatasetDouble,
    n_clusters: int,
    *,
    axis: Axis,
    threshold: Threshold,
    bins: int,
    n_threads: int,
) -> Partition:
    """Split the cluster of largest error, again and again, until there are ``n_clusters``.

    The result is the same to the last bit for any order of rows and any number of threads.
    """
    found = _native.partition(
        data,
        k=n_clusters,
        axis=_AXES[axis],
        threshold=_THRESHOLDS[threshold],
        bins=bins,
        n_threads=n_threads,
    )
    principal = axis == "principal"
    splits = tuple(
        Split(
            cluster=int(found["cluster"][s]),
            attribute=None if principal else int(found["attribute"][s]),
            axis=found["axes"][s] if principal else None,
            threshold=float(found["threshold"][s]),
            sse=float(found["sse"][s]),
            sizes=(int(found["left"][s]), int(found["right"][s])),
            residual=float(found["residual"][s]),
        )
        for s in range(len(found["cluster"]))
    )
    return Partition(
        centers=found["centers"], sizes=found["sizes"], errors=found["errors"], splits=splits
    )
