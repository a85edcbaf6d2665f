"""`choose_k`: what several criteria say about the number of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    X : array or data frame, rows × features
    ks : numbers of clusters to try, such as ``range(2, 21)``
    method : of the fresh starts: a name, a method or a function
    runs : fresh starts for each K besides the one that is reused; 0 for none (one for the least K)
    scale : "none", "minmax" or "zscore"
    silhouette_rows : rows whose silhouettes are computed, each exactly, among all rows; the same
        ones for every K, drawn at random where there are more. 0 leaves the criterion out
    references : reference sets of the gap statistic; 0 leaves it out
    reference : they are spread evenly over the box around the data along its principal axes
        ("pca") or along its attributes ("box")
    gap_rows : rows that the gap statistic is computed for, drawn at random where there are more
    random_state : None, an int, a ``numpy.random.Generator`` or a ``RandomState``
    n_threads : None for as many as this process may use; the result does not depend on it
    algorithm, stop, tol, max_iter : as in `seedbed.run_many`
    progress : called with what goes on, the steps that are done, and how many there are

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
    options = {"algorithm": algorithm, "stop": stop, "tol": tol, "max_iter": max_iter}
    checked = {**options, "n_threads": n_threads, "random_state": random_state}
    check("choose_k", checked, checked)
    check_scaling(scale)
    _check_counts(runs=runs, silhouette_rows=silhouette_rows, references=references)
    if not is_integer(gap_rows) or gap_rows < 2:
        raise ParameterError(f"gap_rows={gap_rows!r} is not usable; give an int >= 2")
    if reference not in REFERENCES:
        raise ParameterError(
            f"reference={reference!r} is unknown; use one of {', '.join(map(repr, REFERENCES))}"
        )
    threads, seed = as_threads(n_threads), as_seed(random_state)
    given = as_points(X, n_threads=threads)
    wanted = _check_ks(ks, given)
    scaling = Scaling.of(given.x, scale)
    points = scaled_points(given, scaling, threads)
    kmeans = {**options, "tol": resolve_tol(tol, stop), "empty_cluster": "relocate"}
    search = Search(
        method=as_method(method),
        runs=runs,
        stream=lambda k, r: generator(seed, _FRESH, k, r),
        kmeans=kmeans,
        n_threads=threads,
    )
    work = _Work(points, wanted, search, seed, progress or (lambda what, done, total: None))
    solutions = work.solutions()
    values, rows = work.silhouettes(solutions, silhouette_rows)
    gap, gap_error, n_gap = work.gap(solutions, references, reference, gap_rows)
    means = [mean_and_error(column, points.n) for column in values.T]
    return KChoice(
        ks=wanted,
        n_rows=points.n,
        n_features=points.d,
        sse=np.array([solution.sse for solution in solutions]),
        silhouette=np.array([mean for mean, _ in means]),
        silhouette_error=np.array([error for _, error in means]),
        silhouette_rows=rows,
        silhouette_values=values,
        calinski_harabasz=np.array([work.index(solution) for solution in solutions]),
        gap=gap,
        gap_error=gap_error,
        gap_rows=n_gap,
        references=references,
        reference=reference,
        grown=tuple(solution.grown for solution in solutions),
        scaling=scaling,
        options={**kmeans, "method": search.method.meta.id, "runs": runs, "seed": seed},
        solutions=tuple((s.centers, s.labels) for s in solutions),
    )


class _Work:
    """The parts of the work, which share the data, the search and the seed."""

    def __init__(
        self, points: Points, ks: tuple[int, ...], search: Search, seed: int, tell: Tell
    ) -> None:
        self.points, self.ks, self.search, self.seed, self.tell = points, ks, search, seed, tell

    def solutions(self) -> list[Solution]:
        found: list[Solution] = []
        self.tell(f"clustering for K = {self.ks[0]}", 0, len(self.ks))
        for solution, following in zip(
            self.search.along(self.points, self.ks), (*self.ks[1:], None), strict=True
        ):
            found.append(solution)
            if following is not None:
                self.tell(f"clustering for K = {following}", len(found), len(self.ks))
        return found

    def index(self, solution: Solution) -> float:
        if not 1 < solution.k < self.points.n:
            return np.nan
        return calinski_harabasz(self.points, solution.labels, self.search.n_threads)

    def silhouettes(self, solutions: list[Solution], wanted: int) -> tuple[Floats, int]:
        """Silhouettes, rows × K, NaN for one cluster, and of how many rows."""
        n = self.points.n
        m = min(wanted, n)
        values = np.full((max(m, 1), len(self.ks)), np.nan)
        several = [i for i, k in enumerate(self.ks) if k > 1]
        if m == 0 or not several:
            return values, m
        rows = np.arange(n)
        if m < n:
            rows = np.sort(generator(self.seed, _SILHOUETTE).choice(n, m, replace=False))
        values[:, several] = silhouettes(
            self.points,
            rows,
            [solutions[i].labels for i in several],
            self.search.n_threads,
            lambda done, total: self.tell("silhouettes", done, total),
        )
        return values, m

    def gap(
        self, solutions: list[Solution], references: int, reference: str, most: int
    ) -> tuple[Floats, Floats, int]:
        """The gap statistic, its error, and for how many rows."""
        points, n = self.points, self.points.n
        m = min(most, n)
        if references == 0:
            return np.full(len(self.ks), np.nan), np.full(len(self.ks), np.nan), 0
        self.tell("gap statistic", 0, references)
        errors = [solution.sse for solution in solutions]
        if m < n:
            rows = np.sort(generator(self.seed, _GAP).choice(n, m, replace=False))
            points = points.take(rows, self.search.n_threads)
            _check_distinct(points, max(self.ks), "the rows of the gap statistic (gap_rows)")
            errors = self._errors(points)
        box = Box.around(points.x, reference)

        def errors_of_reference(b: int) -> Sequence[float]:
            drawn = box.draw(m, generator(self.seed, _REFERENCE, b)).astype(points.x.dtype)
            found = self._errors(points_of(cast(Any, drawn), None, n_threads=self.search.n_threads))
            self.tell("gap statistic", b + 1, references)
            return found

        with np.errstate(divide="ignore"):
            logs = np.log(np.array(errors))
        gap, error = gap_statistic(logs, errors_of_reference, references)
        return gap, error, m

    def _errors(self, points: Points) -> list[float]:
        return [solution.sse for solution in self.search.along(points, self.ks)]


def _check_counts(**counts: int) -> None:
    for name, value in counts.items():
        if not is_integer(value) or value < 0:
            raise ParameterError(f"{name}={value!r} is not usable; give an int >= 0")


def _check_ks(ks: Iterable[int], points: Points) -> tuple[int, ...]:
    if is_integer(ks) or isinstance(ks, str):
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
    _check_distinct(points, wanted[-1], "X")
    return wanted


def _check_distinct(points: Points, k: int, what: str) -> None:
    found = len(distinct_rows(points.data, k))
    if found < k:
        raise DistinctRowsError(
            f"{what} has {found} distinct row{'s' * (found != 1)}, fewer than K = {k}; "
            f"try {found} clusters at most",
            found,
        )
