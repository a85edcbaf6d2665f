"""The picture of a recommendation can be drawn."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import matplotlib.image

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "plot_recommend.py"


def test_the_picture_and_the_words(tmp_path, monkeypatch, capsys):
    matplotlib.use("Agg")
    file = tmp_path / "recommend.png"
    monkeypatch.setattr(sys, "argv", ["plot_recommend.py", str(file)])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert matplotlib.image.imread(file).shape[2] == 4
    out = capsys.readouterr().out
    assert "1,797 rows × 64 features, 10 clusters" in out
    assert f"wrote {file}" in out
