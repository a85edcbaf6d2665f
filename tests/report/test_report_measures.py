"""Numbers behind the figures, against plain computation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from seedbed.report._cube import Cube, DataSet
from seedbed.report._measures import best_of_weights, costs, geometric_mean, offers


def cube(final: dict[str, list[list[float]]], group: str = "real") -> Cube:
    """A cube of these final SSE, data sets × runs per method; a run takes 2 ms."""
    arrays = {label: np.array(values) for label, values in final.items()}
    n = len(next(iter(arrays.values())))
    sets = tuple(DataSet(f"set-{i}", group, 100, 2, 3, None) for i in range(n))
    same = {label: np.ones_like(values) for label, values in arrays.items()}
    return Cube(
        sets,
        tuple(arrays),
        {
            "final_sse": arrays,
            "initial_sse": {k: 2 * v for k, v in arrays.items()},
            "iterations": {k: 4 * v for k, v in same.items()},
            "seed_seconds": {k: 0.0005 * v for k, v in same.items()},
            "cluster_seconds": {k: 0.0015 * v for k, v in same.items()},
            "seconds": {k: 0.002 * v for k, v in same.items()},
            **{c: {k: np.nan * v for k, v in same.items()} for c in ("rand", "van_dongen", "vi")},
        },
    )


@pytest.mark.parametrize(("n", "r"), [(1, 1), (5, 1), (5, 2), (6, 3), (6, 6)])
def test_the_expected_best_is_the_mean_over_all_choices_of_runs(n: int, r: int) -> None:
    values = np.sort(np.random.default_rng(n).random(n))
    plain = np.mean([min(chosen) for chosen in combinations(values, r)])
    assert values @ best_of_weights(n, r) == pytest.approx(plain)


def test_weights_of_many_runs_add_up_to_one() -> None:
    for r in (1, 10, 500, 1000):
        assert best_of_weights(1000, r).sum() == pytest.approx(1)


def test_excess_is_relative_to_the_best_of_all_methods() -> None:
    made = cube({"A": [[10.0, 12.0]], "B": [[11.0, 20.0]]})
    assert made.best_sse.tolist() == [10.0]
    assert made.excess("A").tolist() == [[0.0, pytest.approx(0.2)]]
    assert made.excess("B", "initial_sse").tolist() == [[pytest.approx(1.2), pytest.approx(3.0)]]


def test_where_the_best_is_zero_only_zero_is_as_good() -> None:
    made = cube({"A": [[0.0, 1.0]], "B": [[0.0, 0.0]]})
    assert made.excess("A")[0, 0] == 0.0
    assert np.isnan(made.excess("A")[0, 1])
    assert made.excess("B").tolist() == [[0.0, 0.0]]


def test_offers_run_from_one_run_to_all() -> None:
    made = cube({"A": [[10.0, 12.0, 20.0], [5.0, 5.0, 5.0]], "B": [[11.0], [10.0]]})
    found = {(o.method, o.runs): o for o in offers(made)}
    assert set(found) == {("A", 1), ("A", 2), ("A", 3), ("B", 1)}
    # one run of A: expected ratios 1.4 and 1; the best of all three: 1 and 1
    assert found["A", 1].excess == pytest.approx(np.sqrt(1.4) - 1)
    assert found["A", 3].excess == pytest.approx(0, abs=1e-12)
    assert found["B", 1].excess == pytest.approx(np.sqrt(1.1 * 2) - 1)
    assert found["A", 3].seconds == pytest.approx(0.006)


def test_costs_tell_seeding_from_clustering() -> None:
    (cost,) = costs(cube({"A": [[1.0, 2.0]]}))
    assert cost.seeding_seconds == pytest.approx(0.0005)
    assert cost.clustering_seconds == pytest.approx(0.0015)
    assert cost.seconds == pytest.approx(0.002)
    assert cost.iterations == pytest.approx(4)


def test_the_geometric_mean_leaves_out_what_is_not_known() -> None:
    assert geometric_mean(np.array([1.0, 4.0, np.nan])) == pytest.approx(2)
    assert np.isnan(geometric_mean(np.array([np.nan])))
