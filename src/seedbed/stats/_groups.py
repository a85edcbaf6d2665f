"""From verdicts to ``{F,M} < K < {V,P}``: sets of methods that cannot be told apart, worst first.

Two methods differ if and only if no group holds both, and the one whose groups come later is
better. For mean-rank tests the groups are runs of the rank order. Other tests may retain a pair and
reject one between its members; then the string shows the hull, which only joins, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed.stats._display import Shown

Sets = tuple[tuple[str, ...], ...]

_HULL = " (hull)"
_NEEDS_QUOTES = re.compile(r'[{},<"\s]|^$')
_NAME = r'"(?:[^"]|"")*"|[^\s{},<"]+'
_GROUP = re.compile(rf"\s*(?:\{{((?:\s*(?:{_NAME})\s*,?)*)\}}|({_NAME}))\s*")


@dataclass(frozen=True)
class Groups(Shown):
    """Groups of methods, from the worst to the best.

    Attributes
    ----------
    sets : tuple of tuples of str
        The groups, each in the order of the columns; they may overlap.
    hull : bool
        Whether pairs had to be joined to make the groups intervals of the rank order.
    cliques : tuple of tuples of str
        The largest sets in which no pair differs; the groups themselves unless ``hull``.
    """

    sets: Sets
    hull: bool = False
    cliques: Sets = field(default=(), compare=False)

    @property
    def totally_ordered(self) -> bool:
        """Whether the verdicts are intervals of the rank order, so that the string says it all."""
        return not self.hull

    @property
    def names(self) -> tuple[str, ...]:
        """All methods, in the order in which the groups name them."""
        return tuple(dict.fromkeys(name for group in self.sets for name in group))

    @property
    def letters(self) -> dict[str, str]:
        """A letter per clique: methods without a common letter differ."""
        out = dict.fromkeys(self.names, "")
        for i, clique in enumerate(self.cliques or self.sets):
            for name in clique:
                out[name] += _letter(i)
        return out

    def differ(self, first: str, second: str) -> bool:
        """Whether no group holds both."""
        self._check(first, second)
        return not any(first in group and second in group for group in self.sets)

    def better(self, first: str, second: str) -> bool:
        """Whether the first differs from the second and comes later."""
        last = {name: i for i, group in enumerate(self.sets) for name in group}
        return self.differ(first, second) and last[first] > last[second]

    @classmethod
    def parse(cls, text: str) -> Groups:
        """Read what `str` wrote."""
        body, hull = (text[: -len(_HULL)], True) if text.endswith(_HULL) else (text, False)
        sets, at = [], 0
        while found := _GROUP.match(body, at):
            inside, single = found.groups()
            names = tuple(map(_unquoted, re.findall(_NAME, single if inside is None else inside)))
            if not names or len(set(names)) < len(names):
                break
            sets.append(names)
            at = found.end()
            if at == len(body):
                return cls(_checked(tuple(sets), text), hull)
            if body[at] != "<":
                break
            at += 1
        raise ValueError(
            f"{text!r} is no ranking (position {at}); write groups from worst to best, such as "
            "'{F,M} < K < {V,P}'"
        )

    def _check(self, *names: str) -> None:
        for name in names:
            if name not in self.names:
                raise KeyError(f"there is no method {name!r}; there are {', '.join(self.names)}")

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "group": list(range(1, len(self.sets) + 1)),
            "methods": [",".join(map(_quoted, group)) for group in self.sets],
        }

    def to_latex(self) -> str:
        """The string in the publication's form, for text mode."""
        text = " $<$ ".join(_braced(group) for group in self.sets)
        for character in "{}_&%#":
            text = text.replace(character, f"\\{character}")
        return text + _HULL * self.hull

    def __str__(self) -> str:
        return " < ".join(map(_braced, self.sets)) + _HULL * self.hull


def groups(result: Any, **options: Any) -> Groups:
    """Sets of methods that cannot be told apart, as ``str`` shows them: ``{F,M} < K < {V,P}``.

    Parameters
    ----------
    result : Pairwise, or a table of scores
        The pairs; a table is handed to `pairwise`.
    **options
        Of `pairwise`, for a table.

    Returns
    -------
    Groups
        From the worst to the best.

    Examples
    --------
    >>> scores = [[1.0 + i, 2.0 + i, 4.0 + i] for i in range(12)]
    >>> str(groups(scores, names=["P", "V", "F"]))
    'F < V < P'
    """
    from seedbed.stats._pairwise import pairwise
    from seedbed.stats._result import Pairwise

    if not isinstance(result, Pairwise):
        result = pairwise(result, **options)
    elif options:
        raise TypeError(
            f"{', '.join(options)} cannot be changed for pairs that are tested already; give the "
            "option to pairwise()"
        )
    found: Groups = result.groups
    return found


def groups_of(
    names: tuple[str, ...], sums: NDArray[np.int64], retained: NDArray[np.bool_]
) -> Groups:
    """Groups from rank sums (less is better) and the table of pairs that do not differ."""
    order = np.argsort(-sums, kind="stable")  # worst first
    table = retained[np.ix_(order, order)]
    joined = _hull(table, sums[order])
    hull = not np.array_equal(joined, table)
    runs = _runs(joined)
    sets = tuple(_named(names, order[start : end + 1]) for start, end in runs)
    if not hull:
        return Groups(sets, cliques=sets)
    cliques = sorted(maximal_cliques(table), key=lambda c: (min(c), max(c)))
    return Groups(sets, hull=True, cliques=tuple(_named(names, order[list(c)]) for c in cliques))


def maximal_cliques(table: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """The largest sets of indices all pairs of which are true (Bron and Kerbosch, with pivots)."""
    n = len(table)
    near = [{j for j in range(n) if j != i and table[i, j]} for i in range(n)]
    found: list[tuple[int, ...]] = []

    def extend(clique: tuple[int, ...], candidates: set[int], done: set[int]) -> None:
        if not candidates and not done:
            found.append(tuple(sorted(clique)))
            return
        pivot = max(candidates | done, key=lambda i: len(near[i] & candidates))
        for i in sorted(candidates - near[pivot]):
            extend((*clique, i), candidates & near[i], done & near[i])
            candidates = candidates - {i}
            done = done | {i}

    extend((), set(range(n)), set())
    return found


def _hull(table: NDArray[np.bool_], sums: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Join every pair that lies within the rank range of a joined pair, equal ranks included.

    Methods are in rank order, worst first.
    """
    n = len(table)
    last = np.array([np.flatnonzero(table[i])[-1] for i in range(n)])
    last = np.maximum(np.maximum.accumulate(last), np.arange(n))
    # methods of equal mean rank belong wherever one of them does
    last = np.searchsorted(-sums, -sums[last], side="right") - 1
    first_equal = np.searchsorted(-sums, -sums, side="left")
    for i in range(n):
        last[first_equal[i]] = max(last[first_equal[i]], last[i])
    last = np.maximum.accumulate(last)
    row, column = np.indices((n, n))
    joined: NDArray[np.bool_] = np.maximum(row, column) <= last[np.minimum(row, column)]
    return joined


def _runs(table: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Maximal runs of an interval table: first and last index of each."""
    ends = [int(np.flatnonzero(row)[-1]) for row in table]
    return [(i, end) for i, end in enumerate(ends) if i == 0 or end > ends[i - 1]]


def _named(names: tuple[str, ...], members: Iterable[int]) -> tuple[str, ...]:
    return tuple(names[i] for i in sorted(int(m) for m in members))


def _checked(sets: Sets, text: str) -> Sets:
    """No group within another, and each method in consecutive groups."""
    for i, group in enumerate(sets):
        if any(set(group) <= set(other) for j, other in enumerate(sets) if i != j):
            raise ValueError(f"{text!r} is no ranking: {_braced(group)} is part of another group")
    for name in {name for group in sets for name in group}:
        at = [i for i, group in enumerate(sets) if name in group]
        if at[-1] - at[0] >= len(at):
            raise ValueError(f"{text!r} is no ranking: the groups of {name!r} are not consecutive")
    return sets


def _braced(group: tuple[str, ...]) -> str:
    inside = ",".join(map(_quoted, group))
    return inside if len(group) == 1 else f"{{{inside}}}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if _NEEDS_QUOTES.search(name) else name


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _letter(i: int) -> str:
    """a…z, then a1…z1, a2…"""
    return chr(ord("a") + i % 26) + (str(i // 26) if i >= 26 else "")
