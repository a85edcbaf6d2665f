"""HG-means: a population of clusterings that are crossed, mutated and improved by k-means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from seedbed._core._engine import Run
from seedbed._core._search import nearest
from seedbed._validation import FloatArray, Points, is_integer
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._draws import Plain, draw_one, plain
from seedbed.init._inner import run_inner, run_inner_once
from seedbed.init._macqueen import draw_rows
from seedbed.init._registry import register
from seedbed.init._shortfall import replace_repeats

_EXACT_MATCHING = 500  # clusters up to which centres are matched at least cost


@dataclass(frozen=True, eq=False)
class _Individual:
    """A clustering, and how much mutation prefers far rows (alpha)."""

    centers: FloatArray
    sse: float
    sizes: tuple[int, ...]  # sorted
    alpha: float

    @classmethod
    def of(cls, run: Run, alpha: float) -> _Individual:
        assert run.labels is not None  # one run at a time, or all asked for
        sizes = np.sort(np.bincount(run.labels, minlength=len(run.centers)))
        return cls(run.centers, run.sse, tuple(sizes.tolist()), alpha)


@register
@dataclass(frozen=True, kw_only=True)
class HGMeans(Method):
    """A genetic search whose individuals are local optima of k-means.

    Two parents' centres are matched and one of each pair is kept at random; a random centre then
    moves to a row that is likely to be far from the others, and k-means follows. Centres are
    returned in lexicographic order.
    """

    meta = Meta(
        id="hg-means",
        name="HG-means",
        aliases=("hybrid-genetic",),
        family="modern",
        reference=Reference(
            authors="Gribel, D. & Vidal, T.",
            title="HG-means: a scalable hybrid genetic algorithm for minimum sum-of-squares "
            "clustering",
            venue="Pattern Recognition 88, 569–583",
            year=2019,
            doi="10.1016/j.patcog.2018.12.022",
        ),
        summary="a genetic search over local optima of k-means",
        complexity="hundreds to thousands of runs of k-means",
        cost="other",
        deterministic=False,
        order_sensitive=False,
        weights="part",
        selects_rows=False,
        use="for the best clustering that can be had: the reference for near-optimal errors",
        avoid="where one run of k-means takes more than a fraction of a second",
    )

    population: int = parameter(
        10,
        "individuals that survive; as many again are made before the next selection",
        allowed="an int >= 2",
        accepts=lambda v: is_integer(v) and v >= 2,
    )
    stall: int = parameter(
        500,
        "generations without improvement after which the search ends",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )
    generations: int = parameter(
        5000,
        "generations at most",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        safe = plain(points, n_threads)
        people = self._first_people(safe, n_clusters, rng, n_threads)
        best = min(people, key=lambda one: one.sse)
        generation = last_improved = 0
        while generation < self.generations and generation - last_improved < self.stall:
            if best.sse == 0 or n_clusters == 1:
                break
            generation += 1
            child = _child(safe, _winner(people, rng), _winner(people, rng), rng, n_threads)
            people.append(child)
            if child.sse < best.sse * (1 - 1e-9):
                best, last_improved = child, generation
            if len(people) > 2 * self.population:
                people = survivors(people, self.population)
        centers, repeated = replace_repeats(points, safe.restored(best.centers), rng)
        ordered = centers[np.lexsort(centers.T[::-1])]
        info = {"generations": generation, "improved_last": last_improved, "shortfall": repeated}
        return Seeds(ordered, info=info)

    def _first_people(
        self, safe: Plain, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> list[_Individual]:
        """Local optima from rows drawn by weight."""
        points = safe.points
        rows = np.stack([draw_rows(points, n_clusters, rng) for _ in range(self.population)])
        runs = run_inner(points, points.x[rows], n_threads, keep_labels=True)
        return [_Individual.of(run, float(rng.random())) for run in runs]


def _winner(people: list[_Individual], rng: np.random.Generator) -> _Individual:
    """Of two at random the one of less error."""
    one, other = people[int(rng.integers(len(people)))], people[int(rng.integers(len(people)))]
    return one if one.sse <= other.sse else other


def _child(
    safe: Plain,
    mother: _Individual,
    father: _Individual,
    rng: np.random.Generator,
    n_threads: int,
) -> _Individual:
    alpha = float(np.clip((mother.alpha + father.alpha) / 2 + rng.uniform(-0.2, 0.2), 0.0, 1.0))
    partner = matched(mother.centers, father.centers)
    from_mother = rng.random(len(partner)) < 0.5
    centers = np.where(from_mother[:, None], mother.centers, father.centers[partner])
    moved = int(rng.integers(len(centers)))
    others = np.ascontiguousarray(np.delete(centers, moved, axis=0))
    far = safe.mass * nearest(safe.points.data, others, n_threads).squares
    total = far.sum()
    by_weight = safe.mass / safe.mass.sum()
    chance = alpha * far / total + (1 - alpha) * by_weight if total > 0 else by_weight
    centers[moved] = safe.points.x[draw_one(chance, rng)]
    return _Individual.of(run_inner_once(safe.points, centers, n_threads), alpha)


def matched(centers: FloatArray, others: FloatArray) -> NDArray[np.intp]:
    """A partner among the others for each centre, at least total squared distance; for many
    centres the nearest pairs first."""
    a, b = centers.astype(np.float64), others.astype(np.float64)
    cost = np.stack([np.square(row - b).sum(axis=1) for row in a])
    if len(a) <= _EXACT_MATCHING:
        return np.asarray(linear_sum_assignment(cost)[1])
    partner = np.full(len(a), -1, dtype=np.intp)
    taken = np.zeros(len(a), dtype=bool)
    for pair in np.argsort(cost, axis=None, kind="stable").tolist():
        i, j = divmod(pair, len(a))
        if partner[i] < 0 and not taken[j]:
            partner[i], taken[j] = j, True
    return partner


def survivors(people: list[_Individual], n: int) -> list[_Individual]:
    """Those of least error, none of them twice (of equal error and sizes) as long as others are
    left."""
    ordered = sorted(people, key=lambda one: one.sse)
    unique: list[_Individual] = []
    clones: list[_Individual] = []
    for one in ordered:
        known = bool(unique) and _same(unique[-1], one)
        (clones if known else unique).append(one)
    return (unique + clones)[:n]


def _same(a: _Individual, b: _Individual) -> bool:
    return b.sse - a.sse <= 1e-9 * b.sse and a.sizes == b.sizes
