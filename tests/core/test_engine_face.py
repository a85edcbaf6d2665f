"""How many threads `None` means, and the names of native codes."""

import os

import numpy as np
import pytest

from seedbed._core import _engine


@pytest.fixture
def no_environment(monkeypatch):
    for name in ("SEEDBED_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(_engine, "_cgroup_quota", lambda: None)
    _engine._threads_of_environment.cache_clear()
    yield monkeypatch
    _engine._threads_of_environment.cache_clear()


def test_environment_comes_first(no_environment):
    no_environment.setenv("OMP_NUM_THREADS", "3,2")
    assert _engine.default_threads() == 3
    no_environment.setenv("SEEDBED_NUM_THREADS", "5")
    assert _engine.default_threads() == 3  # read once
    _engine._threads_of_environment.cache_clear()
    assert _engine.default_threads() == 5


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5"])
def test_bad_environment(no_environment, value):
    no_environment.setenv("SEEDBED_NUM_THREADS", value)
    with pytest.raises(ValueError, match=f"SEEDBED_NUM_THREADS='{value}'.*integer >= 1"):
        _engine.default_threads()


def test_an_environment_of_many_threads(no_environment):
    no_environment.setenv("OMP_NUM_THREADS", str(2**40))
    assert _engine.default_threads() == 1024


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no processor affinity here")
@pytest.mark.parametrize(("quota", "expected"), [(None, 6), (2.0, 2), (1.5, 2), (0.2, 1), (64, 6)])
def test_affinity_and_quota(no_environment, quota, expected):
    no_environment.setattr(os, "sched_getaffinity", lambda pid: set(range(6)))
    no_environment.setattr(_engine, "_cgroup_quota", lambda: quota)
    assert _engine.default_threads() == expected


def test_quota_of_nested_groups(tmp_path):
    membership = tmp_path / "cgroup"
    membership.write_text("12:cpu:/old\n0::/a/b\n")
    root = tmp_path / "fs"
    (root / "a" / "b").mkdir(parents=True)
    assert _engine._least_quota(membership, root) is None
    (root / "a" / "b" / "cpu.max").write_text("max 100000\n")
    assert _engine._least_quota(membership, root) is None
    (root / "a" / "cpu.max").write_text("150000 100000\n")
    (root / "cpu.max").write_text("400000 100000\n")
    assert _engine._least_quota(membership, root) == 1.5
    assert _engine._least_quota(tmp_path / "absent", root) is None


def test_codes_are_distinct():
    for table in (
        _engine.ALGORITHMS,
        _engine.STOP_RULES,
        _engine.EMPTY_POLICIES,
        _engine.STOP_REASONS,
    ):
        assert len(set(table.values())) == len(table)


@pytest.mark.parametrize("algorithm", _engine.ALGORITHMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_engine_runs_what_was_asked_for(algorithm, dtype):
    x = np.random.default_rng(0).normal(size=(50, 3)).astype(dtype)
    (run,) = _engine.run_many(
        _engine.dataset(x, None, 1),
        x[None, :4],
        algorithm=algorithm,
        stop="labels",
        tol=0.0,
        max_iter=100,
        empty_cluster="relocate",
        n_threads=1,
        history=False,
        keep_labels=True,
    )
    assert run.algorithm in _engine.ALGORITHMS
    assert algorithm in ("auto", run.algorithm)
    assert run.centers.dtype == dtype
    assert run.labels.shape == (50,)
    assert run.history.shape == (0, 4)


def test_a_value_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        _engine.dataset(np.array([[1.0], [np.nan]]), None, 1)


@pytest.mark.parametrize("width", [1, 3])
def test_centres_of_another_width_are_refused(width):
    data = _engine.dataset(np.eye(2), None, 1)
    centers, labels = np.zeros((2, width)), np.zeros(2, np.int32)
    for call in (
        lambda: data.assign(centers, 1),
        lambda: data.distances(centers, 1),
        lambda: data.sse(centers, labels, 1),
    ):
        with pytest.raises(ValueError, match=f"{width} columns"):
            call()
    with pytest.raises(ValueError, match="differ in length"):
        data.sse(np.zeros((2, 2)), labels[:1], 1)
