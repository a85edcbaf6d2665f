"""`seedbed data`: its commands and their options. The work is done elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedbed.cli._options import Header, Separator

app = typer.Typer(
    rich_markup_mode=None,
)

_Folder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Folder of the data sets, instead of $SEEDBED_DATA or the user's cache."
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback(invoke_without_command=True)
def data(context: typer.Context) -> None:
    """The data sets: which there are, getting them, adding one's own."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("list")
def list_sets(
    here: Annotated[bool, typer.Option("--here", help="Only those on this machine.")] = False,
    folder: _Folder = None,
    json: _Json = False,
) -> None:
    """List the data sets and where they are."""
    from seedbed.cli import _data_show

    _data_show.show(only_here=here, folder=folder, as_json=json)


@app.command()
def info(
    slug: Annotated[str, typer.Argument(help="Name of a data set, as `seedbed data list` has it.")],
    folder: _Folder = None,
    json: _Json = False,
) -> None:
    """Tell all about one data set: recipe, citation, classes, where it is."""
    from seedbed.cli import _data_show

    _data_show.explain(slug, folder=folder, as_json=json)


@app.command()
def fetch(
    slugs: Annotated[
        list[str] | None, typer.Argument(metavar="[SLUG]...", help="Names of data sets.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All of the study's 32 sets.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Download even what is here.")] = False,
    mirror: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Ask this server instead of the archive's own."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(help="Seconds without a byte until a server is given up.", min=0.01)
    ] = 30.0,
    retries: Annotated[int, typer.Option(help="How often to try an address again.", min=0)] = 3,
    folder: _Folder = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say only what went wrong.")] = False,
) -> None:
    """Download data sets that are not here yet, and check them."""
    from seedbed.cli import _data_fetch

    request = _data_fetch.Request(
        slugs=tuple(slugs or ()),
        every=every,
        again=again,
        mirror=mirror,
        timeout=timeout,
        retries=retries,
        quiet=quiet,
    )
    raise typer.Exit(_data_fetch.run(request, folder=folder))


@app.command()
def add(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Data: .csv, .tsv, .csv.gz, .parquet or .npy.")
    ],
    slug: Annotated[str, typer.Option(help="Its name: small letters, digits and hyphens.")],
    label_column: Annotated[str | None, typer.Option(help="The column with the classes.")] = None,
    columns: Annotated[
        list[str] | None, typer.Option(metavar="A,B,…", help="Keep these columns only.")
    ] = None,
    drop_columns: Annotated[
        list[str] | None, typer.Option(metavar="A,B,…", help="Leave these columns out.")
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("-k", "--clusters", metavar="K", help="How many clusters to look for."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Its name in full.")] = None,
    citation: Annotated[str, typer.Option(help="What to cite.")] = "",
    licence: Annotated[str, typer.Option(help="Its terms.")] = "",
    separator: Separator = None,
    header: Header = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a set of this name.")] = False,
    folder: _Folder = None,
) -> None:
    """Register a data set of one's own."""
    from seedbed.cli import _data_add
    from seedbed.cli._tables import Choice

    choice = Choice(
        columns=tuple(columns or ()),
        drop=tuple(drop_columns or ()),
        label=label_column,
    )
    request = _data_add.Request(
        file=file,
        slug=slug,
        choice=choice,
        n_clusters=k,
        name=name,
        citation=citation,
        licence=licence,
        separator=separator,
        header=header,
        replace=replace,
    )
    _data_add.run(request, folder=folder)
