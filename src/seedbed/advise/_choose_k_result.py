"""What several criteria say about the number of clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from seedbed._scaling import Scaling
from seedbed._validation import FloatArray
from seedbed.advise import _choose_k_words
from seedbed.advise._choose_k_gap import first_within_error
from seedbed.stats._display import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = npt.NDArray[np.float64]

CRITERIA = ("sse", "silhouette", "calinski_harabasz", "gap")
_ERRORS = 2.0  # standard errors within which two K cannot be told apart


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class KChoice(Shown):
    """Criteria over K; prints as a table with a reading, and shows itself in a notebook.

    Attributes
    ----------
    ks : tuple of int
        The numbers of clusters that were tried; the arrays have one value for each.
    n_rows, n_features : int
        Extent of the data.
    sse : ndarray
        The error.
    silhouette, silhouette_error : ndarray
        Mean silhouette and its standard error, which is 0 where all rows were looked at; NaN for
        K = 1.
    silhouette_rows : int
        How many rows were looked at, the same for every K.
    silhouette_values : ndarray
        The silhouettes themselves, rows × K.
    calinski_harabasz : ndarray
        The index; NaN for K = 1.
    gap, gap_error : ndarray
        Gap statistic and its standard error s(k), that of the simulation included.
    gap_rows, references : int
        For how many rows it is, and with how many reference sets.
    reference : {"pca", "box"}
        Of which kind these are.
    grown : tuple of bool
        Whether a solution came from the one before, and not from a fresh start.
    scaling : Scaling
        How attributes were scaled.
    options : mapping
        Those of k-means, the method of the fresh starts, and the seed.
    solutions : tuple
        Centres (as scaled) and labels; ``centers`` and ``labels`` give those of one K.
    complete : bool
        False where the work was interrupted.
    """

    ks: tuple[int, ...]
    n_rows: int
    n_features: int
    sse: Floats
    silhouette: Floats
    silhouette_error: Floats
    silhouette_rows: int
    silhouette_values: Floats
    calinski_harabasz: Floats
    gap: Floats
    gap_error: Floats
    gap_rows: int
    references: int
    reference: str
    grown: tuple[bool, ...]
    scaling: Scaling
    options: Mapping[str, Any]
    solutions: tuple[tuple[FloatArray, npt.NDArray[np.int32]], ...]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.ks)

    def labels(self, k: int) -> npt.NDArray[np.int32]:
        """The clustering into k clusters.

        Parameters
        ----------
        k : int
            One of ``ks``.

        Returns
        -------
        ndarray
            The cluster of each row.
        """
        return self.solutions[self._place(k)][1]

    def centers(self, k: int) -> Floats:
        """Its centres, in the units of the data.

        Parameters
        ----------
        k : int
            One of ``ks``.

        Returns
        -------
        ndarray
            Clusters × features.
        """
        return self.scaling.undo(self.solutions[self._place(k)][0])

    def _place(self, k: int) -> int:
        if k not in self.ks:
            raise KeyError(f"K = {k} was not tried; there are {', '.join(map(str, self.ks))}")
        return self.ks.index(k)

    @cached_property
    def preferred(self) -> dict[str, int | None]:
        """The K that each criterion prefers, None where it prefers none.

        "sse": where the curve bends most, that is, lies farthest below the straight line between
        its ends (for three K at least). "silhouette" and "calinski_harabasz": where they are
        largest. "gap": the smallest K whose gap is not more than one standard error below that of
        the next.
        """
        return {
            "sse": _bend(self.ks, self.sse),
            "silhouette": _largest(self.ks, self.silhouette),
            "calinski_harabasz": _largest(self.ks, self.calinski_harabasz),
            "gap": first_within_error(self.ks, self.gap, self.gap_error),
        }

    @cached_property
    def silhouette_ties(self) -> tuple[int, ...]:
        """Other K whose mean silhouette these rows cannot tell from the largest: the difference is
        within two standard errors. None where all rows were looked at."""
        best = self.preferred["silhouette"]
        if best is None or self.silhouette_rows == self.n_rows or self.silhouette_rows < 2:
            return ()
        values = self.silhouette_values
        below = values[:, [self._place(best)]] - values
        shrink = np.sqrt(1.0 - len(values) / self.n_rows)
        error = below.std(axis=0, ddof=1) / np.sqrt(len(values)) * shrink
        tied = below.mean(axis=0) <= _ERRORS * error
        return tuple(k for k, same in zip(self.ks, tied, strict=True) if same and k != best)

    @property
    def reading(self) -> str:
        """What the criteria say, in plain words."""
        return "\n".join(_choose_k_words.reading(self))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The table, one dictionary per K, in full precision."""
        columns = self._columns()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame; ``to_frame`` gives one of polars.

        Returns
        -------
        pandas.DataFrame
            A row per K.
        """
        return self.to_frame("pandas")

    def plot(self, axes: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Draw the four criteria over K.

        Parameters
        ----------
        axes : ndarray of matplotlib.axes.Axes or None, default=None
            Four axes to draw on; new ones by default.

        Returns
        -------
        ndarray
            The four axes.
        """
        from seedbed.advise import _choose_k_plot

        return _choose_k_plot.draw(self, axes)

    def figure(self) -> Figure:
        """The picture as a figure.

        Returns
        -------
        matplotlib.figure.Figure
            A new figure.
        """
        first: Axes = self.plot().flat[0]
        return cast("Figure", first.figure)

    def to_html(self, title: str = "How many clusters?") -> str:
        """The whole as one self-contained page: reading, picture, table.

        Parameters
        ----------
        title : str, default="How many clusters?"
            Its heading.

        Returns
        -------
        str
            HTML.
        """
        from seedbed.advise import _choose_k_page

        return _choose_k_page.page(self, title)

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "k": list(self.ks),
            "sse": self.sse.tolist(),
            "silhouette": self.silhouette.tolist(),
            "silhouette_error": self.silhouette_error.tolist(),
            "calinski_harabasz": self.calinski_harabasz.tolist(),
            "gap": self.gap.tolist(),
            "gap_error": self.gap_error.tolist(),
            "grown": list(self.grown),
        }

    def _for_readers(self) -> dict[str, list[Any]]:
        return _choose_k_words.table(self)

    def __str__(self) -> str:
        return _choose_k_words.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _choose_k_words.notebook(self)


def _largest(ks: tuple[int, ...], values: Floats) -> int | None:
    return None if np.isnan(values).all() else ks[int(np.nanargmax(values))]


def _bend(ks: tuple[int, ...], sse: Floats) -> int | None:
    """The K farthest below the line from the first to the last; None where there is no bend."""
    if len(ks) < 3 or sse[0] == sse[-1]:
        return None
    across = (np.array(ks) - ks[0]) / (ks[-1] - ks[0])
    down = (sse[0] - sse) / (sse[0] - sse[-1])
    below = down - across
    return ks[int(below.argmax())] if below.max() > 0.0 else None
