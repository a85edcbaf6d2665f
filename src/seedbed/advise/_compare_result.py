"""What a comparison found: the runs of each method, and what follows from them at equal runs and at
equal time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from seedbed.advise import _compare_words
from seedbed.advise._compare_time import Within, expected_minimum, runs_within
from seedbed.init import Method
from seedbed.stats._display import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MethodRuns:
    """The runs of one method, in arrays with one value per run.

    Attributes
    ----------
    label : str
        What the method is called in this comparison.
    method : Method
        The method itself.
    initial_sse, sse : ndarray
        Error of the seeds, and at the end of k-means.
    n_iter : ndarray
        Iterations.
    seed_seconds, cluster_seconds : ndarray
        Processor time of seeding and of k-means.
    stop_reason : ndarray
        Why each run ended, as in `seedbed.kmeans.Runs`.
    shortfall : ndarray
        Seeds that the method could not place itself.
    """

    label: str
    method: Method
    initial_sse: Floats
    sse: Floats
    n_iter: Integers
    seed_seconds: Floats
    cluster_seconds: Floats
    stop_reason: npt.NDArray[np.str_]
    shortfall: Integers

    def __len__(self) -> int:
        return len(self.sse)

    @property
    def deterministic(self) -> bool:
        """Whether all runs would be the same, so that one was made."""
        return self.method.deterministic

    @property
    def best(self) -> float:
        """The least final SSE: the best of all runs that were made."""
        return float(self.sse.min())

    @property
    def mean(self) -> float:
        """The mean final SSE: what to expect of a single run."""
        return float(self.sse.mean())

    @property
    def worst(self) -> float:
        """The largest final SSE."""
        return float(self.sse.max())

    @property
    def sd(self) -> float:
        """Standard deviation of the final SSE (that of a sample, n − 1); 0 for a deterministic
        method, NaN where a random one ran once."""
        if self.deterministic:
            return 0.0
        return float(self.sse.std(ddof=1)) if len(self) > 1 else np.nan

    @property
    def seconds_per_run(self) -> float:
        """Mean processor time of seeding and k-means together."""
        return float(self.seed_seconds.mean() + self.cluster_seconds.mean())

    def expected_best(self, runs: int) -> float:
        """The expected least SSE of so many runs; with a deterministic method that of one run.

        It is the mean over all ways to choose ``runs`` of those that were made, an unbiased
        estimate. Where fewer were made, it is the best of them, and more could only be better.

        Parameters
        ----------
        runs : int
            How many runs.

        Returns
        -------
        float
            The error to expect of the best of them.
        """
        return expected_minimum(self.sse, runs)

    def within(self, seconds: float) -> Within:
        """What to expect of so much processor time: how many runs fit, by their mean time, and
        the least SSE of so many.

        Parameters
        ----------
        seconds : float
            Processor time for seeding and k-means together.

        Returns
        -------
        Within
            ``runs`` (0 or 1 for a deterministic method), ``sse``, and ``at_most``, which is True
            where more runs fit than were made.
        """
        fit = runs_within(seconds, self.seconds_per_run)
        most = min(fit, 1) if self.deterministic else fit
        expected = self.expected_best(most) if most else np.nan
        return Within(
            runs=most, sse=expected, at_most=not self.deterministic and most > len(self.sse)
        )

    def __repr__(self) -> str:
        runs = f"{len(self)} run{'s' * (len(self) != 1)}"
        return f"MethodRuns({self.label!r}: {runs}, SSE {self.best:.8g} to {self.worst:.8g})"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison(Shown):
    """Methods compared on one data set; prints as a table, and shows itself in a notebook.

    Attributes
    ----------
    results : tuple of MethodRuns
        One per method, in the order in which they were given; also by label,
        ``comparison["k-means++"]``.
    n_rows, n_features, n_clusters : int
        Extent of the problem.
    seconds : float
        The processor time that each method gets in the comparison at equal time.
    budget : float or None
        The same where it was given.
    runs : int or None
        The most runs of a method; None where only the budget limits them.
    scaling : {"none", "minmax", "zscore"}
        How attributes were scaled.
    options : mapping
        Those of k-means, and the seed.
    best_method : str
        Label of the method that found the least SSE, the first of several.
    centers, labels : ndarray
        That clustering; the centres in the units of the data.
    refused : mapping
        Methods that refused these data, with their reasons.
    complete : bool
        False where the comparison was interrupted.
    """

    results: tuple[MethodRuns, ...]
    n_rows: int
    n_features: int
    n_clusters: int
    seconds: float
    budget: float | None
    runs: int | None
    scaling: str
    options: Mapping[str, Any]
    best_method: str
    centers: Floats
    labels: npt.NDArray[np.int32]
    refused: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True

    def __getitem__(self, label: str) -> MethodRuns:
        for result in self.results:
            if result.label == label:
                return result
        raise KeyError(f"{label!r} was not compared; there are {', '.join(self.names)}")

    def __len__(self) -> int:
        return len(self.results)

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the methods."""
        return tuple(result.label for result in self.results)

    @cached_property
    def least(self) -> float:
        """The least SSE that any run of any method found."""
        return min(result.best for result in self.results)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The table, one dictionary per method, in full precision."""
        columns = self._columns()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @property
    def verdict(self) -> str:
        """What it comes to, in a few sentences."""
        return _compare_words.verdict(self)

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame; ``to_frame`` gives one of polars.

        Returns
        -------
        pandas.DataFrame
            A row per method.
        """
        return self.to_frame("pandas")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what to expect of each method against processor time: the expected least SSE of
        1, 2, … runs, in percent above the least that was found.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from seedbed.advise import _compare_plot

        return _compare_plot.draw_time(self, ax)

    def plot_runs(self, ax: Axes | None = None) -> Axes:
        """Draw the final SSE of every run, method by method.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from seedbed.advise import _compare_plot

        return _compare_plot.draw_runs(self, ax)

    def figure(self) -> Figure:
        """Both pictures side by side.

        Returns
        -------
        matplotlib.figure.Figure
            A new figure.
        """
        from seedbed.advise import _compare_plot

        return _compare_plot.figure(self)

    def to_html(self, title: str = "Comparison") -> str:
        """The whole as one self-contained page: verdict, pictures, table.

        Parameters
        ----------
        title : str, default="Comparison"
            Its heading.

        Returns
        -------
        str
            HTML.
        """
        from seedbed.advise import _compare_page

        return _compare_page.page(self, title)

    def _columns(self) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = {}
        for result in self.results:
            within = result.within(self.seconds)
            row = {
                "method": result.label,
                "deterministic": result.deterministic,
                "runs": len(result),
                "initial_sse": float(result.initial_sse.mean()),
                "best_sse": result.best,
                "mean_sse": result.mean,
                "worst_sse": result.worst,
                "sd_sse": result.sd,
                "iterations": float(result.n_iter.mean()),
                "seed_seconds": float(result.seed_seconds.mean()),
                "cluster_seconds": float(result.cluster_seconds.mean()),
                "equal_time_runs": within.runs,
                "equal_time_sse": within.sse,
                "equal_time_at_most": within.at_most,
                "shortfall": int(result.shortfall.max()),
            }
            for name, value in row.items():
                columns.setdefault(name, []).append(value)
        return columns

    def _for_readers(self) -> dict[str, list[Any]]:
        return _compare_words.table(self)

    def __str__(self) -> str:
        return _compare_words.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _compare_words.notebook(self)
