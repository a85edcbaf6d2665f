"""Reference values and plain twins for the statistics."""

from __future__ import annotations

import csv
import itertools
import json
from pathlib import Path

import numpy as np
import pytest

SHARED = Path(__file__).resolve().parents[2] / "../shared"
needs_shared = pytest.mark.skipif(
    not (SHARED / "golden/golden_posthoc.json").is_file(),
    reason="the reference values (../shared) are not here",
)
LETTERS = tuple("FMXBKGVP")


def golden(section="cases"):
    """Cases computed by scmamp and R (and KEEL), or nothing where the file is not there."""
    path = SHARED / "golden/golden_posthoc.json"
    return json.loads(path.read_text())[section] if path.is_file() else []


def published_scores(statistic):
    """32 data sets × methods, as printed in the publication; std is for the random methods only."""
    letters = LETTERS[:6] if statistic == "std" else LETTERS
    with (SHARED / "paper/paper_final_sse.csv").open() as file:
        rows = list(csv.DictReader(file))
    table = {(int(row["dataset_id"]), row["method"]): float(row[statistic]) for row in rows}
    return np.array([[table[i, m] for m in letters] for i in range(1, 33)]), letters


def published_rankings():
    path = SHARED / "paper/paper_rankings.csv"
    if not path.is_file():
        return []
    with path.open() as file:
        return [row["ranking"] for row in csv.DictReader(file)]


def partitions(members):
    """All partitions of a list, by the textbook recursion."""
    if not members:
        yield []
        return
    head, rest = members[0], members[1:]
    for smaller in partitions(rest):
        yield [[head], *smaller]
        for i, block in enumerate(smaller):
            yield [*smaller[:i], [head, *block], *smaller[i + 1 :]]


def bergmann_hommel_twin(p, n):
    """Adjusted p-values from the definition; p maps pairs (i, j), i < j, to p-values."""
    adjusted = dict.fromkeys(p, 0.0)
    for blocks in partitions(list(range(n))):
        inside = [pair for block in blocks for pair in itertools.combinations(sorted(block), 2)]
        if inside:
            value = min(1.0, len(inside) * min(p[pair] for pair in inside))
            for pair in inside:
                adjusted[pair] = max(adjusted[pair], value)
    return adjusted
