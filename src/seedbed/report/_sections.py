"""The sections of a study's report, from what was run to the legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seedbed.report import _comparisons as comparisons
from seedbed.report._beside import published_section
from seedbed.report._findings import Findings
from seedbed.report._pack import TITLES, Packed
from seedbed.report._page import Block, Cell, Code, Details, Facts, Raw, Section, Table, Text
from seedbed.report._words import verdict
from seedbed.study import to_toml

_MOST_FAILURES = 100  # that are told one by one
_MOST_MISSING = 100  # names of data sets that are not done yet
EXPLORE = Raw(
    '<div id="explore"><p>This part needs JavaScript. Its numbers are in the files summary.csv and '
    "excess.csv beside this page.</p></div>"
)


def sections(found: Findings, packed: Packed) -> list[Section]:
    """All sections, in the order of the page."""
    return [
        Section("Verdict", [_verdict(found)]),
        Section("What was run", _what_was_run(found)),
        Section("Rankings", comparisons.rankings(found)),
        Section("Quality and time", comparisons.quality(found)),
        Section("Data sets", [_about_data_sets(found, packed), EXPLORE]),
        Section("Iterations and time", comparisons.costs(found)),
        Section("Beside the publication", published_section(found)),
        Section("Failures", _failures(found)),
        Section("Methods", [_legend(found)]),
    ]


def _verdict(found: Findings) -> Block:
    return Text(verdict(found.study, found.sizes, found.methods, found.offers), lead=True)


# ---- what was run


def _what_was_run(found: Findings) -> list[Block]:
    study, design = found.study, found.study.design
    status = study.status()
    groups = ", ".join(f"{g} {done:,} of {n:,}" for g, (done, n) in status.groups.items())
    runs = sum(array.size for array in found.cube.values["final_sse"].values())
    pairs = [
        ("Study", design.name),
        ("Data sets done", f"{status.done:,} of {status.total:,} ({groups})"),
        ("Methods", ", ".join(m.name for m in found.methods.values())),
        ("Runs of k-means", f"{runs:,}"),
        ("Runs of a random method", f"{design.runs:,} per data set; deterministic ones run once"),
        ("Seed", f"{design.seed}"),
        ("Stop rule", f"{design.stop}, {design.tol:g}, at most {design.max_iter} iterations"),
        ("Empty clusters", design.empty_cluster),
        ("Precision", design.precision),
        ("Design", f"digest {study.store.manifest['digest']}"),
    ]
    return [
        Facts(pairs),
        _sessions(study.store.manifest["sessions"]),
        Details("The design as a file", [Code(to_toml(design))]),
    ]


def _sessions(sessions: Sequence[dict[str, Any]]) -> Table:
    """Where and with what the study was run; one row each time it was started or taken up."""
    rows = []
    for session in sessions:
        versions = session.get("versions", {})
        rows.append(
            [
                session.get("started", "–"),
                f"{session.get('cpu', '–')}, {session.get('cores', '–')} cores, "
                f"{session.get('instruction_set', '–')}",
                session.get("system", "–"),
                ", ".join(
                    [f"Python {session.get('python', '–')}"]
                    + [f"{name} {value}" for name, value in versions.items() if value]
                ),
                session.get("commit") or "–",
                session.get("workers"),
                session.get("units"),
            ]
        )
    columns = ["session", "processor", "system", "versions", "commit", "workers", "data sets"]
    return Table(columns, rows, caption="Sessions: machine and versions")


# ---- data sets


def _about_data_sets(found: Findings, packed: Packed) -> Block:
    digits = "four digits" if packed.width == 3 else "steps of less than one percent"
    said = [
        "Choose data sets by their class, size and overlap; the figures below follow. Values are "
        f"kept in this page to {digits}; summary.csv beside it has them in full."
    ]
    if packed.left_out:
        spreads = dict.fromkeys(TITLES[name] for name, _ in packed.left_out)
        means = [TITLES[name] for name, statistic in packed.left_out if statistic == "mean"]
        said.append(
            "This study is too large for the page to carry all of it. Left out, and to be found in "
            f"summary.csv or the study itself: the spread over the runs of {', '.join(spreads)}"
            + (f"; the means of {', '.join(means)}." if means else ".")
        )
    unknown = int((found.cube.best_sse == 0.0).sum())
    if unknown:
        said.append(
            f"On {unknown:,} data sets the best known SSE is 0; there an SSE above it has no "
            "relative size and is shown as –."
        )
    return Text(said)


# ---- failures and legend


def _failures(found: Findings) -> list[Block]:
    """What failed, and what is not done yet; long lists are cut, and say so."""
    failures = found.study.failures
    blocks: list[Block] = [Text(["No data set failed."])]
    if failures:
        shown = failures[:_MOST_FAILURES]
        said = (
            f"{len(failures):,} data sets failed; `seedbed study run --retry-failed` tries them "
            "again."
        )
        if len(failures) > len(shown):
            said += f" The first {len(shown)} are here, failures.csv has all."
        blocks = [
            Text([said]),
            Table(["data set", "error", "when"], [[f.dataset, f.error, f.when] for f in shown]),
            Details("Tracebacks", [Details(f.dataset, [Code(f.traceback)]) for f in shown]),
        ]
    missing = [unit.name for unit in found.study.store.missing()]
    if missing:
        more = len(missing) - _MOST_MISSING
        names = ", ".join(missing[:_MOST_MISSING]) + (f" and {more:,} more" if more > 0 else "")
        title = f"{len(missing):,} data sets are not done yet"
        blocks.append(Details(title, [Text([names])]))
    return blocks


def _legend(found: Findings) -> Table:
    rows = []
    for label, method in found.methods.items():
        meta = method.meta
        reference = meta.reference
        parameters = ", ".join(f"{k}={v}" for k, v in method.parameters.items())
        rows.append(
            [
                method.cell,
                label,
                meta.summary[:1].upper() + meta.summary[1:] + ".",
                parameters or "–",
                "no" if method.deterministic else "yes",
                meta.complexity,
                Cell(
                    str(reference), link=f"https://doi.org/{reference.doi}" if reference.doi else ""
                ),
            ]
        )
    return Table(
        ["method", "label", "what it does", "parameters", "random", "cost", "reference"],
        rows,
        caption="The methods, with the colours and markers they have everywhere in this report",
    )
