"""`seedbed compare`: its options. The work is done elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedbed.cli._options import (
    Algorithm,
    Columns,
    DataFile,
    DropColumns,
    Header,
    Json,
    MaxIter,
    Scale,
    Seed,
    Separator,
    Tolerance,
    WeightColumn,
)
from seedbed.cli._paths import PAGES, PICTURES, TABLES, check_input, check_outputs


def compare(
    file: DataFile,
    k: Annotated[
        str,
        typer.Option(
            "-k",
            "--clusters",
            metavar="K",
            help="How many clusters, to compare methods; or a range such as 2:20, to look at "
            "criteria for the number of clusters.",
        ),
    ],
    methods: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,…",
            help="Methods; the eight of the study by default. `seedbed methods` lists all; or "
            "functions of your own, module:function. For a range, the one that starts anew.",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(help="Runs of each random method, 10 by default; new starts for a range, 1."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Processor time that each method gets, instead."),
    ] = None,
    scale: Scale = "none",
    seed: Seed = 0,
    threads: Annotated[
        int | None, typer.Option(help="Threads; all available by default. Same errors for any.")
    ] = None,
    algorithm: Algorithm = "auto",
    stop: Annotated[str, typer.Option(help="Stopping rule: sse, centers or labels.")] = "sse",
    tol: Tolerance = "auto",
    max_iter: MaxIter = 100,
    silhouette_rows: Annotated[
        int, typer.Option(help="For a range: rows whose silhouettes are computed; 0 for none.")
    ] = 1000,
    references: Annotated[
        int, typer.Option(help="For a range: reference sets of the gap statistic; 0 for none.")
    ] = 10,
    gap_rows: Annotated[
        int, typer.Option(help="For a range: rows that the gap statistic is computed for.")
    ] = 10_000,
    columns: Columns = None,
    drop_columns: DropColumns = None,
    weight_column: WeightColumn = None,
    separator: Separator = None,
    header: Header = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the table: .csv, .tsv or .parquet."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Write the picture: .svg, .pdf or .png.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write all as one page: .html.")] = None,
    json: Json = False,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="The verdict only; no progress, no notes.")
    ] = False,
) -> None:
    """Compare methods on a file of yours, or look for the number of clusters (-k 2:20)."""
    check_input(file)
    for option, path, allowed in (
        ("--output", output, TABLES),
        ("--plot", plot, PICTURES),
        ("--html", html, PAGES),
    ):
        check_outputs({option: path}, source=file, allowed=allowed)
    from seedbed.cli import _compare_run
    from seedbed.cli._tables import Choice, split_names

    request = _compare_run.Request(
        file=file,
        clusters=k,
        methods=split_names(methods or ()),
        runs=runs,
        budget=budget,
        scale=scale,
        seed=seed,
        threads=threads,
        algorithm=algorithm,
        stop=stop,
        tol=tol,
        max_iter=max_iter,
        silhouette_rows=silhouette_rows,
        references=references,
        gap_rows=gap_rows,
        choice=Choice(
            columns=tuple(columns or ()),
            drop=tuple(drop_columns or ()),
            weight=weight_column,
        ),
        separator=separator,
        header=header,
        table=output,
        plot=plot,
        html=html,
    )
    code = _compare_run.run(request, as_json=json, quiet=quiet)
    if code:
        raise typer.Exit(code)
