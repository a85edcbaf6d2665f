"""Designs that name a file: found beside the design, noted with its hash, refused when wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from seedbed import data, study

TEXT = """\
runs = 2
methods = ["K", "V"]

[[data]]
file = "mine.csv"
label = "class"
drop = ["id"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=90)
    x = 4 * y[:, None] + rng.normal(size=(90, 2))
    frame = pl.DataFrame({"id": range(90), "a": x[:, 0], "b": x[:, 1]})
    frame.with_columns(pl.Series("class", y).cast(pl.String)).write_csv(tmp_path / "mine.csv")
    (tmp_path / "design.toml").write_text(TEXT)
    return tmp_path


def _design(folder: Path, old: str = "", new: str = "") -> study.Design:
    path = folder / "design.toml"
    path.write_text(TEXT.replace(old, new))
    return study.read_design(path)


def test_a_file_is_found_beside_the_design(folder: Path) -> None:
    design = study.read_design(folder / "design.toml")
    (unit,) = design.units()
    assert (unit.name, unit.group) == ("mine", "own")
    assert unit.extent() == (90, 2, 3)
    loaded = unit.load()
    table = data.read_table(folder / "mine.csv", label="class", drop=["id"])
    np.testing.assert_array_equal(loaded.X, data.scale(table.X, "minmax"))
    np.testing.assert_array_equal(loaded.y, table.y)


def test_a_study_of_a_file(folder: Path) -> None:
    design = study.read_design(folder / "design.toml")
    done = study.run(design, folder / "results", workers=1)
    assert done.status().done == 1
    rows = pl.read_parquet(folder / "results" / "runs" / "*.parquet")
    assert rows["dataset"].unique().to_list() == ["mine"]
    assert rows.height == 3
    assert rows["rand"].is_finite().all()
    again = study.read_design(folder / "results" / "design.toml")
    assert again.digest == design.settled().digest
    assert study.run(again, folder / "results", workers=1).status().done == 1


def test_a_file_that_was_changed_is_not_mixed_in(folder: Path) -> None:
    design = study.read_design(folder / "design.toml")
    settled = design.settled()
    assert settled.digest != design.digest  # the hash of the content is part of it
    path = folder / "mine.csv"
    path.write_text(path.read_text() + "90,1.0,2.0,0\n")
    assert design.settled().digest != settled.digest
    with pytest.raises(ValueError, match="was changed since the study began"):
        settled.units()[0].load()
    with pytest.raises(ValueError, match="was changed since the study began"):
        study.run(settled, folder / "results", workers=1)


def test_options_of_a_file_can_be_written_and_read(folder: Path) -> None:
    source = study.FileSet(
        file=str(folder / "mine.csv"),
        columns="a",
        clusters=4,
        scaling="none",
        header=True,
        separator=",",
        name="other_name",
    )
    design = study.Design(data=(source,), runs=2).settled()
    path = folder / "written.toml"
    path.write_text(study.to_toml(design), encoding="utf-8")
    assert study.read_design(path).data == design.data
    assert design.units()[0].name == "other_name"
    assert design.units()[0].extent() == (90, 1, 4)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("mine.csv", "yours.csv", "yours.csv cannot be read: No such file"),
        ('label = "class"\n', "", "say how many clusters it has"),
        ('label = "class"', 'label = "clas"', "did you mean 'class'?"),
        ('label = "class"', "clusters = 99", "'class'"),
        ('drop = ["id"]', "clusters = 200", "has 90 rows and cannot have 200 clusters"),
    ],
)
def test_what_cannot_be_done_is_refused_before_any_work(
    folder: Path, old: str, new: str, says: str
) -> None:
    if new == "clusters = 99":
        text = (folder / "mine.csv").read_text().replace(",0\n", ",zero\n")
        (folder / "mine.csv").write_text(text)
    with pytest.raises(ValueError, match=r"\w") as error:
        study.run(_design(folder, old, new), folder / "results", workers=1)
    assert says in str(error.value)
    assert not (folder / "results").exists()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('label = "class"', "labels = 1", "'labels' is unknown; use file, label, clusters"),
        ('label = "class"', 'scaling = "log"', "scaling='log' is unknown"),
        ('label = "class"', 'name = "a/b"', "name='a/b' cannot name a data set"),
        ('file = "mine.csv"', "sets = 1", "file = … (a table)"),
        ('file = "mine.csv"', "file = 3", "file=3 is not usable; give the name of one file"),
    ],
)
def test_wrong_keys_are_named_with_the_line(folder: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(ValueError, match=r"design.toml, line \d+: ") as error:
        _design(folder, old, new)
    assert says in str(error.value)


def test_names_of_files_become_names_of_sets(folder: Path) -> None:
    assert study.FileSet(file="some where/my data (2).csv.gz", clusters=2).name == "my-data-2"
