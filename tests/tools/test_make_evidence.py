"""The arithmetic behind the table of evidence, and that its halves have nothing in common."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    import evidence_designs
    import make_evidence

    yield make_evidence, evidence_designs
    del sys.modules["make_evidence"], sys.modules["evidence_designs"]


@pytest.mark.parametrize("runs", [1, 2, 5, 6])
def test_the_best_of_some_runs(tools, runs):
    excess = np.array([0.3, 0.0, 0.7, 0.1, 0.1, 2.0])
    values, chances = tools[0].best_of(excess, runs)
    drawn = [min(some) for some in itertools.combinations(excess, runs)]
    assert chances.sum() == pytest.approx(1)
    assert (values * chances).sum() == pytest.approx(np.mean(drawn))


def test_quantiles_of_weighted_values(tools):
    values, mass = np.array([3.0, 1.0, 2.0]), np.array([1.0, 90.0, 9.0])
    asked = (0.5, 0.9, 0.95, 0.99, 1.0)
    assert [tools[0].quantile(values, mass, q) for q in asked] == [1, 1, 2, 2, 3]


def test_other_data_sets_count_as_a_few(tools):
    """Lucky on the one data set of the bracket, and 0.6 above the best known on all."""
    make, _ = tools
    every = pl.DataFrame(
        {
            "method": ["m"] * 3,
            "place": ["real"] * 3,
            "dataset": ["a", "b", "c"],
            "excess": [0.0, 0.9, 0.9],
            "standard": [1.0] * 3,
            "cost": [2.0, 8.0, 8.0],
        }
    )
    own = every.head(1)
    (row,) = make.ways(every, own, own)
    assert float(row["excess"]) == pytest.approx((0.0 + make.BORROWED * 0.6) / (1 + make.BORROWED))
    assert (row["runs"], float(row["cost"]), row["sets"]) == (1, 2.0, 1)


def test_the_halves_have_no_data_set_in_common(tools):
    _, designs = tools
    making, evaluation = (
        {unit.name for source in designs.sources(half).values() for unit in source.units()}
        for half in designs.HALVES
    )
    assert making
    assert evaluation
    assert not making & evaluation
