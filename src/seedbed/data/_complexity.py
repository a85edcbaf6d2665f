"""The study's measure of how hard a data set is: what k-means makes of it from the true centres."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

CLASSES = {"easy": 0.25, "moderate": 0.5, "difficult": float("inf")}
"""The classes of the study and the largest complexity of each (a complexity may be a little above
1, where the Rand index is below that of chance)."""


def complexity(
    X: Any, y: npt.ArrayLike, centers: npt.ArrayLike, *, n_threads: int | None = None
) -> float:
    """Ω: how hard a data set with known classes and centres is for k-means.

    It is the disagreement with the classes, by the mean of the study's three criteria, of k-means
    that starts at the true centres (and stops as in the study).

    Parameters
    ----------
    X : array-like, rows × features
        The points.
    y : array-like
        The class of each.
    centers : array-like, classes × features
        The true centres.
    n_threads : int or None, default=None
        None for all available; the result does not depend on it.

    Returns
    -------
    float
        0 is perfect, 1 is chance.
    """
    from seedbed.criteria import compare  # imported late: they take a while
    from seedbed.kmeans import run_many

    runs = run_many(X, [centers], stop="sse", tol=1e-6, max_iter=100, n_threads=n_threads)
    labels = runs[0].labels
    assert labels is not None
    return compare(y, labels).complexity


def complexity_class(value: float) -> str:
    """The class of a complexity.

    Parameters
    ----------
    value : float
        Ω, as `complexity` gives it.

    Returns
    -------
    str
        "easy" up to 0.25, "moderate" up to 0.5, else "difficult".

    Examples
    --------
    >>> complexity_class(0.3)
    'moderate'
    """
    return next(name for name, most in CLASSES.items() if value <= most)
