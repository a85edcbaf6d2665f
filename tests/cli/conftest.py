"""Running the command in this process, and small files for it to work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
import pytest

from seedbed.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def seedbed(capsys):
    """``seedbed("cluster", "x.csv", ...)``: exit code, stdout and stderr."""

    def run(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(seedbed):
    """The one line with which the command refuses these arguments."""

    def run(*arguments: object) -> str:
        code, out, err = seedbed(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("seedbed: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        return err

    return run


@pytest.fixture
def frame():
    """Three groups of 20 points with their class and a weight."""
    rng = np.random.default_rng(1)
    middle = np.repeat([[0.0, 0.0], [6.0, 1.0], [2.0, 70.0]], 20, axis=0)
    points = middle + rng.normal(size=(60, 2)) * [1.0, 10.0]
    return pl.DataFrame(
        {
            "width": points[:, 0],
            "height": points[:, 1],
            "kind": np.repeat(["red", "green", "blue"], 20),
            "count": rng.integers(1, 4, size=60),
        }
    )


@pytest.fixture
def data(tmp_path, frame):
    """The same as a CSV file, alone in its directory."""
    path = tmp_path / "data.csv"
    frame.write_csv(path)
    return path
