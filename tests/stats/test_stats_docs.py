"""The snippets of docs/statistics.md run, and print what the page says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/statistics.md").read_text(encoding="utf-8")


def test_the_page_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    outputs = []
    for snippet in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(snippet, names)
        outputs.append(capsys.readouterr().out)
    (printed,) = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
    assert outputs[0] == printed
    assert (tmp_path / "diagram.svg").is_file()
    assert len(outputs) == 5


def test_the_picture_is_there():
    image = pytest.importorskip("matplotlib.image")
    (name,) = re.findall(r"!\[.*?\]\((.*?)\)", PAGE)
    pixels = image.imread(ROOT / "docs" / name)
    assert pixels.shape[1] > 600
    assert pixels.std() > 0.05
