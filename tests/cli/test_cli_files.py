"""The same table in every format gives the same clusters; headers and blanks are told apart."""

from __future__ import annotations

import gzip
import json
import shlex

import numpy as np
import polars as pl
import pytest

FORMATS = ["x.csv", "x.tsv", "x.csv.gz", "x.tsv.gz", "x.parquet", "x.npy", "X.CSV"]


def _save(frame: pl.DataFrame, path):
    name = path.name.lower()
    if name.endswith(".npy"):
        np.save(path, frame.to_numpy())
    elif name.endswith(".parquet"):
        frame.write_parquet(path)
    else:
        text = frame.write_csv(separator="\t" if ".tsv" in name else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


@pytest.fixture
def table(frame):
    return frame.select("width", "height")


@pytest.fixture
def cluster(seedbed):
    """Cluster a file into three; the record and the notes."""

    def run(path, *arguments):
        code, out, _ = seedbed("cluster", path, "-k", 3, "--json", *arguments)
        assert code == 0
        return json.loads(out)

    return run


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_read_alike(cluster, table, tmp_path, name):
    expected = cluster(_save(table, tmp_path / "reference.parquet"))
    record = cluster(_save(table, tmp_path / name))
    assert record["centers"] == expected["centers"]
    assert record["sse"] == expected["sse"]
    names = ["column_1", "column_2"] if name.endswith("npy") else ["width", "height"]
    assert record["attributes"] == names
    assert record["notes"] == []


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".npy"])
def test_every_format_is_written_alike(cluster, table, tmp_path, suffix):
    data = _save(table, tmp_path / "x.csv")
    files = (tmp_path / f"labels{suffix}", tmp_path / f"centers{suffix}")
    record = cluster(data, "-o", files[0], "--centers", files[1])
    read = {
        ".csv": pl.read_csv,
        ".tsv": lambda path: pl.read_csv(path, separator="\t"),
        ".parquet": pl.read_parquet,
        ".npy": lambda path: pl.from_numpy(np.load(path)),
    }[suffix]
    labels, centers = map(read, files)
    assert labels.shape == (60, 1)
    assert np.bincount(labels.to_series().to_numpy()).tolist() == record["sizes"]
    np.testing.assert_array_equal(centers.to_numpy(), record["centers"])
    if suffix != ".npy":
        assert labels.columns == ["cluster"]
        assert centers.columns == ["width", "height"]
    assert record["outputs"] == {"labels": str(files[0]), "centres": str(files[1])}


def test_centres_of_one_attribute_stay_a_table(cluster, table, tmp_path):
    centers, labels = tmp_path / "centers.npy", tmp_path / "labels.npy"
    cluster(
        _save(table, tmp_path / "x.csv"), "--columns", "width", "--centers", centers, "-o", labels
    )
    assert np.load(centers).shape == (3, 1)
    assert np.load(labels).shape == (60,)


def test_output_files_have_ordinary_permissions(cluster, table, tmp_path):
    data, labels = _save(table, tmp_path / "x.csv"), tmp_path / "labels.csv"
    cluster(data, "-o", labels)
    assert labels.stat().st_mode == data.stat().st_mode


def test_a_first_row_of_numbers_is_data(cluster, table, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(table.write_csv(include_header=False))
    record = cluster(path)
    assert record["n_rows"] == 60
    assert record["attributes"] == ["column_1", "column_2"]


def test_a_header_of_numbers_can_be_insisted_on(cluster, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("2019,2020\n1,2\n3,4\n5,7\n")
    assert cluster(path)["n_rows"] == 4
    record = cluster(path, "--header")
    assert record["n_rows"] == 3
    assert record["attributes"] == ["2019", "2020"]


def test_data_in_the_place_of_a_header_are_noticed(cluster, tmp_path):
    path = tmp_path / "iris.csv"
    path.write_text("5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,other\n6.4,3.1,other\n")
    record = cluster(path, "--drop-columns", "setosa")
    assert record["n_rows"] == 3
    assert "although 2 of its 3 fields are numbers; pass --no-header" in record["notes"][0]
    record = cluster(path, "--no-header", "--label-column", "column_3")
    assert record["n_rows"] == 4
    assert record["notes"] == []


def test_columns_without_a_name_get_one_and_are_noticed(cluster, tmp_path):
    path = tmp_path / "pandas.csv"
    path.write_text(",a,b\n0,1,2\n1,3,4\n2,5,7\n")
    record = cluster(path)
    assert record["attributes"] == ["column_1", "a", "b"]
    assert "column 1 has no name" in record["notes"][0]
    assert cluster(path, "--drop-columns", "column_1")["attributes"] == ["a", "b"]


def test_blank_lines_are_skipped_and_noticed(cluster, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n\n3,4\n5,7\n\n")
    record = cluster(path)
    assert record["n_rows"] == 3
    assert record["notes"] == ["2 blank row(s) were skipped"]


def test_spellings_of_numbers(cluster, tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes('\ufeff"a",b,c\r\n 1, +2,true\r\n.5 ,3.,false\r\n1e3,-4,true\r\n'.encode())
    record = cluster(path)
    assert record["attributes"] == ["a", "b", "c"]
    assert sorted(map(tuple, record["centers"])) == [(0.5, 3, 0), (1, 2, 1), (1000, -4, 1)]


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz"])
@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_lines_may_end_in_any_way(cluster, tmp_path, name, end):
    path, lines = tmp_path / name, ["a,b", '1,"2"', "", "3,4", "5,7", ""]
    content = end.join(lines).encode()
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    record = cluster(path)
    assert record["attributes"] == ["a", "b"]
    assert sorted(record["centers"]) == [[1, 2], [3, 4], [5, 7]]
    assert record["notes"] == ["1 blank row(s) were skipped"]


def test_another_separator(cluster, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('"a";"b c"\n1;2\n3;4\n5;7\n')
    assert cluster(path, "--separator", ";")["attributes"] == ["a", "b c"]


def test_classes_of_any_type(cluster, table, tmp_path):
    for name, values in {
        "words": pl.Series(["a", "b", "c"]),
        "truth": pl.Series([True, False, True]),
        "halves": pl.Series([0.5, 1.5, 2.5]),
        "days": pl.Series(["2020-01-01", "2020-01-02", "2020-01-03"]).str.to_date(),
    }.items():
        path = tmp_path / f"{name}.parquet"
        classes = values.gather(np.repeat([0, 1, 2], 20)).alias("class")
        table.with_columns(classes).write_parquet(path)
        record = cluster(path, "--label-column", "class", "--scale", "minmax")
        assert 0 < record["criteria"]["normalised_rand"] <= 1, name


def test_columns_can_be_given_in_parts(cluster, data):
    record = cluster(data, "--columns", "height", "--columns", "width, count,height")
    assert record["attributes"] == ["height", "width", "count"]


@pytest.mark.parametrize("text", ["a, x", '"a, x"', ' "a, x" , '])
def test_a_column_may_have_a_comma_in_its_name(cluster, seedbed, tmp_path, text):
    path = tmp_path / "x.csv"
    path.write_text('"a, x",b,c,d\n1,2,3,4\n3,4,1,1\n5,7,2,2\n')
    assert cluster(path, "--columns", text)["attributes"] == ["a, x"]
    assert cluster(path, "--drop-columns", text)["attributes"] == ["b", "c", "d"]
    assert cluster(path, "--columns", 'c,"a, x"')["attributes"] == ["c", "a, x"]
    code, out, _ = seedbed("stats", path, "--drop-columns", text, "-q")
    assert code == 0
    assert "a, x" not in out


def test_a_column_may_have_spaces_around_its_name(cluster, tmp_path):
    path = tmp_path / "x.parquet"
    pl.DataFrame({" a": [1, 2, 4], "b ": [2, 5, 3], "c": [1, 3, 0]}).write_parquet(path)
    assert cluster(path, "--columns", " a")["attributes"] == [" a"]
    assert cluster(path, "--drop-columns", '" a","b "')["attributes"] == ["c"]


@pytest.mark.parametrize("names", [["a, x"], ["a, x", "it's"], ['say "b"', "a b"], [" a", "b "]])
def test_the_advice_on_columns_can_be_followed(cluster, refused, tmp_path, names):
    path = tmp_path / "x.csv"
    pl.DataFrame({"c": [1, 2, 4]} | {name: list("uvw") for name in names}).write_csv(path)
    advice = refused("cluster", path, "-k", 3).split("leave them out with ")[1]
    advice = shlex.split(advice.split(", or choose with ")[0])
    assert cluster(path, *advice)["attributes"] == ["c"]
