"""The examples of comparing methods and numbers of clusters."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(monkeypatch, capsys):
    pytest.importorskip("matplotlib").use("Agg")

    def script(name: str, *arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
        return capsys.readouterr().out

    return script


@pytest.mark.parametrize(
    ("name", "picture", "says"),
    [
        ("plot_compare.py", "compare.png", "The least SSE"),
        ("plot_choose_k.py", "choosing-k.png", "Most speaks for K = 6"),
    ],
)
def test_an_example_draws_and_tells(run, tmp_path, name, picture, says):
    image = pytest.importorskip("matplotlib.image")
    file = tmp_path / picture
    out = run(name, file)
    assert says in out
    assert f"wrote {file}" in out
    for path in (file, ROOT / "docs" / "images" / picture):
        assert image.imread(path).std() > 0.05  # something is drawn
        assert path.stat().st_size <= 150_000
