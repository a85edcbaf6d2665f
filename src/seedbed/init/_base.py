"""The protocol of an initialisation method, and what it returns.

A method is a frozen dataclass whose fields are its parameters. It implements `_seed`, which gets
validated points of positive weight with at least ``n_clusters`` distinct rows; everything around it
(input, weights of zero, too few distinct rows, random streams) is done here, once for all methods.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal, final

import numpy as np
from numpy.typing import NDArray

from seedbed._core._seeding import count_distinct, distinct_rows
from seedbed._random import RandomState, generator
from seedbed._validation import FloatArray, Points, as_n_clusters, as_points, as_threads
from seedbed._warn import warn
from seedbed.exceptions import DistinctRowsError, DistinctRowsWarning

Cost = Literal["linear", "loglinear", "quadratic", "other"]
Weights = Literal["yes", "part", "no"]


@dataclass(frozen=True, eq=False)
class Seeds:
    """Where k-means starts.

    Attributes
    ----------
    centers : ndarray, n_clusters × features
        The seeds, of the data's dtype.
    indices : ndarray of int64 or None
        The rows of the data that were chosen, in order; None where seeds are not rows.
    info : mapping
        What the method has to say: ``distinct`` (distinct rows, where fewer than clusters),
        ``shortfall`` (seeds the method could not place itself), a threshold it used, and so on.
    """

    centers: FloatArray
    indices: NDArray[np.int64] | None = None
    info: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "info", MappingProxyType(dict(self.info)))

    def __reduce__(self) -> tuple[type[Seeds], tuple[Any, ...]]:
        return Seeds, (self.centers, self.indices, dict(self.info))

    def __repr__(self) -> str:
        k, d = self.centers.shape
        parts = [f"{k} seed{'s' * (k != 1)} in {d} dimension{'s' * (d != 1)}"]
        if self.indices is not None:
            rows = ", ".join(map(str, self.indices[:8])) + (", …" if k > 8 else "")
            parts.append(f"rows [{rows}]")
        parts += [f"{name}={value!r}" for name, value in self.info.items() if np.ndim(value) == 0]
        return f"Seeds({'; '.join(parts)})"


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Where a method was published.

    Parameters
    ----------
    authors : str
        As a bibliography has them: ``"Su, T. & Dy, J. G."``.
    title : str
        Of the paper.
    venue : str
        Journal, volume and pages, or conference.
    year : int
        Of publication.
    doi : str, optional
        Without the address in front.
    """

    authors: str
    title: str
    venue: str
    year: int
    doi: str | None = None

    def __str__(self) -> str:
        link = f" doi:{self.doi}" if self.doi else ""
        return f"{self.authors} ({self.year}). {self.title}. {self.venue}.{link}"


@dataclass(frozen=True, kw_only=True)
class Meta:
    """What is known about a method without running it; the docs, the command and the tests read it.

    The flags describe the default parameters; ask an instance (`Method.deterministic` and so on)
    for its own.

    Parameters
    ----------
    id : str
        The name in code, in small letters.
    name : str
        The name in text.
    reference : Reference
        Where it was published.
    summary : str
        What it does, in half a line.
    family : str
        The section of the survey of Celebi, Kingravi & Vela (2013) that the method is in ("linear",
        "loglinear", "quadratic" or "other"), "modern" for what came since, or a word of a third
        party's.
    complexity : str
        Its cost in N rows, D attributes and K clusters.
    cost : {"linear", "loglinear", "quadratic", "other"}
        Its cost in the number of rows: "linear" and "loglinear" methods make some passes over them,
        "quadratic" ones look at pairs of rows, and "other" are searches that make as many passes,
        or runs of k-means, as their parameters ask for.
    deterministic : bool
        Whether the seeds are the same whatever ``random_state`` is.
    order_sensitive : bool
        Whether the seeds depend on the order of the rows beyond ties.
    weights : {"yes", "part", "no"}
        "yes" where a row of weight w acts as w equal rows, "part" where weights matter but not
        quite so, "no" where only zero weights do.
    selects_rows : bool
        Whether the seeds are rows of the data.
    translation_invariant : bool, default=True
        Whether moving all data moves the seeds along and changes nothing else.
    letter : str, optional
        Its letter in the study.
    aliases : tuple of str, optional
        Further names.
    presets : mapping, optional
        Further names that stand for the method with certain parameters.
    use : str, optional
        When to use it, as the rest of a sentence.
    avoid : str, optional
        When not to.
    """

    id: str
    name: str
    reference: Reference
    summary: str
    family: str
    complexity: str
    cost: Cost
    deterministic: bool
    order_sensitive: bool
    weights: Weights
    selects_rows: bool
    translation_invariant: bool = True
    letter: str | None = None
    aliases: tuple[str, ...] = ()
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    use: str = ""
    avoid: str = ""

    @property
    def year(self) -> int:
        """Of publication."""
        return self.reference.year


def parameter(default: Any, doc: str, *, allowed: str, accepts: Callable[[Any], bool]) -> Any:
    """Declare a parameter of a method: its default, its meaning, and what it may be.

    Parameters
    ----------
    default : object
        The value it has where none is given.
    doc : str
        What it means, for the docs and the command.
    allowed : str
        What it may be, in words, for the docs and for errors.
    accepts : callable
        Whether a value is allowed.

    Returns
    -------
    dataclasses.Field
        For the body of a `Method`: ``steps: int = parameter(25, ...)``.
    """
    return field(default=default, metadata={"doc": doc, "allowed": allowed, "accepts": accepts})


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A method's parameter as the docs and the command show it.

    Attributes
    ----------
    name : str
        Its name.
    default : object
        The value it has where none is given.
    doc : str
        What it means.
    allowed : str
        What it may be, in words.
    """

    name: str
    default: Any
    doc: str
    allowed: str


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """Base of all methods. Subclasses are frozen, keyword-only dataclasses with a ``meta``.

    An instance is callable as scikit-learn's KMeans expects of ``init=``. Note that scikit-learn
    hands over data from which the mean has been subtracted, and no weights.
    """

    meta: ClassVar[Meta]
    takes_all_rows: ClassVar[bool] = False  # `_seed` gets rows of weight zero and repeated rows too

    def __post_init__(self) -> None:
        for f in dataclasses.fields(self):
            accepts, value = f.metadata.get("accepts"), getattr(self, f.name)
            if accepts is not None and not accepts(value):
                raise ValueError(
                    f"{f.name}={value!r} is not allowed for {self.meta.id}; "
                    f"use {f.metadata['allowed']}"
                )

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters this method takes.

        Returns
        -------
        tuple of Parameter
            In the order in which they are declared.
        """
        return tuple(
            Parameter(
                name=f.name,
                default=f.default,
                doc=f.metadata.get("doc", ""),
                allowed=f.metadata.get("allowed", ""),
            )
            for f in dataclasses.fields(cls)
        )

    @classmethod
    def description(cls) -> tuple[str, ...]:
        """The paragraphs of the class's docstring, each in one line, up to a numpydoc section.

        Returns
        -------
        tuple of str
            Empty where there is no docstring.
        """
        text = inspect.cleandoc(cls.__doc__ or "")
        if text.startswith(f"{cls.__name__}("):  # what dataclass writes where there is no docstring
            return ()
        prose = re.split(r"\n[^\n]+\n-{3,}", text)[0]
        prose = prose.replace("``", "`")
        return tuple(" ".join(part.split()) for part in prose.split("\n\n") if part.strip())

    @property
    def deterministic(self) -> bool:
        """Whether the seeds are the same whatever ``random_state`` is."""
        return self.meta.deterministic

    @property
    def order_sensitive(self) -> bool:
        """Whether the seeds depend on the order of the rows beyond ties."""
        return self.meta.order_sensitive

    @property
    def translation_invariant(self) -> bool:
        """Whether moving all data moves the seeds along and changes nothing else."""
        return self.meta.translation_invariant

    @final
    def seed(
        self,
        X: Any,
        n_clusters: int,
        *,
        sample_weight: Any = None,
        random_state: RandomState = None,
        n_threads: int | None = None,
        strict: bool = False,
    ) -> Seeds:
        """Choose ``n_clusters`` starting centres for the rows of X.

        Parameters
        ----------
        X : array or data frame, rows × features
            Finite numbers.
        n_clusters : int
            How many seeds, at most the number of rows.
        sample_weight : array of one weight per row, or a number, optional
            Rows of weight zero are never chosen.
        random_state : int, Generator, RandomState or None, default=None
            The same number gives the same seeds.
        n_threads : int or None, default=None
            None for all available; the result does not depend on it.
        strict : bool, default=False
            Raise, rather than warn, where X has fewer distinct rows than ``n_clusters``.

        Returns
        -------
        Seeds
            The centres, the rows they are, and what the method has to say.
        """
        points = as_points(X, sample_weight, n_threads=n_threads)
        return self.seed_points(
            points, n_clusters, random_state=random_state, n_threads=n_threads, strict=strict
        )

    def seed_points(
        self,
        points: Points,
        n_clusters: int,
        *,
        random_state: RandomState = None,
        n_threads: int | None = None,
        strict: bool = False,
    ) -> Seeds:
        """As `seed`, for data that were validated before (many runs over one data set).

        Parameters
        ----------
        points : Points
            The data.
        n_clusters : int
            How many seeds, at most the number of rows.
        random_state : int, Generator, RandomState or None, default=None
            The same number gives the same seeds.
        n_threads : int or None, default=None
            None for all available; the result does not depend on it.
        strict : bool, default=False
            Raise, rather than warn, where there are fewer distinct rows than ``n_clusters``.

        Returns
        -------
        Seeds
            The centres, the rows they are, and what the method has to say.
        """
        (seeds,) = self.seed_starts(
            points, n_clusters, (generator(random_state),), n_threads=n_threads, strict=strict
        )
        return seeds

    @final
    def seed_starts(
        self,
        points: Points,
        n_clusters: int,
        rngs: Sequence[np.random.Generator],
        *,
        n_threads: int | None = None,
        strict: bool = False,
    ) -> list[Seeds]:
        """As `seed_points`, once for each generator: several starts for the same data, which are
        made together where the method can.

        Parameters
        ----------
        points : Points
            The data.
        n_clusters : int
            How many seeds, at most the number of rows.
        rngs : sequence of Generator
            One for each start.
        n_threads : int or None, default=None
            None for all available; the result does not depend on it.
        strict : bool, default=False
            Raise, rather than warn, where there are fewer distinct rows than ``n_clusters``.

        Returns
        -------
        list of Seeds
            One for each generator, the same as `seed_points` gives for it.
        """
        n_clusters = as_n_clusters(n_clusters, points.n)
        threads = as_threads(n_threads)
        if self.takes_all_rows:
            return self._seed_starts(points, n_clusters, rngs, threads)
        points = points.of_positive_weight(threads)
        if count_distinct(points.data, n_clusters) < n_clusters:
            starts = [_repeated(points, n_clusters, strict) for _ in rngs]
        else:
            starts = self._seed_starts(points, n_clusters, rngs, threads)
        kept = points.kept
        if kept is None:
            return starts
        return [
            seeds
            if seeds.indices is None
            else dataclasses.replace(seeds, indices=kept[seeds.indices])
            for seeds in starts
        ]

    def __call__(self, X: Any, n_clusters: int, random_state: RandomState = None) -> FloatArray:
        """Centres only, with the signature that ``sklearn.cluster.KMeans(init=...)`` calls."""
        return self.seed(X, n_clusters, random_state=random_state).centers

    @abstractmethod
    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        """Seeds for points of positive weight with at least ``n_clusters`` distinct rows (for all
        points as they are where the class says `takes_all_rows`)."""

    def _seed_starts(
        self,
        points: Points,
        n_clusters: int,
        rngs: Sequence[np.random.Generator],
        n_threads: int,
    ) -> list[Seeds]:
        """`_seed` for each generator; for methods that can do better than one after another."""
        return [self._seed(points, n_clusters, rng, n_threads) for rng in rngs]


def rows_as_seeds(points: Points, indices: NDArray[np.int64], **info: Any) -> Seeds:
    """Seeds that are rows of the data."""
    return Seeds(points.x.take(indices, axis=0), indices, info)


def _repeated(points: Points, n_clusters: int, strict: bool) -> Seeds:
    """The distinct rows first, then the same again, as often as needed."""
    distinct = distinct_rows(points.data, n_clusters)
    found = len(distinct)
    message = (
        f"X has {found} distinct row{'s' * (found != 1)} (of positive weight), "
        f"fewer than n_clusters={n_clusters}"
    )
    if strict:
        advice = f"ask for at most {found}, or pass strict=False to repeat rows"
        raise DistinctRowsError(f"{message}; {advice}", found)
    warn(f"{message}; some seeds coincide", DistinctRowsWarning)
    return rows_as_seeds(points, np.resize(distinct, n_clusters), distinct=found)
