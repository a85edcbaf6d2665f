"""What docs/add-a-method.md tells a researcher to write works."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import seedbed as sb
from seedbed.init import _registry

PAGE = Path(__file__).resolve().parents[2] / "docs" / "add-a-method.md"


@pytest.fixture
def told(monkeypatch):
    """The names that the page's snippets define, run from top to bottom."""
    fresh = _registry._Registry()
    for cls in _registry.classes():
        fresh.add(cls)
    monkeypatch.setattr(_registry, "_registry", fresh)
    names: dict[str, object] = {"__name__": "their_module"}
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL):
        exec(code, names)
    return names


def test_the_snippets_run_and_do_what_they_say(told):
    X = told["X"]
    function, method = told["quantiles"], told["Quantiles"]()
    np.testing.assert_array_equal(sb.seed(X, 5, function).centers, sb.seed(X, 5, method).centers)
    assert sb.methods()[-1].id == "quantiles"
    assert sb.seed(X, 5, "quantiles", offset=0).info["offset"] == 0
    with pytest.raises(ValueError, match="offset=2 is not allowed for quantiles; use a number"):
        sb.init.get("quantiles", offset=2)
    seeds = sb.seed(X, 300, "quantiles", offset=1)
    np.testing.assert_array_equal(X[seeds.indices], seeds.centers)
    assert sb.KMeans(5, init=function).fit(X).runs_.sse.shape == (10,)


def test_files_that_the_page_names_exist():
    text = PAGE.read_text("utf-8")
    root = PAGE.parents[1]
    for name in re.findall(r"(?:tests|docs|benchmarks|src)/[\w/.-]+\.py", text):
        assert (root / name).is_file(), name
