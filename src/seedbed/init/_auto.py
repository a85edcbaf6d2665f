"""``init="auto"``: which method, and how many runs of it, for data of a given shape.

`allowance` says how much work data of a shape deserve, and `choose` takes what by the evidence
(`_auto_evidence`) ends lowest for that. Nothing here measures time, so that the choice is the same
on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from seedbed._validation import Points
from seedbed.init._auto_evidence import STANDARD, Shape, Way, bracket_of, evidence
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._optimal import Optimal
from seedbed.init._partition import VarPart
from seedbed.init._registry import stand_in

FULL_WORK = 3e8
"""Rows × features × clusters × runs that are spent unless there are bounds to it. Each takes some
two to five nanoseconds of one core, k-means to its end included: this is about a second."""
LEAST_RUNS, MOST_RUNS = 2.0, 100.0
"""The allowance is never less (one careful run) and never more (nothing is left to gain)."""
NEGLIGIBLE = 1e-4
"""Ways whose expected excess differs by no more are equal; then the cheaper one is taken."""
COST_ON_A_LINE = 90.0
"""Of the exact optimum for a single feature, in runs of greedy k-means++ with k-means: the most
that was measured (30 to 90)."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What was chosen for data of a shape, out of what, and why.

    Attributes
    ----------
    way : Way
        The method, the number of runs, and their evidence.
    shape : Shape
        Of the data.
    allowance : float
        The work that was allowed, in runs of greedy k-means++ with k-means.
    candidates : tuple of Way
        All ways that were considered, the cheapest first.
    """

    way: Way
    shape: Shape
    allowance: float
    candidates: tuple[Way, ...] = field(repr=False)

    @property
    def method(self) -> Method:
        """The chosen method."""
        return self.way.method

    @property
    def runs(self) -> int:
        """How many runs, of which the best is kept."""
        return self.way.runs

    @property
    def reason(self) -> str:
        """Why, in plain words."""
        return " ".join(_sentences(self))

    def __str__(self) -> str:
        return f"{said(self.method, self.runs)}. {self.reason}"


def allowance(shape: Shape) -> float:
    """The work that data of this shape deserve, in runs of greedy k-means++ with k-means: many
    where a run takes milliseconds, hardly more than one where it takes seconds."""
    return float(np.clip(FULL_WORK / shape.work, LEAST_RUNS, MOST_RUNS))


def choose(
    shape: Shape,
    *,
    deterministic: bool = False,
    allowed: float | None = None,
    most_runs: int | None = None,
    negligible: float = NEGLIGIBLE,
) -> Choice:
    """The way that ends lowest for the work allowed; the cheapest where none is that cheap.

    Parameters
    ----------
    shape : Shape
        Of the data.
    deterministic : bool, default=False
        Only methods without randomness.
    allowed : float, optional
        Work, in runs of greedy k-means++ with k-means; None for what data of this shape deserve.
    most_runs : int, optional
        Only ways of at most so many runs.
    negligible : float, optional
        Excess that is not worth more work.

    Returns
    -------
    Choice
        With its reason.
    """
    work = allowance(shape) if allowed is None else allowed
    ways = tuple(
        way
        for way in ways_for(shape)
        if (way.method.deterministic or not deterministic)
        and (most_runs is None or way.runs <= most_runs)
    )
    affordable = [way for way in ways if way.cost <= work] or [ways[0]]
    least = min(way.excess for way in affordable)
    good = [way for way in affordable if way.excess <= least + negligible]
    chosen = next((way for way in good if not way.sets), good[0])  # nothing beats a proof
    return Choice(way=chosen, shape=shape, allowance=work, candidates=ways)


def ways_for(shape: Shape) -> tuple[Way, ...]:
    """The ways to start on data of this shape, the cheapest first."""
    if shape.k == 1:
        return (_proved(VarPart(), cost=1.0),)
    ways = evidence()[bracket_of(shape)]
    if shape.d == 1:
        exact = _proved(Optimal(), cost=COST_ON_A_LINE)
        return (*(way for way in ways if way.cost < exact.cost), exact)
    if shape.weighted:  # a row of weight w must count as w rows
        return tuple(way for way in ways if way.method.meta.weights == "yes")
    return ways


def _proved(method: Method, *, cost: float) -> Way:
    return Way(method=method, runs=1, cost=cost, excess=0.0, high=0.0, sets=0)


def said(method: Method, runs: int) -> str:
    """What to do in words: "the best of 5 runs of breathing-k-means"."""
    name = name_of(method)
    return f"one run of {name}" if runs == 1 else f"the best of {runs} runs of {name}"


def name_of(method: Method) -> str:
    """The id of a method or the name of its preset; other parameters follow in brackets."""
    given = changed(method)
    presets = method.meta.presets.items()
    name = next((name for name, preset in presets if dict(preset) == given), None)
    if name or not given:
        return name or method.meta.id
    return f"{method.meta.id} ({', '.join(f'{n}={v!r}' for n, v in given.items())})"


def changed(method: Method) -> dict[str, Any]:
    """The parameters of a method that are not the defaults."""
    values = {p.name: (getattr(method, p.name), p.default) for p in method.parameters()}
    return {name: value for name, (value, default) in values.items() if value != default}


def _sentences(choice: Choice) -> Iterator[str]:
    shape, way = choice.shape, choice.way
    data = f"{shape.n:,} rows × {shape.d:,} feature{'s' * (shape.d != 1)}"
    if shape.k == 1:
        yield "The one centre is the mean, wherever k-means starts."
        return
    if not way.sets:
        yield f"{data}: clusters on a line are intervals, and the best ones can be computed."
        return
    allowed = f"{choice.allowance:.{0 if choice.allowance >= 10 else 1}f} runs of {STANDARD}"
    yield f"{data}, {shape.k} clusters: up to the work of {allowed} was allowed."
    yield (
        f"By our studies ({way.sets} data sets with similar numbers of clusters) the SSE should "
        f"end {percent(way.excess)} above the best known one on average, and at most "
        f"{percent(way.high)} in 95 % of the cases."
    )
    standard = _standard(choice)
    if standard is not None and standard != way:
        yield f"For one run of {STANDARD} it is {percent(standard.excess)}."


def _standard(choice: Choice) -> Way | None:
    ways = (w for w in ways_for(choice.shape) if w.method.meta.id == STANDARD and w.runs == 1)
    return next(ways, None)


def percent(share: float) -> str:
    """A share as a percentage of two digits that matter; what is next to nothing says so."""
    return "less than 0.01 %" if share < 1e-4 else f"{100 * share:.2g} %"


@stand_in
@dataclass(frozen=True, kw_only=True)
class Auto(Method):
    """The method that the evidence of our studies favours for data of this shape.

    It is not one of the registered methods, but stands for one of them: ``init="auto"`` in
    `seedbed.kmeans.KMeans` also settles the number of runs. Seeding alone is one run, and gets the
    method that is best in one.
    """

    meta = Meta(
        id="auto",
        name="by evidence",
        family="auto",
        reference=Reference(
            authors="seedbed", title="Which method when", venue="docs/which-method.md", year=2026
        ),
        summary="the method that our studies favour for data of this shape",
        complexity="that of the chosen method",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
    )

    deterministic: bool = parameter(
        False,
        "only methods without randomness",
        allowed="a bool",
        accepts=lambda v: isinstance(v, bool | np.bool_),
    )

    def choose(self, points: Points, n_clusters: int, *, most_runs: int | None = None) -> Choice:
        """What to use for these points."""
        return choose(
            Shape.of(points, n_clusters),
            deterministic=bool(self.deterministic),
            most_runs=most_runs,
        )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        choice = self.choose(points, n_clusters, most_runs=1)
        seeds = choice.method._seed(points, n_clusters, rng, n_threads)
        info: dict[str, Any] = {"chosen": choice.method.meta.id, "why": choice.reason}
        return replace(seeds, info={**seeds.info, **info})
