"""Small data sets of one's own for the studies of the tests, in a folder of their own."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("polars")

from seedbed import data, study

NAMES = tuple(f"blobs-{i}" for i in range(8))


@pytest.fixture(scope="session")
def blobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with eight small sets of three clusters each."""
    folder = tmp_path_factory.mktemp("sets")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEEDBED_DATA", str(folder))
        for i, name in enumerate(NAMES):
            rng = np.random.default_rng(i)
            y = rng.integers(3, size=200 + 50 * i)
            data.add(name, rng.random((3, 4))[y] + 0.15 * rng.standard_normal((len(y), 4)), y)
    return folder


@pytest.fixture(autouse=True)
def _only_blobs(blobs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    further = [path for path in os.environ.get("SEEDBED_DATA", "").split(os.pathsep) if path]
    monkeypatch.setenv("SEEDBED_DATA", os.pathsep.join([str(blobs), *further]))


@pytest.fixture
def design() -> study.Design:
    return study.Design(data=(study.RealSets(sets=NAMES),), runs=5, name="blobs")
