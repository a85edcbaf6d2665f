"""`compare`: a small study on one's own data.

The work goes in rounds. In round r every method makes its run r (a few runs each where they are
short), and all runs of a round are one native call over all threads. So whenever it is interrupted,
the methods have had the same chances.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from seedbed._core._engine import Run
from seedbed._random import RandomState, generator
from seedbed._scaling import Scaling, check_scaling
from seedbed._validation import (
    FloatArray,
    Points,
    as_n_clusters,
    as_points,
    as_threads,
    is_integer,
    points_of,
)
from seedbed.advise._compare_result import Comparison, MethodRuns
from seedbed.advise._compare_time import TICK
from seedbed.exceptions import ParameterError, TooManyRowsError
from seedbed.init import Method, as_method
from seedbed.kmeans._parameters import check, resolve_tol
from seedbed.kmeans._runs import run_points

STUDIED = (
    "forgy",
    "macqueen",
    "maximin",
    "bradley-fayyad",
    "k-means++",
    "greedy-k-means++",
    "var-part",
    "pca-part",
)
RUNS = 10
SHORT = 0.1  # seconds: shorter rounds are made larger, so that little time is lost between them

Tell = Callable[[str, int, int], None]
"""Told what goes on, how many steps are done, and how many there are (0 where not known)."""


def compare(
    X: Any,
    k: int,
    *,
    methods: Iterable[Any] | Mapping[str, Any] = STUDIED,
    runs: int | None = None,
    budget: float | None = None,
    scale: str = "none",
    sample_weight: Any = None,
    random_state: RandomState = None,
    n_threads: int | None = None,
    algorithm: str = "auto",
    stop: str = "sse",
    tol: float | str = "auto",
    max_iter: int = 100,
    empty_cluster: str = "relocate",
    progress: Tell | None = None,
) -> Comparison:
    """Compare initialisation methods on one's own data, at equal runs and at equal time.

    Every method starts k-means several times; deterministic methods start it once. Run r of a
    method is the same whatever the other methods, the number of runs and the number of threads.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The data.
    k : int
        How many clusters.
    methods : iterable or dict, default=the eight of the study
        Names, methods such as ``seedbed.init.PCAPart(threshold="otsu")`` or functions
        ``f(X, n_clusters, random_state)``; or a dictionary of such with labels as keys. By default
        the eight that Celebi, Kingravi & Vela (2013) studied.
    runs : int or None, default=None
        Runs of each random method: 10 if None. With ``budget``, how many at most.
    budget : float or None, default=None
        Seconds of processor time that each method gets, for seeding and k-means together: it runs
        until they are spent, and once at least. How many runs that are depends on the machine; what
        each of them finds does not.
    scale : {"none", "minmax", "zscore"}, default="none"
        How to scale the attributes; the study's is "minmax".
    sample_weight : array-like of shape (n_samples,) or None, default=None
        Weights of the rows.
    random_state : None, int, Generator or RandomState, default=None
        Seed of the random numbers.
    n_threads : int or None, default=None
        None for as many as this process may use. The errors do not depend on it.
    algorithm : str, default="auto"
        How labels are found; every choice gives the same labels.
    stop : {"sse", "centers", "labels"}, default="sse"
        When a run ends, as in `seedbed.kmeans.run_many`; "sse" is the study's.
    tol : float or "auto", default="auto"
        Tolerance of ``stop``.
    max_iter : int, default=100
        Iterations of a run at most.
    empty_cluster : {"relocate", "keep", "drop", "error"}, default="relocate"
        What becomes of an empty cluster.
    progress : callable or None, default=None
        Called with what goes on, the steps that are done, and how many there are (0 where that is
        not known).

    Returns
    -------
    Comparison
        Prints as a table with a verdict; has ``plot``, ``rows``, ``to_frame``, ``to_html``, and the
        best clustering that was found in ``labels`` and ``centers``.

    Notes
    -----
    Equal time is ``budget`` seconds of processor time for each method. Without a budget it is the
    time in which every method can run once and the quickest random one as often as it did. How many
    runs of a method fit follows from their mean time, and the expected least SSE of so many from
    the runs that were made (see `MethodRuns.expected_best`).

    Examples
    --------
    >>> import seedbed as sb
    >>> X = sb.data.load("iris").X
    >>> found = sb.compare(X, 3, methods=["k-means++", "pca-part"], runs=5, random_state=0)
    >>> found.names, [len(method) for method in found.results]
    (('k-means++', 'pca-part'), [5, 1])
    >>> round(found.least, 4)
    78.8514
    """
    session = Session(
        X,
        k,
        methods=methods,
        runs=runs,
        budget=budget,
        scale=scale,
        sample_weight=sample_weight,
        random_state=random_state,
        n_threads=n_threads,
        algorithm=algorithm,
        stop=stop,
        tol=tol,
        max_iter=max_iter,
        empty_cluster=empty_cluster,
    )
    session.run(progress)
    return session.comparison()


@dataclass(eq=False)
class _Contender:
    """A method at work: its stream of random numbers, and the runs it has made so far."""

    label: str
    method: Method
    key: int
    records: list[tuple[Run, float, int]] = field(default_factory=list)
    spent: float = 0.0  # seconds

    def wanted(self, batch: int, runs: int | None, budget: float | None) -> int:
        """How many runs it makes next."""
        made = len(self.records)
        most = 1 if self.method.deterministic else runs
        left = batch if most is None else min(batch, most - made)
        if budget is None:
            return left
        if made == 0:
            return min(left, 1)  # to know how long it takes
        if self.spent >= budget:
            return 0
        per_run = max(self.spent / made, TICK)
        return min(left, math.ceil((budget - self.spent) / per_run))

    def add(self, run: Run, seconds: float, shortfall: int) -> None:
        bare = run._replace(labels=None, centers=run.centers[:0])
        self.records.append((bare, seconds, shortfall))
        self.spent += seconds + run.cpu_seconds

    def result(self) -> MethodRuns:
        runs = [run for run, _, _ in self.records]
        return MethodRuns(
            label=self.label,
            method=self.method,
            initial_sse=np.array([run.initial_sse for run in runs]),
            sse=np.array([run.sse for run in runs]),
            n_iter=np.array([run.n_iter for run in runs], dtype=np.int64),
            seed_seconds=np.array([seconds for _, seconds, _ in self.records]),
            cluster_seconds=np.array([run.cpu_seconds for run in runs]),
            stop_reason=np.array([run.stop_reason for run in runs]),
            shortfall=np.array([missing for _, _, missing in self.records], dtype=np.int64),
        )


class Session:
    """A comparison under way; what it has found so far can be had at any time."""

    def __init__(
        self,
        X: Any,
        k: Any,
        *,
        methods: Iterable[Any] | Mapping[str, Any],
        runs: int | None,
        budget: float | None,
        scale: str,
        sample_weight: Any,
        random_state: RandomState,
        n_threads: int | None,
        **kmeans: Any,
    ) -> None:
        checked = {**kmeans, "n_threads": n_threads, "random_state": random_state}
        check("compare", checked, checked)
        check_scaling(scale)
        if isinstance(k, Iterable) and not isinstance(k, str):
            raise ParameterError(
                f"k={k!r} is several numbers of clusters; give one, or look at them with choose_k"
            )
        self.runs = check_runs(runs) if runs is not None or budget is not None else RUNS
        self.budget = _check_budget(budget)
        self.contenders = _contenders(methods)
        self.n_threads = as_threads(n_threads)
        given = as_points(X, sample_weight, n_threads=self.n_threads)
        self.n_clusters = as_n_clusters(k, given.n)
        self.scaling = Scaling.of(given.x, scale)
        self.points = scaled_points(given, self.scaling, self.n_threads)
        self.seed = as_seed(random_state)
        self.kmeans = {**kmeans, "tol": resolve_tol(kmeans["tol"], kmeans["stop"])}
        self.refused: dict[str, str] = {}
        self.complete = False
        self._batch = 1
        self._best: tuple[float, str, Run] | None = None

    def run(self, progress: Tell | None = None) -> None:
        """Round after round until every method has made its runs."""
        tell = progress or (lambda what, done, total: None)
        while any(self._wanted().values()):
            began = time.perf_counter()
            self._round(tell)
            if time.perf_counter() - began < SHORT:
                self._batch *= 2
        if not any(contender.records for contender in self.contenders):
            raise TooManyRowsError("; ".join(self.refused.values()))
        self.complete = True

    @property
    def started(self) -> bool:
        """Whether there is anything to show."""
        return self._best is not None

    def comparison(self) -> Comparison:
        """What there is so far."""
        assert self._best is not None
        results = tuple(c.result() for c in self.contenders if c.records)
        _, label, run = self._best
        assert run.labels is not None  # the engine keeps those of the best run of a call
        return Comparison(
            results=results,
            n_rows=self.points.n,
            n_features=self.points.d,
            n_clusters=self.n_clusters,
            seconds=_fair_seconds(results) if self.budget is None else self.budget,
            budget=self.budget,
            runs=self.runs,
            scaling=self.scaling.how,
            options={**self.kmeans, "seed": self.seed},
            best_method=label,
            centers=self.scaling.undo(run.centers),
            labels=run.labels,
            refused=dict(self.refused),
            complete=self.complete,
        )

    def _wanted(self) -> dict[_Contender, int]:
        return {
            c: c.wanted(self._batch, self.runs, self.budget)
            for c in self.contenders
            if c.label not in self.refused
        }

    def _progress(self) -> tuple[int, int]:
        """Steps that are done and that there are: runs, or hundredths of the budget."""
        active = [c for c in self.contenders if c.label not in self.refused]
        if self.budget is None:
            total = sum(1 if c.method.deterministic else cast(int, self.runs) for c in active)
            return sum(len(c.records) for c in active), total
        random = [c for c in active if not c.method.deterministic]
        shares = [min(1.0, c.spent / self.budget) for c in random]
        return int(100 * sum(shares)), 100 * len(random)

    def _round(self, tell: Tell) -> None:
        drawn: list[tuple[_Contender, float, int]] = []
        starts: list[FloatArray] = []
        for contender, count in self._wanted().items():
            if count:
                tell(f"seeding with {contender.label}", *self._progress())
            for r in range(len(contender.records), len(contender.records) + count):
                try:
                    centers, seconds, shortfall = self._seeded(contender, r)
                except TooManyRowsError as error:
                    self.refused[contender.label] = str(error)
                    break
                starts.append(centers)
                drawn.append((contender, seconds, shortfall))
        if not starts:
            return
        tell(f"clustering from {len(starts)} starts", *self._progress())
        found = run_points(
            self.points,
            cast(FloatArray, np.stack(starts)),
            n_threads=self.n_threads,
            history=False,
            **self.kmeans,
        )
        for (contender, seconds, shortfall), run in zip(drawn, found, strict=True):
            contender.add(run, seconds, shortfall)
            if run.labels is not None and (self._best is None or run.sse < self._best[0]):
                self._best = run.sse, contender.label, run
        tell("clustering", *self._progress())

    def _seeded(self, contender: _Contender, r: int) -> tuple[FloatArray, float, int]:
        """Seeds of run r, on one thread, so that its time is what it takes."""
        rng = generator(self.seed, contender.key, r)
        before = time.thread_time()
        seeds = contender.method.seed_points(
            self.points,
            self.n_clusters,
            random_state=rng,
            n_threads=1,
            strict=self.kmeans["empty_cluster"] not in ("keep", "drop"),
        )
        seconds = time.thread_time() - before
        return seeds.centers, seconds, int(seeds.info.get("shortfall", 0))


def scaled_points(given: Points, scaling: Scaling, n_threads: int) -> Points:
    """The points after scaling, in their own precision."""
    if scaling.how == "none":
        return given
    x = np.ascontiguousarray(scaling.apply(given.x), dtype=given.x.dtype)
    return points_of(cast(FloatArray, x), given.weight, n_threads=n_threads)


def as_seed(random_state: RandomState) -> int:
    """One number from which all streams are made; an int is taken as it is."""
    if is_integer(random_state):
        return int(cast(int, random_state))
    return int(generator(random_state).integers(2**63))


def check_runs(runs: int | None) -> int | None:
    if runs is not None and (not is_integer(runs) or runs < 1):
        raise ParameterError(f"runs={runs!r} is not usable; give an int >= 1")
    return runs


def _check_budget(budget: float | None) -> float | None:
    if budget is None:
        return None
    number = isinstance(budget, int | float | np.number) and not isinstance(budget, bool)
    if not number or not 0.0 < float(budget) < math.inf:
        raise ParameterError(f"budget={budget!r} is not usable; give seconds, a number > 0")
    return float(budget)


def _contenders(methods: Iterable[Any] | Mapping[str, Any]) -> list[_Contender]:
    if isinstance(methods, str | Method) or callable(methods):
        raise ParameterError(f"methods={methods!r} is one method; give a list: [{methods!r}]")
    if isinstance(methods, Mapping):
        labelled = [(str(label), as_method(given)) for label, given in methods.items()]
    else:
        made = [(given, as_method(given)) for given in methods]
        labelled = [(_label(given, method), method) for given, method in made]
    if not labelled:
        raise ParameterError("methods is empty; name at least one method")
    names = [label for label, _ in labelled]
    for label in names:
        if names.count(label) > 1:
            raise ParameterError(
                f"{names.count(label)} methods are called {label!r}; give a dictionary with a "
                'label for each: {"one": …, "other": …}'
            )
    return [_Contender(label, method, _stream_key(method)) for label, method in labelled]


def _label(given: Any, method: Method) -> str:
    """The method's id, with the parameters that are not the defaults."""
    defaults = {p.name: p.default for p in method.parameters()}
    changed = [
        f"{name}={getattr(method, name)}"
        for name, default in defaults.items()
        if getattr(method, name) != default
    ]
    if changed and isinstance(given, str):
        return given  # a name that stands for a method with parameters
    return f"{method.meta.id}({', '.join(changed)})" if changed else method.meta.id


def _stream_key(method: Method) -> int:
    """What the random streams of a method are keyed by: itself and its parameters, not its label
    or its place."""
    values = {p.name: getattr(method, p.name) for p in method.parameters()}
    identity = json.dumps([method.meta.id, values], sort_keys=True, default=repr)
    return int.from_bytes(hashlib.sha256(identity.encode()).digest()[:8], "little")


def _fair_seconds(results: tuple[MethodRuns, ...]) -> float:
    """The time in which every method can run once, and the quickest random one as often as it
    did."""
    once = max(result.seconds_per_run for result in results)
    often = [len(r) * r.seconds_per_run for r in results if not r.deterministic]
    return max([once, min(often)] if often else [once])
