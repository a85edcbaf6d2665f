"""What travels inside the page: it can be read back, it fits, and what is left out is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedbed.report._cube import Cube, DataSet
from seedbed.report._pack import ALPHABET, FLOOR, encode, numbered, pack, ranges
from seedbed.report._page import embed

CRITERIA = ("initial_sse", "rand", "van_dongen", "vi", "iterations", "seconds")


def cube(n_sets: int, n_methods: int = 8, runs: int = 4) -> Cube:
    """Random results; the last two methods ran once."""
    rng = np.random.default_rng(1)
    labels = tuple(f"method {i}" for i in range(n_methods))
    sizes = {label: runs if i < n_methods - 2 else 1 for i, label in enumerate(labels)}
    sets = tuple(
        DataSet(f"moderate-{i:04d}", ("easy", "difficult")[i % 2], 2 ** (i % 9), 8, 2 + i % 5, 0.1)
        for i in range(n_sets)
    )
    values: dict[str, dict[str, Any]] = {
        name: {label: 1e-3 + rng.random((n_sets, size)) for label, size in sizes.items()}
        for name in (*CRITERIA, "seed_seconds", "cluster_seconds")
    }
    values["final_sse"] = {label: 1 + rng.random((n_sets, size)) for label, size in sizes.items()}
    values["initial_sse"] = {k: 2 * v for k, v in values["final_sse"].items()}
    return Cube(sets, labels, values)


def decoded(text: str, width: int) -> list[int]:
    digits = [ALPHABET.index(letter) for letter in text]
    parts = [digits[i : i + width] for i in range(0, len(digits), width)]
    return [sum(d * 64**p for p, d in enumerate(reversed(part))) for part in parts]


def read(criterion: dict[str, Any], text: str, width: int) -> list[float]:
    """The page's script, in Python."""
    last, low, high = 64**width - 3, criterion["low"], criterion["high"]
    values = []
    for code in decoded(text, width):
        share = (code - 2) / last
        if code < 2:
            values.append((np.nan, 0.0 if criterion["share"] else low)[code])
        else:
            values.append(
                low * (high / low) ** share if criterion["log"] else low + share * (high - low)
            )
    return values


@given(st.lists(st.integers(0, 64**3 - 1), max_size=20))
def test_whole_numbers_come_back(numbers: list[int]) -> None:
    assert decoded(encode(numbers, 3), 3) == numbers


@pytest.mark.parametrize(("room", "width", "within"), [(10**6, 3, 1e-4), (60_000, 2, 6e-3)])
def test_values_come_back_to_the_digits_that_are_promised(
    room: int, width: int, within: float
) -> None:
    made = cube(100)
    packed = pack(made, room)
    assert packed.width == width
    excess = packed.data["criteria"][0]
    for place, label in enumerate(made.labels):
        wanted = made.excess(label).mean(axis=1)
        found = read(excess, excess["statistics"]["mean"][place], width)
        assert np.allclose(found, wanted, rtol=within, atol=FLOOR)


def test_a_small_study_is_carried_whole() -> None:
    made = cube(20)
    packed = pack(made, 10**6)
    assert packed.left_out == ()
    excess = packed.data["criteria"][0]
    assert np.allclose(
        read(excess, excess["runs"][0], 3), made.excess("method 0").ravel(), rtol=1e-4, atol=FLOOR
    )
    assert excess["key"] == "final_sse"
    assert {len(c["statistics"]) for c in packed.data["criteria"]} == {6}
    assert packed.data["criteria"][0]["statistics"]["q1"][-1] == ""  # ran once: no spread


def test_the_whole_synthetic_study_fits_with_all_means_and_the_spread_of_the_final_sse() -> None:
    packed = pack(cube(12_288), 2_450_000)
    assert len(embed(packed.data)) <= 2_450_000
    criteria = {c["key"]: c["statistics"] for c in packed.data["criteria"]}
    assert len(criteria["final_sse"]) == 6
    assert all("mean" in statistics for statistics in criteria.values())
    assert {statistic for _, statistic in packed.left_out} == {"min", "q1", "median", "q3", "max"}


@pytest.mark.parametrize("room", [0, 8_000, 20_000, 50_000])
def test_what_is_left_out_is_named_and_the_rest_is_there(room: int) -> None:
    packed = pack(cube(100), room)
    there = {(c["key"], s) for c in packed.data["criteria"] for s in c["statistics"]}
    wanted = {
        (c, s)
        for c in ("final_sse", *CRITERIA)
        for s in ("mean", "min", "q1", "median", "q3", "max")
    }
    assert there | set(packed.left_out) == wanted
    assert not there & set(packed.left_out)
    assert all("mean" in criterion["statistics"] for criterion in packed.data["criteria"])


def named(short: list[Any]) -> list[str]:
    """What the page's script makes of short names."""
    names = []
    for name in short:
        if isinstance(name, str):
            names.append(name)
        else:
            before, digits, first, step, count = name
            names += [before + str(first + step * i).rjust(digits, "0") for i in range(count)]
    return names


@given(
    st.lists(
        st.from_regex(r"(a|b|a1)?[0-9]{1,3}", fullmatch=True) | st.text(max_size=3), max_size=12
    )
)
def test_names_in_short_come_back(names: list[str]) -> None:
    assert named(numbered(names)) == names


def test_names_that_count_upwards_are_short() -> None:
    easy = [f"easy-{i:04d}" for i in range(0, 4096, 64)]
    assert numbered([*easy, "wine", "set-1"]) == [
        ["easy-", 4, 0, 64, 64],
        "wine",
        ["set-", 1, 1, 0, 1],
    ]


@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=60, unique=True))
def test_ranges_hold_every_level_once(levels: list[int]) -> None:
    levels.sort()
    found = ranges(levels)
    assert 1 <= len(found) <= 9
    for level in levels:
        assert sum(low <= level <= high for _, low, high in found) == 1
    assert len({name for name, _, _ in found}) == len(found)


def test_few_levels_are_offered_as_they_are() -> None:
    assert ranges([0.025, 0.1]) == [("0.025", 0.025, 0.025), ("0.1", 0.1, 0.1)]
    assert ranges([None]) == []
    assert ranges(["easy", "difficult"]) == [
        ("easy", "easy", "easy"),
        ("difficult", "difficult", "difficult"),
    ]
