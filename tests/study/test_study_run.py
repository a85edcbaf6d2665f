"""Running studies: the same results however the work is done, and refusals before any work."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import seedbed
from seedbed import data, study
from seedbed.study import _run, _store, _workers
from seedbed.study._unit import TIMES, run_unit

KEY = ["dataset", "method", "run"]


def results(folder: Path) -> pl.DataFrame:
    """All that is the same on every machine."""
    return study.Study.open(folder).rows().drop(TIMES).sort(KEY).collect()


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return {"folder": tmp_path_factory.mktemp("reference") / "study"}


@pytest.fixture
def uninterrupted(design: study.Design, reference: dict[str, Any]) -> pl.DataFrame:
    """The results of one process that nothing interrupts."""
    if "rows" not in reference:
        study.run(design, reference["folder"], workers=1)
        reference["rows"] = results(reference["folder"])
    rows: pl.DataFrame = reference["rows"]
    return rows


def test_every_method_and_run_has_a_row(design: study.Design, uninterrupted: pl.DataFrame) -> None:
    per_set = 6 * design.runs + 2  # deterministic methods once
    assert uninterrupted.height == 8 * per_set
    assert uninterrupted.null_count().sum_horizontal()[0] == 0
    assert (uninterrupted["final_sse"] <= uninterrupted["initial_sse"]).all()


def test_rows_are_what_the_library_gives(design: study.Design, uninterrupted: pl.DataFrame) -> None:
    row = uninterrupted.filter((pl.col("dataset") == "blobs-3") & (pl.col("method") == "V")).row(
        0, named=True
    )
    loaded = data.load("blobs-3")
    X = loaded.scaled("minmax")
    km = seedbed.KMeans(3, init="var-part", stop="sse", tol=1e-6, max_iter=100).fit(X)
    assert (row["final_sse"], row["initial_sse"]) == (km.inertia_, km.init_inertia_)
    assert (row["iterations"], row["stop_reason"]) == (km.n_iter_, km.stop_reason_)
    assert row["rand"] == seedbed.criteria.normalised_rand(loaded.y, km.labels_)


def test_runs_of_a_random_method_differ_and_do_not_depend_on_their_number(
    design: study.Design,
) -> None:
    unit = design.units()[0]
    few = run_unit(dataclasses.replace(design, runs=2), unit)
    many = run_unit(design, unit)
    of = {name: columns["method"] == "K" for name, columns in (("few", few), ("many", many))}
    assert np.array_equal(few["initial_sse"][of["few"]], many["initial_sse"][of["many"]][:2])
    assert len(set(many["initial_sse"][of["many"]])) > 1


def test_two_workers_give_the_same(
    design: study.Design, uninterrupted: pl.DataFrame, tmp_path: Path
) -> None:
    study.run(design, tmp_path / "two", workers=2)
    assert_frame_equal(results(tmp_path / "two"), uninterrupted)


def test_methods_do_not_disturb_each_other(
    design: study.Design, uninterrupted: pl.DataFrame, tmp_path: Path
) -> None:
    fewer = dataclasses.replace(design, methods=("G", "F"))
    study.run(fewer, tmp_path / "fewer", workers=1)
    same = uninterrupted.filter(pl.col("method").is_in(["F", "G"]))
    assert_frame_equal(results(tmp_path / "fewer"), same)


class StopAfter:
    """Interrupts a study, as Ctrl-C does, when so many sets are done."""

    def __init__(self, n: int) -> None:
        self.left = n

    def started(self, *_: object) -> None: ...

    def failed(self, *_: object) -> None: ...

    def finished(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_study_is_resumed(
    design: study.Design, uninterrupted: pl.DataFrame, tmp_path: Path, workers: int
) -> None:
    folder = tmp_path / "study"
    with pytest.raises(KeyboardInterrupt):
        study.run(design, folder, workers=workers, watcher=StopAfter(3))
    assert 3 <= study.Study.open(folder).status().done < 8
    study.run(design, folder, workers=workers)
    assert_frame_equal(results(folder), uninterrupted)
    sessions = json.loads((folder / "manifest.json").read_text())["sessions"]
    assert [session["units"] for session in sessions] == [8, 5]


def test_killing_the_process_loses_only_what_was_under_way(
    design: study.Design, uninterrupted: pl.DataFrame, tmp_path: Path
) -> None:
    design_file, folder = tmp_path / "design.toml", tmp_path / "study"
    design_file.write_text(study.to_toml(design), encoding="utf-8")
    command = [sys.executable, "-m", "seedbed.cli", "study", "run", str(design_file)]
    command += ["-o", str(folder), "--workers", "2", "-q"]
    chance, kills = random.Random(4), 0
    while kills < 10:
        process = subprocess.Popen(command, start_new_session=True)
        try:
            process.wait(timeout=chance.uniform(0.2, 4.0))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
        else:
            assert process.returncode == 0
        done = list((folder / "runs").glob("*.parquet")) if folder.exists() else []
        for path in done:
            assert pl.read_parquet(path).height == 6 * design.runs + 2
        if len(done) == 8 and kills < 10:  # finished before it could be killed: once more
            for path in done[chance.randrange(8) :]:
                path.unlink()
    study.run(design, folder, workers=1)
    assert_frame_equal(results(folder), uninterrupted)


def test_workers_end_with_their_parent(design: study.Design, tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    design_file = tmp_path / "design.toml"
    design_file.write_text(study.to_toml(dataclasses.replace(design, runs=3000)), encoding="utf-8")
    command = [sys.executable, "-m", "seedbed.cli", "study", "run", str(design_file)]
    process = subprocess.Popen([*command, "-o", str(tmp_path / "s"), "--workers", "2", "-q"])
    parent, workers = psutil.Process(process.pid), []
    deadline = time.monotonic() + 60
    while len(workers) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
        workers = parent.children(recursive=True)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert workers
    assert not alive


def _die_on(name: str, design: study.Design, unit: study.Unit) -> Any:
    if unit.name == name:
        os.kill(os.getpid(), signal.SIGKILL)
    return _workers.Outcome(unit, run_unit(design, unit))


def _kill_worker(design: study.Design, unit: study.Unit) -> Any:
    return _die_on("blobs-2", design, unit)


def test_a_set_whose_worker_dies_is_a_failure_and_the_rest_is_done(
    design: study.Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_workers, "attempt", _kill_worker)
    done = study.run(dataclasses.replace(design, runs=1), tmp_path / "study", workers=2)
    assert [failure.dataset for failure in done.failures] == ["blobs-2"]
    assert "memory" in done.failures[0].traceback
    assert done.status().done == 7


def test_a_script_that_workers_cannot_import_is_told_what_to_do(
    design: study.Design, tmp_path: Path
) -> None:
    names = tuple(unit.name for unit in design.units())
    script = tmp_path / "script.py"
    script.write_text(
        "from seedbed import study\n"
        f"sets = study.RealSets(sets={names!r})\n"
        "study.run(study.Design(data=(sets,), runs=2), 'results', workers=2)\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("RuntimeError: the worker processes ended as they started")
    assert 'if __name__ == "__main__":' in last
    assert not study.Study.open(tmp_path / "results").failures
    assert len(json.loads((tmp_path / "results" / "manifest.json").read_text())["sessions"]) == 1


def test_a_failure_is_kept_with_its_traceback_and_can_be_retried(
    design: study.Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(given: study.Design, unit: study.Unit) -> Any:
        if unit.name == "blobs-1":
            raise RuntimeError("no luck")
        return run_unit(given, unit)

    with monkeypatch.context() as patch:
        patch.setattr(_workers, "run_unit", broken)
        done = study.run(design, tmp_path / "study", workers=1)
    (failure,) = done.failures
    assert failure.error == "RuntimeError: no luck"
    assert "in broken" in failure.traceback
    assert study.run(design, tmp_path / "study", workers=1).status().failed == 1  # left alone
    again = study.run(design, tmp_path / "study", workers=1, retry_failed=True)
    assert again.status().complete
    assert not again.failures


def test_memory_decides_how_many_work_at_a_time(
    design: study.Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_workers, "available_bytes", lambda: 0)
    asked: list[int] = []

    class Pool:
        def submit(self, *_: object) -> Any:
            asked.append(1)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        next(_workers._drive(Pool(), design, _workers.deque(design.units()), {}, 4))  # type: ignore[arg-type]
    assert asked == [1]  # one always may


def test_a_folder_of_another_design_is_refused(
    design: study.Design, uninterrupted: pl.DataFrame, reference: dict[str, Any]
) -> None:
    other = dataclasses.replace(design, seed=1, runs=6)
    with pytest.raises(study.StudyFolderError, match="differs in runs, seed"):
        study.run(other, reference["folder"])
    study.run(dataclasses.replace(design, name="renamed"), reference["folder"])


def test_bad_places_are_refused(
    design: study.Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    with pytest.raises(study.StudyFolderError, match="not empty"):
        study.run(design, tmp_path / "full")
    (tmp_path / "file").touch()
    with pytest.raises(study.StudyFolderError, match="cannot be written"):
        study.run(design, tmp_path / "file" / "study")
    with pytest.raises(study.StudyFolderError, match="holds no study"):
        study.Study.open(tmp_path)

    class Usage:
        free = 1000

    monkeypatch.setattr(_store.shutil, "disk_usage", lambda _: Usage)
    with pytest.raises(study.StudyFolderError, match="free some space"):
        study.run(design, tmp_path / "study")
    assert not list((tmp_path / "study" / "runs").iterdir())


def test_missing_sets_and_too_many_clusters_are_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_run._data, "whereabouts", lambda slug: data.Whereabouts(slug, "", ""))
    absent = study.Design(data=(study.RealSets(sets=("corel", "miniboone")),))
    with pytest.raises(ValueError, match="seedbed data fetch corel miniboone"):
        study.run(absent, tmp_path / "a")
    monkeypatch.undo()
    many = study.Design(data=(study.RealSets(sets=("iris",), clusters=151),))
    with pytest.raises(ValueError, match="iris has 150 rows and cannot have 151 clusters"):
        study.run(many, tmp_path / "b")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing_half_written(
    design: study.Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: pl.DataFrame, path: Path, **_: object) -> None:
        path.write_bytes(b"half a fi")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pl.DataFrame, "write_parquet", full)
        with pytest.raises(OSError, match="No space left"):
            study.run(design, tmp_path / "study", workers=1)
    assert not list((tmp_path / "study" / "runs").iterdir())
    assert study.run(design, tmp_path / "study", workers=1).status().complete


def test_results_can_be_read_by_others(
    reference: dict[str, Any], uninterrupted: pl.DataFrame
) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_parquet(reference["folder"] / "runs")
    assert len(frame) == uninterrupted.height
    duckdb = pytest.importorskip("duckdb")
    ((n,),) = duckdb.sql(
        f"select count(*) from '{reference['folder']}/runs/*.parquet' where method = 'G'"
    ).fetchall()
    assert n == 8 * 5
