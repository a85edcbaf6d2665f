"""What `seedbed recommend` understands. The work is done in `_recommend_show`."""

from __future__ import annotations

from typing import Annotated

import typer

from seedbed.cli._options import (
    Clusters,
    Columns,
    DataFile,
    DropColumns,
    Header,
    Json,
    Scale,
    Separator,
    WeightColumn,
)
from seedbed.cli._paths import check_input


def recommend(
    file: DataFile,
    k: Clusters,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Only methods without randomness.")
    ] = False,
    budget: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long clustering may take.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Threads of the clustering; all available by default.")
    ] = None,
    scale: Scale = "none",
    columns: Columns = None,
    drop_columns: DropColumns = None,
    weight_column: WeightColumn = None,
    separator: Separator = None,
    header: Header = None,
    json: Json = False,
) -> None:
    """Say which method suits the rows of a file, and why."""
    check_input(file)
    from seedbed.cli import _recommend_show
    from seedbed.cli._tables import Choice

    request = _recommend_show.Request(
        file=file,
        n_clusters=k,
        deterministic=deterministic,
        budget=budget,
        threads=threads,
        scale=scale,
        choice=Choice(
            columns=tuple(columns or ()),
            drop=tuple(drop_columns or ()),
            weight=weight_column,
        ),
        separator=separator,
        header=header,
    )
    advice = _recommend_show.advise(request)
    if json:
        _recommend_show.print_json(request, advice)
    else:
        _recommend_show.print_text(request, advice)
