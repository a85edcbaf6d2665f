"""Overlap of the components of a Gaussian mixture: how often a point is handed to a wrong one.

R. Maitra & V. Melnykov, "Simulating data to study performance of finite mixture modeling and
clustering algorithms", Journal of Computational and Graphical Statistics 19 (2010). They invert a
characteristic function by Davies' algorithm; here both directions of a pair come from one contour
integral that knows no special cases (native/overlap.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from seedbed._core._overlap import FloatArray, NotPositiveDefinite, OverlapModel
from seedbed.data._components import as_components, not_positive_definite


@dataclass(frozen=True, eq=False)
class Overlap:
    """Overlap of every pair of components.

    Attributes
    ----------
    map : ndarray, K × K
        Entry [i, j] is the chance that a point of component i is handed to j when only these two
        compete for it; 1 on the diagonal.
    """

    map: FloatArray

    @property
    def pairs(self) -> FloatArray:
        """Overlap of all pairs i < j, row by row: both ways of going wrong added up."""
        both: FloatArray = (self.map + self.map.T)[np.triu_indices(len(self.map), 1)]
        return both

    @property
    def mean(self) -> float:
        """Mean overlap of a pair."""
        return float(self.pairs.mean())

    @property
    def max(self) -> float:
        """Overlap of the pair that overlaps most."""
        return float(self.pairs.max())

    @property
    def max_pair(self) -> tuple[int, int]:
        """The pair that overlaps most."""
        rows, columns = np.triu_indices(len(self.map), 1)
        most = int(self.pairs.argmax())
        return int(rows[most]), int(columns[most])

    @property
    def generalised(self) -> float:
        """Maitra's generalised overlap: (λ − 1)/(K − 1), with λ the largest eigenvalue of the
        matrix of pair overlaps that has 1 on its diagonal."""
        both = self.map + self.map.T
        np.fill_diagonal(both, 1.0)
        return float((np.linalg.eigvalsh(both)[-1] - 1.0) / (len(both) - 1))

    def __repr__(self) -> str:
        i, j = self.max_pair
        return f"Overlap(mean {self.mean:.6g}, max {self.max:.6g} between {i} and {j})"


def overlap(weights: npt.ArrayLike, means: npt.ArrayLike, covariances: npt.ArrayLike) -> Overlap:
    """Overlap of Gaussian components, exact to about 1e-10.

    Parameters
    ----------
    weights : array-like of K proportions
        Positive, with sum 1.
    means : array-like, K × D
        The centres of the components.
    covariances : array-like, K × D × D
        Or D × D, one for all; or K variances of spherical components.

    Returns
    -------
    Overlap
        Of every pair.

    Examples
    --------
    Two equal spheres two standard deviations apart share 2 Φ(−1):

    >>> found = overlap([0.5, 0.5], [[0.0, 0.0], [2.0, 0.0]], [1.0, 1.0])
    >>> round(found.mean, 6)
    0.317311
    """
    shares, centres, spreads = as_components(weights, means, covariances)
    return overlap_of(model_of(centres, spreads), shares)


def model_of(means: FloatArray, covariances: FloatArray) -> OverlapModel:
    """What the overlap of checked components depends on, whatever their weights and scale."""
    try:
        return OverlapModel(means, covariances)
    except NotPositiveDefinite as error:
        raise not_positive_definite(int(error.args[0])) from None


def overlap_of(
    model: OverlapModel, weights: FloatArray, scale: Any = 1.0, *, limit: bool = False
) -> Overlap:
    """Overlap when covariances are multiplied by ``scale`` (one factor, or one per component), or
    in the ``limit`` of an infinite common factor."""
    factors = np.broadcast_to(np.asarray(scale, dtype=np.float64), weights.shape)
    found = model.map(weights, np.ascontiguousarray(factors), limit)
    found.flags.writeable = False
    return Overlap(found)
