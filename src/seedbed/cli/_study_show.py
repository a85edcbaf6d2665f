"""`seedbed study status`, `report` and `export`: what there is, on the terminal and as files."""

from __future__ import annotations

import json
import webbrowser
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from seedbed.cli._errors import UserError, as_user_error
from seedbed.study import Study
from seedbed.study._tables import CRITERIA

_TITLES = {criterion.column: criterion.title for criterion in CRITERIA}


def opened(folder: Path) -> Study:
    with as_user_error(ValueError):
        return Study.open(folder)


def status(folder: Path, *, as_json: bool) -> None:
    done = opened(folder)
    if as_json:
        plain = asdict(done.status()) | {"folder": str(folder)}
        plain["failures"] = [asdict(failure) for failure in done.failures]
        plain["sessions"] = done.store.manifest["sessions"]
        print(json.dumps(plain, indent=2))
    else:
        print_status(done)


def print_status(done: Study) -> None:
    state = done.status()
    print(f"{state.done} of {state.total} data sets done in {state.folder}")
    for group, (finished, every) in state.groups.items():
        print(f"  {group}: {finished} of {every}")
    failures = done.failures
    for failure in failures[:10]:
        print(f"  failed: {failure.dataset}: {failure.error}")
    if len(failures) > 10:
        print(f"  and {len(failures) - 10} more")
    if failures:
        print(f"  tracebacks are in {state.folder / 'failures'}; --retry-failed tries again")


def report(folder: Path, output: Path | None, *, figures: bool, show: bool) -> None:
    done = opened(folder)
    with as_user_error(ValueError):
        done.rows()
    print_report(done)
    target = output or folder / "report"
    with (
        as_user_error(ImportError),
        as_user_error(OSError, prefix=f"{target} cannot be written: "),
    ):
        from seedbed.report import write

        written = write(done, target, figures=figures)
    print(f"\nreport: {written.page}")
    what = "tables and figures (CSV, LaTeX, SVG, PDF)" if figures else "tables (CSV, LaTeX)"
    print(f"and {len(written.files) - 1} {what} beside it")
    if show:
        webbrowser.open(written.page.resolve().as_uri())


def print_report(done: Study) -> None:
    """Rankings, what they say, and the publication beside them."""
    for group in dict.fromkeys(ranking.group for ranking in done.rankings):
        print(f"\n{group}: worst to best; methods in braces cannot be told apart")
        for ranking in done.rankings:
            if ranking.group == group:
                title = f"{_TITLES[ranking.criterion]}, {ranking.statistic}"
                print(f"  {title:<32} {ranking}")
    if done.recommendations:
        print()
    for recommendation in done.recommendations:
        print(recommendation)
    _print_published(done)


def _print_published(done: Study) -> None:
    cells = done.published_final_sse
    if cells:
        print("\nbeside the publication's final SSE on real data:")
    for statistic in ("best", "mean"):
        counts = Counter(cell.verdict for cell in cells if cell.statistic == statistic)
        if counts:
            print(
                f"  {statistic}: {counts['equal']} equal after rounding, {counts['sampling']} "
                f"within sampling error, {counts['off']} off"
            )
    compared = done.published_rankings
    if compared:
        print("and its rankings, pair by pair:")
    for one in compared:
        print(
            f"  {one.group}, {_TITLES[one.criterion]}, {one.statistic}: {one.agree} agree, "
            f"{one.disagree} disagree, {one.undecided} undecided in one of the two"
        )


def export(folder: Path, *, csv: Path | None, parquet: Path | None) -> None:
    if csv is None and parquet is None:
        raise UserError("say what to write: --csv FILE or --parquet FILE")
    done = opened(folder)
    with as_user_error(ValueError, OSError):
        rows = done.rows().collect()
        if csv is not None:
            rows.write_csv(csv)
        if parquet is not None:
            rows.write_parquet(parquet)
    print(f"{rows.height:,} runs written")
