"""A data set as it is handed out: frozen, with all that must be said along with its numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seedbed._scaling import scale


@dataclass(frozen=True, eq=False, kw_only=True)
class DataSet:
    """Attributes and classes of a data set, as its recipe gives them, not scaled.

    Attributes
    ----------
    slug : str
        The name by which it is loaded.
    name : str
        Its name in full.
    X : ndarray of shape (n, d)
        Attributes in float64; read-only, as is ``y``.
    y : ndarray of shape (n,) or None
        Codes of the classes, from 0; None where there are none.
    feature_names : tuple of str
        One for each column of ``X``.
    class_names : tuple of str
        One for each code in ``y``; empty without classes.
    n_clusters : int or None
        K': how many clusters the study asks for; None where an own set has no classes and no
        number was given.
    citation, licence : str
        What to cite, and under which terms the data are.
    number : int or None
        Its number in the study; None for other sets.
    origin : str
        Where this copy came from.
    verified : bool
        Whether the content was compared with that of the catalogue.
    in_order : bool
        Whether the rows are in the catalogue's order. A copy with the same rows in another order
        is accepted; methods that draw rows by their place will then draw others.
    """

    slug: str
    name: str
    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.int64] | None
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    n_clusters: int | None
    citation: str
    licence: str
    number: int | None
    origin: str
    verified: bool
    in_order: bool

    def __post_init__(self) -> None:
        for array in (self.X, self.y):
            if array is not None:
                array.setflags(write=False)

    @property
    def class_counts(self) -> npt.NDArray[np.int64] | None:
        """How many rows each class has."""
        return None if self.y is None else np.bincount(self.y, minlength=len(self.class_names))

    def scaled(self, how: str = "minmax") -> npt.NDArray[np.float64]:
        """The attributes scaled.

        Parameters
        ----------
        how : {"minmax", "zscore", "none"}, default="minmax"
            As `scale` takes it; "minmax" is the study's. Constants become 0.

        Returns
        -------
        ndarray, rows × attributes
            In float64.
        """
        return scale(self.X, how)

    def __repr__(self) -> str:
        n, d = self.X.shape
        return (
            f"DataSet({self.slug!r}, {n:,} rows × {d} attribute{'s' * (d != 1)}, "
            f"n_clusters={self.n_clusters})"
        )
