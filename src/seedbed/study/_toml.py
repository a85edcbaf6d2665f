"""Designs as TOML: reading with errors that name the line, writing, and the presets."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from seedbed.study._design import Design, DesignError
from seedbed.study._files import FileSet
from seedbed.study._sources import RealSets, Source, SyntheticSets

PRESETS = ("quick", "real", "synthetic", "paper")
_KMEANS = ("stop", "tol", "max_iter", "empty_cluster", "algorithm")
_TOP = ("name", "seed", "runs", "precision", "methods", "criteria", "kmeans", "data")
_SOURCES: Mapping[str, tuple[str, ...]] = {
    "real": ("real", "scaling", "clusters", "most_rows"),
    "synthetic": ("synthetic", "count", "first", "step", "seed", "scaling"),
    "file": tuple(f.name for f in dataclasses.fields(FileSet)),
}


def preset(name: str) -> Design:
    """A design that comes with the package.

    Parameters
    ----------
    name : {"quick", "real", "synthetic", "paper"}
        Which one.

    Returns
    -------
    Design
        Ready to be run.

    Examples
    --------
    >>> from seedbed import study
    >>> study.preset("quick").runs
    20
    """
    if name not in PRESETS:
        raise ValueError(f"preset {name!r} is unknown; use one of {', '.join(PRESETS)}")
    text = files("seedbed.study").joinpath(f"presets/{name}.toml").read_text(encoding="utf-8")
    return parse(text, f"preset {name}")


def read_design(path: str | Path) -> Design:
    """A design from a TOML file.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    Design
        Ready to be run; what is wrong raises `DesignError` with the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    return parse(text, str(path), Path(path).parent)


def parse(text: str, origin: str, folder: Path = Path()) -> Design:
    """A design from TOML text; ``origin`` is named in errors, with the line, and files are looked
    for in ``folder``."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{origin} is not TOML: {error}") from None
    try:
        return _design_of(tables, folder)
    except DesignError as error:
        line = _line_of(text, error.key)
        where = f"{origin}, line {line}" if line else origin
        raise ValueError(f"{where}: {error}") from None


def _design_of(tables: Mapping[str, Any], folder: Path) -> Design:
    _check_keys(tables, _TOP, ())
    kmeans = tables.get("kmeans", {})
    if not isinstance(kmeans, Mapping):
        raise DesignError(("kmeans",), "kmeans must be a table: [kmeans]")
    _check_keys(kmeans, _KMEANS, ("kmeans",))
    data = tables.get("data", [])
    if not isinstance(data, list) or not all(isinstance(group, Mapping) for group in data):
        raise DesignError(("data",), "data must be tables: [[data]]")
    options = {key: tables[key] for key in ("name", "seed", "runs", "precision") if key in tables}
    for key in ("methods", "criteria"):
        if key in tables:
            if not isinstance(tables[key], list):
                raise DesignError((key,), f"{key} must be a list: [{tables[key]!r}]")
            options[key] = tuple(tables[key])
    try:
        return Design(
            data=tuple(_source(i, group, folder) for i, group in enumerate(data)),
            **options,
            **kmeans,
        )
    except DesignError as error:
        if error.key[0] in _KMEANS:
            raise DesignError(("kmeans", *error.key), str(error)) from None
        raise


def _source(place: int, group: Mapping[str, Any], folder: Path) -> Source:
    key = ("data", place)
    kinds = [kind for kind in _SOURCES if kind in group]
    if len(kinds) != 1:
        raise DesignError(
            key,
            "every [[data]] has either real = … (names of data sets, "
            '"all", "study" or "present"), synthetic = … (classes) or file = … (a table)',
        )
    _check_keys(group, _SOURCES[kinds[0]], key)
    options = dict(group)
    sets = options.pop(kinds[0])
    if options.get("clusters") == "classes":
        del options["clusters"]
    try:
        if kinds[0] == "file":
            return FileSet(file=str(folder / sets) if isinstance(sets, str) else sets, **options)
        if kinds[0] == "synthetic":
            return SyntheticSets(classes=(sets,) if isinstance(sets, str) else sets, **options)
        return RealSets(sets=sets, **options)
    except (TypeError, ValueError) as error:
        raise DesignError(key, str(error)) from None


def _check_keys(
    table: Mapping[str, Any], allowed: tuple[str, ...], key: tuple[str | int, ...]
) -> None:
    for name in table:
        if name not in allowed:
            raise DesignError((*key, name), f"{name!r} is unknown; use {', '.join(allowed)}")


def _line_of(text: str, key: tuple[str | int, ...]) -> int | None:
    """The line of a key, or of the nearest thing above it that has one."""
    lines = text.splitlines()
    begin, found = 0, None
    for step, part in enumerate(key):
        if isinstance(part, int):
            headers = [i for i, line in enumerate(lines) if _is_header(line, str(key[step - 1]))]
            if part < len(headers):
                begin = found = headers[part]
            continue
        place = next((i for i in range(begin, len(lines)) if _names(lines[i], part)), None)
        if place is None:
            break
        begin = found = place
    return None if found is None else found + 1


def _is_header(line: str, name: str) -> bool:
    return re.match(rf"\s*\[\[\s*{re.escape(name)}\s*\]\]", line) is not None


def _names(line: str, name: str) -> bool:
    quoted = re.escape(name)
    return re.match(rf"\s*(\[+\s*{quoted}\s*\]+|[\"']?{quoted}[\"']?\s*=)", line) is not None


def to_toml(design: Design) -> str:
    """The design as TOML; reading it gives an equal one.

    Parameters
    ----------
    design : Design
        What to write.

    Returns
    -------
    str
        The text of a file.
    """
    plain = design.as_dict()
    lines = [f"{key} = {_value(plain[key])}" for key in ("name", "seed", "runs", "precision")]
    lines += [f"criteria = {_value(plain['criteria'])}", "", "[kmeans]"]
    lines += [f"{key} = {_value(plain[key])}" for key in _KMEANS]
    for name in ("methods", "data"):
        for table in plain[name]:
            lines += ["", f"[[{name}]]", *(f"{k} = {_value(v)}" for k, v in table.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)  # strings, integers and truth values
