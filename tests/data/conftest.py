"""Folders, clean arrays and original files for the tests of the real data sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from archive_server import ArchiveServer

from seedbed.data import set_folder

SHARED = Path(__file__).resolve().parents[2] / "../shared/datasets"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder for data sets, which no test shares with another or with the user."""
    monkeypatch.setenv("SEEDBED_DATA", str(tmp_path / "sets"))
    monkeypatch.delenv("SEEDBED_DATA_MIRROR", raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    set_folder()
    yield tmp_path / "sets"
    set_folder()


@pytest.fixture
def server():
    """A web server for archives, on this machine."""
    with ArchiveServer() as running:
        yield running


@pytest.fixture(scope="session")
def clean_folder():
    """The verified arrays, as files."""
    if not (SHARED / "clean").is_dir():
        pytest.skip("the real data sets (../shared) are not here")
    return SHARED / "clean"


@pytest.fixture(scope="session")
def clean(clean_folder):
    """``clean(entry)``: the verified arrays of a set, X and y."""

    def read(entry):
        (path,) = clean_folder.glob(f"{entry.number:02d}_*.npz")
        with np.load(path) as arrays:
            return arrays["X"], arrays.get("y")

    return read


@pytest.fixture(scope="session")
def original():
    """``original(number)``: the original files of a set, by name."""
    if not (SHARED / "uci").is_dir():
        pytest.skip("the original files of the data sets (../shared) are not here")

    def read(number):
        (place,) = (SHARED / "uci").glob(f"{number:02d}_*")
        return {path.name: path.read_bytes() for path in sorted(place.iterdir())}

    return read
