"""The index of the study's synthetic data sets: which draws they are, to spare the search.

For each of the 3 × 4,096 sets it keeps the number of the draw, the common factor of the covariances
(whose last bits could differ between machines if it were solved for again), the complexity, and 64
bits of a hash of the data, by which anyone can check that theirs are the same bytes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from seedbed.data._complexity import CLASSES, complexity_class
from seedbed.data._draws import Outcome, judge

STUDY_SEED = 2013
PER_CLASS = 4096
_FILE = "synthetic_index.npz"


@dataclass(frozen=True)
class Index:
    """The accepted draws of one seed, by class and in the order they were found."""

    seed: int
    accepted: dict[str, tuple[Outcome, ...]]
    n_draws: int
    """Draws that were looked at until every class was full."""
    n_unreachable: int
    """Draws that were left because their mixture cannot have the mean overlap of their cell."""
    n_surplus: dict[str, int]
    """Draws of each class that came after it was full."""

    def find(self, class_: str, index: int) -> Outcome:
        return self.accepted[class_][index]

    def save(self, path: Path) -> None:
        """Write a small compressed NumPy archive, the same bytes for the same index."""
        columns: dict[str, Any] = {}
        for name, outcomes in self.accepted.items():
            columns[f"{name}_number"] = np.array([o.number for o in outcomes], dtype=np.uint32)
            columns[f"{name}_factor"] = np.array([o.factor for o in outcomes])
            columns[f"{name}_complexity"] = np.array([o.complexity for o in outcomes])
            columns[f"{name}_digest"] = np.array([o.digest for o in outcomes], dtype=np.uint64)
        counts = [self.seed, self.n_draws, self.n_unreachable, *self.n_surplus.values()]
        np.savez_compressed(path, counts=np.array(counts, dtype=np.int64), **columns)

    @classmethod
    def load(cls, path: Path) -> Index:
        with np.load(path) as archive:
            seed, draws, unreachable, *surplus = archive["counts"].tolist()
            accepted = {
                name: tuple(
                    Outcome(*row)
                    for row in zip(
                        *(
                            archive[f"{name}_{column}"].tolist()
                            for column in ("number", "factor", "complexity", "digest")
                        ),
                        strict=True,
                    )
                )
                for name in CLASSES
            }
        return cls(seed, accepted, draws, unreachable, dict(zip(CLASSES, surplus, strict=True)))


@lru_cache(maxsize=1)
def study_index() -> Index:
    """The index that comes with the package, for `STUDY_SEED`."""
    with as_file(files("seedbed.data") / _FILE) as path:
        return Index.load(path)


def make_index(
    seed: int,
    per_class: int,
    journal: Path,
    *,
    progress: Callable[[int, dict[str, int]], None] | None = None,
) -> Index:
    """Look at draw after draw until every class has ``per_class`` of them.

    Every outcome is written to ``journal`` at once. A call that finds it there goes on where it
    ends, so that the work can be stopped at any time.
    """
    accepted: dict[str, list[Outcome]] = {name: [] for name in CLASSES}
    surplus = dict.fromkeys(CLASSES, 0)
    unreachable = draws = 0
    with contextlib.closing(_outcomes(seed, journal)) as outcomes:
        for outcome in outcomes:
            draws += 1
            if outcome.complexity is None:
                unreachable += 1
            elif len(accepted[name := complexity_class(outcome.complexity)]) < per_class:
                accepted[name].append(outcome)
            else:
                surplus[name] += 1
            if progress is not None:
                progress(draws, {name: len(found) for name, found in accepted.items()})
            if all(len(found) == per_class for found in accepted.values()):
                break
    return Index(
        seed, {n: tuple(found) for n, found in accepted.items()}, draws, unreachable, surplus
    )


def _outcomes(seed: int, journal: Path) -> Generator[Outcome]:
    """All outcomes from draw 0 on: first those of the journal, then new ones, which are added."""
    number = 0
    with journal.open("a+") as file:
        file.seek(0)
        head = file.readline()
        if not head:
            file.write(f"seed {seed}\n")
        elif head != f"seed {seed}\n":
            raise ValueError(f"{journal} is of {head.strip()!r}, not of seed {seed}; give another")
        whole = file.tell()
        while (line := file.readline()).endswith("\n"):
            yield _parse(line, number)
            number, whole = number + 1, file.tell()
        file.truncate(whole)  # a last line that was cut off
        while True:
            outcome = judge(seed, number)
            file.write(_format(outcome))
            file.flush()
            yield outcome
            number += 1


def _format(outcome: Outcome) -> str:
    if outcome.complexity is None:
        return f"{outcome.number} unreachable\n"
    factor, omega = outcome.factor.hex(), outcome.complexity.hex()
    return f"{outcome.number} {factor} {omega} {outcome.digest:016x}\n"


def _parse(line: str, number: int) -> Outcome:
    found, *rest = line.split()
    if int(found) != number:
        raise ValueError(f"the journal has draw {found} where {number} should be; remove it")
    if rest == ["unreachable"]:
        return Outcome(number, 0.0, None, 0)
    factor, omega, digest = rest
    return Outcome(number, float.fromhex(factor), float.fromhex(omega), int(digest, 16))
