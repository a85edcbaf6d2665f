"""`seedbed stats`: from a file of scores to ranks, verdicts and a diagram, through the library."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from seedbed import stats
from seedbed._formats import did_you_mean, listed
from seedbed.cli._errors import UserError, as_user_error
from seedbed.cli._json import print_object
from seedbed.cli._outputs import write_all
from seedbed.cli._paths import STATISTICS, extension
from seedbed.cli._tables import Frame, read, split_names

PICTURES = (".svg", ".pdf", ".png")
_REPEATED = re.compile(r"(.*)_duplicated_\d+")  # what polars calls a column whose name is taken


@dataclass(frozen=True, eq=False)
class Scores:
    """The columns that are compared, and what should be known about how they were found."""

    path: Path
    frame: pl.DataFrame
    notes: tuple[str, ...]


def read_scores(
    path: Path,
    *,
    columns: Sequence[str],
    drop: Sequence[str],
    long: str | None,
    separator: str | None,
    header: bool | None,
) -> Scores:
    """Read a table of scores, wide or long, and choose its columns: names are as the options gave
    them."""
    table = read(path, separator=separator, header=header)
    for name in table.frame.columns:
        repeated = _REPEATED.fullmatch(name)
        if repeated and repeated[1] in table.frame.columns:
            raise UserError(f"{path} has several columns {repeated[1]!r}; rename all but one")
    if long is not None:
        table = _widened(table, split_names([long]))
    known = table.frame.columns
    columns, drop = split_names(columns, known), split_names(drop, known)
    notes = list(table.notes)
    frame = table.frame
    first = frame.columns[0]
    if not columns and first not in drop and not _holds_numbers(frame[first]):
        notes.append(f"column {first!r} is text and taken as the names of the data sets")
        frame = frame.drop(first)
    for option, names in (("--columns", columns), ("--drop-columns", drop)):
        _check_known(path, option, names, known)
    frame = (frame.select(*dict.fromkeys(columns)) if columns else frame).drop(drop, strict=False)
    return Scores(path, frame, tuple(notes))


def analyse(scores: Scores, **options: Any) -> stats.Pairwise:
    """Rank and test."""
    with as_user_error(ValueError, TypeError, prefix=f"{scores.path}: "):
        return stats.pairwise(scores.frame, **options)


def show(result: stats.Pairwise, scores: Scores, *, as_json: bool, quiet: bool) -> None:
    """Print the result on stdout and the notes on stderr."""
    if as_json:
        print_object(_record(result))
        return
    print(result.groups if quiet else result)
    if not quiet:
        for note in scores.notes:
            print(f"note: {note}", file=sys.stderr)


def write(result: stats.Pairwise, outputs: Sequence[Path]) -> None:
    """Write what the names of the files ask for, all or none."""
    kinds = {path: extension(path, STATISTICS, what="written") for path in outputs}
    if set(kinds.values()) & set(PICTURES) and find_spec("matplotlib") is None:
        raise UserError(
            'the diagram needs matplotlib; install it with: pip install "seedbed[plot]"'
        )
    write_all({path: _content(result, kind) for path, kind in kinds.items()})


def _content(result: stats.Pairwise, kind: str) -> pl.DataFrame | bytes:
    if kind in PICTURES:
        return _picture(result, kind[1:])
    if kind == ".txt":
        return f"{result}\n".encode()
    if kind == ".tex":
        return f"% {result.groups}\n{result.to_latex()}\n".encode()
    frame: pl.DataFrame = result.to_frame()
    return frame


def _picture(result: stats.Pairwise, kind: str) -> bytes:
    """The diagram; the same bytes for the same result, hence no date in it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    buffer = BytesIO()
    with plt.rc_context({"svg.hashsalt": "seedbed"}):
        figure: Any = stats.critical_difference_diagram(result).figure
        figure.savefig(buffer, format=kind, dpi=200, metadata=undated)
        plt.close(figure)
    return buffer.getvalue()


def _widened(table: Frame, long: Sequence[str]) -> Frame:
    """One row per data set and one column per method, both in the order of their appearance."""
    if len(long) != 3 or len(set(long)) != 3:
        raise UserError(
            f"--long {','.join(long)!r} does not name three columns; give those of the data sets, "
            "of the methods and of the scores, with commas between"
        )
    _check_known(table.path, "--long", long, table.frame.columns)
    data, method, score = long
    frame = table.frame.select(pl.col(data).cast(pl.String), pl.col(method).cast(pl.String), score)
    twice = frame.filter(pl.struct(data, method).is_duplicated())
    if twice.height:
        raise UserError(
            f"{table.path} has several scores of method {twice[method][0]!r} on data set "
            f"{twice[data][0]!r}; keep one, or their mean"
        )
    wide = frame.pivot(on=method, index=data, values=score).drop(data)
    return replace(table, frame=wide)


def _check_known(path: Path, option: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; it has {listed(known)}"
            raise UserError(f"{option}: {path} has no column {name!r}{hint}")


def _holds_numbers(column: pl.Series) -> bool:
    """Whether at least one value is a number: a column of scores with gaps is no name."""
    if column.dtype != pl.String:
        return True
    return column.str.strip_chars().cast(pl.Float64, strict=False).is_not_null().any()


def _record(result: stats.Pairwise) -> dict[str, Any]:
    omnibus = None if result.omnibus is None else result.omnibus.to_frame().to_dicts()[0]
    pairs = result.to_frame().to_dicts()
    return {
        "groups": str(result.groups),
        "totally_ordered": result.groups.totally_ordered,
        "computation": result.computation,
        "n_blocks": result.ranks.n_blocks,
        "n_dropped": result.ranks.n_dropped,
        "mean_ranks": dict(zip(result.names, result.ranks.mean_ranks.tolist(), strict=True)),
        "omnibus": omnibus,
        "pairs": pairs,
    }
