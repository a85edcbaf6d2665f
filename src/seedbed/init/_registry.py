"""The methods by name: canonical ids, the study's letters, aliases and presets.

Names are compared without regard to case, hyphens, underscores and spaces. A name that means
different things in different libraries raises and says which methods it could mean.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

from seedbed.init._base import Meta, Method

M = TypeVar("M", bound=type[Method])

STUDY = "FMXBKGVP"  # the letters of the eight methods compared by Celebi, Kingravi & Vela (2013)

# Names that elsewhere stand for more than one thing, or for something that is no initialisation.
_AMBIGUOUS = {
    "hartigan-wong": "it names an algorithm in R and ELKI and an initialisation in R's inaparc "
    "('hartigan')",
    "lloyd": "it names the iterations of k-means; pass it as algorithm='lloyd'",
    "furthest": "it may mean farthest from the nearest seed ('maximin') or, elsewhere, farthest "
    "from the mean of the seeds",
    "uniform": "it may mean rows drawn uniformly ('macqueen') or, elsewhere, points drawn "
    "uniformly in the bounding box ('jancey')",
}


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).replace("‖", "||").lower()


class _Registry:
    """Classes in order of registration, and every name that leads to one."""

    def __init__(self) -> None:
        self.classes: dict[str, type[Method]] = {}
        self.names: dict[str, tuple[str, Mapping[str, Any]]] = {}  # key -> (id, parameters)
        self.ambiguous = {_key(name): reason for name, reason in _AMBIGUOUS.items()}
        self.made: dict[str, Method] = {}  # by name as given: methods are frozen, one is enough

    def add(self, cls: type[Method]) -> None:
        meta = cls.meta
        known = self.classes.get(meta.id)
        if known is not None and known.__qualname__ != cls.__qualname__:
            raise ValueError(
                f"a method {meta.id!r} exists already: {known.__qualname__}; choose another id"
            )
        wanted: dict[str, Mapping[str, Any]] = {meta.id: {}, meta.name: {}}
        wanted |= {alias: {} for alias in meta.aliases}
        wanted |= {meta.letter: {}} if meta.letter else {}
        wanted |= dict(meta.presets)
        for name in wanted:
            owner = self.names.get(_key(name), (meta.id, {}))[0]
            if owner != meta.id or _key(name) in self.ambiguous:
                raise ValueError(
                    f"the name {name!r} of {meta.id!r} is taken ({owner!r}); choose another"
                )
        self.classes[meta.id] = cls
        for name, parameters in wanted.items():
            self.names[_key(name)] = (meta.id, parameters)
        self.made.clear()

    def find(self, name: str) -> tuple[type[Method], Mapping[str, Any]]:
        key = _key(name)
        if key in self.names:
            identity, parameters = self.names[key]
            return self.classes[identity], parameters
        if key in self.ambiguous:
            raise ValueError(f"method {name!r} is ambiguous: {self.ambiguous[key]}")
        raise ValueError(f"unknown method {name!r}; {self._advice(key)}")

    def _advice(self, key: str) -> str:
        near = difflib.get_close_matches(key, self.names, n=8, cutoff=0.5)
        place = {cls.meta.id: i for i, cls in enumerate(self.ordered())}

        def likeness(name: str) -> tuple[float, int]:
            return -difflib.SequenceMatcher(None, name, key).ratio(), place[self.names[name][0]]

        near.sort(key=likeness)  # among equals the study's methods first
        ids = list(dict.fromkeys(self.names[k][0] for k in near))[:3]
        if ids:
            return f"did you mean {' or '.join(map(repr, ids))}? seedbed.methods() lists all"
        return f"use one of {', '.join(cls.meta.id for cls in self.ordered())}"

    def ordered(self) -> tuple[type[Method], ...]:
        """The study's methods in its order, then the others as they came."""

        def place(cls: type[Method]) -> int:
            return (STUDY.find(cls.meta.letter) if cls.meta.letter else -1) % (len(STUDY) + 1)

        return tuple(sorted(self.classes.values(), key=place))


_registry = _Registry()


def register(cls: M) -> M:
    """Class decorator: make a `Method` available by its id, letter, aliases and presets."""
    _registry.add(cls)
    return cls


def get(method: str | Method | type[Method], **parameters: Any) -> Method:
    """The method of that name (or letter, or alias), with the given parameters.

    >>> get("maximin", first="kkz") == get("KKZ")
    True
    """
    if isinstance(method, Method):
        if parameters:
            raise ValueError(
                f"parameters {sorted(parameters)} cannot be added to {method!r}; "
                "make the method with them"
            )
        return method
    preset: Mapping[str, Any] = {}
    if isinstance(method, str):
        if method in _registry.made and not parameters:
            return _registry.made[method]
        cls, preset = _registry.find(method)
    elif isinstance(method, type) and issubclass(method, Method):
        cls = method
    else:
        raise TypeError(
            f"method={method!r} of type {type(method).__name__} is not usable; give a name such as "
            "'k-means++' (seedbed.methods() lists all) or a Method such as seedbed.init.PCAPart()"
        )
    if parameters:
        _check_names(cls, parameters)
    made = cls(**{**preset, **parameters})
    if isinstance(method, str) and not parameters:
        _registry.made[method] = made
    return made


def _check_names(cls: type[Method], parameters: Mapping[str, Any]) -> None:
    unknown = set(parameters) - {p.name for p in cls.parameters()}
    if unknown:
        known = ", ".join(p.name for p in cls.parameters()) or "none"
        raise TypeError(
            f"{cls.meta.id} has no parameter {sorted(unknown)[0]!r}; its parameters: {known}"
        )


class Methods(tuple[Meta, ...]):
    """Rows of metadata that print as a table."""

    __slots__ = ()
    columns = ("letter", "id", "family", "year", "cost", "random", "order", "weights", "summary")

    def rows(self) -> Iterator[tuple[str, ...]]:
        for meta in self:
            yield (
                meta.letter or "",
                meta.id,
                meta.family,
                str(meta.year),
                meta.cost,
                "no" if meta.deterministic else "yes",
                "matters" if meta.order_sensitive else "free",
                meta.weights,
                meta.summary,
            )

    def __str__(self) -> str:
        table = [self.columns, *self.rows()]
        widths = [max(len(row[c]) for row in table) for c in range(len(self.columns))]
        lines = [
            "  ".join(v.ljust(w) for v, w in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame (pandas must be installed)."""
        return import_module("pandas").DataFrame(list(self.rows()), columns=list(self.columns))


def methods() -> Methods:
    """All registered methods, the study's eight first."""
    return Methods(cls.meta for cls in classes())


def classes() -> tuple[type[Method], ...]:
    """The registered classes, in the same order."""
    return _registry.ordered()
