"""Which method, and how many runs of it, for one's own data: by evidence, with the time it takes.

The rule itself is that of ``init="auto"`` (`seedbed.init.choose`). What is added here is time: a
budget in seconds becomes work, and work becomes seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from seedbed._validation import as_n_clusters, as_points, as_threads
from seedbed.advise import _recommend_words as words
from seedbed.advise._recommend_time import seconds_of_a_run
from seedbed.exceptions import ParameterError
from seedbed.init import Choice, Method, Shape, Way, choose
from seedbed.init._auto_evidence import STANDARD
from seedbed.kmeans import KMeans

MOST_RUNS = 1000
NOTICEABLE = 0.8  # of the excess of the next cheaper option


@dataclass(frozen=True, kw_only=True)
class Option:
    """Something that could be done, and what is to be expected of it.

    Attributes
    ----------
    method : Method
        What to use.
    runs : int
        How often; the best of the runs is kept.
    seconds : float
        What it takes on these data and this machine, about.
    excess : float
        Expected share by which the final SSE is above the best known one.
    high : float
        What 95 % of the cases in our studies stayed below.
    """

    method: Method
    runs: int
    seconds: float
    excess: float
    high: float

    @classmethod
    def of(cls, way: Way, seconds_of_a_run: float) -> Option:
        """The option of following a way."""
        return cls(
            method=way.method,
            runs=way.runs,
            seconds=way.cost * seconds_of_a_run,
            excess=way.excess,
            high=way.high,
        )

    def __str__(self) -> str:
        return words.line(self)


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """What to use, why, what to expect, and what it would cost to do better.

    Attributes
    ----------
    method : Method
        What to use.
    runs : int
        How often; the best of the runs is kept.
    seconds : float
        What it takes, about.
    excess, high : float
        Expected share of the final SSE above the best known one: on average, and in all but 5 % of
        the cases.
    why : str
        The reasons in plain words.
    alternatives : tuple of Option
        From the cheapest to the best, those that end noticeably lower than all that are cheaper;
        also the recommended one, and one run of greedy k-means++.
    n_rows, n_features, n_clusters : int
        Of the data.
    deterministic, budget
        As asked for.
    within_budget : bool
        False where not even the cheapest way fits into the budget.
    """

    method: Method
    runs: int
    seconds: float
    excess: float
    high: float
    why: str
    alternatives: tuple[Option, ...]
    n_rows: int
    n_features: int
    n_clusters: int
    deterministic: bool
    budget: float | None
    within_budget: bool

    def kmeans(self, **options: Any) -> KMeans:
        """An estimator that does what is recommended; options are those of
        `seedbed.kmeans.KMeans`."""
        settled: dict[str, Any] = {"init": self.method, "n_init": self.runs}
        for name in (*settled, "n_clusters"):
            if name in options:
                raise ParameterError(
                    f"{name} is what the recommendation settles; to choose it yourself, make "
                    "seedbed.KMeans"
                )
        return KMeans(self.n_clusters, **settled, **options)

    @property
    def chosen(self) -> Option:
        """What is recommended, as one of the options."""
        return Option(
            method=self.method,
            runs=self.runs,
            seconds=self.seconds,
            excess=self.excess,
            high=self.high,
        )

    @property
    def better(self) -> tuple[Option, ...]:
        """What would end lower by the evidence, and takes longer."""
        return tuple(option for option in self.alternatives if option.excess < self.excess)

    def __str__(self) -> str:
        return words.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return words.html(self)


def recommend(
    X: Any,
    k: int,
    *,
    deterministic: bool = False,
    budget: float | None = None,
    sample_weight: Any = None,
    n_threads: int | None = None,
) -> Recommendation:
    """Say which method to use for these data, how often, why, and what to expect.

    The choice follows from the numbers of rows, features and clusters, and from the results of our
    studies on other data (docs/which-method.md). Without a budget it is that of
    ``KMeans(init="auto")``, and the same on every machine; only the times are measured here, on a
    sample of the rows.

    Parameters
    ----------
    X : array or data frame, rows × features
        Scaled as it is to be clustered.
    k : int
        How many clusters.
    deterministic : bool, default=False
        Only methods without randomness, which give the same result every time.
    budget : float, optional
        Seconds that clustering may take; as good a way as fits is recommended. What fits is told
        from a measurement, and so may differ between machines.
    sample_weight : array of one weight per row, or a number, optional
        A row of weight 2 counts as two rows.
    n_threads : int or None, default=None
        That clustering will use; None for as many as this process may.

    Returns
    -------
    Recommendation
        Prints itself; ``kmeans()`` is the estimator that follows it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> advice = recommend(load_iris().data, 3)
    >>> km = advice.kmeans(random_state=0).fit(load_iris().data)
    >>> round(km.inertia_, 3)
    78.851
    """
    _check(deterministic, budget)
    threads = as_threads(n_threads)
    points = as_points(X, sample_weight, n_threads=threads)
    n_clusters = as_n_clusters(k, points.n)
    shape = Shape.of(points, n_clusters)
    run_seconds = seconds_of_a_run(points, n_clusters, threads)
    if budget is None:
        choice = choose(shape, deterministic=deterministic)
        way = choice.way
    else:
        allowed = budget / run_seconds
        choice = choose(shape, deterministic=deterministic, allowed=allowed, negligible=0.0)
        way = _filled(choice)
    options = [Option.of(w, run_seconds) for w in (*choice.candidates, way)]
    chosen = options[-1]
    return Recommendation(
        **{name: getattr(chosen, name) for name in Option.__dataclass_fields__},
        why=choice.reason,
        alternatives=worth_showing(options, chosen),
        n_rows=points.n,
        n_features=points.d,
        n_clusters=n_clusters,
        deterministic=deterministic,
        budget=budget,
        within_budget=budget is None or chosen.seconds <= budget,
    )


def _check(deterministic: Any, budget: Any) -> None:
    if not isinstance(deterministic, bool):
        raise ParameterError(f"deterministic={deterministic!r} is not allowed; use True or False")
    is_number = isinstance(budget, int | float) and not isinstance(budget, bool)
    if budget is not None and not (is_number and 0 < budget < math.inf):
        raise ParameterError(
            f"budget={budget!r} is not allowed; give seconds as a finite number > 0, or None"
        )


def _filled(choice: Choice) -> Way:
    """The way with as many runs as fit, where it is one of the most runs there is evidence for."""
    way = choice.way
    same = [w.runs for w in choice.candidates if w.method == way.method]
    fit = int(choice.allowance * way.runs / way.cost)
    if way.method.deterministic or way.runs < max(same) or fit <= way.runs:
        return way
    return way.with_runs(min(fit, MOST_RUNS))


def worth_showing(options: Iterable[Option], chosen: Option) -> tuple[Option, ...]:
    """From the cheapest on, those that end noticeably lower than all that are cheaper; the chosen
    one, and one run of what everybody uses."""
    shown: list[Option] = []
    least = math.inf
    for option in sorted(options, key=lambda o: (o.seconds, o.excess, o is not chosen)):
        is_better = option.excess < NOTICEABLE * least
        is_standard = (option.method.meta.id, option.runs) == (STANDARD, 1)
        if not shown or is_better or is_standard or option is chosen:
            shown.append(option)
            least = min(least, option.excess)
    return tuple(shown)
