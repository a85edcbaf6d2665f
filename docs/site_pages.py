"""Pages of the site that are made when it is built.

- Markdown that lives elsewhere in the repository (benchmarks, changelog, contributing) is copied
  into the site, and links are turned so that they lead to the copies. On GitHub the same links lead
  to the originals.
- Pages that list others (`CONTENTS`) become their table of contents, so that the Markdown needs no
  directives.
- A method's class gets the sections that the registry knows: its parameters, and a link to its
  page.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from pathlib import Path
from typing import Any

from build_methods import literal, slug
from sphinx.application import Sphinx

from seedbed.init import Method

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
CONTENTS = ("guide", "laboratory", "methods/index", "development/index")
LISTED = re.compile(r"^(?:- |\| )\[[^\]]+\]\(([^)#:]+)\.md\)", flags=re.MULTILINE)
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")  # the path of a link within the repository


def elsewhere() -> dict[str, str]:
    """Pages outside docs/ that the site has too: where they are, and where the site has them."""
    pages = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "development/contributing.md"}
    for page in sorted((ROOT / "benchmarks").glob("*.md")):
        pages[f"benchmarks/{page.name}"] = f"benchmarks/{page.name}"
    return pages


def turned(text: str, page: str, place: str) -> str:
    """The text of a page of the repository with its links as they must be at a place of the
    site."""
    copies = elsewhere()

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), match[1]))
        there = copies.get(target, posixpath.relpath(target, "docs"))
        return posixpath.relpath(there, posixpath.dirname(place) or ".")

    return LINK.sub(link, text)


def copy_pages(app: Sphinx) -> None:
    """Bring in the pages that live outside docs/, where they have changed."""
    for page, place in elsewhere().items():
        text = turned((ROOT / page).read_text("utf-8"), page, place)
        copy = DOCS / place
        if not copy.is_file() or copy.read_text("utf-8") != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, "utf-8")


def prepare(app: Sphinx, name: str, source: list[str]) -> None:
    """Lead links that leave docs/ to the copies, and add the table of contents."""
    place = f"{name}.md"
    if not (DOCS / place).is_file() or place in elsewhere().values():
        return
    source[0] = turned(source[0], f"docs/{place}", place)
    if name in CONTENTS:
        source[0] += contents(source[0])


def contents(text: str) -> str:
    """A hidden table of the pages that a page's list items, or rows of its table, begin with."""
    return "\n".join(["", "```{toctree}", ":hidden:", "", *LISTED.findall(text), "```", ""])


def add_what_the_registry_knows(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """The parameters of a method, as its declaration has them, and where its page is."""
    if not (inspect.isclass(thing) and issubclass(thing, Method) and hasattr(thing, "meta")):
        return
    if parameters := thing.parameters():
        lines += ["", "Parameters", "----------"]
        for p in parameters:
            lines += [f"{p.name} : {p.allowed}; default {literal(p.default)}", f"    {p.doc}"]
    page = f"methods/{slug(thing.meta.id)}"
    if (DOCS / f"{page}.md").is_file():
        lines += ["", "Notes", "-----", f":doc:`/{page}` says more."]


def leave_out(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """What scikit-learn adds to every estimator is documented there."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def connect(app: Sphinx) -> None:
    """Have all of this done in a build."""
    app.connect("builder-inited", copy_pages, priority=100)
    app.connect("source-read", prepare)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-docstring", add_what_the_registry_knows, priority=100)
