"""Tables of one's own: read alike in every format, and refused with the column and the row."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest

import seedbed as sb
from seedbed.exceptions import TableError

FORMATS = ["csv", "tsv", "csv.gz", "tsv.gz", "parquet"]
FRAME = pl.DataFrame(
    {
        "x": [1.0, 2.5, -3.0, 4.0],
        "n": [1, 2, 3, 4],
        "colour": ["red", "green", "red", "blue"],
        "mass": [1.0, 2.0, 0.0, 1.5],
    }
)


def save(frame: pl.DataFrame, path):
    name = path.name
    if name.endswith(".parquet"):
        frame.write_parquet(path)
    else:
        text = frame.write_csv(separator="\t" if ".tsv" in name else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_read_alike(tmp_path, kind):
    table = sb.data.read_table(
        save(FRAME, tmp_path / f"mine.{kind}"), label="colour", weight="mass"
    )
    np.testing.assert_array_equal(table.X, FRAME.select("x", "n").to_numpy())
    assert table.feature_names == ("x", "n")
    assert table.class_names == ("blue", "green", "red")
    assert table.y.tolist() == [2, 1, 2, 0]
    assert table.weight.tolist() == [1.0, 2.0, 0.0, 1.5]
    assert table.notes == ()
    assert repr(table) == f"Table('mine.{kind}': 4 rows × 2 attributes, 3 classes)"


def test_arrays(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6).reshape(3, 2))
    table = sb.data.read_table(str(tmp_path / "a.npy"))
    assert table.X.dtype == np.float64
    assert table.feature_names == ("column_1", "column_2")
    assert table.y is None
    assert table.class_names == ()


def test_columns_and_classes_in_order(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b,class\n1,2,10\n3,4,9\n5,6,10\n")
    table = sb.data.read_table(path, columns=["b", "a"], label="class")
    assert table.feature_names == ("b", "a")
    assert table.class_names == ("9", "10")  # numbers in their order, not that of the letters
    assert sb.data.read_table(path, columns="b").X.ravel().tolist() == [2, 4, 6]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (["1", "2", "x", "4"], "row 3 of 'bad' holds 'x'"),
        (["1", None, "3", "4"], "row 2, column 'bad' is missing (1 such value(s) in this column)"),
        (["1", "2", "3", "NA"], "row 4 of 'bad' holds 'NA'"),
        (["a", "b", "c", "d"], "row 1 of 'bad' holds 'a'"),
        (["1", "nan", "inf", "4"], "row 2, column 'bad' is NaN (2 such value(s)"),
        (["1", "2", "-inf", "4"], "row 3, column 'bad' is infinite"),
    ],
)
def test_what_is_no_number_is_named_with_its_place(tmp_path, kind, column, reason):
    frame = FRAME.select("x").with_columns(pl.Series("bad", column))
    with pytest.raises(TableError) as error:
        sb.data.read_table(save(frame, tmp_path / f"mine.{kind}"))
    assert reason in str(error.value)
    assert "drop=['bad']" in str(error.value)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_header_only(tmp_path, kind):
    with pytest.raises(TableError, match="has no rows of data"):
        sb.data.read_table(save(FRAME.clear(), tmp_path / f"mine.{kind}"))


def test_types_that_are_no_numbers(tmp_path):
    frame = pl.DataFrame({"x": [1.0, 2.0], "parts": [[1], [2, 3]], "none": [None, None]})
    path = tmp_path / "x.parquet"
    frame.write_parquet(path)
    with pytest.raises(TableError, match=r"'parts' holds List\(Int64\)"):
        sb.data.read_table(path)
    with pytest.raises(TableError, match=r"row 1, column 'none' is missing \(2 such"):
        sb.data.read_table(path, drop=["parts"])


def test_a_gap_in_an_array(tmp_path):
    np.save(tmp_path / "x.npy", np.array([[1.0, 2.0], [3.0, np.nan]]))
    with pytest.raises(TableError, match="row 2, column 'column_2' is NaN"):
        sb.data.read_table(tmp_path / "x.npy")


def test_a_row_that_is_too_long_is_named(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('a,b\n1,2\n"3",4\n5,6,7\n')
    with pytest.raises(TableError, match="line 4 has 3 fields, more than the 2 of the first one"):
        sb.data.read_table(path)


def test_a_row_that_is_too_short_has_a_gap(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n3\n")
    with pytest.raises(TableError, match="row 2, column 'b' is missing"):
        sb.data.read_table(path)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"columns": ["y"]}, "columns: .* has no column 'y'"),
        ({"label": "color"}, "did you mean 'colour'"),
        ({"columns": ["x"], "weight": "x"}, "given to both columns and weight"),
        ({"drop": FRAME.columns}, "no column of .* is left to cluster; see columns"),
        ({"columns": ["x"], "weight": "colour"}, "weight: column 'colour' is not numbers"),
    ],
)
def test_options_that_do_not_fit(tmp_path, options, reason):
    with pytest.raises(TableError, match=reason):
        sb.data.read_table(save(FRAME, tmp_path / "mine.csv"), **options)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(TableError, match="does not exist"):
        sb.data.read_table(tmp_path / "none.csv")
    with pytest.raises(TableError, match="must end in one of"):
        sb.data.read_table(tmp_path / "x.npz")
    with pytest.raises(TableError, match="is a directory"):
        sb.data.read_table(tmp_path)
    (tmp_path / "x.csv").write_text("a;b\n1;2\n")
    with pytest.raises(TableError, match="pass separator=';'"):
        sb.data.read_table(tmp_path / "x.csv")
