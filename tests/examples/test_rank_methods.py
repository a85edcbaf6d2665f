"""The example of the statistics prints a ranking of the eight methods and draws it."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from seedbed.stats import Groups

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "rank_methods.py"


def test_rank_methods(monkeypatch, capsys, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    picture = tmp_path / "diagram.svg"
    arguments = [SCRIPT.name, "--runs", "2", "--diagram", str(picture)]
    monkeypatch.setattr(sys, "argv", arguments)
    runpy.run_path(str(SCRIPT), run_name="__main__")
    out = capsys.readouterr().out
    (ranking,) = re.findall(r"worst to best: (.*)", out)
    assert set(Groups.parse(ranking).names) == set("FMXBKGVP")
    assert "28 data sets" in out
    assert "<svg" in picture.read_text(encoding="utf-8")
