"""Results per data set, small enough to travel inside the page.

A value becomes a whole number on a scale of its criterion, written with two or three characters;
three where there is room for that, which keeps four digits, else two, which keeps steps of less
than one percent. Statistics go in as long as there is room, the most asked for first. What is left
out is named, so that the page can say so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from seedbed.report._cube import Cube, FloatArray
from seedbed.report._page import embed
from seedbed.study._tables import CRITERIA

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_BESIDES = 4_000  # characters for names of criteria and the like
EVERY_RUN = 400_000  # characters that the single runs may take
FLOOR = 1e-7  # an excess up to this is shown as none
STATISTICS = ("mean", "min", "q1", "median", "q3", "max")
MISSING, ZERO, FIRST = 0, 1, 2  # codes; FIRST is the lowest value of the scale
TITLES = {criterion.column: criterion.title for criterion in CRITERIA}
_SHARES = ("final_sse", "initial_sse")  # shown relative to the best known final SSE
_ORDER = ("final_sse", "initial_sse", "iterations", "seconds", "rand", "van_dongen", "vi")


@dataclass(frozen=True)
class Packed:
    """What the page embeds, how many characters a value takes, and which criteria and statistics
    are left out for want of room."""

    data: dict[str, Any]
    width: int
    left_out: tuple[tuple[str, str], ...]


def pack(cube: Cube, room: int) -> Packed:
    """The data sets, and as many statistics of them as go into so many characters."""
    sets = _sets(cube)
    room -= len(embed(sets)) + _BESIDES
    known = [name for name in _ORDER if _is_known(cube, name)]
    criteria = {name: _criterion(cube, name) for name in known}
    wanted = _by_importance(known)
    width = 3 if sum(_size(cube, statistic, 3) for _, statistic in wanted) <= room else 2
    left_out = []
    for name, statistic in wanted:
        size = _size(cube, statistic, width)
        alone = statistic != "mean" and "mean" not in criteria[name]["statistics"]
        if size > room or alone:  # a spread without its mean is of no use
            left_out.append((name, statistic))
            continue
        room -= size
        criteria[name]["statistics"][statistic] = [
            encode(codes(_statistic(values, statistic), criteria[name], width), width)
            for values in _values(cube, name, statistic)
        ]
    every_run = sum(width * values.size for values in _values(cube, "final_sse"))
    if not left_out and every_run <= min(room, EVERY_RUN):
        scale = criteria["final_sse"]
        scale["runs"] = [
            encode(codes(values.ravel(), scale, width), width)
            for values in _values(cube, "final_sse")
        ]
    data = {
        "width": width,
        "alphabet": ALPHABET,
        "sets": sets,
        "runs": [cube.runs(label) for label in cube.labels],
        "criteria": [criterion for criterion in criteria.values() if criterion["statistics"]],
    }
    return Packed(data, width, tuple(left_out))


def encode(numbers: Sequence[int] | Any, width: int) -> str:
    """Whole numbers as ``width`` characters each."""
    values = np.asarray(numbers, dtype=np.int64)
    letters = np.frombuffer(ALPHABET.encode(), dtype=np.uint8)
    digits = [letters[(values >> 6 * place) & 63] for place in reversed(range(width))]
    return np.stack(digits, axis=-1).tobytes().decode()


def codes(values: FloatArray, scale: dict[str, Any], width: int) -> Any:
    """Values as places on their scale."""
    last = 64**width - 1 - FIRST
    low, high = scale["low"], scale["high"]
    if scale["log"]:
        at = np.log(np.maximum(values, low) / low) / max(math.log(high / low), 1e-300)
    else:
        at = (values - low) / max(high - low, 1e-300)
    known = np.isfinite(values)
    placed = FIRST + np.rint(np.where(known, np.clip(at, 0.0, 1.0), 0.0) * last).astype(np.int64)
    zero = known & (values <= low) if scale["log"] else np.zeros(len(values), dtype=bool)
    return np.where(known, np.where(zero, ZERO, placed), MISSING)


def _is_known(cube: Cube, name: str) -> bool:
    return any(np.isfinite(values).any() for values in _values(cube, name))


def _values(cube: Cube, name: str, statistic: str = "mean") -> Iterator[FloatArray]:
    """What is shown of a criterion, per method. The spread of a method that ran once is its mean,
    and takes no room of its own."""
    for label in cube.labels:
        once = cube.runs(label) == 1 and statistic != "mean"
        values = cube.excess(label, name) if name in _SHARES else cube.values[name][label]
        yield values[:0] if once else values


def _statistic(values: FloatArray, statistic: str) -> FloatArray:
    if not len(values):
        return np.empty(0)
    if statistic == "mean":
        return np.asarray(values.mean(axis=1))
    place = {"min": 0, "q1": 25, "median": 50, "q3": 75, "max": 100}[statistic]
    found: FloatArray = np.percentile(values, place, axis=1)
    return found


def _criterion(cube: Cube, name: str) -> dict[str, Any]:
    every = [values[np.isfinite(values)] for values in _values(cube, name)]
    low = min((float(v.min()) for v in every if v.size), default=0.0)
    high = max((float(v.max()) for v in every if v.size), default=1.0)
    share = name in _SHARES
    log = share or name in ("seconds", "iterations")
    if share:
        low = FLOOR
    elif log:
        low = max(low, 1e-9) * (1 - 1e-12)
    return {
        "key": name,
        "title": f"{TITLES[name]} above the best known" if share else TITLES[name],
        "share": share,
        "higher": next(c.higher_is_better for c in CRITERIA if c.column == name),
        "log": log,
        "low": low,
        "high": max(high, low * (1 + 1e-6)) if log else high,
        "statistics": {},
    }


def _by_importance(known: Sequence[str]) -> list[tuple[str, str]]:
    first = [("final_sse", statistic) for statistic in STATISTICS]
    means = [(name, "mean") for name in known if name != "final_sse"]
    spreads = [(name, s) for name in known if name != "final_sse" for s in STATISTICS[1:]]
    return first + means + spreads


def _size(cube: Cube, statistic: str, width: int) -> int:
    """How many characters a statistic takes; but for the mean, methods that ran once take none."""
    methods = sum(1 for label in cube.labels if statistic == "mean" or cube.runs(label) > 1)
    return width * methods * len(cube.sets)


def _sets(cube: Cube) -> dict[str, Any]:
    """The data sets, column by column: distinct values, and for each set the place of its own."""
    found: dict[str, Any] = {
        "names": numbered([one.name for one in cube.sets]),
        "best": [float(f"{value:.6g}") for value in cube.best_sse],
    }
    for column in ("group", "n", "d", "k", "overlap"):
        values = [getattr(one, column) for one in cube.sets]
        levels = list(dict.fromkeys(values))
        if column != "group":
            levels.sort(key=lambda value: (value is None, value))
        place = {value: i for i, value in enumerate(levels)}
        width = max(1, math.ceil(math.log(len(levels), 64)))
        found[column] = {
            "levels": levels,
            "width": width,
            "codes": encode([place[value] for value in values], width),
            "ranges": ranges(levels),
        }
    return found


def numbered(names: Sequence[str]) -> list[Any]:
    """Names, those that count upwards in equal steps in short: what comes before the number, how
    many digits it has, the first, the step, and how many there are."""
    found: list[Any] = []
    for name in names:
        parts = re.fullmatch(r"(.*?)([0-9]{1,15})", name, flags=re.DOTALL)
        before, digits, number = (parts[1], len(parts[2]), int(parts[2])) if parts else ("", 0, 0)
        last = found[-1] if found and parts and isinstance(found[-1], list) else None
        if last and last[:2] == [before, digits]:
            step = number - last[2] - last[3] * (last[4] - 1)
            if step > 0 and (last[4] == 1 or step == last[3]):
                last[3:] = [step, last[4] + 1]
                continue
        found.append([before, digits, number, 0, 1] if parts else name)
    return found


def ranges(levels: Sequence[Any]) -> list[tuple[str, Any, Any]]:
    """What a reader can choose from: every level where they are few, else ranges between round
    numbers. Each has a name, the least and the largest value that belong to it."""
    known = [level for level in levels if level is not None]
    if len(known) <= 8 or isinstance(known[0], str):
        return [(_named(level), level, level) for level in known]
    steps = [factor * 10**power for power in range(13) for factor in (1, 2, 5)]
    for every in (1, 3):  # round numbers 1, 2, 5, 10, …; if these are too many powers of ten
        cuts = [s for s in steps[::every] if known[0] < s <= known[-1]]
        if len(cuts) <= 6:
            break
    edges = [known[0], *cuts, known[-1] + 1]
    pairs = [(low, high - 1) for low, high in pairwise(edges)]
    return [
        (_named(low) if low == high else f"{low:,} to {high:,}", low, high)
        for low, high in pairs
        if any(low <= level <= high for level in known)
    ]


def _named(level: Any) -> str:
    return f"{level:,}" if isinstance(level, int) else str(level)
