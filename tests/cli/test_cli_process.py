"""The command as a process of its own: quick help, missing extras, Ctrl-C, version, plumbing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import seedbed as sb
import seedbed.cli
from seedbed.cli._app import app

COMMAND = (sys.executable, "-m", "seedbed.cli")


def _run(*arguments, python=(), encoding="utf-8"):
    return subprocess.run(
        [COMMAND[0], *python, *COMMAND[1:], *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding=encoding,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=60,
    )


@pytest.mark.parametrize(
    "arguments", [("--help",), ("cluster", "--help"), ("compare", "--help"), ("--version",), ()]
)
def test_help_and_version_import_nothing_heavy(arguments):
    done = _run(*arguments, python=("-X", "importtime"))
    assert done.returncode == 0
    assert done.stdout.startswith(("Usage: seedbed", f"seedbed {sb.__version__}"))
    imported = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in imported
    assert not imported & {"numpy", "scipy", "sklearn", "polars", "pandas"}


def test_a_whole_run(tmp_path):
    data, labels = tmp_path / "x.npy", tmp_path / "labels.csv"
    np.save(data, np.random.default_rng(0).normal(size=(50, 3)))
    done = _run("cluster", data, "-k", 4, "-o", labels)
    assert (done.returncode, done.stderr) == (0, "")
    assert "50 rows × 3 attributes" in done.stdout
    assert len(labels.read_text().splitlines()) == 51


def test_a_console_that_knows_few_letters():
    done = _run("methods", "bradley-fayyad", encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Bradley?Fayyad" in done.stdout


def test_a_refusal(tmp_path):
    done = _run("cluster", tmp_path / "nothing.csv", "-k", 4)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"seedbed: {tmp_path / 'nothing.csv'} does not exist\n"


def _wait_until_at_work(process):
    """Imports take a second of processor time, which may be many seconds on a busy machine."""
    psutil = pytest.importorskip("psutil")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if psutil.Process(process.pid).cpu_times().user > 3:
            return
        time.sleep(0.05)
    raise AssertionError("the command did not get to work")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise on Windows")
def test_ctrl_c_ends_it_cleanly(tmp_path):
    data, labels = tmp_path / "x.npy", tmp_path / "labels.csv"
    np.save(data, np.random.default_rng(0).random((200_000, 16)))
    process = subprocess.Popen(
        [
            *COMMAND,
            "cluster",
            data,
            "-k",
            "150",
            "--init",
            "macqueen",
            "--n-init",  # minutes on any machine
            "1000",
            "-o",
            labels,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait_until_at_work(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "seedbed: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(
        seedbed.cli, "find_spec", lambda name: None if name in ("rich", "polars") else object()
    )
    assert seedbed.cli.main(["--help"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "seedbed: the command needs rich, polars; "
        'install what is missing with: pip install "seedbed[cli]"\n'
    )


def test_the_app_works_in_other_hands():
    result = CliRunner().invoke(app, ["methods", "--json"])
    assert result.exit_code == 0
    assert result.output.startswith("[")


def test_an_unknown_command_is_named(capsys):
    assert seedbed.cli.main(["clster"]) == 2
    assert "No such command 'clster'" in capsys.readouterr().err
