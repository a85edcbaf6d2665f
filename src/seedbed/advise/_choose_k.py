"""`choose_k`: what several criteria say about the number of clusters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from seedbed._core._seeding import distinct_rows
from seedbed._random import RandomState, generator
from seedbed._scaling import Scaling, check_scaling
from seedbed._validation import Points, as_points, as_threads, is_integer, points_of
from seedbed.advise._choose_k_criteria import calinski_harabasz, mean_and_error, silhouettes
from seedbed.advise._choose_k_gap import REFERENCES, Box, gap_statistic
from seedbed.advise._choose_k_path import Search, Solution
from seedbed.advise._choose_k_result import KChoice
from seedbed.advise._compare import Tell, as_seed, scaled_points
from seedbed.exceptions import DistinctRowsError, ParameterError
from seedbed.init import as_method
from seedbed.kmeans._parameters import check, resolve_tol

_FRESH, _SILHOUETTE, _GAP, _REFERENCE = range(4)  # what random streams are keyed by

Floats = npt.NDArray[np.float64]


def choose_k(
    X: Any,
    ks: Iterable[int] = range(2, 21),
    *,
    method: Any = "greedy-k-means++",
    runs: int = 1,
    scale: str = "none",
    silhouette_rows: int = 1_000,
    references: int = 10,
    reference: str = "pca",
    gap_rows: int = 10_000,
    random_state: RandomState = None,
    n_threads: int | None = None,
    algorithm: str = "auto",
    stop: str = "sse",
    tol: float | str = "auto",
    max_iter: int = 100,
    progress: Tell | None = None,
) -> KChoice:
    """Cluster for several K and say which of them each criterion prefers.

    The criteria are the SSE with its bend, the mean silhouette, Calinski and Harabasz's index, and
    the gap statistic of Tibshirani, Walther & Hastie (2001). They often disagree, and none of them
    knows what the clusters are for.

    Solutions are reused: that for a K starts from the one before, in which the clusters whose
    division lowers the SSE most are cut in two; some fresh starts compete with it. So the SSE never
    rises with K.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The data.
    ks : iterable of int, default=range(2, 21)
        Numbers of clusters to try.
    method : str, Method or callable, default="greedy-k-means++"
        The method of the fresh starts.
    runs : int, default=1
        Fresh starts for each K, besides the one that is reused; 0 for none (one for the least K).
    scale : {"none", "minmax", "zscore"}, default="none"
        How to scale the attributes.
    silhouette_rows : int, default=1000
        Rows whose silhouettes are computed, each exactly, among all rows. Where there are more
        rows, these are drawn at random, the same for every K. 0 leaves the criterion out.
    references : int, default=10
        Reference sets of the gap statistic; 0 leaves it out.
    reference : {"pca", "box"}, default="pca"
        Reference sets are spread evenly over the box around the data along its principal axes, or
        along its attributes.
    gap_rows : int, default=10000
        Rows that the gap statistic is computed for, drawn at random where there are more.
    random_state : None, int, Generator or RandomState, default=None
        Seed of the random numbers.
    n_threads : int or None, default=None
        None for as many as this process may use. The result does not depend on it.
    algorithm : str, default="auto"
        How labels are found; every choice gives the same labels.
    stop : {"sse", "centers", "labels"}, default="sse"
        When a run ends, as in `seedbed.kmeans.run_many`.
    tol : float or "auto", default="auto"
        Tolerance of ``stop``.
    max_iter : int, default=100
        Iterations of a run at most.
    progress : callable or None, default=None
        Called with what goes on, the steps that are done, and how many there are.

    Returns
    -------
    KChoice
        Prints as a table with a reading; has ``plot``, ``rows``, ``to_frame``, ``to_html``, and the
        clusterings in ``labels(k)`` and ``centers(k)``.

    Examples
    --------
    >>> import seedbed as sb
    >>> found = sb.choose_k(sb.data.load("iris").X, range(2, 7), random_state=0)
    >>> found.preferred["silhouette"], found.preferred["calinski_harabasz"]
    (2, 3)
    """
    session = Session(
        X,
        ks,
        method=method,
        runs=runs,
        scale=scale,
        silhouette_rows=silhouette_rows,
        references=references,
        reference=reference,
        gap_rows=gap_rows,
        random_state=random_state,
        n_threads=n_threads,
        algorithm=algorithm,
        stop=stop,
        tol=tol,
        max_iter=max_iter,
    )
    session.run(progress)
    return session.choice()


class Session:
    """The work under way; what it has found so far can be had at any time."""

    def __init__(
        self,
        X: Any,
        ks: Iterable[int],
        *,
        method: Any,
        runs: int,
        scale: str,
        silhouette_rows: int,
        references: int,
        reference: str,
        gap_rows: int,
        random_state: RandomState,
        n_threads: int | None,
        **kmeans: Any,
    ) -> None:
        checked = {**kmeans, "n_threads": n_threads, "random_state": random_state}
        check("choose_k", checked, checked)
        check_scaling(scale)
        _check_counts(0, runs=runs, silhouette_rows=silhouette_rows, references=references)
        _check_counts(2, gap_rows=gap_rows)
        if reference not in REFERENCES:
            raise ParameterError(
                f"reference={reference!r} is unknown; use one of {', '.join(map(repr, REFERENCES))}"
            )
        self.references, self.reference = references, reference
        self.threads, self.seed = as_threads(n_threads), as_seed(random_state)
        given = as_points(X, n_threads=self.threads)
        self.ks = _check_ks(ks, given)
        self.scaling = Scaling.of(given.x, scale)
        self.points = scaled_points(given, self.scaling, self.threads)
        self.silhouette_rows = min(silhouette_rows, given.n)
        self.gap_rows = min(gap_rows, given.n)
        self.gap_points = self._sampled() if references else self.points
        self.search = Search(
            method=as_method(method),
            runs=runs,
            stream=lambda k, r: generator(self.seed, _FRESH, k, r),
            kmeans={
                **kmeans,
                "tol": resolve_tol(kmeans["tol"], kmeans["stop"]),
                "empty_cluster": "relocate",
            },
            n_threads=self.threads,
        )
        self.solutions: list[Solution] = []
        self.silhouettes: Floats | None = None
        self.errors: list[float] = []  # of the rows that the gap statistic is for
        self.reference_errors: list[list[float]] = []
        self.complete = False

    @property
    def started(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.solutions)

    def run(self, progress: Tell | None = None) -> None:
        """Clusterings first, then what is computed from them."""
        tell = progress or (lambda what, done, total: None)
        tell(f"clustering for K = {self.ks[0]}", 0, len(self.ks))
        for solution in self.search.along(self.points, self.ks):
            self.solutions.append(solution)
            done = len(self.solutions)
            if done < len(self.ks):
                tell(f"clustering for K = {self.ks[done]}", done, len(self.ks))
        if self.silhouette_rows:
            self.silhouettes = self._silhouettes(tell)
        if self.references:
            self._compute_gap(tell)
        self.complete = True

    def choice(self) -> KChoice:
        """What there is so far."""
        solutions, points = self.solutions, self.points
        values = self.silhouettes
        rows = 0 if values is None else len(values)
        if values is None:
            values = np.full((1, len(solutions)), np.nan)
        means = [mean_and_error(column, points.n) for column in values.T]
        gap, gap_error = self._gap()
        return KChoice(
            ks=self.ks[: len(solutions)],
            n_rows=points.n,
            n_features=points.d,
            sse=np.array([solution.sse for solution in solutions]),
            silhouette=np.array([mean for mean, _ in means]),
            silhouette_error=np.array([error for _, error in means]),
            silhouette_rows=rows,
            silhouette_values=values[:rows],
            calinski_harabasz=np.array([self._index(solution) for solution in solutions]),
            gap=gap,
            gap_error=gap_error,
            gap_rows=self.gap_rows if self.reference_errors else 0,
            references=len(self.reference_errors),
            reference=self.reference,
            grown=tuple(solution.grown for solution in solutions),
            scaling=self.scaling,
            options={
                **self.search.kmeans,
                "method": self.search.method.meta.id,
                "runs": self.search.runs,
                "seed": self.seed,
            },
            solutions=tuple((s.centers, s.labels) for s in solutions),
            complete=self.complete,
        )

    def _index(self, solution: Solution) -> float:
        if not 1 < solution.k < self.points.n:
            return np.nan
        return calinski_harabasz(self.points, solution.labels)

    def _silhouettes(self, tell: Tell) -> Floats:
        """Silhouettes, rows × K, NaN for one cluster."""
        n, m = self.points.n, self.silhouette_rows
        rows = np.arange(n)
        if m < n:
            rows = np.sort(generator(self.seed, _SILHOUETTE).choice(n, m, replace=False))
        values = np.full((m, len(self.ks)), np.nan)
        several = [i for i, k in enumerate(self.ks) if k > 1]
        if several:
            values[:, several] = silhouettes(
                self.points,
                rows,
                [self.solutions[i].labels for i in several],
                self.threads,
                lambda done, total: tell("silhouettes", done, total),
            )
        return values

    def _compute_gap(self, tell: Tell) -> None:
        """Errors of the rows that the statistic is for, and of each reference set."""
        points, m = self.gap_points, self.gap_rows
        tell("gap statistic", 0, self.references)
        self.errors = [solution.sse for solution in self.solutions]
        if points is not self.points:
            self.errors = self._errors(points)
        box = Box.around(points.x, self.reference)
        for b in range(self.references):
            drawn = box.draw(m, generator(self.seed, _REFERENCE, b)).astype(points.x.dtype)
            made = points_of(cast(Any, drawn), None, n_threads=self.threads)
            self.reference_errors.append(self._errors(made))
            tell("gap statistic", b + 1, self.references)

    def _sampled(self) -> Points:
        """The rows that the gap statistic is for."""
        n, m = self.points.n, self.gap_rows
        if m == n:
            return self.points
        rows = np.sort(generator(self.seed, _GAP).choice(n, m, replace=False))
        points = self.points.take(rows, self.threads)
        found = len(distinct_rows(points.data, self.ks[-1]))
        if found < self.ks[-1]:
            raise DistinctRowsError(
                f"of gap_rows={m} rows drawn for the gap statistic {found} are distinct, fewer "
                f"than K = {self.ks[-1]}; raise gap_rows, try fewer clusters, or pass references=0",
                found,
            )
        return points

    def _errors(self, points: Points) -> list[float]:
        return [solution.sse for solution in self.search.along(points, self.ks)]

    def _gap(self) -> tuple[Floats, Floats]:
        if not self.reference_errors:
            return np.full(len(self.solutions), np.nan), np.full(len(self.solutions), np.nan)
        return gap_statistic(self.errors, self.reference_errors)


def _check_counts(least: int, **counts: int) -> None:
    for name, value in counts.items():
        if not is_integer(value) or value < least:
            raise ParameterError(f"{name}={value!r} is not usable; give an int >= {least}")


def _check_ks(ks: Any, points: Points) -> tuple[int, ...]:
    if not isinstance(ks, Iterable) or isinstance(ks, (str, bytes)):
        raise ParameterError(
            f"ks={ks!r} is not several numbers of clusters; give range(2, 21), or use compare for "
            "one"
        )
    given = list(ks)
    if not given or not all(is_integer(k) and k >= 1 for k in given):
        raise ParameterError(f"ks={given!r} is not usable; give integers from 1 upwards")
    wanted = tuple(sorted({int(k) for k in given}))
    if wanted[-1] > points.n:
        raise ParameterError(
            f"K = {wanted[-1]} is more than the rows of X, n_samples={points.n}; "
            f"try {points.n} clusters at most"
        )
    found = len(distinct_rows(points.data, wanted[-1]))
    if found < wanted[-1]:
        raise DistinctRowsError(
            f"X has {found} distinct row{'s' * (found != 1)}, fewer than K = {wanted[-1]}; "
            f"try {found} clusters at most",
            found,
        )
    return wanted
