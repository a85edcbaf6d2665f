"""Many runs of k-means over one data set: how they are asked for and the record they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _engine
from seedbed._core._engine import Ended, Run
from seedbed._validation import FloatArray, Points, as_centers, as_points, as_threads
from seedbed._warn import warn
from seedbed.exceptions import DistinctRowsError, EmptyClusterError, EmptyClusterWarning
from seedbed.kmeans import _parameters, _refine


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """One run, iteration by iteration; a pass of Hartigan's refinement counts as one.

    Parameters
    ----------
    table : ndarray, iterations × 4
        What the attributes are the columns of.
    """

    table: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.table)

    @property
    def sse(self) -> NDArray[np.float64]:
        """Error of the iteration's labels about the centres they were assigned to, and about their
        means after a pass of Hartigan's refinement."""
        return self.table[:, 0]

    @property
    def changed(self) -> NDArray[np.int64]:
        """Labels that differ from the iteration before; all of them in the first. In a pass of
        Hartigan's refinement: moves."""
        return self.table[:, 1].astype(np.int64)

    @property
    def distances(self) -> NDArray[np.int64]:
        """Distances between a point and a centre that were computed; they may be other ones where
        other runs share the data."""
        return self.table[:, 2].astype(np.int64)

    @property
    def relocated(self) -> NDArray[np.int64]:
        """Empty clusters that were moved to a far point."""
        return self.table[:, 3].astype(np.int64)

    def __repr__(self) -> str:
        lines = [f"{'iteration':>9} {'SSE':>14} {'changed':>10} {'distances':>12} {'relocated':>9}"]
        n, shown = len(self), 10
        for i in range(n):
            if i == shown // 2 and n > shown:
                lines.append(f"{'…':>9}")
            if n <= shown or i < shown // 2 or i >= n - shown // 2:
                sse, changed, distances, relocated = self.table[i]
                lines.append(
                    f"{i:>9} {sse:>14.8g} {changed:>10.0f} {distances:>12.0f} {relocated:>9.0f}"
                )
        return "\n".join(lines)


@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """What many runs gave.

    ``runs[r]`` is one of them with all it has; the arrays have one value per run and are made when
    asked for.

    Parameters
    ----------
    records : tuple of Run
        The runs, in the order of their starts.
    """

    records: tuple[Run, ...]

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.records)

    def __getitem__(self, r: int) -> Run:
        return self.records[r]

    @property
    def best(self) -> int:
        """The run of least final error; the first of them where several are equal."""
        if len(self.records) == 1:
            return 0
        return min(range(len(self.records)), key=lambda r: self.records[r].sse)

    @cached_property
    def initial_sse(self) -> NDArray[np.float64]:
        """Error of the starting centres."""
        return np.array([run.initial_sse for run in self.records])

    @cached_property
    def sse(self) -> NDArray[np.float64]:
        """Error at the end."""
        return np.array([run.sse for run in self.records])

    @cached_property
    def n_iter(self) -> NDArray[np.int64]:
        """Iterations."""
        return np.array([run.n_iter for run in self.records], dtype=np.int64)

    @cached_property
    def cpu_seconds(self) -> NDArray[np.float64]:
        """Processor time, that of helping threads included."""
        return np.array([run.cpu_seconds for run in self.records])

    @cached_property
    def stop_reason(self) -> NDArray[np.str_]:
        """Why each run ended: "labels", "centers", "sse", "hartigan", "max_iter" or "callback"."""
        return np.array([run.stop_reason for run in self.records])

    @cached_property
    def algorithm(self) -> NDArray[np.str_]:
        """The algorithm that ran."""
        return np.array([run.algorithm for run in self.records])

    @cached_property
    def n_distances(self) -> NDArray[np.int64]:
        """Distances between a point and a centre that were computed."""
        return np.array([run.n_distances for run in self.records], dtype=np.int64)

    @cached_property
    def n_relocated(self) -> NDArray[np.int64]:
        """Empty clusters that were moved to a far point."""
        return np.array([run.n_relocated for run in self.records], dtype=np.int64)

    @cached_property
    def n_moved(self) -> NDArray[np.int64]:
        """Rows that Hartigan's refinement moved (``refine="hartigan"``)."""
        return np.array([run.n_moved for run in self.records], dtype=np.int64)

    @cached_property
    def n_clusters(self) -> NDArray[np.int64]:
        """Clusters at the end; fewer than asked for where empty ones were dropped."""
        return np.array([len(run.centers) for run in self.records], dtype=np.int64)

    @cached_property
    def centers(self) -> FloatArray:
        """Final centres, runs × clusters × features."""
        if len(set(self.n_clusters.tolist())) > 1:
            raise ValueError(
                "the runs ended with different numbers of clusters "
                f"({self.n_clusters.min()} to {self.n_clusters.max()}), which do not fit into one "
                "array; take them run by run: runs[r].centers"
            )
        return cast(FloatArray, np.stack([run.centers for run in self.records]))

    @cached_property
    def labels(self) -> NDArray[np.int32] | None:
        """Labels, runs × rows, where they were kept for every run (``keep_labels=True``); else
        None, and those of the best run are in ``runs[runs.best].labels``."""
        kept = [run.labels for run in self.records if run.labels is not None]
        return np.stack(kept) if len(kept) == len(self.records) else None

    @property
    def histories(self) -> tuple[History, ...]:
        """The runs iteration by iteration (empty unless ``history=True``)."""
        return tuple(History(run.history) for run in self.records)

    def __repr__(self) -> str:
        n, best = len(self), self[self.best]
        many = f"{n} runs, SSE {self.sse.min():.8g} to {self.sse.max():.8g}" if n > 1 else "1 run"
        return (
            f"Runs({many}; best: run {self.best}, SSE {best.initial_sse:.8g} → {best.sse:.8g} in "
            f"{best.n_iter} iteration{'s' * (best.n_iter != 1)}, stopped by {best.stop_reason})"
        )


def run_many(
    X: Any,
    centers: Any,
    *,
    sample_weight: Any = None,
    algorithm: str = "auto",
    stop: str = "sse",
    tol: float | str = 1e-6,
    max_iter: int = 100,
    empty_cluster: str = "relocate",
    n_threads: int | None = None,
    keep_labels: bool = False,
    history: bool = False,
    refine: str | None = None,
) -> Runs:
    """K-means from many starting points over one data set, in one call.

    Runs are spread over the threads and share everything that depends on the data only. The
    defaults are those of the study: stop when the relative gain in SSE is at most 1e-6, or after
    100 iterations. The result does not depend on the number of threads.

    Parameters
    ----------
    X : array or data frame, rows × features
        Finite numbers.
    centers : array, runs × clusters × features
        Where each run starts.
    sample_weight : array of one weight per row, or a number, optional
        A row of weight 2 counts as two rows.
    algorithm : str, default="auto"
        How labels are found; every choice gives the same labels.
    stop : {"sse", "centers", "labels"}, default="sse"
        "sse": the relative gain is at most ``tol``. "centers": squared moves of the centres sum to
        at most ``tol`` times the mean variance of the features, as in scikit-learn. "labels":
        nothing changes any more, which ends every run.
    tol : float or "auto", default=1e-6
        See ``stop``; "auto" for that rule's usual value.
    max_iter : int, default=100
        Iterations at most.
    empty_cluster : {"relocate", "keep", "drop", "error"}, default="relocate"
        Move an empty cluster to the farthest point (of the largest weight × squared distance), keep
        its centre, drop it, or raise.
    n_threads : int or None, default=None
        None for as many as this process may use.
    keep_labels : bool, default=False
        Keep the labels of every run rather than of the best one only.
    history : bool, default=False
        Record every iteration.
    refine : {"hartigan"} or None, default=None
        "hartigan" moves single rows between clusters after each run, until none can move and lower
        the SSE; it never rises.

    Returns
    -------
    Runs
        The record of all runs.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> run_many(X, [[[0.0], [10.0]], [[0.0], [1.0]]]).sse
    array([1., 1.])
    """
    options = {
        "algorithm": algorithm,
        "stop": stop,
        "tol": tol,
        "max_iter": max_iter,
        "empty_cluster": empty_cluster,
        "n_threads": n_threads,
        "keep_labels": keep_labels,
        "history": history,
        "refine": refine,
    }
    _parameters.check("run_many", options, options)
    points = as_points(X, sample_weight, n_threads=n_threads)
    starts = _as_starts(centers, points)
    records = run_points(
        points,
        starts,
        algorithm=algorithm,
        stop=stop,
        tol=_parameters.resolve_tol(tol, stop),
        max_iter=max_iter,
        empty_cluster=empty_cluster,
        n_threads=as_threads(n_threads),
        history=bool(history),
        keep_labels=bool(keep_labels),
        refine=refine,
    )
    return Runs(records)


def run_points(
    points: Points,
    centers: FloatArray,
    *,
    algorithm: str,
    stop: str,
    tol: float,
    max_iter: int,
    empty_cluster: str,
    n_threads: int,
    history: bool = True,
    keep_labels: bool = False,
    ended: Ended | None = None,
    refine: str | None = None,
) -> tuple[Run, ...]:
    """The native runs for validated data and options, with errors that say what to do."""
    try:
        records = _engine.run_many(
            points.data,
            centers,
            algorithm=algorithm,
            stop=stop,
            tol=tol,
            max_iter=max_iter,
            empty_cluster=empty_cluster,
            n_threads=n_threads,
            history=history or refine is not None,
            keep_labels=keep_labels,
            ended=ended,
        )
        if refine is not None:
            engine = partial(
                _engine.run_many,
                points.data,
                algorithm=algorithm,
                empty_cluster=empty_cluster,
                n_threads=n_threads,
            )
            records = _refined(points, records, engine, max_iter, n_threads, ended)
            records = _pruned(records, history, keep_labels)
    except _engine.EmptyCluster as error:
        raise EmptyClusterError(
            f"{error} and empty_cluster='error'; start from other centres, lower n_clusters="
            f"{centers.shape[1]}, or pass empty_cluster='relocate', 'keep' or 'drop'"
        ) from None
    except _engine.TooFewDistinct as error:
        raise too_few_distinct(int(error.args[0]), centers.shape[1]) from None
    if empty_cluster in ("keep", "drop"):
        _tell_of_empty(records, centers.shape[1], empty_cluster)
    return records


def _refined(
    points: Points,
    records: tuple[Run, ...],
    engine: Callable[..., tuple[Run, ...]],
    max_iter: int,
    n_threads: int,
    ended: Ended | None,
) -> tuple[Run, ...]:
    def lloyd(start: FloatArray, iterations: int, told: Ended | None) -> Run:
        (run,) = engine(
            start[None],
            stop="labels",
            tol=0.0,
            max_iter=iterations,
            history=True,
            keep_labels=True,
            ended=told,
        )
        return run

    return tuple(
        _refine.refine(points, run, lloyd, max_iter=max_iter, n_threads=n_threads, ended=ended)
        for run in records
    )


def _pruned(records: tuple[Run, ...], history: bool, keep_labels: bool) -> tuple[Run, ...]:
    """Without what was not asked for; the labels of the best run are always kept."""
    best = Runs(records).best
    return tuple(
        run._replace(
            history=run.history if history else run.history[:0],
            labels=run.labels if keep_labels or r == best else None,
        )
        for r, run in enumerate(records)
    )


def too_few_distinct(found: int, n_clusters: int) -> DistinctRowsError:
    return DistinctRowsError(
        f"X has {found} distinct row{'s' * (found != 1)} (with positive weight), fewer than "
        f"n_clusters={n_clusters}: lower n_clusters to at most {found}, or pass "
        "empty_cluster='keep' or 'drop'",
        found,
    )


def _tell_of_empty(records: tuple[Run, ...], n_clusters: int, policy: str) -> None:
    best = min(records, key=lambda run: run.sse)
    if policy == "drop":
        empty, what = n_clusters - len(best.centers), "were dropped"
    else:
        assert best.labels is not None
        empty, what = n_clusters - len(np.unique(best.labels)), "have no points"
    if empty > 0:
        warn(
            f"{empty} of the {n_clusters} clusters {what} (empty_cluster={policy!r})",
            EmptyClusterWarning,
        )


def _as_starts(centers: Any, points: Points) -> FloatArray:
    starts = np.asarray(centers)
    if starts.ndim != 3:
        raise ValueError(
            f"centers has shape {starts.shape}; give runs × clusters × features"
            + (", for one run centers[None]" if starts.ndim == 2 else "")
        )
    return as_centers(starts, points, what="centers")
