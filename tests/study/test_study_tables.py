"""Tables, rankings and the comparison with the publication, on numbers made by hand."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

from seedbed import study
from seedbed.stats import Groups
from seedbed.study._published import _better, _cell, compare_rankings, published, rounds_to
from seedbed.study._rankings import Ranking, rank_all, recommend
from seedbed.study._tables import score_table, summarise


def _rows(errors: dict[str, list[list[float]]], seconds: dict[str, float]) -> pl.LazyFrame:
    """Final SSE of each method: a list per data set, a value per run."""
    return pl.LazyFrame(
        [
            {
                "dataset": f"set-{i}",
                "group": "easy",
                "method": method,
                "run": r,
                "initial_sse": 2 * value,
                "final_sse": value,
                "rand": 1 / value,
                "van_dongen": None,
                "vi": None,
                "iterations": 3,
                "seed_seconds": seconds[method] / 2,
                "cluster_seconds": seconds[method] / 2,
            }
            for method, sets in errors.items()
            for i, values in enumerate(sets)
            for r, value in enumerate(values)
        ],
        schema_overrides={"van_dongen": pl.Float64, "vi": pl.Float64},
    )


@pytest.fixture
def rows() -> pl.LazyFrame:
    sets = range(12)
    return _rows(
        {
            "A": [[1.0 + i, 1.5 + i] for i in sets],
            "B": [[2.0 + i, 3.0 + i] for i in sets],
            "C": [[4.0 + i] for i in sets],
        },
        {"A": 0.1, "B": 0.2, "C": 0.01},
    )


def test_best_mean_and_standard_deviation(rows: pl.LazyFrame) -> None:
    summary = summarise(rows)
    found = summary.filter((pl.col("dataset") == "set-0") & (pl.col("method") == "B")).rows_by_key(
        "criterion", named=True, unique=True
    )
    assert found["final_sse"]["best"] == 2.0
    assert found["final_sse"]["mean"] == 2.5
    assert math.isclose(found["final_sse"]["std"], math.sqrt(0.5))
    assert found["rand"]["best"] == 0.5  # larger is better
    assert "vi" not in found  # not known
    once = summary.filter((pl.col("method") == "C") & (pl.col("criterion") == "final_sse"))
    assert once["std"].is_null().all()


def test_rankings_go_from_worst_to_best(rows: pl.LazyFrame) -> None:
    summary = summarise(rows)
    rankings = {(r.criterion, r.statistic): str(r) for r in rank_all(summary, ["A", "B", "C"])}
    assert rankings["final_sse", "best"] == "C < B < A"
    assert rankings["rand", "best"] == "C < B < A"
    assert rankings["seconds", "mean"] == "B < A < C"
    assert ("final_sse", "std") not in rankings  # only two methods have one
    assert score_table(summary, "easy", "final_sse", "std", ["A", "B", "C"]).columns == [
        "dataset",
        "A",
        "B",
    ]


def test_runs_to_the_same_optimum_tie() -> None:
    sets = range(12)
    errors = {"A": [[1.0]] * 12, "B": [[1.0 + 1e-9 * (i + 1)] for i in sets], "C": [[2.0]] * 12}
    summary = summarise(_rows(errors, dict.fromkeys("ABC", 1.0)))
    found = {
        tolerance: str(
            next(
                r
                for r in rank_all(summary, ["A", "B", "C"], tie_tolerance=tolerance)
                if (r.criterion, r.statistic) == ("final_sse", "best")
            )
        )
        for tolerance in (0.0, 1e-6)
    }
    assert found == {0.0: "C < B < A", 1e-6: "C < {A,B}"}


def test_recommendations(rows: pl.LazyFrame) -> None:
    summary = summarise(rows)
    best = recommend(summary, rank_all(summary, ["A", "B", "C"]))[0]
    assert best.never_worse == ("A",)
    assert best.dominated == {"B": ("A",)}  # C is worse, too, but faster
    assert "B is worse and no faster than A" in str(best)


def test_the_published_figures_are_all_there() -> None:
    assert published("final_sse").height == 32 * 8
    assert published("rankings").height == 57
    assert published("datasets").height == 32
    for ranking in published("rankings")["ranking"]:
        assert str(Groups.parse(ranking)) == ranking


@pytest.mark.parametrize(
    ("value", "printed", "equal"), [(239.4, 239, True), (239.6, 239, False), (44.49, 44, True)]
)
def test_equal_after_rounding(value: float, printed: float, equal: bool) -> None:
    assert rounds_to(value, printed) is equal


def test_means_are_judged_by_their_sampling_error() -> None:
    found = {"dataset": "d", "method": "F", "best": 90.0, "mean": 102.0, "std": 10.0}
    assert _cell(found, "mean", 100.0, 10.0, 100).verdict == "sampling"
    assert _cell(found, "mean", 90.0, 10.0, 100).verdict == "off"
    assert _cell(found, "best", 90.0, 10.0, 100).verdict == "equal"
    assert _cell(found, "best", 85.0, 10.0, 100).verdict == "off"


def test_relations_of_two_rankings() -> None:
    printed = Groups.parse("{A,B} < {B,C} < D")
    assert [_better(printed, *pair) for pair in ("AB", "AC", "CA", "BD")] == [0, -1, 1, -1]


def test_published_rankings_are_compared_pair_by_pair() -> None:
    sets = range(20)
    levels = {"F": 8, "M": 7, "X": 9, "B": 2, "K": 6, "G": 5, "V": 4, "P": 3}
    errors = {m: [[level + i, level + i + 0.1] for i in sets] for m, level in levels.items()}
    summary = summarise(_rows(errors, dict.fromkeys(levels, 1.0)))
    rankings = rank_all(summary, list(levels))
    (compared,) = [
        c
        for c in compare_rankings(rankings)
        if (c.group, c.criterion, c.statistic) == ("easy", "initial_sse", "best")
    ]
    assert compared.printed == "X < {F,M} < K < G < V < P < B"
    assert compared.disagree == 0
    assert compared.agree + compared.undecided == 28
    assert isinstance(rankings[0], Ranking)


def test_the_study_opens_with_its_tables(design: study.Design, tmp_path: Path) -> None:
    done = study.run(design, tmp_path / "study", workers=1)
    again = study.Study.open(tmp_path / "study")
    assert again.design.digest == design.digest
    assert again.summary.equals(done.summary)
    assert {r.group for r in again.rankings} == {"own"}
    assert not again.published_final_sse
