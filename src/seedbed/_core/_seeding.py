"""The thin typed face of the native seeding kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core import _native

if TYPE_CHECKING:
    from seedbed._core._native import DatasetDouble, DatasetFloat

    Dataset = DatasetFloat | DatasetDouble


class Drawn(NamedTuple):
    """Rows chosen by D² draws: fewer than asked for where every row coincides with one of them."""

    rows: NDArray[np.int64]
    potential: NDArray[np.float64]  # Σ w·md² after each of them
    distances: int  # row-to-seed distances computed: fewer where the same data was seeded before


class Farthest(NamedTuple):
    """Rows chosen as the farthest: fewer than asked for where all coincide with one of them."""

    rows: NDArray[np.int64]
    radii: NDArray[np.float64]  # md of each of them, after the first, when it was chosen
    distances: int


def distinct_rows(data: Dataset, limit: int) -> NDArray[np.int64]:
    """The first ``limit`` rows that differ from all rows before them, or all such rows."""
    return _native.distinct_rows(data, limit)


def count_distinct(data: Dataset, limit: int) -> int:
    """How many distinct rows there are, counted up to ``limit``."""
    return _native.count_distinct(data, limit)


def distinct_among(data: Dataset, rows: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Places among ``rows`` of the first ``limit`` that differ from those before them, or all."""
    return _native.distinct_among(data, limit, np.ascontiguousarray(rows, np.int64))


class Parts(NamedTuple):
    """Rows of the first part, increasing, of the second and so on, and where each part ends."""

    rows: NDArray[np.int64]
    ends: NDArray[np.int64]

    def split(self) -> list[NDArray[np.int64]]:
        """The rows of each part."""
        return np.split(self.rows, self.ends[:-1])


def draw_parts(n: int, n_parts: int, rng: np.random.Generator) -> Parts:
    """Rows at random in parts of nearly equal size, every such split as likely as any other.

    Every row draws a part for itself. Parts that are then too large give some rows, drawn at
    random, to those that are too small. No row is treated differently from another, so no split is
    preferred; and this takes half the time of a permutation with each part sorted.
    """
    labels = rng.integers(n_parts, size=n, dtype=np.uint16)
    counts = _native.count_labels(labels, n_parts)
    sizes = np.full(n_parts, n // n_parts)
    sizes[: n % n_parts] += 1
    given = np.maximum(counts - sizes, 0)
    number = [
        np.sort(rng.choice(count, some, replace=False, shuffle=False))
        for count, some in zip(counts, given, strict=True)
    ]
    to = rng.permutation(np.repeat(np.arange(n_parts), np.maximum(sizes - counts, 0)))
    ends = np.cumsum(sizes)
    rows = _native.deal_rows(labels, np.concatenate(number), to, np.cumsum(given), ends)
    return Parts(rows, ends)


def cluster_parts(
    data: Dataset,
    parts: Parts,
    starts: NDArray[np.int64],
    *,
    tol: float,
    max_iter: int,
    n_threads: int,
) -> NDArray[np.float32] | NDArray[np.float64]:
    """The centres (parts × clusters × features) that k-means finds in each part of the rows.

    A part starts from the rows in its row of ``starts``. Empty clusters move to far points; in a
    part of too few distinct rows they stay.
    """
    starts = np.ascontiguousarray(starts, np.int64)
    return _native.cluster_parts(
        data, *parts, starts, tol=tol, max_iter=max_iter, n_threads=n_threads
    )


def draw_seeds(
    data: Dataset,
    uniforms: NDArray[np.float64],
    n_threads: int,
    *,
    given: NDArray[np.int64] | None = None,
) -> Drawn:
    """One seed for each row of ``uniforms`` (seeds × trials), each the best of as many D² draws.

    The first seed is drawn by weight with ``uniforms[0, 0]``. Where rows are ``given`` they are the
    first seeds, and as many rows of ``uniforms`` are not used.
    """
    first = np.empty(0, np.int64) if given is None else np.ascontiguousarray(given, np.int64)
    uniforms = np.ascontiguousarray(uniforms, np.float64)
    return Drawn(*_native.draw_seeds(data, uniforms, first, n_threads))


def draw_starts(data: Dataset, uniforms: NDArray[np.float64], n_threads: int) -> list[Drawn]:
    """`draw_seeds` for each of several starts, ``uniforms`` (C-ordered) being starts × seeds ×
    trials: they share what depends on the data only, and small ones are spread over the threads."""
    return [Drawn(*chosen) for chosen in _native.draw_starts(data, uniforms, n_threads)]


def draw_streams(
    data: Dataset, words: NDArray[np.uint64], n_rounds: int, n_trials: int, n_threads: int
) -> list[Drawn]:
    """`draw_starts` with what ``random((n_rounds, n_trials))`` of NumPy's PCG64 gives for each four
    words of a seed. The numbers are drawn natively: making NumPy's generator takes longer."""
    found = _native.draw_streams(data, words, n_rounds, n_trials, n_threads)
    return [Drawn(*chosen) for chosen in found]


def farthest_seeds(data: Dataset, n_clusters: int, first: int, n_threads: int) -> Farthest:
    """Row ``first``, then again and again the row farthest from those chosen."""
    rows, radii, distances = _native.farthest_seeds(data, n_clusters, first, n_threads)
    return Farthest(rows, radii[1:], distances)


def spread_seeds(data: Dataset, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Seeds after every later row was let to take the place of one that spreads them, and how many
    did.

    A row x with nearest seed q, while m and n are the closest pair of seeds: where x is farther
    from q than m from n, it replaces the nearer of m and n; else where x is farther from its
    second-nearest seed than q from the nearest other seed, it replaces q.
    """
    return _native.spread_seeds(data, np.ascontiguousarray(rows, np.int64))


def longest_row(data: Dataset) -> int:
    """The row of greatest Euclidean norm, the lowest index among equals."""
    return _native.longest_row(data)


def label_means(
    data: Dataset, labels: NDArray[np.int32], n_labels: int
) -> NDArray[np.float32] | NDArray[np.float64]:
    """The weighted mean of the rows of each label, from sums that do not depend on their order."""
    return _native.label_means(data, np.ascontiguousarray(labels, np.int32), n_labels)
