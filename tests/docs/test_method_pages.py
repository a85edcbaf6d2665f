"""docs/methods is what docs/build_methods.py writes, and can be trusted."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import seedbed as sb
from seedbed.init._registry import classes, is_ours

DOCS = Path(__file__).resolve().parents[2] / "docs"
OURS = [cls for cls in classes() if is_ours(cls)]
every_method = pytest.mark.parametrize("cls", OURS, ids=lambda cls: cls.meta.id)


@pytest.fixture(scope="module")
def builder():
    sys.path.insert(0, str(DOCS))
    try:
        import build_methods

        yield build_methods
    finally:
        sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def built(builder):
    return builder.build()


def test_the_committed_pages_are_up_to_date(builder, built):
    changed = builder.changes(built)
    assert not changed, f"run `python docs/build_methods.py`; these have changed: {changed}"


def test_there_is_a_page_and_a_picture_for_every_method(builder, built):
    pages = [f"{builder.slug(cls.meta.id)}.md" for cls in OURS]
    assert {name for name in built if name.endswith(".md")} == {"index.md", *pages}
    pictures: list[str] = []
    for cls, page in zip(OURS, pages, strict=True):
        assert re.fullmatch(r"[a-z0-9-]+\.md", page)
        assert f"]({page})" in built["index.md"]
        assert cls.meta.name in built[page].splitlines()[0]
        pictures += (there := re.findall(r"\]\(([^)]+\.svg)\)", built[page]))
        assert there or "It does not take the data of the pictures" in built[page]
    assert len(set(pictures)) == len(pictures)
    assert {name for name in built if name.endswith(".svg")} == set(pictures)


@every_method
def test_pages_say_what_the_registry_knows(builder, built, cls):
    meta, text = cls.meta, built[f"{builder.slug(cls.meta.id)}.md"].replace("\\|", "|")
    for part in (meta.summary, meta.complexity, meta.family, meta.use, meta.avoid, str(meta.year)):
        assert part in text
    for p in cls.parameters():
        assert f"`{p.name}`" in text
        assert p.doc in text
        assert p.allowed in text
    for name in (*meta.aliases, *meta.presets):
        assert f"`{name}`" in text
    assert meta.reference.title in text
    assert getattr(sb.init, cls.__name__) is cls  # the example uses this name


@every_method
def test_examples_run(builder, built, cls):
    text = built[f"{builder.slug(cls.meta.id)}.md"]
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    X = builder.plane()[:60]
    if isinstance(builder.fitted(cls()), builder.Refusal):
        X = X[:, :1]
    exec(code, {"X": X})


@pytest.mark.parametrize(
    "method",
    [sb.init.get(name) for cls in OURS for name in (cls.meta.id, *cls.meta.presets)],
    ids=repr,
)
def test_pictures_show_the_seeds_and_where_they_go(builder, built, method):
    import seeds_picture

    (name,) = (n for n, m in builder.shown(type(method)).items() if m == method)
    if isinstance(builder.fitted(method), builder.Refusal):
        pytest.skip("it does not take these data")
    text = built[f"{builder.slug(name)}.svg"]
    assert len(text.encode()) < 40_000
    tree = ElementTree.fromstring(text)
    circles = tree.findall(".//{*}circle")
    seeds = [c for c in circles if c.get("r") == "7"]
    centers = [c for c in circles if c.get("r") == "4.5"]
    assert len(seeds) == len(centers) == seeds_picture.N_CLUSTERS
    X = builder.plane()
    dots = sum(p.get("d").count("h0") for p in tree.findall(".//{*}path"))
    assert dots == 2 * len(X)
    if method.deterministic:
        found = method.seed(X, seeds_picture.N_CLUSTERS).centers
        unit, low = seeds_picture.UNIT, seeds_picture.LOW
        drawn = [float(c.get("cx")) / unit + low[0] for c in seeds]
        np.testing.assert_allclose(drawn, found[:, 0], atol=0.05 / unit + 1e-9)


def test_links_between_pages_lead_somewhere(built):
    there = set(built)
    for name, text in built.items():
        for target in re.findall(r"\]\(([^)]+)\)", text) if name.endswith(".md") else ():
            if not target.startswith("https://"):
                assert target in there or (DOCS / "methods" / target).resolve().is_file()
