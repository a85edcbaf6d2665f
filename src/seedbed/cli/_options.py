"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DataFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="Data: .csv, .tsv, .csv.gz, .parquet or .npy.")
]
Clusters = Annotated[str, typer.Option("-k", "--clusters", metavar="K", help="How many clusters.")]
Scale = Annotated[str, typer.Option(help="Scale each attribute: minmax, zscore or none.")]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B,…",
        help="Cluster these columns only; a name with a comma in it in quotes, as in CSV.",
    ),
]
DropColumns = Annotated[
    list[str] | None, typer.Option(metavar="A,B,…", help="Leave these columns out.")
]
WeightColumn = Annotated[str | None, typer.Option(help="Weights of the rows.")]
Seed = Annotated[int, typer.Option(help="Seed of the random numbers.")]
Algorithm = Annotated[str, typer.Option(help="How labels are found; all give the same labels.")]
Tolerance = Annotated[str, typer.Option(help="Tolerance of the stopping rule.")]
MaxIter = Annotated[int, typer.Option(help="Iterations of a run at most.")]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object only; NaN and infinity are null in it."),
]
Separator = Annotated[
    str | None, typer.Option(help="Separator of a CSV file, if not that of its extension.")
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", help="Whether a CSV file has a header.", show_default="auto"
    ),
]
