"""`seedbed data add`: from a table to a data set of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from seedbed import data
from seedbed.cli._data_folder import in_folder
from seedbed.cli._errors import as_user_error
from seedbed.cli._tables import Choice, choose, read


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    file: Path
    slug: str
    choice: Choice
    n_clusters: int | None
    name: str | None
    citation: str
    licence: str
    separator: str | None
    header: bool | None
    replace: bool


def run(request: Request, *, folder: Path | None) -> None:
    """Register the set and say what it is."""
    table = read(request.file, separator=request.separator, header=request.header)
    points = choose(table, request.choice)
    label = request.choice.label
    with in_folder(folder), as_user_error(ValueError, OSError, prefix="the set was not added: "):
        added = data.add(
            request.slug,
            points.x,
            None if label is None else _classes(table.frame[label]),
            name=request.name,
            feature_names=points.names,
            n_clusters=request.n_clusters,
            citation=request.citation,
            licence=request.licence,
            origin=str(request.file.resolve()),
            replace=request.replace,
        )
    n, d = added.X.shape
    classes = f", {len(added.class_names)} classes" if added.y is not None else ""
    print(f"{added.slug}: {n:,} rows × {d} attribute{'s' * (d != 1)}{classes}")
    print(f'load it with seedbed.data.load("{added.slug}")')


def _classes(column: pl.Series) -> npt.NDArray[np.generic]:
    """Numbers as numbers, so that 9 comes before 10; all else as text."""
    if column.dtype.is_numeric():
        return column.to_numpy()
    return column.cast(pl.String).to_numpy().astype(str)
