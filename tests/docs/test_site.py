"""The pages hold together: links lead somewhere, snippets run, nothing public is left out."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest
import sklearn.cluster

import seedbed as sb

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MADE = ("api/generated", "gallery", "benchmarks")  # by the build of the site
PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").glob("*.md"))
    if not any(page.is_relative_to(DOCS / made) for made in MADE)
    and page not in (DOCS / "changelog.md", DOCS / "development" / "contributing.md")
)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub and Sphinx give to headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    words = (re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in headings)
    return {re.sub(r"\s", "-", heading) for heading in words}


@every_page
def test_links_lead_somewhere(page):
    for target, anchor in LINK.findall(prose(page)):
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), f"{target} does not exist"
        assert there.is_relative_to(ROOT), f"{target} is outside the repository"
        if anchor:
            assert anchor in anchors(there), f"{target} has no heading for #{anchor}"


@every_page
def test_pictures_have_a_text(page):
    assert "![](" not in page.read_text("utf-8")


def test_every_page_is_in_a_table_of_contents():
    listed = {DOCS / "index.md"}
    contents = ("guide", "laboratory", "methods/index", "development/index")
    for name in contents:
        page = DOCS / f"{name}.md"
        for target, _ in LINK.findall(page.read_text("utf-8")):
            listed.add((page.parent / target).resolve())
    named = re.findall(r"<([\w/-]+)>$", (DOCS / "index.md").read_text("utf-8"), flags=re.MULTILINE)
    listed |= {DOCS / f"{name}.md" for name in named}
    in_the_site = [page for page in PAGES if page.parent != ROOT]
    assert not [page for page in in_the_site if page not in listed]


ROOMS = ("kmeans", "init", "advise", "criteria", "data", "stats", "study", "report", "exceptions")


@pytest.mark.parametrize("room", ROOMS)
def test_the_reference_has_every_public_name(room):
    text = (DOCS / "api" / f"{room}.rst").read_text("utf-8")
    named = re.findall(r"^(?:   |\.\. py:data:: )(\w+)$", text, flags=re.MULTILINE)
    public = importlib.import_module(f"seedbed.{room}").__all__
    assert sorted(named) == sorted(public)


def test_the_rooms_are_those_of_the_reference():
    rooms = [name for name in sb.__all__ if inspect.ismodule(getattr(sb, name))]
    assert {*rooms, "kmeans", "report"} == set(ROOMS)


@pytest.mark.parametrize(
    "name", ["start", "better-results", "from-scikit-learn", "compare", "choosing-k"]
)
def test_snippets_run(name):
    text = (DOCS / f"{name}.md").read_text("utf-8")
    snippets = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert snippets
    names: dict[str, object] = {}
    for code in snippets:
        exec(compile(code, f"{name}.md", "exec", dont_inherit=True), names)


def test_the_page_for_users_of_scikit_learn_has_every_parameter():
    text = (DOCS / "from-scikit-learn.md").read_text("utf-8")
    parameters, _, rest = text.partition("## Attributes")
    attributes = rest.partition("## What is not there")[0]
    for estimator in (sklearn.cluster.KMeans, sb.KMeans):
        for name in inspect.signature(estimator).parameters:
            assert f"`{name}=" in parameters, name
    fitted = sb.KMeans(2).fit([[0.0], [1.0]])
    for name in vars(fitted):
        if name.endswith("_") and not name.startswith("_"):
            assert f"`{name}`" in attributes, name
    methods = sb.methods()
    deterministic = sum(meta.deterministic for meta in methods)
    assert f"[{len(methods)} methods](methods/index.md), {deterministic} of them" in text


def test_the_number_of_methods_is_right():
    for page in (ROOT / "README.md", DOCS / "index.md"):
        assert f"has {len(sb.methods())} ways to start it" in page.read_text("utf-8")


MODULES = [module.name for module in pkgutil.walk_packages(sb.__path__, "seedbed.")]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings(name):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(importlib.import_module(name), optionflags=flags).failed == 0
