"""`seedbed study`: running, resuming, reading, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from seedbed.cli import main

DESIGN = """\
name = "small"
runs = 3
methods = ["F", "G", "V", "P"]

[[data]]
real = ["iris", "wine"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a design, and an empty folder of data sets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEEDBED_DATA", str(tmp_path / "sets"))
    (tmp_path / "small.toml").write_text(DESIGN)
    return tmp_path


def test_a_study_is_run_shown_and_exported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "run", "small.toml", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "16 runs of k-means; results in results/small" in out
    assert "2 of 2 data sets done" in out
    assert "final SSE, mean" in out
    assert main(["study", "run", "small.toml", "--workers", "1", "-q"]) == 0  # nothing left to do
    assert capsys.readouterr().out == ""
    assert main(["study", "status", "results/small", "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["done"], state["failed"], len(state["sessions"])) == (2, 0, 2)
    assert main(["study", "report", "results/small"]) == 0
    assert (folder / "results/small/report/summary.csv").exists()
    capsys.readouterr()
    assert main(["study", "export", "results/small", "--csv", "all.csv"]) == 0
    assert pl.read_csv("all.csv").height == 2 * (2 * 3 + 2)


def test_a_dry_run_does_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "run", "small.toml", "--dry-run"]) == 0
    assert "2 data sets" in capsys.readouterr().out
    assert not (folder / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "absent.toml"], "absent.toml cannot be read"),
        (["run", "--preset", "huge"], "quick, real, synthetic, paper"),
        (["run", "small.toml", "--preset", "quick"], "not both"),
        (["run", "small.toml", "--workers", "0"], "workers=0"),
        (["run", "bad.toml"], "bad.toml, line 2: runs=0"),
        (["run", "small.toml", "-o", "small.toml/x"], "cannot be written"),
        (["status", "nowhere"], "holds no study"),
        (["report", "nowhere"], "holds no study"),
        (["export", "nowhere"], "--csv FILE or --parquet FILE"),
    ],
)
def test_refusals_are_one_line_and_leave_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    (folder / "bad.toml").write_text(DESIGN.replace("runs = 3", "runs = 0"))
    before = sorted(folder.rglob("*"))
    assert main(["study", *arguments]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
    assert sorted(folder.rglob("*")) == before
