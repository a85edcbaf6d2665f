"""What docs/add-a-method.md tells a researcher to write works."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import seedbed as sb

PAGE = Path(__file__).resolve().parents[2] / "docs" / "add-a-method.md"


@pytest.fixture
def told(monkeypatch, own_registry):
    """The names that the page's snippets define, run from top to bottom."""
    module = ModuleType("their_module")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL):
        exec(compile(code, PAGE, "exec", dont_inherit=True), vars(module))
    return module


def test_the_snippets_run_and_do_what_they_say(told):
    X = told.X * [1.0, 0.9]
    X[0, 1] = 20.0  # the widest range, not the largest variance
    X[0, 0] = 0.0
    function, method = told.slices, told.Slices()
    seeds = sb.seed(X, 5, method)
    np.testing.assert_array_equal(sb.seed(X, 5, function).centers, seeds.centers)
    assert seeds.info["attribute"] == X.var(axis=0).argmax()
    assert sb.seed(X, 5, "slices", widest="range").info["attribute"] == 1
    assert sb.methods()[-1].id == "slices"
    with pytest.raises(ValueError, match="widest='x' is not allowed for slices; use 'variance' or"):
        sb.init.get("slices", widest="x")
    assert len(sb.KMeans(5, init=function).fit(X).runs_) == 10
    assert len(sb.KMeans(5, init="slices").fit(X).runs_) == 1


def test_files_that_the_page_names_exist():
    text = PAGE.read_text("utf-8")
    root = PAGE.parents[1]
    for name in re.findall(r"(?:tests|docs|benchmarks|src)/[\w/.-]+\.py", text):
        assert (root / name).is_file(), name
