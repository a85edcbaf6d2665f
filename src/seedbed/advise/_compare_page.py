"""A comparison as one page: verdict, pictures, table, and how to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import seedbed
from seedbed.advise import _compare_words as words
from seedbed.advise._compare_plot import counts, draw_runs, draw_time
from seedbed.advise._figures import as_svg
from seedbed.report import Cell, Facts, Figure, Page, Section, Table, Text, render, style

if TYPE_CHECKING:
    from seedbed.advise._compare_result import Comparison

SHOWN = 250  # runs of a method whose numbers are listed

_READING = (
    "The initial SSE is the error of the seeds, before k-means; best, mean, worst and sd are of "
    "the final SSE over the runs. A deterministic method gives the same result each time and runs "
    "once.",
    "At equal time every method gets the same processor time. How many of its runs fit follows "
    "from their mean time; the error is the expected least of so many, the mean over all ways to "
    "choose them from the runs that were made. Where more runs fit than were made, the best of "
    "those stands, marked ≤: more could only be better.",
)


def page(found: Comparison, title: str) -> str:
    """The page as HTML."""
    return render(
        Page(
            title,
            [
                Section("Verdict", [Text([found.verdict], lead=True), _facts(found)]),
                Section("Pictures", [_time(found), _runs(found)]),
                Section("Methods", [_table(found), Text(_READING)]),
            ],
            subtitle=words.heading(found),
            footer=f"Made by seedbed {seedbed.__version__}.",
        )
    )


def _facts(found: Comparison) -> Facts:
    options = found.options
    return Facts(
        [
            ("data", f"{found.n_rows:,} rows × {found.n_features:,} attributes"),
            ("clusters", str(found.n_clusters)),
            ("scaling", found.scaling),
            ("least SSE found", f"{found.least:.8g}, by {found.best_method}"),
            ("equal time", f"{words.duration(found.seconds)} of processor time"),
            (
                "k-means",
                f"stops by {options['stop']}, tolerance {options['tol']:g}, or after "
                f"{options['max_iter']} iterations",
            ),
            ("seed", str(options["seed"])),
        ]
    )


def _time(found: Comparison) -> Figure:
    rows = []
    for result in found.results:
        for m in counts(len(result)).tolist():
            seconds = m * result.seconds_per_run
            rows.append([_named(found, result.label), m, seconds, result.expected_best(m)])
    return Figure(
        as_svg(draw_time(found).figure, "time"),  # type: ignore[arg-type]
        alt="Expected least SSE of each method against processor time",
        numbers=Table(["method", "runs", "seconds", "expected least SSE"], rows),
        caption="A curve that is lower and farther left is better. The dotted line is the time of "
        "the comparison at equal time.",
    )


def _runs(found: Comparison) -> Figure:
    rows = [
        [_named(found, result.label), r, float(result.initial_sse[r]), float(result.sse[r])]
        for result in found.results
        for r in range(min(len(result), SHOWN))
    ]
    most = max(map(len, found.results))
    return Figure(
        as_svg(draw_runs(found).figure, "runs"),  # type: ignore[arg-type]
        alt="Final SSE of every run of each method",
        numbers=Table(
            ["method", "run", "initial SSE", "final SSE"],
            rows,
            caption=f"The first {SHOWN} runs of each method" if most > SHOWN else "",
        ),
        caption="Each mark is a run, each bar a mean; the number of runs is in brackets.",
    )


def _table(found: Comparison) -> Table:
    shown = words.table(found)
    last = list(shown)[-1]
    rows = []
    for place, row in enumerate(found.rows):
        rows.append(
            [
                _named(found, row["method"]),
                row["runs"],
                *(
                    Cell(f"{row[name]:.7g}", row[name])
                    for name in ("initial_sse", "best_sse", "mean_sse", "worst_sse")
                ),
                Cell(shown["sd"][place], row["sd_sse"]),
                row["iterations"],
                *(
                    Cell(words.duration(row[name]), row[name])
                    for name in ("seed_seconds", "cluster_seconds")
                ),
                Cell(shown[last][place], row["equal_time_sse"] if row["equal_time_runs"] else None),
            ]
        )
    columns = ["method", "runs", "initial SSE", "best SSE", "mean SSE", "worst SSE"]
    columns += ["sd", "iterations", "seeding", "clustering", last]
    caption = "Times are of the processor, per run."
    if found.least > 0.0:
        caption = f"sd and the last column are in percent above the least SSE. {caption}"
    return Table(columns, rows, caption=caption)


def _named(found: Comparison, label: str) -> Cell:
    return Cell(label, label, style(found[label].method))
