"""Progress is shown on terminals, after a while, and changes nothing."""

from __future__ import annotations

import io
import json
import sys
import time

import numpy as np
import pytest

import seedbed as sb
from seedbed._compat import HAS_CALLBACKS
from seedbed.cli import _progress
from seedbed.cli._progress import Progress, watch

needs_callbacks = pytest.mark.skipif(not HAS_CALLBACKS, reason="needs scikit-learn 1.9")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def on_terminal(monkeypatch):
    """Make stderr a terminal from now on; to be called in the test, for pytest sets stderr too."""

    def attach() -> Terminal:
        screen = Terminal()
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys, "stderr", screen)
        return screen

    return attach


def _wait_for(text: str, screen: Terminal) -> None:
    deadline = time.monotonic() + 10
    while text not in screen.getvalue():
        assert time.monotonic() < deadline, screen.getvalue()
        time.sleep(0.01)


def test_long_work_is_shown_stage_by_stage(on_terminal, monkeypatch):
    terminal = on_terminal()
    monkeypatch.setattr(_progress, "PATIENCE", 0)
    with Progress(enabled=True) as progress:
        progress.stage("reading")
        _wait_for("reading", terminal)
        progress.stage("clustering", done=1, total=4)
        _wait_for("clustering", terminal)
    after = terminal.getvalue()
    progress.stage("too late")
    assert terminal.getvalue() == after


def test_short_work_shows_nothing(on_terminal):
    terminal = on_terminal()
    with Progress(enabled=True) as progress:
        progress.stage("reading")
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_nobody_looks(monkeypatch, capsys):
    monkeypatch.setattr(_progress, "PATIENCE", 0)
    with Progress(enabled=True) as progress:
        progress.stage("reading")
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")
    assert not progress.enabled


class Recorder:
    enabled = True

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, int]] = []

    def stage(self, what: str, *, done: int = 0, total: int = 0) -> None:
        self.seen.append((what, done, total))


@needs_callbacks
def test_watched_runs_tell_of_each_iteration_and_are_the_same():
    X = np.random.default_rng(0).normal(size=(300, 3))
    model = sb.KMeans(5, init="macqueen", n_init=3, random_state=0)
    plain = sb.KMeans(5, init="macqueen", n_init=3, random_state=0).fit(X)
    recorder = Recorder()
    watch(model, recorder, n_runs=3, work=_progress.WORTH_WATCHING)
    model.fit(X)
    assert len(recorder.seen) == plain.runs_.n_iter.sum()
    assert recorder.seen[0] == ("clustering: run 1 of 3, iteration 1", 0, 3)
    assert recorder.seen[-1] == (f"clustering: run 3 of 3, iteration {plain.runs_.n_iter[2]}", 2, 3)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    assert model.inertia_ == plain.inertia_


def test_small_work_is_not_watched():
    X = np.random.default_rng(0).normal(size=(300, 3))
    recorder = Recorder()
    model = sb.KMeans(5, random_state=0)
    watch(model, recorder, n_runs=1, work=_progress.WORTH_WATCHING - 1)
    model.fit(X)
    assert recorder.seen == []


def test_the_command_gives_the_same_when_watched(on_terminal, monkeypatch, seedbed, data):
    arguments = ("cluster", data, "-k", 4, "--columns", "width,height", "--json", "--n-init", 3)
    plain = json.loads(seedbed(*arguments).out)
    terminal = on_terminal()
    monkeypatch.setattr(_progress, "PATIENCE", 0)
    monkeypatch.setattr(_progress, "WORTH_WATCHING", 0)
    watched = json.loads(seedbed(*arguments).out)
    del plain["seconds"], watched["seconds"]
    assert watched == plain
    assert "Traceback" not in terminal.getvalue()
