"""Benchmarks that cannot hang: tasks in a process of their own, ended when their time is up."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def worker(monkeypatch):
    if not BENCHMARKS.is_dir():
        pytest.skip("benchmarks are not part of the source distribution")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))  # the child imports this module too
    monkeypatch.delitem(sys.modules, "_worker", raising=False)
    import _worker

    return _worker


def make_doer(offset):
    def do(task):
        if task == "sleep":
            time.sleep(60)
        if task == "die":
            os._exit(3)
        return offset + 1 / task

    return do


def make_nothing():
    raise OSError("no such data")


def test_tasks_that_fail_or_take_too_long_do_not_stop_the_others(worker):
    with worker.Worker(make_doer, 10) as busy:
        assert busy.call(2, limit=60) == 10.5
        with pytest.raises(worker.Failed, match="ZeroDivisionError"):
            busy.call(0, limit=60)
        assert busy.call(1, limit=60) == 11
        started = time.monotonic()
        with pytest.raises(worker.TooSlow, match=r"more than 0\.2 s"):
            busy.call("sleep", limit=0.2)
        assert time.monotonic() - started < 30
        assert busy.call(4, limit=60) == 10.25
        with pytest.raises(worker.Failed, match="died with exit code 3"):
            busy.call("die", limit=60)
        assert busy.call(4, limit=60) == 10.25


def test_a_worker_that_cannot_start_says_why(worker):
    with (
        worker.Worker(make_nothing) as broken,
        pytest.raises(RuntimeError, match="no such data"),
    ):
        broken.call(1, limit=60)
