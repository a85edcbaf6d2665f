"""`seedbed study`: its commands and their options. The work is done elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None)

_Dir = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a study.")]


@app.callback(invoke_without_command=True)
def study(context: typer.Context) -> None:
    """The study: compare methods on many data sets, resumably."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def run(
    design: Annotated[
        Path | None, typer.Argument(metavar="[DESIGN.toml]", help="What to compare.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="quick (default), real, synthetic or paper, instead of a file."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Folder of the results."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes; as many as there are processors by default.")
    ] = None,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Work on this Dask cluster instead.")
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try data sets again that failed before.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the design and say what would be done.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, no summary.")] = False,
) -> None:
    """Run a study, or what is missing of one."""
    from seedbed.cli import _study_run

    _study_run.run(
        _study_run.choose(design, preset),
        output,
        workers=workers,
        dask=dask,
        retry_failed=retry_failed,
        dry_run=dry_run,
        quiet=quiet,
    )


@app.command()
def status(
    folder: _Dir,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell how far a study has come, and what failed."""
    from seedbed.cli import _study_show

    _study_show.status(folder, as_json=json)


@app.command()
def report(
    folder: _Dir,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where to write; DIR/report."),
    ] = None,
    figures: Annotated[
        bool, typer.Option(help="Draw the figures also as SVG and PDF files.")
    ] = True,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Print the rankings and what they say; write a page of HTML, tables and figures."""
    from seedbed.cli import _study_show

    _study_show.report(folder, output, figures=figures, show=show)


@app.command()
def export(
    folder: _Dir,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="All runs as CSV.")] = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="All runs as one Parquet file.")
    ] = None,
) -> None:
    """Write all runs into one file."""
    from seedbed.cli import _study_show

    _study_show.export(folder, csv=csv, parquet=parquet)
