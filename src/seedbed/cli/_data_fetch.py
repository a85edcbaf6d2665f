"""`seedbed data fetch`: one set after the other, with progress; what failed is told at the end."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from seedbed import data
from seedbed.cli._data_folder import in_folder
from seedbed.cli._errors import UserError, as_user_error, one_line
from seedbed.cli._progress import Progress
from seedbed.exceptions import DataError, DataNotFoundError

FAILED = 1


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    slugs: tuple[str, ...]
    every: bool
    again: bool
    mirror: str | None
    timeout: float
    retries: int
    quiet: bool


def run(request: Request, *, folder: Path | None) -> int:
    """Fetch the sets; 0 if all are here afterwards, else 1."""
    with in_folder(folder):
        failed = [slug for slug in _wanted(request) if not _fetch(slug, request)]
    if failed:
        print(f"seedbed: not fetched: {', '.join(failed)}", file=sys.stderr)
    return FAILED if failed else 0


def _wanted(request: Request) -> list[str]:
    known = data.catalogue()
    if request.every == bool(request.slugs):
        raise UserError(
            "say which data sets to fetch: names, or --all; `seedbed data list` shows them"
        )
    if request.every:
        return [slug for slug, entry in known.items() if entry.number is not None]
    for slug in request.slugs:
        if slug not in known:
            with as_user_error(DataNotFoundError):
                data.whereabouts(slug)
            raise UserError(f"{slug!r} is one of your own data sets; there is nothing to fetch")
    return list(dict.fromkeys(request.slugs))


def _fetch(slug: str, request: Request) -> bool:
    """Fetch one set and say what came of it; whether it is here now."""
    with Progress(enabled=not request.quiet) as progress, warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        progress.stage(f"fetching {slug}")

        def report(address: str, done: int, total: int | None) -> None:
            progress.stage(f"fetching {slug}: {_size(done, total)}", done=done, total=total or 0)

        before = data.whereabouts(slug).kind
        try:
            found = data.fetch(
                slug,
                mirror=request.mirror,
                again=request.again,
                timeout=request.timeout,
                retries=request.retries,
                report=report,
            )
        except (DataError, ImportError) as error:
            print(f"seedbed: {one_line(error)}", file=sys.stderr)
            return False
    if not request.quiet:
        how = "here already" if before and not request.again else "fetched"
        n, d = found.X.shape
        checked = "content verified" if found.verified else "recipe untested"
        print(f"{slug}: {how}, {n:,} × {d}, {checked} ({found.origin})")
        for note in w:
            print(f"note: {note.message}", file=sys.stderr)
    return True


def _size(done: int, total: int | None) -> str:
    return f"{done / 1e6:.1f} MB" if total is None else f"{done / 1e6:.1f} of {total / 1e6:.1f} MB"
