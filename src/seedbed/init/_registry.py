"""The methods by name: canonical ids, the study's letters, aliases and presets.

Names are compared without regard to case, hyphens, underscores and spaces. A name that means
different things in different libraries raises and says which methods it could mean.

Installed distributions announce methods of their own in the entry point group ``seedbed.init``.
They are looked up when a list of all methods or a name that is not ours is asked for, so that
nobody pays for them who does not use them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from types import ModuleType
from typing import Any, TypeVar, get_args

from seedbed._warn import warn
from seedbed.exceptions import EntryPointWarning
from seedbed.init._base import Cost, Meta, Method

M = TypeVar("M", bound=type[Method])

FAMILIES = (*get_args(Cost), "modern")  # of our methods: the survey's sections, and since then
GROUP = "seedbed.init"  # of entry points
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


_stand_ins: dict[str, type[Method]] = {}  # by name; found by it, and not listed


class _Registry:
    """Classes in order of registration, and every name that leads to one."""

    def __init__(self) -> None:
        self.classes: dict[str, type[Method]] = {}
        self.names: dict[str, tuple[str, Mapping[str, Any]]] = {}  # key -> (id, parameters)
        self.ambiguous = {_key(name): reason for name, reason in _AMBIGUOUS.items()}
        self.made: dict[str, Method] = {}  # by name as given: methods are frozen, one is enough
        self._installed_are_known = False
        self._lock = RLock()  # a method that is being loaded may itself ask for others

    def add(self, cls: type[Method]) -> None:
        meta = cls.meta
        known = self.classes.get(meta.id)
        if known is not None and _home(known) != _home(cls):
            raise ValueError(f"a method {meta.id!r} exists already ({_home(known)}); rename yours")
        wanted: dict[str, Mapping[str, Any]] = {meta.id: {}, meta.name: {}}
        wanted |= {alias: {} for alias in meta.aliases}
        wanted |= {meta.letter: {}} if meta.letter else {}
        wanted |= dict(meta.presets)
        for name in wanted:
            key = _key(name)
            owner = key if key in _stand_ins else self.names.get(key, (meta.id, {}))[0]
            if owner != meta.id or key in self.ambiguous or key in _stand_ins:
                raise ValueError(
                    f"the name {name!r} of {meta.id!r} is taken ({owner!r}); choose another"
                )
        self.classes[meta.id] = cls
        for name, parameters in wanted.items():
            self.names[_key(name)] = (meta.id, parameters)
        self.made.clear()

    def find(self, name: str) -> tuple[type[Method], Mapping[str, Any]]:
        key = _key(name)
        if key in _stand_ins:
            return _stand_ins[key], {}
        if key not in self.names:
            self.load_installed()
        if key in self.names:
            identity, parameters = self.names[key]
            return self.classes[identity], parameters
        if key in self.ambiguous:
            raise ValueError(f"method {name!r} is ambiguous: {self.ambiguous[key]}")
        raise ValueError(f"unknown method {name!r}; {self._advice(key)}")

    def _advice(self, key: str) -> str:
        def place(name: str) -> tuple[Any, ...]:
            likeness = difflib.SequenceMatcher(a=re.sub(r"\W", "", name), b=key).ratio()
            return (-likeness, *_place(self.classes[self.names[name][0]]))

        near = difflib.get_close_matches(key, self.names, n=8, cutoff=0.5)
        near.sort(key=place)  # signs aside; among equally near names those of the study first
        ids = list(dict.fromkeys(self.names[k][0] for k in near))[:3]
        if ids:
            return f"did you mean {' or '.join(map(repr, ids))}? seedbed.methods() lists all"
        return f"use one of {', '.join(cls.meta.id for cls in self.ordered())}"

    def ordered(self) -> tuple[type[Method], ...]:
        """The study's methods in its order, our others by family and year, then those of third
        parties as they came."""
        self.load_installed()
        return tuple(sorted(self.classes.values(), key=_place))

    def load_installed(self) -> None:
        """Add the methods of installed distributions, once; one that is broken costs a warning."""
        with self._lock:
            if self._installed_are_known:
                return
            self._installed_are_known = True
            for point in entry_points(group=GROUP):
                try:
                    self._add_announced(point.load())
                except Exception as error:  # whatever the code of others may raise
                    warn(_failure(point, error), EntryPointWarning)

    def _add_announced(self, found: Any) -> None:
        if isinstance(found, ModuleType):
            return  # importing it was enough: it uses `register`
        if not (isinstance(found, type) and issubclass(found, Method)):
            raise TypeError(
                f"{found!r} is neither a subclass of seedbed.init.Method nor a module that "
                "registers some"
            )
        self.add(found)


def _home(cls: type[Method]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def is_ours(cls: type[Method]) -> bool:
    """Whether a method comes with seedbed, and not from a third party."""
    return cls.__module__.split(".")[0] == __name__.split(".")[0]


def _place(cls: type[Method]) -> tuple[Any, ...]:
    """Where a method stands in a list of all."""
    meta = cls.meta
    if meta.letter and meta.letter in STUDY:
        return (0, STUDY.index(meta.letter))
    if is_ours(cls):
        return (1, FAMILIES.index(meta.family), meta.year, meta.id)
    return (2,)


def _failure(point: EntryPoint, error: Exception) -> str:
    owner = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return (
        f"the entry point {point.name!r} = {point.value!r}{owner} (group {GROUP!r}) gives no "
        f"method: {type(error).__name__}: {error}; repair or uninstall that distribution"
    )


_registry = _Registry()


def register(cls: M) -> M:
    """Class decorator: make a `Method` available by its id, letter, aliases and presets.

    Parameters
    ----------
    cls : type
        A frozen dataclass that derives from `Method` and has a ``meta``.

    Returns
    -------
    type
        The same class.
    """
    _registry.add(cls)
    return cls


def stand_in(cls: M) -> M:
    """Class decorator: a method that is found by its id but not listed, as it stands for others.

    Parameters
    ----------
    cls : type
        As for `register`.

    Returns
    -------
    type
        The same class.
    """
    _stand_ins[_key(cls.meta.id)] = cls
    return cls


def get(method: str | Method | type[Method], **parameters: Any) -> Method:
    """The method of that name (or letter, or alias), with the given parameters.

    Parameters
    ----------
    method : str, Method or type
        A name, or a method, which is returned with these parameters.
    **parameters
        Of the method.

    Returns
    -------
    Method
        An instance.

    Examples
    --------
    >>> get("maximin", first="kkz") == get("KKZ")
    True
    """
    preset: Mapping[str, Any] = {}
    if isinstance(method, str):
        if method in _registry.made and not parameters:
            return _registry.made[method]
        cls, preset = _registry.find(method)
    elif isinstance(method, Method):
        if parameters:
            raise ValueError(
                f"parameters {sorted(parameters)} cannot be added to {method!r}; "
                "make the method with them"
            )
        return method
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
    """Rows of metadata (`Meta`) that print as a table.

    A notebook shows them with their summaries.
    """

    __slots__ = ()
    columns = ("id", "letter", "family", "year", "cost", "random", "order", "weights", "summary")

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The cells of the table, as text.

        Yields
        ------
        tuple of str
            Id, letter, family, year, cost, whether it is random, whether the order of the rows
            matters, weights, summary.
        """
        for meta in self:
            yield (
                meta.id,
                meta.letter or "",
                meta.family,
                str(meta.year),
                meta.cost,
                "no" if meta.deterministic else "yes",
                "matters" if meta.order_sensitive else "free",
                meta.weights,
                meta.summary,
            )

    def __str__(self) -> str:
        heading = tuple("" if name == "letter" else name for name in self.columns)
        table = [row[:-1] for row in (heading, *self.rows())]  # summaries would be too wide
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(v.ljust(w) for v, w in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def row(tag: str, cells: Iterable[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

        body = "\n".join(row("td", cells) for cells in self.rows())
        return f"<table>\n{row('th', self.columns)}\n{body}\n</table>"

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame (pandas must be installed).

        Returns
        -------
        pandas.DataFrame
            One row per method.
        """
        return import_module("pandas").DataFrame(list(self.rows()), columns=list(self.columns))


def methods(
    *, deterministic: bool | None = None, family: str | None = None, cost: Cost | None = None
) -> Methods:
    """The registered methods, the study's eight first.

    Parameters
    ----------
    deterministic : bool, optional
        Only methods without randomness (True) or with it (False).
    family : str, optional
        Only those of this section of the survey ("linear", "loglinear", "quadratic", "other"), or
        "modern" for those since, or a family of third parties.
    cost : {"linear", "loglinear", "quadratic", "other"}, optional
        Only those of this cost in the number of rows.

    Returns
    -------
    Methods
        A tuple of `Meta` that prints as a table.

    Examples
    --------
    >>> [meta.id for meta in methods(deterministic=True, cost="linear")][:2]
    ['var-part', 'pca-part']
    """
    known = [cls.meta for cls in classes()]
    wanted = {"deterministic": deterministic, "family": family, "cost": cost}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    for name in wanted.keys() & {"family", "cost"}:
        _check_value(name, str(wanted[name]), {getattr(meta, name) for meta in known})
    return Methods(m for m in known if all(getattr(m, n) == v for n, v in wanted.items()))


def _check_value(name: str, value: str, known: set[str]) -> None:
    if value not in known:
        near = difflib.get_close_matches(value, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(sorted(known))}"
        raise ValueError(f"no method has {name}={value!r}; {hint}")


def classes() -> tuple[type[Method], ...]:
    """The registered classes, in the same order."""
    return _registry.ordered()
