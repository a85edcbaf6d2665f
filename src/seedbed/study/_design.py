"""What a study compares: data sets, methods, runs, and the rules of k-means, as plain frozen data.

A design says everything that the results depend on and nothing else: where and on how many
processors it runs is told to the runner. It is read from TOML, written beside the results, and its
hash keeps the results of two designs from being mixed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from seedbed._core._engine import ALGORITHMS, EMPTY_POLICIES, STOP_RULES
from seedbed._validation import is_integer
from seedbed.init import Method, get
from seedbed.study._sources import Source, Unit

CRITERIA = ("rand", "van_dongen", "vi")
PRECISIONS = ("float64", "float32")
EIGHT = ("F", "M", "X", "B", "K", "G", "V", "P")


class DesignError(ValueError):
    """A design that cannot be carried out. ``key`` says where: a path such as ("kmeans", "tol")."""

    def __init__(self, key: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, eq=False)
class Entry:
    """A method of the study: its name, its parameters, and the label it has in the tables.

    Parameters
    ----------
    method : str
        Its name, letter or alias.
    parameters : mapping, optional
        Of the method.
    label : str, optional
        In the tables; by default the method's letter in the study, or the name given where it has
        none or differs from the study's in its parameters.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    def __post_init__(self) -> None:
        made = self.build()
        shown = made.meta.letter if made.meta.letter and made == type(made)() else self.method
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))
        object.__setattr__(self, "label", self.label or shown)

    def __reduce__(self) -> tuple[Any, ...]:
        return Entry, (self.method, dict(self.parameters), self.label)

    def build(self) -> Method:
        """The method itself.

        Returns
        -------
        Method
            With the parameters of this entry.
        """
        return get(self.method, **self.parameters)

    def as_dict(self) -> dict[str, Any]:
        """The entry as it is written to TOML.

        Returns
        -------
        dict
            Method, label and parameters.
        """
        return {"method": self.method, "label": self.label, **self.parameters}

    @property
    def identity(self) -> str:
        """What its random streams are keyed by: the method with all its parameters, not its
        label."""
        made = self.build()
        values = {p.name: getattr(made, p.name) for p in made.parameters()}
        return json.dumps([made.meta.id, values], sort_keys=True, default=repr)


@dataclass(frozen=True, eq=False, kw_only=True)
class Design:
    """A study, ready to be run.

    Parameters
    ----------
    data : sequence of Source
        The sources of data sets: `RealSets`, `SyntheticSets`.
    methods : sequence of str or Entry, optional
        Names and letters of methods, or entries; the study's eight by default.
    runs : int, default=100
        Of each random method on each data set; deterministic methods run once.
    seed : int, default=2013
        Of all random numbers.
    name : str, default="study"
        Shown in tables and reports.
    criteria : sequence of str, optional
        External criteria to compute where classes are known; all three by default.
    precision : {"float64", "float32"}, default="float64"
        Of the data.
    stop, tol, max_iter, empty_cluster, algorithm : optional
        As in `seedbed.kmeans.run_many`, whose defaults are those of the publication.

    Examples
    --------
    >>> from seedbed import study
    >>> study.Design(data=(study.RealSets(sets=("iris", "wine")),), methods=("K", "G"), runs=10)
    Design('study': 2 data sets; methods K, G; 10 runs)
    """

    data: tuple[Source, ...]
    methods: tuple[Entry, ...] = EIGHT  # type: ignore[assignment]
    runs: int = 100
    seed: int = 2013
    name: str = "study"
    criteria: tuple[str, ...] = CRITERIA
    precision: str = "float64"
    stop: str = "sse"
    tol: float = 1e-6
    max_iter: int = 100
    empty_cluster: str = "relocate"
    algorithm: str = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", tuple(self.data))
        object.__setattr__(self, "criteria", tuple(self.criteria))
        self._check_options()
        object.__setattr__(self, "methods", tuple(_entry(i, m) for i, m in enumerate(self.methods)))
        self._check_methods()
        if not self.data:
            raise DesignError(("data",), "data is empty; give at least one source of data sets")

    def _check_options(self) -> None:
        for key, least in (("runs", 1), ("max_iter", 1), ("seed", 0)):
            value = getattr(self, key)
            if not is_integer(value) or value < least:
                raise DesignError((key,), f"{key}={value!r} is not usable; give an int >= {least}")
        if not isinstance(self.tol, int | float) or isinstance(self.tol, bool) or self.tol < 0:
            raise DesignError(("tol",), f"tol={self.tol!r} is not usable; give a number >= 0")
        for key, allowed in (
            ("precision", PRECISIONS),
            ("stop", tuple(STOP_RULES)),
            ("empty_cluster", tuple(EMPTY_POLICIES)),
            ("algorithm", tuple(ALGORITHMS)),
        ):
            if getattr(self, key) not in allowed:
                raise DesignError(
                    (key,), f"{key}={getattr(self, key)!r} is unknown; use {_one_of(allowed)}"
                )
        unknown = [name for name in self.criteria if name not in CRITERIA]
        if unknown:
            raise DesignError(
                ("criteria",), f"criterion {unknown[0]!r} is unknown; use {_one_of(CRITERIA)}"
            )

    def _check_methods(self) -> None:
        if not self.methods:
            raise DesignError(("methods",), "methods is empty; name at least one method")
        label, n = Counter(entry.label for entry in self.methods).most_common(1)[0]
        if n > 1:
            raise DesignError(
                ("methods",),
                f"{n} methods are labelled {label!r}; give each a label of its own",
            )

    def units(self) -> list[Unit]:
        """The data sets, each one a unit of work.

        Returns
        -------
        list of Unit
            In the order of the sources.
        """
        units = [unit for source in self.data for unit in source.units()]
        name, n = Counter(unit.name for unit in units).most_common(1)[0]
        if n > 1:
            raise DesignError(("data",), f"data set {name!r} is named {n} times; name it once")
        return units

    def settled(self) -> Design:
        """The same design with every data set named.

        Returns
        -------
        Design
            In which no word such as "present" is left.
        """
        return dataclasses.replace(self, data=tuple(source.settled() for source in self.data))

    def as_dict(self) -> dict[str, Any]:
        """The design as it is written to TOML.

        Returns
        -------
        dict
            Plain values only.
        """
        plain = {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if f.name not in ("data", "methods")
        }
        plain["criteria"] = list(self.criteria)
        plain["methods"] = [entry.as_dict() for entry in self.methods]
        plain["data"] = [source.as_dict() for source in self.data]
        return plain

    @property
    def digest(self) -> str:
        """A hash of all that the results depend on (so not of the name)."""
        plain = {key: value for key, value in self.as_dict().items() if key != "name"}
        text = json.dumps(plain, sort_keys=True, default=repr)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __repr__(self) -> str:
        labels = ", ".join(entry.label for entry in self.methods)
        return (
            f"Design({self.name!r}: {len(self.units())} data sets; methods {labels}; "
            f"{self.runs} runs)"
        )


def _entry(position: int, given: Any) -> Entry:
    if isinstance(given, Entry):
        return given
    try:
        if isinstance(given, str):
            return Entry(given)
        if isinstance(given, Mapping):
            options = dict(given)
            label = str(options.pop("label", ""))
            if "method" not in options:
                raise ValueError(f'{dict(given)!r} names no method; add method = "…"')
            return Entry(str(options.pop("method")), options, label)
    except (TypeError, ValueError) as error:
        raise DesignError(("methods", position), str(error)) from None
    raise DesignError(
        ("methods", position),
        f"{given!r} is not a method; give a name such as 'k-means++' (`seedbed methods` lists "
        "them), or a table with method, its parameters and a label",
    )


def _one_of(names: tuple[str, ...]) -> str:
    return "one of " + ", ".join(map(repr, names))
