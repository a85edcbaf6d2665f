"""A study on a real Dask cluster, one worker of which is killed while it works."""

from __future__ import annotations

import dataclasses
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

from seedbed import study
from seedbed.study._unit import TIMES

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster(blobs: Path) -> Iterator[Any]:
    """A scheduler and two worker processes."""
    made = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        env={"SEEDBED_DATA": str(blobs)},
    )
    with made:
        yield made


class KillWorker:
    """Kills one of the workers when the first set is done."""

    def __init__(self, pids: list[int]) -> None:
        self.pids = pids

    def started(self, *_: object) -> None: ...

    def failed(self, *_: object) -> None: ...

    def finished(self, *_: object) -> None:
        if self.pids:
            os.kill(self.pids[0], signal.SIGKILL)
            self.pids.clear()


def test_a_cluster_that_loses_a_worker_gives_the_same_results(
    cluster: Any, design: study.Design, tmp_path: Path
) -> None:
    design = dataclasses.replace(design, runs=40)
    pids = [worker.pid for worker in cluster.workers.values()]
    kill = KillWorker(pids)
    there = study.run(design, tmp_path / "dask", dask=cluster.scheduler_address, watcher=kill)
    assert not kill.pids  # it did happen
    here = study.run(design, tmp_path / "here", workers=1)
    assert there.status().complete
    rows = [s.rows().drop(TIMES).sort("dataset", "method", "run").collect() for s in (there, here)]
    assert_frame_equal(*rows)
