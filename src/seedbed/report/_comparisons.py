"""The sections that compare the methods: rankings, quality, iterations and time."""

from __future__ import annotations

import math

from seedbed.report._axes import duration, percent
from seedbed.report._charts import cost_chart, quality_and_time
from seedbed.report._diagram import critical_differences
from seedbed.report._findings import Findings
from seedbed.report._pack import TITLES
from seedbed.report._page import Block, Cell, Details, Figure, Grid, Picker, Table, Text
from seedbed.report._words import group_words
from seedbed.study import Ranking


def rankings(found: Findings) -> list[Block]:
    """Critical difference diagrams to choose from, and all rankings as a table."""
    every = found.rankings
    if not every:
        return [
            Text(
                [
                    "There is nothing to rank: that takes at least three methods and two data sets "
                    "with results for all of them."
                ]
            )
        ]
    table = Table(
        ["class", "criterion", "statistic", "ranking, worst to best"],
        [[r.group, TITLES[r.criterion], r.statistic, str(r)] for r in every],
        caption="Methods in braces cannot be told apart (Bergmann–Hommel, level 0.05)",
        choose=["class", "criterion", "statistic"],
    )
    keys = dict.fromkeys((r.group, r.criterion) for r in every)
    order = sorted(keys, key=lambda key: key[1] != "final_sse")  # what most will look for first
    choices = []
    for key in order:
        diagrams = [_diagram(found, r) for r in every if (r.group, r.criterion) == key]
        choices.append(((key[0], TITLES[key[1]]), [Grid(diagrams)]))
    return [
        Text(
            [
                "Each diagram places the methods by their mean rank over the data sets, the best "
                "on the left. A bar joins methods that cannot be told apart."
            ]
        ),
        Picker(["class of data sets", "criterion"], choices),
        Details("All rankings as a table", [table], open=True),
    ]


def _diagram(found: Findings, ranking: Ranking) -> Figure:
    pairs = ranking.pairs
    title = f"{TITLES[ranking.criterion]}, {ranking.statistic}"
    order = sorted(zip(pairs.ranks.mean_ranks.tolist(), pairs.names, strict=True))
    letters = pairs.groups.letters
    numbers = Table(
        ["method", "mean rank", "group"],
        [[found.methods[name].cell, mean, letters[name]] for mean, name in order],
        caption=f"{title}: mean ranks over {pairs.ranks.n_blocks:,} data sets; methods without a "
        "common letter differ",
    )
    return Figure(
        critical_differences(pairs, found.methods, title),
        f"Critical difference diagram, {ranking.group}, {title}. Worst to best: {ranking}",
        numbers,
        f"{title}: {ranking}",
    )


def quality(found: Findings) -> list[Block]:
    """How near the best known SSE each method comes, and in what time."""
    choices: list[tuple[list[str], list[Block]]] = []
    for group, n in found.sizes.items():
        mine = [o for o in found.offers if o.group == group and math.isfinite(o.excess)]
        if not mine:
            choices.append(([group], [Text(["The best known SSE of all these data sets is 0."])]))
            continue
        title = f"SSE above the best known against processor time, {group_words(group, n)}"
        numbers = Table(
            ["method", "best of runs", "SSE above the best known", "processor time"],
            [
                [
                    found.methods[o.method].cell,
                    o.runs,
                    Cell(percent(round(o.excess, 8)), o.excess),
                    Cell(duration(o.seconds), o.seconds),
                ]
                for o in mine
            ],
            caption=title,
            choose=["method"],
        )
        figure = Figure(
            quality_and_time(mine, found.methods, title),
            title,
            numbers,
            narrow=quality_and_time(mine, found.methods, title, narrow=True),
        )
        choices.append(([group], [figure]))
    return [
        Text(
            [
                "Each line is a method: its first point is one run, the next the best of two, "
                "three, and so on, as is expected from the runs that were made. Lower is better, "
                "further left is sooner. Both are geometric means over the data sets; the best "
                "known SSE of a data set is the lowest that any run of this study reached."
            ]
        ),
        Picker(["class of data sets"], choices),
    ]


def costs(found: Findings) -> list[Block]:
    """Iterations and processor time of each method."""
    choices = []
    for group, n in found.sizes.items():
        mine = [cost for cost in found.costs if cost.group == group]
        title = f"Iterations and processor time of a run, {group_words(group, n)}"
        numbers = Table(
            ["method", "iterations", "seeding", "clustering", "a whole run"],
            [
                [found.methods[c.method].cell, round(c.iterations, 2)]
                + [
                    Cell(duration(value), value)
                    for value in (c.seeding_seconds, c.clustering_seconds, c.seconds)
                ]
                for c in mine
            ],
            caption=title + ", geometric means",
        )
        figure = Figure(
            cost_chart(mine, found.methods, title),
            title,
            numbers,
            "Marker: geometric mean over the data sets; bar: the middle half of the data sets; "
            "hollow circle: seeding alone.",
            narrow=cost_chart(mine, found.methods, title, narrow=True),
        )
        choices.append(([group], [figure]))
    return [Picker(["class of data sets"], choices)]
