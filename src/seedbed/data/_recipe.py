"""From original files to attributes and classes, as the catalogue's recipe says."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

import numpy as np
import numpy.typing as npt

from seedbed.data._catalogue import Entry, Recipe, columns
from seedbed.data._extras import require
from seedbed.exceptions import WrongDataError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def cook(
    entry: Entry, recipe: Recipe, contents: Sequence[bytes], *, origin: str
) -> tuple[FloatArray, IntArray | None]:
    """Attributes and codes of the classes, from the plain bytes of the recipe's files in turn."""
    try:
        if recipe.format == "xls":
            return _from_sheet(recipe, contents[0]), None
        files = [_lines(recipe, content) for content in contents]
        if recipe.join:
            return _joined(recipe, files), None
        lines = [line for file in files for line in file][: recipe.first_rows]
        X = _numbers(recipe, lines, recipe.features)
        return X, _classes(recipe, lines, contents[0])
    except (ValueError, IndexError) as error:
        raise WrongDataError(
            f"{origin} cannot be read as the data set {entry.slug!r}: {error}. {entry.recipe}"
        ) from error


def _lines(recipe: Recipe, content: bytes) -> list[str]:
    """The rows of a text file as lines: no headings, no blank lines, nothing incomplete."""
    lines = content.decode("latin-1").splitlines()[recipe.skip :]
    lines = [line for line in lines if line.strip()]
    if recipe.missing:
        lines = [line for line in lines if recipe.missing not in line]
    if recipe.prose:
        width = max((*recipe.features, *_label_columns(recipe))) + 1
        lines = [line for line in lines if _is_row(recipe, line, width)]
    return lines


def _is_row(recipe: Recipe, line: str, width: int) -> bool:
    cells = line.split(recipe.separator)
    if len(cells) != width:
        return False
    try:
        for column in recipe.features:
            float(cells[column])
    except ValueError:
        return False
    return True


def _numbers(recipe: Recipe, lines: list[str], wanted: Sequence[int]) -> FloatArray:
    if not lines:
        raise ValueError("it has no rows")
    return np.loadtxt(
        lines, np.float64, comments=None, delimiter=recipe.separator, usecols=wanted, ndmin=2
    )


def _label_columns(recipe: Recipe) -> tuple[int, ...]:
    if recipe.label.isdigit():
        return (int(recipe.label) - 1,)
    if recipe.label.startswith("one-hot"):
        return columns(recipe.label.split()[1])
    return ()


def _classes(recipe: Recipe, lines: list[str], content: bytes) -> IntArray | None:
    if not recipe.label:
        return None
    if recipe.label.isdigit():
        column = _label_columns(recipe)[0]
        return _coded(recipe, [line.split(recipe.separator)[column].strip() for line in lines])
    if recipe.label == "counts":
        counts = [int(count) for count in content[:1000].splitlines()[0].split()]
        if min(counts, default=-1) < 0 or sum(counts) != len(lines):
            raise ValueError(f"its first line counts {counts}, but it has {len(lines)} rows")
        return np.repeat(np.arange(len(counts)), counts)
    kind, argument = recipe.label.split()
    if kind == "blocks":
        return _coded(recipe, [str(row // int(argument)) for row in range(len(lines))])
    hot = _numbers(recipe, lines, columns(argument))
    if not ((hot == 1).sum(axis=1) == 1).all() or not np.isin(hot, (0, 1)).all():
        raise ValueError("some row does not have exactly one class marked")
    codes: IntArray = hot.argmax(axis=1).astype(np.int64)
    return codes


def _coded(recipe: Recipe, found: list[str]) -> IntArray:
    """Values of the class as their places in the recipe's list."""
    values, places = np.unique(found, return_inverse=True)
    codes = {value: code for code, value in enumerate(recipe.classes)}
    known = [codes.get(value, codes.get(_as_integer(value), -1)) for value in values.tolist()]
    if -1 in known:
        stranger = values[known.index(-1)]
        raise ValueError(f"class {str(stranger)!r} is none of {', '.join(recipe.classes)}")
    return np.asarray(known, dtype=np.int64)[places]


def _as_integer(value: str) -> str:
    """A class that is written "1." or "01" in some files."""
    try:
        number = float(value)
    except ValueError:
        return value
    return str(int(number)) if number.is_integer() else value


def _joined(recipe: Recipe, files: list[list[str]]) -> FloatArray:
    """Files side by side: rows with the same first column belong together."""
    parts, keys = [], []
    for lines in files:
        width = len(lines[0].split(recipe.separator)) if lines else 0
        table = _numbers(recipe, lines, range(width))
        order = np.argsort(table[:, 0], kind="stable")
        keys.append(table[order, 0])
        parts.append(table[order, 1:])
    for key in keys:
        if len(np.unique(key)) != len(key) or not np.array_equal(key, keys[0]):
            raise ValueError("its files do not hold each image exactly once")
    return np.ascontiguousarray(np.hstack(parts))


def _from_sheet(recipe: Recipe, content: bytes) -> FloatArray:
    xlrd: Any = require("xlrd", "to read the spreadsheet")
    try:
        sheet = xlrd.open_workbook(file_contents=content, logfile=StringIO()).sheet_by_index(0)
    except Exception as error:  # whatever xlrd stumbles over in a damaged file
        raise ValueError(f"the spreadsheet is damaged ({error})") from error
    rows = range(recipe.skip, sheet.nrows)
    return np.array([[float(sheet.cell_value(i, j)) for j in recipe.features] for i in rows])
