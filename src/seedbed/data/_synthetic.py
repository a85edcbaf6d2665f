"""The synthetic data sets of the study: 4,096 each that are easy, moderate and difficult.

Celebi, Kingravi & Vela (2013) drew Gaussian mixtures from a grid of mean overlaps, sizes,
attributes and classes, and sorted them by the complexity Ω of what k-means finds from the true
centres.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt

from seedbed._core._overlap import FloatArray
from seedbed._validation import is_integer
from seedbed.data._complexity import CLASSES, complexity_class
from seedbed.data._draws import SCALINGS, Cell, Draw, Outcome, judge
from seedbed.data._mixture import Mixture
from seedbed.data._synthetic_index import PER_CLASS, STUDY_SEED, Index, study_index


@dataclass(frozen=True, eq=False, repr=False)
class SyntheticSet:
    """One of the study's synthetic data sets.

    Attributes
    ----------
    X : ndarray, rows × features
        The points, scaled.
    y : ndarray of int32
        The class of each.
    centers : ndarray, classes × features
        The means of the components, on the scale of ``X``.
    seed, class_, index
        What the set is known by.
    cell : Cell
        What was asked for: mean overlap, rows, attributes and classes.
    complexity : float
        Ω, by which the set has its class.
    draw : int
        The number of the random draw that gave it.
    mixture : Mixture
        The mixture it was drawn from, before its points were scaled.
    """

    X: FloatArray
    y: npt.NDArray[np.int32]
    centers: FloatArray
    seed: int
    class_: str
    index: int
    cell: Cell
    complexity: float
    draw: int
    mixture: Mixture

    @property
    def n_clusters(self) -> int:
        """How many classes."""
        return self.cell.n_clusters

    @property
    def name(self) -> str:
        """Class and index, as in ``"easy-0007"``."""
        return f"{self.class_}-{self.index:04d}"

    def __repr__(self) -> str:
        n, d = self.X.shape
        return (
            f"SyntheticSet({self.name}: {n} points, {d} features, {self.n_clusters} classes, "
            f"mean overlap {self.cell.mean_overlap}, Ω = {self.complexity:.3f})"
        )


def synthetic(
    class_: str,
    index: int,
    *,
    seed: int = STUDY_SEED,
    scaling: str = "common",
    index_file: str | Path | None = None,
) -> SyntheticSet:
    """One of the study's synthetic data sets, made on the spot.

    A set is known by its class, its index in it and the seed of the study, and is the same to the
    last bit on every machine. The sets of the default seed are listed in a file of the package; for
    another seed they are found by looking at draw after draw (some 0.05 s each, and about six draws
    for an easy set), unless ``index_file`` lists them.

    Parameters
    ----------
    class_ : {"easy", "moderate", "difficult"}
        Ω up to 0.25, up to 0.5, or above.
    index : int
        0 to 4095.
    seed : int, optional
        Seed of the whole collection; by default that of the package's index.
    scaling : {"common", "minmax", "none"}, default="common"
        "common" shifts every attribute to start at 0 and divides all by the largest range: values
        in [0, 1], and nothing changes for k-means. "minmax" stretches each attribute to [0, 1].
        "none" leaves the points as they were drawn.
    index_file : path-like, optional
        An index made by ``tools/make_synthetic_index.py`` for the seed.

    Returns
    -------
    SyntheticSet
        Points, classes, centres and how they were found.

    Examples
    --------
    >>> synthetic("easy", 0)  # doctest: +ELLIPSIS
    SyntheticSet(easy-0000: ...)
    """
    _check(class_, index, scaling)
    outcome = _find(class_, index, seed, index_file)
    assert outcome.complexity is not None
    draw = Draw(seed, outcome.number)
    mixture = draw.mixture(outcome.factor)
    points = draw.points(mixture, scaling)
    return SyntheticSet(
        points.X,
        points.y,
        points.centers,
        seed,
        class_,
        int(index),
        draw.cell,
        outcome.complexity,
        outcome.number,
        mixture,
    )


def _find(class_: str, index: int, seed: int, index_file: str | Path | None) -> Outcome:
    if index_file is None:
        if seed == STUDY_SEED:
            return study_index().find(class_, index)
        return _search(class_, index, seed)
    listed = Index.load(Path(index_file))
    if listed.seed != seed:
        raise ValueError(f"{index_file} lists the sets of seed {listed.seed}, not of seed {seed}")
    if index >= len(listed.accepted[class_]):
        raise ValueError(
            f"index={index} is not in {index_file}, which lists {len(listed.accepted[class_])} "
            f"{class_} sets"
        )
    return listed.find(class_, index)


def _search(class_: str, index: int, seed: int) -> Outcome:
    found = -1
    for number in count():
        outcome = judge(seed, number)
        if outcome.complexity is not None and complexity_class(outcome.complexity) == class_:
            found += 1
            if found == index:
                return outcome
    raise AssertionError("the stream of draws has no end")


def _check(class_: str, index: int, scaling: str) -> None:
    if class_ not in CLASSES:
        raise ValueError(f"class_={class_!r} is unknown; use one of {', '.join(CLASSES)}")
    if not is_integer(index) or not 0 <= index < PER_CLASS:
        raise ValueError(
            f"index={index!r} is not usable; give an integer from 0 to {PER_CLASS - 1}"
        )
    if scaling not in SCALINGS:
        raise ValueError(f"scaling={scaling!r} is unknown; use one of {', '.join(SCALINGS)}")
