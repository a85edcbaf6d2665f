"""The publication's figures, carried over as facts, beside those of a study.

Celebi, Kingravi & Vela (2013), tables of final SSE on real data and of rankings. The printed values
are rounded, so a value agrees when it rounds to the printed one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from seedbed import data as _data
from seedbed.stats import Groups

if TYPE_CHECKING:
    import polars as pl

    from seedbed.study._rankings import Ranking

_CRITERIA = {
    "initial_sse": "initial_sse",
    "final_sse": "final_sse",
    "final_rand": "rand",
    "final_vd": "van_dongen",
    "final_vi": "vi",
    "n_iterations": "iterations",
}
_STATISTICS = {"min": "best", "mean": "mean", "std": "std"}
SAMPLING = 3.0  # standard errors of the difference within which two means agree


@cache
def published(name: str) -> pl.DataFrame:
    """A table of the publication.

    Parameters
    ----------
    name : {"final_sse", "cpu_time", "datasets", "rankings"}
        Which one.

    Returns
    -------
    polars.DataFrame
        The printed figures.
    """
    import polars as pl

    path = files("seedbed.study").joinpath(f"published/{name}.csv")
    return pl.read_csv(path.read_bytes())


@dataclass(frozen=True)
class Cell:
    """One printed number beside ours.

    Attributes
    ----------
    dataset, method, statistic : str
        Which number it is.
    printed, ours : float
        The two of them.
    z : float or None
        Their difference in standard errors, where sampling explains it or might.
    verdict : str
        "equal" after rounding, "sampling" where the difference is within sampling error, or "off".
    """

    dataset: str
    method: str
    statistic: str
    printed: float
    ours: float
    z: float | None
    verdict: str


def compare_final_sse(summary: pl.DataFrame, runs: int) -> list[Cell]:
    """Every printed minimum and mean of the final SSE, cell by cell."""
    import polars as pl

    slugs = {entry.number: slug for slug, entry in _data.catalogue().items() if entry.number}
    ours = {
        (row["dataset"], row["method"]): row
        for row in summary.filter(
            (pl.col("group") == "real") & (pl.col("criterion") == "final_sse")
        ).iter_rows(named=True)
    }
    cells = []
    for row in published("final_sse").iter_rows(named=True):
        found = ours.get((slugs[row["dataset_id"]], row["method"]))
        if found is None:
            continue
        for printed, statistic in (("min", "best"), ("mean", "mean")):
            cells.append(
                _cell(found, statistic, float(row[printed]), float(row["std"] or 0.0), runs)
            )
    return cells


def _cell(found: dict[str, object], statistic: str, printed: float, std: float, runs: int) -> Cell:
    value = float(found[statistic])  # type: ignore[arg-type]
    own = float(found["std"] or 0.0)  # type: ignore[arg-type]
    z = None
    if rounds_to(value, printed):
        verdict = "equal"
    elif statistic == "mean" and own + std > 0:
        error = math.sqrt((own**2 + std**2) / runs + 1 / 12)  # and that of rounding
        z = (value - printed) / error
        verdict = "sampling" if abs(z) <= SAMPLING else "off"
    elif statistic == "best" and abs(value - printed) <= 0.005 * printed:
        verdict = "sampling"  # the least of a hundred draws: within half a percent
    else:
        verdict = "off"
    return Cell(str(found["dataset"]), str(found["method"]), statistic, printed, value, z, verdict)


def rounds_to(value: float, printed: float) -> bool:
    """Whether a value rounds to the printed integer (half a unit either way, and a little for the
    printed one's own rounding)."""
    return abs(value - printed) <= 0.5 + 1e-6 * abs(printed)


@dataclass(frozen=True)
class RankingComparison:
    """A published ranking beside ours.

    Attributes
    ----------
    group, criterion, statistic : str
        Which ranking it is.
    printed, ours : str
        The two of them.
    agree, disagree, undecided : int
        Pairs of methods on which both say the same, the opposite, or of which one of the two cannot
        tell.
    """

    group: str
    criterion: str
    statistic: str
    printed: str
    ours: str
    agree: int
    disagree: int
    undecided: int


def compare_rankings(rankings: list[Ranking]) -> list[RankingComparison]:
    """Each of the published rankings that the study has too."""
    own = {(r.group, r.criterion, r.statistic): r for r in rankings}
    out = []
    for row in published("rankings").iter_rows(named=True):
        key = (row["complexity"], _CRITERIA[row["criterion"]], _STATISTICS[row["statistic"]])
        if key not in own:
            continue
        printed, ours = Groups.parse(row["ranking"]), own[key].groups
        counts = {"agree": 0, "disagree": 0, "undecided": 0}
        names = [name for name in printed.names if name in ours.names]
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                counts[_relation(printed, ours, a, b)] += 1
        out.append(RankingComparison(*key, str(printed), str(ours), *counts.values()))
    return out


def _relation(printed: Groups, ours: Groups, a: str, b: str) -> str:
    first, second = _better(printed, a, b), _better(ours, a, b)
    if first == second:
        return "agree"
    return "undecided" if 0 in (first, second) else "disagree"


def _better(groups: Groups, a: str, b: str) -> int:
    """1 where a is better, -1 where b is, 0 where they cannot be told apart."""
    places = {name: {i for i, group in enumerate(groups.sets) if name in group} for name in (a, b)}
    if places[a] & places[b]:
        return 0
    return 1 if min(places[a]) > min(places[b]) else -1
