"""Pages: nothing that is given can become markup or script, and numbers read well."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("jinja2")

from seedbed.report import (
    Cell,
    Code,
    Details,
    Facts,
    Figure,
    Grid,
    Page,
    Picker,
    Section,
    Table,
    Text,
    render,
    style,
)
from seedbed.report._page import embed, show
from seedbed.report._svg import drawing, text

EVIL = "</script><script>alert(\"1\")</script><img src=x onerror='alert(1)'>"


class Tags(HTMLParser):
    """All start tags with their attributes, and whether every tag is closed."""

    VOID = {"meta", "link", "input", "br"}  # noqa: RUF012

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def evil_page() -> Page:
    table = Table([EVIL, "n"], [[EVIL, 1], [Cell(EVIL, style=style("K")), 2]], EVIL, [EVIL])
    svg = drawing(10, 10, text(EVIL, 1, 1), title=EVIL, desc=EVIL)
    blocks = [
        Text([EVIL], lead=True),
        Code(EVIL),
        Facts([(EVIL, EVIL)]),
        Details(EVIL, [Text([EVIL])]),
        Grid([Figure(svg, EVIL, table, EVIL, narrow=svg)]),
        Picker([EVIL], [([EVIL], [table]), (["other"], [Text([EVIL])])]),
    ]
    return Page(EVIL, [Section(EVIL, blocks)], EVIL, EVIL, data={"evil": {EVIL: [EVIL]}})


def test_whatever_is_given_stays_text() -> None:
    html = render(evil_page())
    tags = Tags(html)
    assert tags.open == []
    assert [name for name, _ in tags.found].count("script") == 2  # the data and ours
    assert "img" not in {name for name, _ in tags.found}
    assert not any(key.startswith("on") for _, attributes in tags.found for key in attributes)


def test_embedded_data_come_back_as_they_were() -> None:
    html = render(evil_page())
    found = re.search(r'<script type="application/json" id="data-evil">(.*?)</script>', html)
    assert found
    assert json.loads(found[1]) == {EVIL: [EVIL]}


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_embedding_keeps_every_value_and_hides_every_tag(value: object) -> None:
    text_ = embed(value)
    assert json.loads(text_) == value
    assert not set("<>&\u2028\u2029") & set(text_)


def test_only_the_pages_own_script_may_run_and_nothing_is_fetched() -> None:
    html = render(evil_page())
    script = html[html.rindex("<script>") + len("<script>") : html.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(a["content"] for n, a in Tags(html).found if n == "meta" and "http-equiv" in a)
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"url\(|@import|\bfetch\(|XMLHttpRequest", html)


def test_cells_link_only_to_secure_addresses() -> None:
    with pytest.raises(ValueError, match="https://"):
        Cell("x", link="javascript:alert(1)")
    page = Page("t", [Section("s", [Table(["a"], [[Cell("x", link="https://doi.org/1")]])])])
    assert '<a href="https://doi.org/1">x</a>' in render(page)


def test_columns_of_numbers_are_known_as_such() -> None:
    table = Table(["a", "b", "c", "d"], [["x", 1, None, Cell("5 ms", 0.005)], ["y", 2.5, 3, None]])
    assert table.numeric == [False, True, True, True]
    assert Table(["a"], []).numeric == [False]
    html = render(Page("t", [Section("s", [table])]))
    assert '<td class="n" data-sort="0.005">5 ms</td>' in html


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (True, "yes"),
        (12345, "12,345"),
        (0.0, "0"),
        (1234567.8, "1,234,568"),
        (238.56, "238.6"),
        (2.0, "2"),
        (0.00123456, "0.001235"),
        (1e-9, "1e-09"),
        (math.inf, "∞"),
        (math.nan, "–"),
        (-0.5, "-0.5"),
    ],
)
def test_values_are_shown_with_the_digits_a_reader_wants(value: object, shown: str) -> None:
    assert show(value) == shown


def test_sections_have_anchors_of_their_own_words() -> None:
    assert Section("What was run", []).anchor == "what-was-run"
    assert Section("<!>", []).anchor == "section"
