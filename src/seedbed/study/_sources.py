"""Where the data sets of a study come from, and how one of them is got when its turn comes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from seedbed import data as _data
from seedbed._validation import is_integer
from seedbed.data._complexity import CLASSES
from seedbed.data._draws import CLUSTERS, FEATURES, SIZES
from seedbed.data._synthetic_index import PER_CLASS, STUDY_SEED

SCALINGS = ("minmax", "zscore", "none")
WORDS = ("all", "study", "present")  # for sets that need not be named
COMMON = ("common", "minmax", "none")  # of synthetic sets


@dataclass(frozen=True, eq=False)
class Loaded:
    """A data set as the methods get it."""

    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.integer[Any]] | None
    n_clusters: int


@dataclass(frozen=True)
class Unit:
    """One data set of a study.

    Attributes
    ----------
    name : str
        Unique in the study, and a file name.
    group : str
        What its results are ranked with: "real", "easy", "moderate", "difficult" or "own".
    source : Source
        Where it comes from.
    key : str or int
        What the source knows it by.
    """

    name: str
    group: str
    source: Source
    key: str | int

    def load(self) -> Loaded:
        """Get the data set.

        Returns
        -------
        Loaded
            ``X``, ``y`` (or None) and ``n_clusters``.
        """
        return self.source.load(self)

    def extent(self) -> tuple[int, int, int]:
        """Rows, attributes and clusters, or what they are at most, told without loading it.

        Returns
        -------
        tuple of int
            N, D and K.
        """
        return self.source.extent(self)


@dataclass(frozen=True)
class Source(ABC):
    """Some data sets of a study: `RealSets`, `SyntheticSets`, or a class of one's own."""

    @abstractmethod
    def units(self) -> list[Unit]:
        """The data sets.

        Returns
        -------
        list of Unit
            Each with a name of its own.
        """

    @abstractmethod
    def load(self, unit: Unit) -> Loaded:
        """Get one of the data sets.

        Parameters
        ----------
        unit : Unit
            Which one.

        Returns
        -------
        Loaded
            ``X``, ``y`` (or None) and ``n_clusters``.
        """

    @abstractmethod
    def extent(self, unit: Unit) -> tuple[int, int, int]:
        """Rows, attributes and clusters of one of them, or what they are at most.

        Parameters
        ----------
        unit : Unit
            Which one.

        Returns
        -------
        tuple of int
            N, D and K.
        """

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """The source as it is written to TOML.

        Returns
        -------
        dict
            Plain values only.
        """

    def settled(self) -> Source:
        """The same source, with nothing in it that depends on the machine.

        Returns
        -------
        Source
            Itself, unless words had to be settled.
        """
        return self


def check_scaling(given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        raise ValueError(f"scaling={given!r} is unknown; use one of {', '.join(allowed)}")


def check_count(name: str, given: int | None) -> None:
    if given is not None and (not is_integer(given) or given < 1):
        raise ValueError(f"{name}={given!r} is not usable; give an int >= 1, or leave it out")


@dataclass(frozen=True, kw_only=True)
class RealSets(Source):
    """Real data sets by their slugs: those of the catalogue and one's own.

    One's own are made known by `seedbed.data.add` or ``seedbed data add FILE``.

    Parameters
    ----------
    sets : sequence of str or str, default="all"
        Slugs, or "all" (the publication's 32), "study" (those of the 32 that are on this machine)
        or "present" (those, and what scikit-learn carries).
    scaling : {"minmax", "zscore", "none"}, default="minmax"
        "minmax" is the publication's.
    clusters : int, optional
        How many; None for the publication's choice, or the number of classes.
    most_rows : int, optional
        Leave out larger sets, where ``sets`` is one of the words.
    """

    sets: tuple[str, ...] | str = "all"
    scaling: str = "minmax"
    clusters: int | None = None
    most_rows: int | None = None

    def __post_init__(self) -> None:
        check_scaling(self.scaling, SCALINGS)
        check_count("clusters", self.clusters)
        check_count("most_rows", self.most_rows)
        if self.sets not in WORDS:
            given = (self.sets,) if isinstance(self.sets, str) else tuple(self.sets)
            object.__setattr__(self, "sets", given)

    def slugs(self) -> tuple[str, ...]:
        """The sets by name; a word means those that it stands for now.

        Returns
        -------
        tuple of str
            Slugs.
        """
        if not isinstance(self.sets, str):
            return self.sets
        known = _data.catalogue()
        chosen = [slug for slug in known if self.sets == "present" or known[slug].number]
        if self.sets != "all":
            here = {place.slug for place in _data.present() if place.kind}
            chosen = [slug for slug in chosen if slug in here]
        most = self.most_rows or max(entry.shape[0] for entry in known.values())
        return tuple(slug for slug in chosen if known[slug].shape[0] <= most)

    def settled(self) -> RealSets:
        """The same with every set named: what a word means may change, a study may not.

        Returns
        -------
        RealSets
            Without words.
        """
        return replace(self, sets=self.slugs(), most_rows=None)

    def units(self) -> list[Unit]:
        known = _data.catalogue()
        return [Unit(slug, "real" if slug in known else "own", self, slug) for slug in self.slugs()]

    def load(self, unit: Unit) -> Loaded:
        found = _data.load(str(unit.key))
        k = self.clusters or found.n_clusters
        if k is None:
            raise ValueError(
                f"{unit.name} has no classes; say in the design how many clusters it has"
            )
        return Loaded(found.scaled(self.scaling), found.y, k)

    def extent(self, unit: Unit) -> tuple[int, int, int]:
        known = _data.catalogue().get(str(unit.key))
        if known is not None:
            return (*known.shape, self.clusters or known.k)
        loaded = self.load(unit)
        return (*loaded.X.shape, loaded.n_clusters)

    def as_dict(self) -> dict[str, Any]:
        sets = self.sets if isinstance(self.sets, str) else list(self.sets)
        plain = {"real": sets, "scaling": self.scaling, "clusters": self.clusters or "classes"}
        return plain if self.most_rows is None else {**plain, "most_rows": self.most_rows}


@dataclass(frozen=True, kw_only=True)
class SyntheticSets(Source):
    """The publication's synthetic sets.

    Parameters
    ----------
    classes : sequence of str, optional
        Of "easy", "moderate" and "difficult"; all three by default.
    count : int, default=4096
        How many of each class.
    first : int, default=0
        The index of the first.
    step : int, default=1
        Every how many-th is taken.
    seed : int, optional
        Of the whole collection, as in `seedbed.data.synthetic`.
    scaling : {"common", "minmax", "none"}, default="common"
        As in `seedbed.data.synthetic`.
    """

    classes: tuple[str, ...] = tuple(CLASSES)
    count: int = PER_CLASS
    first: int = 0
    step: int = 1
    seed: int = STUDY_SEED
    scaling: str = "common"

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        check_scaling(self.scaling, COMMON)
        for name in self.classes:
            if name not in CLASSES:
                raise ValueError(
                    f"synthetic class {name!r} is unknown; use one of {', '.join(CLASSES)}"
                )
        for key, least in (("count", 1), ("first", 0), ("step", 1), ("seed", 0)):
            value = getattr(self, key)
            if not is_integer(value) or value < least:
                raise ValueError(f"{key}={value!r} is not usable; give an int >= {least}")
        last = self.first + self.step * (self.count - 1)
        if last >= PER_CLASS:
            raise ValueError(
                f"first={self.first}, step={self.step}, count={self.count} reach index {last}; "
                f"each class has {PER_CLASS} sets"
            )

    def units(self) -> list[Unit]:
        places = range(self.first, self.first + self.step * self.count, self.step)
        return [
            Unit(f"{name}-{index:04d}", name, self, index)
            for index in places
            for name in self.classes
        ]

    def load(self, unit: Unit) -> Loaded:
        made = _data.synthetic(unit.group, int(unit.key), seed=self.seed, scaling=self.scaling)
        return Loaded(made.X, made.y, made.n_clusters)

    def extent(self, unit: Unit) -> tuple[int, int, int]:
        return max(SIZES), max(FEATURES), max(CLUSTERS)

    def as_dict(self) -> dict[str, Any]:
        return {
            "synthetic": list(self.classes),
            "count": self.count,
            "first": self.first,
            "step": self.step,
            "seed": self.seed,
            "scaling": self.scaling,
        }
