"""The study's three normalised external criteria, and the complexity that is made of them.

Formulas after Wu, Xiong & Chen, "Adapting the right measures for k-means clustering" (KDD 2009);
the normalised Rand index is the adjusted one of Hubert & Arabie, "Comparing partitions" (Journal
of Classification 2, 1985). Counts stay integers until the last division, so that nothing overflows
or cancels, and sums of logarithms are rounded once, so that the order of points and the names of
labels cannot change a bit of the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seedbed._core._criteria import Counts, count_pairs, sum_of_largest
from seedbed.criteria._contingency import Contingency, contingency


@dataclass(frozen=True)
class Comparison:
    """Agreement of a clustering with known classes by the three criteria of the study.

    Attributes
    ----------
    normalised_rand : float
        Larger is better: 1 is perfect, 0 is chance, slightly negative is possible.
    van_dongen : float
        Smaller is better: 0 is perfect, at most 1.
    variation_of_information : float
        Smaller is better: 0 is perfect, at most 1.
    """

    normalised_rand: float
    van_dongen: float
    variation_of_information: float

    @property
    def complexity(self) -> float:
        """Mean disagreement Ω = (1 − Rand + van Dongen + VI)/3; smaller is better, 0 is perfect.

        For the labels of k-means started from the true centres this is the study's complexity of
        a data set. It exceeds 1 a little where the Rand index is negative, and is not clipped.
        """
        return (1.0 - self.normalised_rand + self.van_dongen + self.variation_of_information) / 3.0


def compare(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> Comparison:
    """Compute all three criteria from one contingency table.

    Parameters
    ----------
    labels_true : array-like
        The classes, as `contingency` takes them.
    labels_pred : array-like
        The clusters of the same points.

    Returns
    -------
    Comparison
        The three criteria.

    Examples
    --------
    >>> found = compare([0, 0, 1, 1], ["b", "b", "a", "a"])
    >>> found.normalised_rand, found.van_dongen, found.variation_of_information
    (1.0, 0.0, 0.0)
    """
    table = contingency(labels_true, labels_pred)
    return Comparison(
        normalised_rand=_normalised_rand(table),
        van_dongen=_van_dongen(table),
        variation_of_information=_variation_of_information(table),
    )


def normalised_rand(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Rand index corrected for chance (the adjusted Rand index); **larger is better**.

    1 for the same partition, 0 on average for independent ones, at least −1/2. Two partitions
    into one cluster, or two into single points, are the same: 1.

    Parameters
    ----------
    labels_true : array-like
        The classes, as `contingency` takes them.
    labels_pred : array-like
        The clusters of the same points.

    Returns
    -------
    float
        At most 1.

    Examples
    --------
    >>> round(normalised_rand([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.5714
    """
    return _normalised_rand(contingency(labels_true, labels_pred))


def van_dongen(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Van Dongen's distance divided by its largest value for these sizes; **smaller is better**.

    0 for the same partition, at most 1.

    Parameters
    ----------
    labels_true : array-like
        The classes, as `contingency` takes them.
    labels_pred : array-like
        The clusters of the same points.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> van_dongen([0, 0, 1, 1], [0, 0, 1, 2])
    0.25
    """
    return _van_dongen(contingency(labels_true, labels_pred))


def variation_of_information(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Variation of information divided by the sum of both entropies; **smaller is better**.

    0 for the same partition, 1 for independent ones: one minus the normalised mutual information
    (arithmetic mean). The base of the logarithm does not matter.

    Parameters
    ----------
    labels_true : array-like
        The classes, as `contingency` takes them.
    labels_pred : array-like
        The clusters of the same points.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> round(variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.2
    """
    return _variation_of_information(contingency(labels_true, labels_pred))


def _normalised_rand(table: Contingency) -> float:
    together = count_pairs(table.counts)
    in_classes = count_pairs(table.row_margins)
    in_clusters = count_pairs(table.column_margins)
    total = count_pairs(np.array([table.n], dtype=np.int64))
    # Multiplied through by the number of pairs: Python's integers do not overflow.
    by_chance = in_classes * in_clusters
    possible = (in_classes + in_clusters) * total - 2 * by_chance
    if possible == 0:  # both one cluster or both single points, hence equal
        return 1.0
    return 2 * (together * total - by_chance) / possible


def _van_dongen(table: Contingency) -> float:
    n_classes, n_clusters = table.shape
    possible = 2 * table.n - int(table.row_margins.max()) - int(table.column_margins.max())
    if possible == 0:  # both one cluster
        return 0.0
    in_rows = sum_of_largest(table.counts, table.rows, n_classes)
    in_columns = sum_of_largest(table.counts, table.columns, n_clusters)
    return (2 * table.n - in_rows - in_columns) / possible


def _variation_of_information(table: Contingency) -> float:
    """(H(class | cluster) + H(cluster | class)) / (H(class) + H(cluster)), all terms ≥ 0."""
    entropies = _entropy(table.row_margins, table.n) + _entropy(table.column_margins, table.n)
    if entropies == 0.0:  # both one cluster
        return 0.0
    share_of_class = table.row_margins[table.rows] / table.counts
    share_of_cluster = table.column_margins[table.columns] / table.counts
    terms = table.counts * (np.log(share_of_class) + np.log(share_of_cluster))
    return min(1.0, math.fsum(terms.tolist()) / entropies)  # rounding may exceed 1 by a unit


def _entropy(margins: Counts, n: int) -> float:
    """Entropy of a partition, times n."""
    return math.fsum((margins * np.log(n / margins)).tolist())
