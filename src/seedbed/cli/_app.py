"""What the command understands: its subcommands and their options. The work is done elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedbed.cli import _compare, _data, _recommend, _study
from seedbed.cli._errors import UserError, one_line
from seedbed.cli._options import (
    Algorithm,
    Clusters,
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
from seedbed.cli._paths import STATISTICS, check_input, check_outputs

if TYPE_CHECKING:
    _UsageError = typer.BadParameter
else:  # the base of all that is wrong with arguments; newer versions of typer hide it
    _UsageError = typer.BadParameter.__base__

app = typer.Typer(
    name="seedbed",
    help="K-means that starts well: initialisation methods and exact, reproducible clustering.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(_data.app, name="data")
app.add_typer(_study.app, name="study")


def run(arguments: Sequence[str] | None = None) -> int:
    """Parse, run, and turn what is the user's to mend into one line and exit code 2."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a console without "×" shall not end in an error
            stream.reconfigure(errors="replace")
    try:
        code = app(
            args=given or ["--help"],
            prog_name="seedbed",
            standalone_mode=False,
        )
    except UserError as error:
        return _refuse(str(error))
    except _UsageError as error:
        return _refuse(error.format_message())
    return code if isinstance(code, int) else 0


def _refuse(reason: str) -> int:
    print(f"seedbed: {one_line(Exception(reason))}", file=sys.stderr)
    return 2


def _show_version(wanted: bool) -> None:
    if wanted:
        from seedbed import __version__

        print(f"seedbed {__version__}")
        raise typer.Exit


@app.callback()
def seedbed(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """K-means that starts well: initialisation methods and exact, reproducible clustering."""


@app.command()
def methods(
    name: Annotated[
        str | None, typer.Argument(help="Show one method: its id, letter or another name.")
    ] = None,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Only methods without randomness.")
    ] = False,
    linear: Annotated[
        bool, typer.Option("--linear", help="Only methods whose cost is linear in the rows.")
    ] = False,
    family: Annotated[
        str | None,
        typer.Option(
            help="Only methods of this family: the survey's linear, loglinear, quadratic or other, "
            "or modern for those since."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the initialisation methods, or explain one."""
    from seedbed.cli import _methods

    if name is not None:
        _methods.explain(name, as_json=json)
    else:
        _methods.show(deterministic=deterministic, linear=linear, family=family, as_json=json)


@app.command()
def cluster(
    file: DataFile,
    k: Clusters,
    init: Annotated[
        str,
        typer.Option(
            help="Initialisation method; `seedbed methods` lists them. Or auto, or a function of "
            "your own, module:function."
        ),
    ] = "greedy-k-means++",
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A parameter of the method; repeatable."),
    ] = None,
    algorithm: Algorithm = "auto",
    stop: Annotated[str, typer.Option(help="Stopping rule: centers, sse or labels.")] = "centers",
    tol: Tolerance = "auto",
    max_iter: MaxIter = 300,
    n_init: Annotated[str, typer.Option(help="Runs, of which the best is kept.")] = "auto",
    seed: Seed = 0,
    threads: Annotated[
        int | None, typer.Option(help="Threads; all available by default. Same result for any.")
    ] = None,
    empty_cluster: Annotated[
        str, typer.Option(help="An empty cluster: relocate, keep, drop or error.")
    ] = "relocate",
    refine: Annotated[
        str | None,
        typer.Option(help="Afterwards move single rows while the SSE falls: hartigan."),
    ] = None,
    float32: Annotated[
        bool, typer.Option("--float32", help="Cluster in single precision.")
    ] = False,
    scale: Scale = "none",
    columns: Columns = None,
    drop_columns: DropColumns = None,
    label_column: Annotated[
        str | None, typer.Option(help="Known classes, to compare the clusters with.")
    ] = None,
    weight_column: WeightColumn = None,
    separator: Separator = None,
    header: Header = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write labels: .csv, .tsv, .parquet or .npy."),
    ] = None,
    centers: Annotated[
        Path | None, typer.Option(help="Write centres, in the units of the data.")
    ] = None,
    json: Json = False,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="No summary, no notes, no progress.")
    ] = False,
) -> None:
    """Cluster the rows of a file."""
    check_input(file)
    check_outputs({"--output": output, "--centers": centers}, source=file)
    from seedbed.cli import _cluster, _summary
    from seedbed.cli._tables import Choice

    request = _cluster.Request(
        file=file,
        n_clusters=k,
        init=init,
        params=tuple(param or ()),
        algorithm=algorithm,
        stop=stop,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        seed=seed,
        threads=threads,
        empty_cluster=empty_cluster,
        refine=refine,
        float32=float32,
        scale=scale,
        choice=Choice(
            columns=tuple(columns or ()),
            drop=tuple(drop_columns or ()),
            label=label_column,
            weight=weight_column,
        ),
        separator=separator,
        header=header,
        labels_file=output,
        centers_file=centers,
    )
    result = _cluster.run(request, show_progress=not quiet)
    if json:
        _summary.print_json(result)
    elif not quiet:
        _summary.print_summary(result)


app.command()(_compare.compare)


@app.command()
def stats(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Scores: rows are data sets, columns methods (.csv, .tsv, .parquet, .npy). "
            "A first column of text names the data sets.",
        ),
    ],
    higher_is_better: Annotated[
        bool, typer.Option("--higher-is-better", help="Large scores are good; else small ones.")
    ] = False,
    test: Annotated[str, typer.Option(help="Test of a pair: mean-rank or wilcoxon.")] = "mean-rank",
    adjust: Annotated[
        str,
        typer.Option(
            help="For the number of pairs: bergmann-hommel, shaffer, holm, nemenyi, bonferroni "
            "or none."
        ),
    ] = "bergmann-hommel",
    alpha: Annotated[float, typer.Option(help="Level of the verdicts.")] = 0.05,
    tie_tolerance: Annotated[
        float, typer.Option(help="Relative difference up to which scores tie.")
    ] = 0.0,
    tie_correction: Annotated[
        bool, typer.Option("--tie-correction", help="Account for ties in mean-rank tests.")
    ] = False,
    monotone: Annotated[
        bool, typer.Option("--monotone", help="Monotone Bergmann–Hommel values, as in scmamp.")
    ] = False,
    gate: Annotated[
        bool,
        typer.Option("--gate/--no-gate", help="Call pairs different only if the omnibus rejects."),
    ] = True,
    zeros: Annotated[
        str, typer.Option(help="Ties in Wilcoxon's test: wilcox, pratt or zsplit.")
    ] = "wilcox",
    missing: Annotated[str, typer.Option(help="Rows with gaps: error, or drop them.")] = "error",
    columns: Annotated[
        list[str] | None, typer.Option(metavar="A,B,…", help="Compare these columns only.")
    ] = None,
    drop_columns: Annotated[
        list[str] | None, typer.Option(metavar="A,B,…", help="Leave these columns out.")
    ] = None,
    long: Annotated[
        str | None,
        typer.Option(
            metavar="DATA,METHOD,SCORE",
            help="The table is long: a score in each row.",
        ),
    ] = None,
    separator: Separator = None,
    header: Header = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the text (.txt), the pairs (.csv, .tsv, .parquet, .tex) or the diagram "
            "(.svg, .pdf, .png); repeatable.",
        ),
    ] = None,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print the groups only.")] = False,
) -> None:
    """Rank methods on many data sets: which of them differ, and by how much."""
    check_input(file)
    outputs = tuple(output or ())
    for path in outputs:
        check_outputs({"--output": path}, source=file, allowed=STATISTICS)
    from seedbed.cli import _stats

    scores = _stats.read_scores(
        file,
        columns=tuple(columns or ()),
        drop=tuple(drop_columns or ()),
        long=long,
        separator=separator,
        header=header,
    )
    result = _stats.analyse(
        scores,
        higher_is_better=higher_is_better,
        tie_tolerance=tie_tolerance,
        missing=missing,
        test=test,
        adjust=adjust,
        alpha=alpha,
        tie_correction=tie_correction,
        monotone=monotone,
        gate=gate,
        zeros=zeros,
    )
    _stats.write(result, outputs)
    _stats.show(result, scores, as_json=json, quiet=quiet)


app.command()(_recommend.recommend)
