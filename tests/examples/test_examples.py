"""The example scripts run, and what they print can be trusted."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import minmax_scale

import seedbed as sb

ROOT = Path(__file__).resolve().parents[2]


def _pictures():
    """Matplotlib's reader of pictures; nothing is shown on a screen."""
    pytest.importorskip("matplotlib").use("Agg")
    return pytest.importorskip("matplotlib.image")


@pytest.fixture
def run(monkeypatch, capsys, own_registry):
    """Run a script of examples/ with these arguments; what it prints."""

    def script(name: str, *arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
        return capsys.readouterr().out

    return script


def test_compare_methods_prints_each_method_per_data_set(run):
    out = run("compare_methods.py", "--data", "iris", "wine", "--runs", 3)
    studied = {m.id for m in sb.methods() if m.letter}
    assert len(studied) == 8
    for section in re.split(r"\n\n", out)[1:3]:
        lines = section.splitlines()[3:]
        assert {line.split()[1] for line in lines} == studied
        means = [float(line.split()[4]) for line in lines]
        assert means == sorted(means)
    assert "iris: 150 rows × 4 attributes, 3 clusters" in out


def test_compare_methods_prints_what_the_library_finds(run):
    out = run("compare_methods.py", "--data", "iris", "--runs", 5, "--seed", 2)
    X = minmax_scale(load_iris().data)
    runs = sb.KMeans(3, init="M", n_init=5, stop="sse", random_state=2).fit(X).runs_
    (line,) = (line for line in out.splitlines() if "macqueen" in line)
    assert float(line.split()[3]) == pytest.approx(runs.sse.min(), abs=1e-4)
    assert float(line.split()[4]) == pytest.approx(runs.sse.mean(), abs=1e-4)


def test_compare_methods_refuses_unknown_data(run, capsys):
    with pytest.raises(SystemExit) as stopped:
        run("compare_methods.py", "--data", "irises")
    assert stopped.value.code == 2
    assert "irises" in capsys.readouterr().err


def test_drop_in_finds_the_same_clusters(run):
    theirs, ours = (float(line.split()[2]) for line in run("drop_in.py").splitlines())
    assert ours == pytest.approx(theirs, rel=1e-4)


def test_plot_history_draws_falling_errors(run):
    _pictures()
    out = run("plot_history.py")
    errors = [float(line.split()[-1]) for line in out.splitlines() if "final SSE" in line]
    assert len(errors) == 4
    assert min(errors) > 0


def test_own_method_takes_part_in_a_study(run):
    pytest.importorskip("polars")
    out = run("own_method.py")
    (ranking,) = re.findall(r"final_sse best *(.*)", out)
    assert set(sb.stats.Groups.parse(ranking).names) == {"K", "G", "V", "P", "slices"}


def test_plot_seeds_draws_a_picture_for_the_readme(run, tmp_path):
    image = _pictures()
    file = tmp_path / "pictures" / "seeds.png"
    assert run("plot_seeds.py", file) == f"wrote {file}\n"
    for path in (file, ROOT / "docs" / "images" / "seeds.png"):
        pixels = image.imread(path)
        assert pixels.shape[1] > 1000
        assert pixels.std() > 0.05  # something is drawn
        assert path.stat().st_size <= 150_000


def test_plot_mixtures_draws_one_of_each_class(run, tmp_path):
    image = _pictures()
    file = tmp_path / "pictures" / "mixtures.png"
    assert run("plot_mixtures.py", file) == f"wrote {file}\n"
    for path in (file, ROOT / "docs" / "images" / "mixtures.png"):
        pixels = image.imread(path)
        assert pixels.shape[1] > 1000
        assert pixels.std() > 0.05  # something is drawn
        assert path.stat().st_size <= 150_000
