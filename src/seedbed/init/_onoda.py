"""Onoda, Sakai and Yamada's method: seeds are the rows that point most nearly along the independent
components of the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core._fast_ica import TILE_ROWS, Tiles, contrast, empty_tiles
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._frame import Frame, frame
from seedbed.init._registry import register
from seedbed.init._shortfall import complete_rows

Floats = NDArray[np.float64]

_BLOCK = 256 * TILE_ROWS  # rows treated together, in order: sums do not depend on threads
_LEAST_EIGENVALUE = 1e-10  # relative to the largest; directions below carry nothing but rounding
_STEPS, _TOLERANCE = 200, 1e-4  # of FastICA
_NORMAL_LOG_COSH = 0.37456720749143774  # the mean of log cosh of a standard normal variable
_TIE = 1e-12  # cosines closer than this are equal: rounding must not choose between rows


@register
@dataclass(frozen=True, kw_only=True)
class Onoda(Method):
    """The row nearest in angle to each independent component, strongest component first.

    Components come from FastICA (symmetric, log cosh, started at the principal axes, so nothing is
    random). There are no more of them than attributes: further seeds are the farthest rows, and
    ``info["shortfall"]`` says how many. The publication leaves open whether rows are taken about
    their mean and which side of the model a component is; the parameters offer each.
    """

    meta = Meta(
        id="onoda",
        name="Onoda ICA",
        aliases=("onoda-sakai-yamada", "ica"),
        family="linear",
        reference=Reference(
            authors="Onoda, T., Sakai, M. & Yamada, S.",
            title="Careful seeding method based on independent components analysis for k-means "
            "clustering",
            venue="Journal of Emerging Technologies in Web Intelligence 4, 51–59",
            year=2012,
        ),
        summary="rows that point along the independent components of the data",
        complexity="O(ND²), and O(NK²) per step of FastICA, of which there are up to 200",
        cost="linear",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=True,
        use="with many more attributes than clusters, such as counts of words",
        avoid="with more clusters than attributes: there are not enough components",
    )

    centered: bool = parameter(
        True,
        "whether a row's direction is that from the mean of the data, or from the origin",
        allowed="True or False",
        accepts=lambda v: isinstance(v, bool | np.bool_),
    )
    use: str = parameter(
        "unmixing",
        "components as directions that rows are projected on, or 'mixing': as directions that make "
        "up the rows",
        allowed="'unmixing' or 'mixing'",
        accepts=lambda v: isinstance(v, str) and v in ("unmixing", "mixing"),
    )
    sign: str = parameter(
        "signed",
        "whether a row must point the same way as a component (whose largest entry is positive), "
        "or 'abs': may point the opposite way",
        allowed="'signed' or 'abs'",
        accepts=lambda v: isinstance(v, str) and v in ("signed", "abs"),
    )

    @property
    def translation_invariant(self) -> bool:
        return bool(self.centered)

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        scaled = frame(points, n_threads)
        mean = scaled.mean()
        found = _components(
            scaled, mean, n_clusters, mixing=self.use == "mixing", n_threads=n_threads
        )
        origin = mean if self.centered else np.zeros(points.d)
        cosines = _cosines(scaled.x, origin, found.directions)
        if self.sign == "abs":
            np.abs(cosines, out=cosines)
        rows = _nearest_in_angle(scaled.x, cosines)
        chosen, shortfall = complete_rows(points, rows, n_clusters, n_threads)
        return rows_as_seeds(
            points,
            chosen,
            components=len(found.directions),
            steps=found.steps,
            converged=found.converged,
            shortfall=shortfall,
        )


class _Components(NamedTuple):
    directions: Floats  # a row each, of length one, strongest first
    steps: int
    converged: bool


def _blocks(n: int) -> Iterator[slice]:
    return (slice(begin, begin + _BLOCK) for begin in range(0, n, _BLOCK))


def _components(
    scaled: Frame, mean: Floats, most: int, *, mixing: bool, n_threads: int = 1
) -> _Components:
    """Independent components in the space of the rows, at most ``most``."""
    share = scaled.mass / scaled.mass.sum()
    axes, values = _principal_axes(scaled.x, share, mean, most)
    if not len(values):
        return _Components(np.empty((0, len(mean))), 0, True)
    deviations = np.sqrt(values)
    white = _whitened(scaled.x, share, mean, axes / deviations[:, np.newaxis])
    rotation, strength, steps, converged = _fast_ica(white, n_threads)
    directions = rotation @ (axes * (deviations if mixing else 1.0 / deviations)[:, np.newaxis])
    directions /= np.abs(directions).max(axis=1, keepdims=True)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    largest = np.abs(directions).argmax(axis=1)
    directions *= np.sign(directions[np.arange(len(directions)), largest])[:, np.newaxis]
    return _Components(directions[np.argsort(-strength, kind="stable")], steps, converged)


def _principal_axes(x: Floats, share: Floats, mean: Floats, most: int) -> tuple[Floats, Floats]:
    """Eigenvectors of the covariance, a row each, and eigenvalues, the largest first."""
    n, d = x.shape
    if d <= n:
        covariance = np.zeros((d, d))
        for b in _blocks(n):
            offset = x[b] - mean
            covariance += offset.T @ (offset * share[b, np.newaxis])
        values, vectors = np.linalg.eigh(covariance)
        axes, values = vectors.T[::-1], values[::-1]
    else:
        root = np.sqrt(share)[:, np.newaxis]
        _, singular, axes = np.linalg.svd((x - mean) * root, full_matrices=False)
        values = singular**2
    count = min(most, int((values > _LEAST_EIGENVALUE * values[0]).sum()))
    return axes[:count], values[:count]


def _whitened(x: Floats, share: Floats, mean: Floats, axes: Floats) -> Tiles:
    """Rows as coordinates along axes, in tiles."""
    n, r = len(x), len(axes)
    tiles = empty_tiles(n, r)
    tiles.share.reshape(-1)[:n] = share
    for b in _blocks(n):
        rows = (x[b] - mean) @ axes.T
        whole = len(rows) // TILE_ROWS
        first, end = b.start // TILE_ROWS, whole * TILE_ROWS
        tiles.values[first : first + whole] = (
            rows[:end].reshape(whole, TILE_ROWS, r).transpose(0, 2, 1)
        )
        if end < len(rows):
            tiles.values[first + whole, :, : len(rows) - end] = rows[end:].T
    return tiles


def _fast_ica(white: Tiles, n_threads: int) -> tuple[Floats, Floats, int, bool]:
    """The rotation whose components are least normal, how far from it each is, and the steps."""
    rotation = np.eye(white.values.shape[1])
    converged, steps = len(rotation) == 1, 0
    while not converged and steps < _STEPS:
        bend, slope = contrast(white, rotation, n_threads)
        left, _, right = np.linalg.svd(bend - slope[:, np.newaxis] * rotation)
        turned = left @ right  # the orthogonal matrix nearest to it
        change = np.abs(np.abs((turned * rotation).sum(axis=1)) - 1.0).max()
        rotation, steps, converged = turned, steps + 1, bool(change < _TOLERANCE)
    log_cosh = np.zeros(len(rotation))
    for first in range(0, len(white.share), _BLOCK // TILE_ROWS):
        b = slice(first, first + _BLOCK // TILE_ROWS)
        size = np.abs(rotation @ white.values[b])
        bent = size + np.log1p(np.exp(-2.0 * size)) - np.log(2.0)
        log_cosh += np.einsum("tcp,tp->c", bent, white.share[b])
    return rotation, np.abs(log_cosh - _NORMAL_LOG_COSH), steps, converged


def _cosines(x: Floats, origin: Floats, directions: Floats) -> Floats:
    """Cosines between rows, seen from the origin, and directions; zero for a row at the origin."""
    cosines = np.empty((len(x), len(directions)))
    for b in _blocks(len(x)):
        offset = x[b] - origin
        length = np.linalg.norm(offset, axis=1, keepdims=True)
        cosines[b] = (offset @ directions.T) / np.where(length > 0, length, 1.0)
    return cosines


def _nearest_in_angle(x: Floats, cosines: Floats) -> NDArray[np.int64]:
    """For each direction in turn the row of greatest cosine that equals none chosen before.

    Among rows of the same direction it is the lexicographically least.
    """
    chosen: list[int] = []
    for column in cosines.T:
        candidates, fresh = column.copy(), np.empty(0, dtype=np.intp)
        while not len(fresh) and np.isfinite(best := candidates.max()):
            tied = np.flatnonzero(candidates >= best - _TIE)
            taken = [(x[tied] == x[row]).all(axis=1) for row in chosen]
            fresh = tied[~np.any(taken, axis=0)] if taken else tied
            candidates[tied] = -np.inf
        if len(fresh):
            chosen.append(int(fresh[np.lexsort(x[fresh].T[::-1])[0]]))
    return np.array(chosen, dtype=np.int64)
