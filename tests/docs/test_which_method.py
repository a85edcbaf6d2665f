"""docs/which-method.md has the tables that follow from the evidence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def builder(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import build_which_method

    yield build_which_method
    del sys.modules["build_which_method"]


def test_the_committed_tables_are_up_to_date(builder):
    text = builder.PAGE.read_text(encoding="utf-8")
    assert builder.built(text) == text, "run `python docs/build_which_method.py`"


def test_a_page_without_a_place_for_a_table_is_refused(builder):
    with pytest.raises(ValueError, match="0 places for the table 'choices'"):
        builder.built("# Which method when")


def test_the_first_snippet_runs(builder, capsys):
    text = builder.PAGE.read_text(encoding="utf-8")
    exec(text.split("```python\n")[1].split("```")[0], {})
    assert "seedbed.KMeans(10" in capsys.readouterr().out
