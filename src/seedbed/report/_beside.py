"""The section that puts the publication's figures beside ours."""

from __future__ import annotations

from collections import Counter

from seedbed.data import catalogue
from seedbed.report._axes import percent
from seedbed.report._findings import Findings
from seedbed.report._pack import TITLES
from seedbed.report._page import Block, Cell, Details, Table, Text
from seedbed.study import published

_VERDICTS = {
    "equal": ("✓ equal", "good"),
    "sampling": ("≈ within sampling error", "fair"),
    "off": ("✗ off", "bad"),
}


def published_section(found: Findings) -> list[Block]:
    study = found.study
    cells, compared = study.published_final_sse, study.published_rankings
    if not cells and not compared:
        return [
            Text(
                [
                    "The publication has no figures for these data sets and methods. It printed "
                    "those of the eight methods F, M, X, B, K, G, V and P on the 32 real sets and "
                    "on the easy, moderate and difficult synthetic ones."
                ]
            )
        ]
    blocks: list[Block] = [
        Text(
            [
                "Printed figures are those of Celebi, Kingravi & Vela (2013), “A comparative study "
                "of efficient initialization methods for the k-means clustering algorithm”, Expert "
                "Systems with Applications 40."
            ]
        )
    ]
    if compared:
        blocks.append(_published_rankings(found))
    if cells:
        blocks += _published_cells(found)
    return blocks


def _published_rankings(found: Findings) -> Table:
    rows = []
    for one in found.study.published_rankings:
        tone = "bad" if one.disagree else "fair" if one.undecided else "good"
        mark = {"good": "✓ all agree", "fair": "≈ none opposite", "bad": "✗ some opposite"}[tone]
        said = [one.group, TITLES[one.criterion], one.statistic, one.printed, one.ours]
        rows.append([*said, one.agree, one.disagree, one.undecided, Cell(mark, tone=tone)])
    what = ["class", "criterion", "statistic", "printed", "ours"]
    return Table(
        [*what, "pairs agree", "opposite", "undecided in one", "agreement"],
        rows,
        caption="Rankings, pair of methods by pair",
        choose=["class", "criterion", "statistic", "agreement"],
    )


def _published_cells(found: Findings) -> list[Block]:
    cells = found.study.published_final_sse
    said = []
    for statistic in ("best", "mean"):
        counts = Counter(cell.verdict for cell in cells if cell.statistic == statistic)
        said.append(
            f"Final SSE on real data, {statistic} of the runs: {counts['equal']} of "
            f"{counts.total()} are equal after rounding, {counts['sampling']} within sampling "
            f"error, {counts['off']} off."
        )
    rows = []
    for cell in cells:
        words, tone = _VERDICTS[cell.verdict]
        method = found.methods[cell.method].cell
        apart = _apart(cell.printed, cell.ours)
        said_of = [cell.dataset, method, cell.statistic, cell.printed, cell.ours, apart]
        rows.append([*said_of, Cell(words, tone=tone)])
    table = Table(
        ["data set", "method", "statistic", "printed", "ours", "difference", "agreement"],
        rows,
        caption="Final SSE, figure by figure",
        choose=["data set", "method", "statistic", "agreement"],
    )
    return [Text(said), table, *_published_times(found)]


def _published_times(found: Findings) -> list[Block]:
    """Printed processor times beside ours: of another machine, so without a verdict."""
    rows = []
    for (dataset, method), (printed, ours) in published_times(found).items():
        rows.append([dataset, found.methods[method].cell, printed, round(1e3 * ours, 4)])
    table = Table(
        ["data set", "method", "printed, ms", "ours, ms"],
        rows,
        caption="Mean processor time of a run",
        choose=["data set", "method"],
    )
    note = (
        "The printed times are of the authors' machine and program, in whole milliseconds; only "
        "their order can be compared."
    )
    return [Details("Processor times, printed and ours", [Text([note]), table])] if rows else []


def published_times(found: Findings) -> dict[tuple[str, str], tuple[float, float]]:
    """Printed milliseconds and our seconds of a run, by data set and method."""
    numbers = {entry.number: slug for slug, entry in catalogue().items() if entry.number}
    place = {one.name: i for i, one in enumerate(found.cube.sets)}
    seconds = found.cube.values["seconds"]
    times = {}
    for row in published("cpu_time").iter_rows(named=True):
        name, method = numbers[row["dataset_id"]], row["method"]
        if name in place and method in seconds:
            ours = float(seconds[method][place[name]].mean())
            times[name, method] = (float(row["cpu_ms"]), ours)
    return times


def _apart(printed: float, ours: float) -> Cell | None:
    """The difference relative to what is printed; None where that is zero."""
    if not printed:
        return None
    share = ours / printed - 1.0
    return Cell(percent(round(share, 5)).replace("-", "−"), share)
