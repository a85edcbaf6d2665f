"""Designs: what they accept, how they are written, and what their errors say."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from seedbed import study
from seedbed.study._toml import _KMEANS, _TOP, parse

TEXT = """\
name = "mine"
runs = 7
methods = ["K", {method = "pca-part", threshold = "otsu", label = "OP"}]

[kmeans]
tol = 1e-4

[[data]]
real = ["iris"]
clusters = 4

[[data]]
synthetic = ["easy"]
count = 2
"""


def test_a_design_is_read_from_toml() -> None:
    design = parse(TEXT, "here")
    assert (design.name, design.runs, design.tol, design.stop) == ("mine", 7, 1e-4, "sse")
    assert [entry.label for entry in design.methods] == ["K", "OP"]
    assert design.methods[1].build().threshold == "otsu"  # type: ignore[attr-defined]
    assert [unit.name for unit in design.units()] == ["iris", "easy-0000", "easy-0001"]
    assert design.units()[0].extent()[2] == 4


def test_writing_and_reading_gives_the_same_design(tmp_path: Path) -> None:
    design = parse(TEXT, "here")
    path = tmp_path / "design.toml"
    path.write_text(study.to_toml(design), encoding="utf-8")
    again = study.read_design(path)
    assert again.as_dict() == design.as_dict()
    assert again.digest == design.digest


def test_every_part_of_a_design_can_be_written() -> None:
    parts = {field.name for field in dataclasses.fields(study.Design)}
    assert parts == {*_TOP, *_KMEANS} - {"kmeans"}


def test_the_digest_is_of_what_results_depend_on() -> None:
    design = parse(TEXT, "here")
    assert dataclasses.replace(design, name="other").digest == design.digest
    assert dataclasses.replace(design, seed=1).digest != design.digest
    assert dataclasses.replace(design, runs=8).digest != design.digest


@pytest.mark.parametrize("name", study.PRESETS)
def test_presets_are_designs(name: str) -> None:
    design = study.preset(name)
    assert "".join(entry.label for entry in design.methods) == "FMXBKGVP"
    assert (design.stop, design.tol, design.max_iter) == ("sse", 1e-6, 100)


def test_a_variant_does_not_take_the_letter_of_the_method() -> None:
    methods = ("V", "otsu-var-part", "exact-var-part")
    design = dataclasses.replace(study.preset("quick"), methods=methods)
    assert [entry.label for entry in design.methods] == ["V", "otsu-var-part", "exact-var-part"]


def test_the_synthetic_preset_is_the_published_one() -> None:
    units = study.preset("synthetic").units()
    assert len(units) == 3 * 4096
    assert {unit.group for unit in units} == {"easy", "moderate", "difficult"}


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("runs = 7", "runs = 0", 2, "runs=0"),
        ("runs = 7", 'runs = "many"', 2, "runs='many'"),
        ('"K"', '"kmeens++"', 3, "did you mean"),
        ('threshold = "otsu"', 'threshold = "ots"', 3, "'mean', 'otsu' or 'exact'"),
        ('threshold = "otsu"', "treshold = 1", 3, "treshold"),
        ('label = "OP"', 'label = "K"', 3, "labelled 'K'"),
        ('["K", {method = "pca-part", threshold = "otsu", label = "OP"}]', "[]", 3, "empty"),
        ("tol = 1e-4", "tol = -1", 6, "tol=-1"),
        ("tol = 1e-4", 'stop = "never"', 6, "'centers', 'sse', 'labels'"),
        ("tol = 1e-4", "tolerance = 1", 6, "'tolerance' is unknown"),
        ("clusters = 4", "clusters = 0", 8, "clusters=0"),
        ("clusters = 4", "scaling = 'log'", 8, "minmax"),
        ('synthetic = ["easy"]', 'synthetic = ["hard"]', 12, "easy, moderate, difficult"),
        ("count = 2", "count = 5000", 12, "4096"),
        ("count = 2", 'real = "all"', 12, "either real"),
        ("runs = 7", "rums = 7", 2, "'rums' is unknown"),
    ],
)
def test_errors_name_the_line_and_what_is_allowed(old: str, new: str, line: int, says: str) -> None:
    assert old in TEXT
    with pytest.raises(ValueError, match=f"^design.toml, line {line}: ") as caught:
        parse(TEXT.replace(old, new), "design.toml")
    assert says in str(caught.value)


def test_what_is_no_toml_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"not TOML: .*line 1"):
        parse("runs = = 3", "here")


def test_a_set_named_twice_is_refused() -> None:
    twice = (study.RealSets(sets=("iris",)), study.RealSets(sets=("iris",)))
    with pytest.raises(study.DesignError, match="'iris' is named 2 times"):
        study.Design(data=twice).units()


def test_a_word_for_sets_is_settled_to_their_names() -> None:
    source = study.RealSets(sets="present", most_rows=200)
    settled = study.Design(data=(source,)).settled().data[0]
    assert isinstance(settled, study.RealSets)
    assert "iris" in settled.sets
    assert settled.settled() == settled
