"""Onoda, Sakai and Yamada's method: seeds are the rows that point most nearly along the independent
components of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seedbed._core._fast_ica import Leading, covariance, fourth_moments, leading_rows, whitened
from seedbed._core._fast_ica import contrast as contrast_of
from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter, rows_as_seeds
from seedbed.init._frame import Frame, frame
from seedbed.init._registry import register
from seedbed.init._shortfall import complete_rows

if TYPE_CHECKING:
    from seedbed._core._native import DatasetDouble

Floats = NDArray[np.float64]

_FEW = 12  # components up to which fourth moments cost less than the steps they replace
_TILES = 256  # treated together
_LEAST_EIGENVALUE = 1e-10  # relative to the largest; directions below carry nothing but rounding
_STEPS, _TOLERANCE = 200, 1e-4  # of FastICA
_NORMAL_LOG_COSH = 0.37456720749143774  # the mean of log cosh of a standard normal variable
_ALIKE = 1e-9  # entries of directions, and strengths, that only rounding tells apart
_TIE = 1e-12  # cosines closer than this are equal: rounding must not choose between rows


@register
@dataclass(frozen=True, kw_only=True)
class Onoda(Method):
    """The row nearest in angle to each independent component, strongest component first.

    Components come from FastICA (symmetric, started at the principal axes, so nothing is random).
    There are no more of them than attributes: further seeds are the farthest rows, and
    ``info["shortfall"]`` says how many. The publication leaves open which contrast FastICA has,
    whether rows are taken about their mean and which side of the model a component is; the
    parameters offer each.

    Where the steps of FastICA do not settle or wander for long, as with few rows for so many
    attributes (``info`` has ``converged`` and ``steps``), rounding decides where they end, and it
    differs with the order of the rows and between a row of weight two and the same row twice.
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
        complexity="O(ND² + NR⁴) with R = min(K, D) components; beyond twelve, or with log cosh, "
        "O(NR²) per step of FastICA, of which there are up to 200",
        cost="linear",
        deterministic=True,
        order_sensitive=True,  # by rounding, where the steps wander
        weights="yes",
        selects_rows=True,
        use="with many more attributes than clusters, such as counts of words",
        avoid="with more clusters than attributes: there are not enough components",
    )

    contrast: str = parameter(
        "kurtosis",
        "what makes a component independent: its kurtosis, as by default in the program of "
        "FastICA's authors, or 'log-cosh', which minds outliers less but reads all rows in each "
        "step",
        allowed="'kurtosis' or 'log-cosh'",
        accepts=lambda v: isinstance(v, str) and v in ("kurtosis", "log-cosh"),
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
            scaled,
            mean,
            n_clusters,
            contrast=self.contrast,
            mixing=self.use == "mixing",
            n_threads=n_threads,
        )
        origin = mean if self.centered else np.zeros(points.d)
        rows = _nearest_in_angle(
            scaled, origin, found.directions, absolute=self.sign == "abs", n_threads=n_threads
        )
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


def _components(
    scaled: Frame, mean: Floats, most: int, *, contrast: str, mixing: bool, n_threads: int = 1
) -> _Components:
    """Independent components in the space of the rows, at most ``most``."""
    axes, values = _principal_axes(scaled, mean, most, n_threads)
    if not len(values):
        return _Components(np.empty((0, len(mean))), 0, True)
    deviations = np.sqrt(values)[:, np.newaxis]
    search = _LogCosh if contrast == "log-cosh" else _Kurtosis if len(axes) <= _FEW else _Cubes
    found = search(_data(scaled), mean, axes / deviations, n_threads)
    rotation, steps, converged = _fast_ica(found.step, len(axes))
    directions = rotation @ (axes * deviations if mixing else axes / deviations)
    directions /= np.abs(directions).max(axis=1, keepdims=True)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    order = _strongest_first(found.strength(rotation))
    return _Components(_positive(directions)[order], steps, converged)


def _positive(directions: Floats) -> Floats:
    """Directions whose largest entry is positive; the first of those that are equally large."""
    size = np.abs(directions)
    largest = (size >= size.max(axis=1, keepdims=True) - _ALIKE).argmax(axis=1)
    signs: Floats = np.sign(np.take_along_axis(directions, largest[:, np.newaxis], axis=1))
    return directions * signs


def _strongest_first(strength: Floats) -> NDArray[np.intp]:
    """The order of components; those equally strong stay in the order of the principal axes."""
    order = np.argsort(-strength, kind="stable")
    weaker = np.diff(strength[order], prepend=strength[order[0]]) < -_ALIKE
    return order[np.lexsort([order, np.cumsum(weaker)])]


def _data(scaled: Frame) -> DatasetDouble:
    data: Any = scaled.points.data  # frames are in double precision
    return data  # type: ignore[no-any-return]


def _principal_axes(
    scaled: Frame, mean: Floats, most: int, n_threads: int
) -> tuple[Floats, Floats]:
    """Eigenvectors of the covariance, a row each, and eigenvalues, the largest first."""
    n, d = scaled.x.shape
    if d <= n:
        values, vectors = np.linalg.eigh(covariance(_data(scaled), mean, n_threads))
        axes, values = vectors.T[::-1], values[::-1]
    else:
        root = np.sqrt(scaled.mass / scaled.mass.sum())[:, np.newaxis]
        _, singular, axes = np.linalg.svd((scaled.x - mean) * root, full_matrices=False)
        values = singular**2
    count = min(most, int((values > _LEAST_EIGENVALUE * values[0]).sum()))
    return axes[:count], values[:count]


def _fast_ica(step: Callable[[Floats], Floats], size: int) -> tuple[Floats, int, bool]:
    """The rotation whose components are least normal, the steps made, and whether these settled.

    A step is Newton's, to be followed by the orthogonal matrix nearest to it.
    """
    rotation = np.eye(size)
    converged, steps = size == 1, 0
    while not converged and steps < _STEPS:
        left, _, right = np.linalg.svd(step(rotation))
        turned = left @ right
        change = np.abs(np.abs((turned * rotation).sum(axis=1)) - 1.0).max()
        rotation, steps, converged = turned, steps + 1, bool(change < _TOLERANCE)
    return rotation, steps, converged


class _Kurtosis:
    """Steps from the fourth moments: one look at the data, whatever the number of steps."""

    def __init__(self, data: DatasetDouble, mean: Floats, axes: Floats, n_threads: int) -> None:
        self.moments = fourth_moments(data, mean, axes, n_threads)

    def step(self, rotation: Floats) -> Floats:
        return self._cubed(rotation) - 3.0 * rotation

    def strength(self, rotation: Floats) -> Floats:
        """How far from normal: the excess of the fourth moment."""
        fourth: Floats = (self._cubed(rotation) * rotation).sum(axis=1)
        return np.abs(fourth - 3.0)

    def _cubed(self, rotation: Floats) -> Floats:
        """The mean of y³·z for each component y of rows z."""
        r = len(rotation)
        squares = (rotation[:, :, np.newaxis] * rotation[:, np.newaxis, :]).reshape(r, r * r)
        mixed = (squares @ self.moments).reshape(r, r, r)
        cubed: Floats = np.einsum("ckl,cl->ck", mixed, rotation)
        return cubed


class _Cubes:
    """The same, where there are too many fourth moments: each step looks at all whitened rows."""

    def __init__(self, data: DatasetDouble, mean: Floats, axes: Floats, n_threads: int) -> None:
        self.white, self.n_threads = whitened(data, mean, axes, n_threads), n_threads

    def step(self, rotation: Floats) -> Floats:
        bend, slope = contrast_of(self.white, rotation, self.n_threads, cube=True)
        return bend - slope[:, np.newaxis] * rotation

    def strength(self, rotation: Floats) -> Floats:
        bend, _ = contrast_of(self.white, rotation, self.n_threads, cube=True)
        fourth: Floats = (bend * rotation).sum(axis=1)
        return np.abs(fourth - 3.0)


class _LogCosh:
    """Steps with tanh over all whitened rows."""

    def __init__(self, data: DatasetDouble, mean: Floats, axes: Floats, n_threads: int) -> None:
        self.white, self.n_threads = whitened(data, mean, axes, n_threads), n_threads

    def step(self, rotation: Floats) -> Floats:
        bend, slope = contrast_of(self.white, rotation, self.n_threads)
        return bend - slope[:, np.newaxis] * rotation

    def strength(self, rotation: Floats) -> Floats:
        """How far the mean of log cosh is from that of a normal variable."""
        log_cosh = np.zeros(len(rotation))
        for first in range(0, len(self.white.share), _TILES):
            b = slice(first, first + _TILES)
            size = np.abs(rotation @ self.white.values[b])
            bent = size + np.log1p(np.exp(-2.0 * size)) - np.log(2.0)
            log_cosh += np.einsum("tcp,tp->c", bent, self.white.share[b])
        return np.abs(log_cosh - _NORMAL_LOG_COSH)


def _nearest_in_angle(
    scaled: Frame, origin: Floats, directions: Floats, *, absolute: bool, n_threads: int
) -> NDArray[np.int64]:
    """For each direction in turn the row of greatest cosine that equals none chosen before.

    Among rows of the same direction it is the lexicographically least.
    """

    def lead(some: Floats, ceiling: Floats) -> list[Leading]:
        return leading_rows(
            _data(scaled), origin, some, ceiling, n_threads, absolute=absolute, tie=_TIE
        )

    x, chosen = scaled.x, list[int]()
    first = lead(directions, np.full(len(directions), np.inf))
    for leading, direction in zip(first, directions, strict=True):
        cosine, tied = leading
        while len(tied):
            taken = [(x[tied] == x[row]).all(axis=1) for row in chosen]
            fresh = tied[~np.any(taken, axis=0)] if taken else tied
            if len(fresh):
                chosen.append(int(fresh[np.lexsort(x[fresh].T[::-1])[0]]))
                break
            ((cosine, tied),) = lead(direction[np.newaxis], np.array([cosine - _TIE]))
    return np.array(chosen, dtype=np.int64)
