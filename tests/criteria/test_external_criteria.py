"""The three criteria against R, scikit-learn, exact fractions and their own invariances."""

from __future__ import annotations

import dataclasses
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp
from sklearn import metrics

from seedbed.criteria import (
    Comparison,
    compare,
    contingency,
    normalised_rand,
    van_dongen,
    variation_of_information,
)

GOLDEN = Path(__file__).resolve().parents[2] / "../shared/golden/golden_criteria.json"

Labels = npt.NDArray[np.int64]
label_pairs = st.tuples(st.integers(1, 80), st.integers(0, 8)).flatmap(
    lambda shape: hnp.arrays(
        np.int64, (2, shape[0]), elements=st.integers(0, shape[1]), fill=st.nothing()
    )
)


def labels_of(table: list[list[int]]) -> tuple[Labels, Labels]:
    """Two labellings with this contingency table."""
    counts = np.array(table)
    rows, columns = np.indices(counts.shape)
    return np.repeat(rows.ravel(), counts.ravel()), np.repeat(columns.ravel(), counts.ravel())


def golden_cases() -> list[Any]:
    if not GOLDEN.exists():
        reason = "the reference values of ../shared are not on this machine"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason))]
    cases = json.loads(GOLDEN.read_text())["cases"]
    return [pytest.param(case, id=f"{case['id']} {case['note']}") for case in cases]


@pytest.mark.parametrize("case", golden_cases())
def test_reference_values_from_r(case: dict[str, Any]) -> None:
    u, v = labels_of(case["contingency"])
    if case.get("u"):
        u, v = np.array(case["u"]), np.array(case["v"])
        assert contingency(u, v).to_array().tolist() == case["contingency"]
    assert u.size == case["n"]
    found = compare(u, v)
    # Where R has 0/0 both partitions are the same.
    for name, value, if_undefined in [
        ("RAND", found.normalised_rand, 1.0),
        ("VD", found.van_dongen, 0.0),
        ("VI", found.variation_of_information, 0.0),
        ("Omega", found.complexity, 0.0),
    ]:
        expected = if_undefined if case[name] is None else case[name]
        assert value == pytest.approx(expected, rel=0, abs=1e-14), name
    nats = found.variation_of_information * (entropy(u) + entropy(v))
    assert nats == pytest.approx(case["VarInf_MixSim_nats"], rel=0, abs=1e-12)


def entropy(labels: Labels) -> float:
    shares = np.unique(labels, return_counts=True)[1] / labels.size
    return float(-(shares * np.log(shares)).sum())


def test_two_classes_merged_by_hand() -> None:
    # Pairs: 4·45 = 180 in classes and together, 45 + 45 + 190 = 280 in clusters, 780 in all.
    found = compare(np.repeat([0, 1, 2, 3], 10), np.repeat([0, 1, 2, 2], 10))
    assert found.normalised_rand == pytest.approx(30 / 43, abs=1e-15)
    assert found.van_dongen == 10 / 50
    assert found.variation_of_information == pytest.approx(1 / 7, abs=1e-15)


@given(label_pairs)
def test_agrees_with_scikit_learn(labels: Labels) -> None:
    found = compare(labels[0], labels[1])
    assert found.normalised_rand == pytest.approx(
        metrics.adjusted_rand_score(labels[0], labels[1]), abs=1e-12
    )
    shared = metrics.normalized_mutual_info_score(labels[0], labels[1], average_method="arithmetic")
    assert found.variation_of_information == pytest.approx(1 - shared, abs=1e-12)


@given(label_pairs)
def test_variation_of_information_from_mutual_information(labels: Labels) -> None:
    both = entropy(labels[0]) + entropy(labels[1])
    distance = both - 2 * metrics.mutual_info_score(labels[0], labels[1])
    found = variation_of_information(labels[0], labels[1])
    assert found * both == pytest.approx(distance, abs=1e-12)


@given(label_pairs)
def test_agrees_with_exact_fractions(labels: Labels) -> None:
    table = metrics.cluster.contingency_matrix(labels[0], labels[1])
    n = labels.shape[1]
    wrong = 2 * n - int(table.max(axis=0).sum()) - int(table.max(axis=1).sum())
    most = 2 * n - int(table.sum(axis=0).max()) - int(table.sum(axis=1).max())
    assert van_dongen(labels[0], labels[1]) == (wrong / most if most else 0.0)
    assert normalised_rand(labels[0], labels[1]) == float(exact_rand(table))


def exact_rand(table: npt.NDArray[np.int64]) -> Fraction:
    def pairs(counts: npt.NDArray[np.int64]) -> Fraction:
        return Fraction(sum(math.comb(int(c), 2) for c in counts.ravel()))

    m1, m2, total = (
        pairs(table.sum(axis=1)),
        pairs(table.sum(axis=0)),
        pairs(table.sum(keepdims=True)),
    )
    if total == 0 or m1 == m2 == total or m1 == m2 == 0:
        return Fraction(1)
    chance = m1 * m2 / total
    return (pairs(table) - chance) / ((m1 + m2) / 2 - chance)


@given(label_pairs)
def test_single_criteria_are_those_of_the_comparison(labels: Labels) -> None:
    found = compare(labels[0], labels[1])
    assert found == Comparison(
        normalised_rand=normalised_rand(labels[0], labels[1]),
        van_dongen=van_dongen(labels[0], labels[1]),
        variation_of_information=variation_of_information(labels[0], labels[1]),
    )
    assert found.complexity == pytest.approx(
        (1 - found.normalised_rand + found.van_dongen + found.variation_of_information) / 3
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.van_dongen = 0.0  # type: ignore[misc]


@given(label_pairs)
def test_ranges(labels: Labels) -> None:
    found = compare(labels[0], labels[1])
    assert -0.5 <= found.normalised_rand <= 1.0
    assert 0.0 <= found.van_dongen <= 1.0
    assert 0.0 <= found.variation_of_information <= 1.0


@given(
    label_pairs,
    st.lists(st.integers(-(2**62), 2**62), min_size=9, max_size=9, unique=True),
    st.integers(0, 99),
)
def test_not_a_bit_depends_on_names_order_or_side(
    labels: Labels, names: list[int], seed: int
) -> None:
    expected = compare(labels[0], labels[1])
    assert compare(labels[1], labels[0]) == expected
    assert compare(np.array(names)[labels[0]], -3 * labels[1]) == expected
    order = np.random.default_rng(seed).permutation(labels.shape[1])
    assert compare(labels[0, order], labels[1, order]) == expected


@given(label_pairs)
def test_perfect_agreement_is_exact_and_nothing_else_is(labels: Labels) -> None:
    assert compare(labels[0], 7 - labels[0]) == Comparison(1.0, 0.0, 0.0)
    found = compare(labels[0], labels[1])
    table = contingency(labels[0], labels[1])
    same = table.counts.size == table.row_margins.size == table.column_margins.size
    assert (found.normalised_rand == 1.0) == same
    assert (found.van_dongen == 0.0) == same
    assert (found.variation_of_information == 0.0) == same


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        ([5], [3], Comparison(1.0, 0.0, 0.0)),
        ([1] * 6, [4] * 6, Comparison(1.0, 0.0, 0.0)),
        (range(6), range(6), Comparison(1.0, 0.0, 0.0)),
        ([0, 0, 1, 1, 2, 2], [0] * 6, Comparison(0.0, 1.0, 1.0)),
        (range(6), [0] * 6, Comparison(0.0, 1.0, 1.0)),
    ],
    ids=["one point", "both one", "both singletons", "one against three", "one against singletons"],
)
def test_trivial_partitions(truth: Any, predicted: Any, expected: Comparison) -> None:
    assert compare(list(truth), list(predicted)) == expected
    assert compare(list(predicted), list(truth)) == expected


def test_complexity_above_one_is_not_clipped() -> None:
    crossed = compare(np.repeat([0, 1, 2, 3], 10), np.tile([0, 1], 20))
    assert crossed.normalised_rand == pytest.approx(-0.04)
    assert crossed.complexity == pytest.approx(1 + 0.04 / 3)


def test_a_million_labels_do_not_overflow() -> None:
    random = np.random.default_rng(5)
    truth = random.integers(3, size=10**6, dtype=np.int32)
    predicted = np.where(random.random(10**6) < 0.4, random.integers(3, size=10**6), truth)
    table = metrics.cluster.contingency_matrix(truth, predicted)
    in_classes = sum(math.comb(int(c), 2) for c in table.sum(axis=1))
    assert in_classes**2 > 2**64
    found = compare(truth, predicted)
    assert found.normalised_rand == float(exact_rand(table))
    assert found.variation_of_information == pytest.approx(
        1 - metrics.normalized_mutual_info_score(truth, predicted), abs=1e-12
    )
