"""`write`: the report of a study as a folder of files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedbed.report._extras import require
from seedbed.report._findings import Findings
from seedbed.report._methods import StudyMethod
from seedbed.report._pack import Packed, pack
from seedbed.report._page import Page, render
from seedbed.report._sections import sections
from seedbed.report._svg import marker_path
from seedbed.report._tables import write_tables
from seedbed.study import Study

PAGE = "report.html"
LIMIT = 2_950_000  # bytes of the page: it shall be below 3 MB


@dataclass(frozen=True)
class Written:
    """What was written.

    Attributes
    ----------
    page : Path
        The page.
    files : tuple of Path
        All files, the page included.
    """

    page: Path
    files: tuple[Path, ...]


def write(study: Study, folder: str | Path, *, figures: bool = True) -> Written:
    """Write the report of a study: one page of HTML, tables as CSV and LaTeX, figures.

    The page stands alone: it needs no network and no other file. Of a study that is not complete
    the report shows what there is, and says so.

    Parameters
    ----------
    study : Study
        What `seedbed.study.Study.open` or `seedbed.study.run` gave.
    folder : path-like
        Where to write; made where it is missing, and files of an earlier report are replaced.
    figures : bool, default=True
        Whether to draw the figures also as SVG and PDF files, which takes longest.

    Returns
    -------
    Written
        The paths of the page and of all files.
    """
    require("jinja2", "to write a report")
    folder = Path(folder)
    found = Findings(study)
    html = study_page(found)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / PAGE
    page.write_text(html, encoding="utf-8")
    files = [page, *write_tables(found, folder)]
    if figures:
        from seedbed.report._figures import write_figures

        files += write_figures(found, folder / "figures")
    return Written(page, tuple(files))


def study_page(found: Findings) -> str:
    """The page as HTML. What it carries of every data set is what there is room for."""
    bare = _page(found, Packed({}, 3, ()))
    packed = pack(found.cube, LIMIT - len(render(bare).encode()))
    return render(_page(found, packed))


def _page(found: Findings, packed: Packed) -> Page:
    n_methods, n_sets = len(found.methods), len(found.cube.sets)
    made = found.study.store.manifest["created"]
    return Page(
        f"Study: {found.study.design.name}",
        sections(found, packed),
        subtitle=f"{n_methods} ways to start k-means on {n_sets:,} data sets",
        footer=f"Made by seedbed from the study begun {made}. Beside this page: summary.csv, "
        "rankings.csv and other tables as CSV and LaTeX, and figures as SVG and PDF.",
        data={"study": {**packed.data, "methods": [_look(m) for m in found.methods.values()]}},
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
