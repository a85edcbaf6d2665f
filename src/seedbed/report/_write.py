"""`write`: the report of a study as a folder of files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedbed.report._cube import Cube
from seedbed.report._extras import require
from seedbed.report._findings import Findings
from seedbed.report._methods import StudyMethod
from seedbed.report._page import Page, render
from seedbed.report._sections import sections
from seedbed.report._svg import marker_path
from seedbed.report._tables import write_tables
from seedbed.study import Study

PAGE = "report.html"


@dataclass(frozen=True)
class Written:
    """What was written: the page, and all files with it."""

    page: Path
    files: tuple[Path, ...]


def write(study: Study, folder: str | Path, *, figures: bool = True) -> Written:
    """Write the report of a study: one page of HTML, tables as CSV and LaTeX, figures.

    The page stands alone: it needs no network and no other file. Of a study that is not complete
    the report shows what there is, and says so.

    Parameters
    ----------
    study : what `seedbed.study.Study.open` or `seedbed.study.run` gave
    folder : where to write; made where it is missing, and files of an earlier report are replaced
    figures : whether to draw the figures also as SVG and PDF files, which takes longest

    Returns
    -------
    Written
        The paths of the page and of all files.
    """
    require("jinja2", "to write a report")
    folder = Path(folder)
    found = Findings(study)
    html = render(study_page(found))
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / PAGE
    page.write_text(html, encoding="utf-8")
    files = [page, *write_tables(found, folder)]
    if figures:
        from seedbed.report._figures import write_figures

        files += write_figures(found, folder / "figures")
    return Written(page, tuple(files))


def study_page(found: Findings) -> Page:
    n_methods, n_sets = len(found.methods), len(found.cube.sets)
    data = {**found.packed.data, "methods": [_look(m) for m in found.methods.values()]}
    data["sets"]["best"] = _best(found.cube)
    made = found.study.store.manifest["created"]
    return Page(
        f"Study: {found.study.design.name}",
        sections(found),
        subtitle=f"{n_methods} ways to start k-means on {n_sets:,} data sets",
        footer=f"Made by seedbed from the study begun {made}. Beside this page: summary.csv, "
        "rankings.csv and other tables as CSV and LaTeX, and figures as SVG and PDF.",
        data={"study": data},
        scripts=("explore.js",),
    )


def _look(method: StudyMethod) -> dict[str, Any]:
    style = method.style
    return {
        "name": method.name,
        "label": method.label,
        "colour": style.colour,
        "marker": marker_path(style.marker),
    }


def _best(cube: Cube) -> list[float]:
    """The best known SSE of each data set, to six digits."""
    return [float(f"{value:.6g}") for value in cube.best_sse]
