"""Bad input: exit code 2, one line that says what and what to do, nothing left behind."""

from __future__ import annotations

import gzip
import os

import numpy as np
import polars as pl
import pytest

NUMBERS = ("--columns", "width,height")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("-k", "many"), "-k 'many' is not a whole number"),
        (("-k", "2.5"), "-k '2.5' is not a whole number"),
        (("-k", 0), "-k 0 is less than 1"),
        (("-k", -4), "-k -4 is less than 1"),
        (("-k", 61), "-k 61 is more than the 60 row(s)"),
        ((), "Missing option '-k'"),
        (("-k", 3, "--init", "kmeans"), "did you mean 'k-means++'"),
        (("-k", 3, "--param", "trails=2"), "has no parameter 'trails'; its parameters: trials"),
        (("-k", 3, "--param", "trials=many"), "trials='many' is not allowed"),
        (("-k", 3, "--param", "trials"), "--param 'trials' is not of the form name=value"),
        (("-k", 3, "--algorithm", "lloid"), "did you mean 'lloyd'?"),
        (("-k", 3, "--stop", "never"), "stop='never' is not allowed"),
        (("-k", 3, "--tol", "small"), "--tol 'small' is not a number"),
        (("-k", 3, "--tol", -1), "tol=-1.0 is not allowed"),
        (("-k", 3, "--tol", "nan"), "tol=nan is not allowed"),
        (("-k", 3, "--max-iter", 0), "max_iter=0 is not allowed"),
        (("-k", 3, "--n-init", "few"), "--n-init 'few' is not a whole number"),
        (("-k", 3, "--n-init", 0), "n_init=0 is not allowed"),
        (("-k", 3, "--threads", 0), "n_threads=0 is not allowed"),
        (("-k", 3, "--threads", 2**40), "n_threads=1099511627776 is not allowed"),
        (("-k", 3, "--seed", -1), "random_state=-1 is not allowed"),
        (("-k", 3, "--empty-cluster", "ignore"), "empty_cluster='ignore' is not allowed"),
        (("-k", 3, "--scale", "min-max"), "use one of none, minmax, zscore (did you mean 'minmax'"),
        (("-k", 3, "--separator", ";;"), "--separator ';;' is not one ASCII character"),
        (("-k", 3, "--colour", "red"), "No such option: --colour"),
    ],
)
def test_options(refused, data, arguments, reason):
    columns = () if "--columns" in arguments else NUMBERS
    assert reason in refused("cluster", data, *arguments, *columns)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "column(s) 'kind' of"),
        ((), "(row 1 of 'kind' holds 'red'); leave them out with --drop-columns kind"),
        (("--columns", "width,hieght"), "has no column 'hieght'; did you mean 'height'?"),
        (("--columns", "q"), "it has 'width', 'height', 'kind', 'count'"),
        (("--drop-columns", "sort"), "--drop-columns: "),
        (("--label-column", "klass"), "--label-column: "),
        (("--weight-column", "mass", *NUMBERS), "--weight-column: "),
        (("--weight-column", "kind", *NUMBERS), "column 'kind' is not numbers"),
        (("--columns", "width", "--weight-column", "width"), "both --columns and --weight-column"),
        (("--drop-columns", "width,height,kind,count"), "no column of"),
    ],
)
def test_columns(refused, data, arguments, reason):
    assert reason in refused("cluster", data, "-k", 3, *arguments)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("none.csv", None, "none.csv does not exist"),
        ("dta.csv", None, "did you mean 'data.csv'?"),
        ("empty.csv", b"", "empty.csv is empty"),
        ("empty.npy", b"", "empty.npy is empty"),
        ("empty.parquet", b"", "empty.parquet is empty"),
        ("blank.csv", b"\n\n\n", "blank.csv has only blank lines"),
        ("header.csv", b"a,b\n", "header.csv has no rows of data"),
        ("data.xlsx", b"PK", "must end in one of .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .npy"),
        (
            "ragged.csv",
            b"a,b\n1,2\n3,4,5\n",
            "line 3 has 3 fields, more than the 2 of the first one",
        ),
        ("mac.csv", b"a,b\r1,2\r3,4,5\r", "line 3 has 3 fields, more than the 2 of the first one"),
        ("latin.csv", "gr\xf6\xdfe,b\n1,2\n".encode("latin-1"), "is not text in UTF-8"),
        ("broken.csv.gz", b"a,b\n1,2\n", "is not a gzip file"),
        (
            "damaged.csv.gz",
            gzip.compress(b"a,b\n1,2\n", mtime=0)[:10] + b"\xff" * 30,
            "is not a gzip file: Error -3",
        ),
        ("cut.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)[:-12], "cut.csv.gz"),
        ("broken.parquet", b"PAR1 and so on", "is not a Parquet file"),
        ("broken.npy", b"not an array", "is not a NumPy array file"),
        ("gap.csv", b"a,b\n1,2\n,4\n", "row 2, column 'a' is missing (1 such value(s)"),
        ("nan.csv", b"a,b\n1,2\n3,nan\n5,nan\n", "row 2, column 'b' is NaN (2 such value(s)"),
        ("inf.csv", b"a,b\n1,2\n3,-inf\n", "row 2, column 'b' is infinite"),
        ("semi.csv", b"a;b\n1;2\n3;4\n", "pass --separator ';'"),
        ("later.csv", b"a,b\n1, \n3,\n4,?\n", "(row 3 of 'b' holds '?')"),
        ("query.csv", b"a,b\n1,2\n3,?\n", "(row 2 of 'b' holds '?')"),
    ],
)
def test_files(refused, data, name, content, reason):
    path = data.with_name(name)
    if content is not None:
        path.write_bytes(content)
    assert reason in refused("cluster", path, "-k", 1)


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros(5), "shape (5,); it must have two dimensions"),
        (np.zeros((2, 2, 2)), "shape (2, 2, 2)"),
        (np.array([["a", "b"]]), "clustering needs one array of real numbers"),
        (np.array([[1j, 2]]), "clustering needs one array of real numbers"),
        (np.zeros((0, 3)), "has no rows of data"),
        (np.array([[1.0, 2.0], [np.nan, 1.0]]), "row 2, column 'column_1' is NaN"),
        (np.array([[-1.5e308], [1.5e308]]), "span more than float64 can hold"),
    ],
)
def test_arrays(refused, tmp_path, array, reason):
    np.save(tmp_path / "x.npy", array)
    assert reason in refused("cluster", tmp_path / "x.npy", "-k", 1, "--scale", "minmax")


def test_values_beyond_single_precision(refused, seedbed, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n3,-1e300\n")
    reason = refused("cluster", path, "-k", 1, "--float32")
    assert "--float32: row 2, column 'b' holds -1e+300, too large for float32 (3.4e+38" in reason
    assert seedbed("cluster", path, "-k", 1, "--float32", "--scale", "minmax").code == 0


def test_pickles_are_not_opened(refused, tmp_path):
    np.save(tmp_path / "x.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    assert "is not a NumPy array file of numbers" in refused("cluster", tmp_path / "x.npy", "-k", 1)


def test_a_directory(refused, tmp_path):
    assert "is a directory; give a file" in refused("cluster", tmp_path, "-k", 1)


def test_dates_are_not_numbers(refused, tmp_path):
    pl.DataFrame({"x": [1.0, 2.0], "day": ["2020-01-01", "2021-02-03"]}).with_columns(
        pl.col("day").str.to_date()
    ).write_parquet(tmp_path / "x.parquet")
    assert "('day' holds Date)" in refused("cluster", tmp_path / "x.parquet", "-k", 1)


@pytest.mark.parametrize(
    ("weights", "reason"),
    [("1,-1", "run from -1 to 1"), ("0,0", "run from 0 to 0"), ("1,", "column 'w' is missing")],
)
def test_weights(refused, tmp_path, weights, reason):
    path = tmp_path / "x.csv"
    first, second = weights.split(",")
    path.write_text(f"a,w\n1,{first}\n2,{second}\n")
    assert reason in refused("cluster", path, "-k", 1, "--weight-column", "w")


def test_a_missing_class(refused, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,c\n1,yes\n2,\n")
    reason = refused("cluster", path, "-k", 1, "--label-column", "c")
    assert "row 2 of column 'c' is missing" in reason


def test_fewer_distinct_rows_than_clusters(refused, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n" + "1,2\n3,4\n" * 5)
    assert "2 distinct rows" in refused("cluster", path, "-k", 3)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("nowhere/labels.csv", "nowhere does not exist; create it first"),
        ("labels.txt", "must end in one of .csv, .tsv, .parquet, .npy"),
        ("data.csv", "is also the input"),
        ("folder.csv", "cannot be written"),
    ],
)
def test_outputs_are_refused_before_any_work(refused, data, output, reason):
    data.with_name("folder.csv").mkdir()
    before = data.read_bytes()
    assert reason in refused("cluster", data, "-k", 3, *NUMBERS, "-o", data.parent / output)
    assert data.read_bytes() == before
    assert sorted(p.name for p in data.parent.iterdir()) == ["data.csv", "folder.csv"]


def test_an_output_that_may_not_be_written(refused, data, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    reason = refused("cluster", data, "-k", 3, *NUMBERS, "--centers", data.with_name("c.csv"))
    assert "--centers: " in reason
    assert "cannot be written" in reason


def test_two_outputs_of_one_name(refused, data):
    both = data.with_name("out.csv")
    reason = refused("cluster", data, "-k", 3, *NUMBERS, "-o", both, "--centers", both)
    assert "is also the file of --output" in reason


def _full_disk(*args, **kwargs):
    raise OSError(28, "No space left on device")


def test_a_failure_while_writing_leaves_nothing_behind(refused, data, monkeypatch):
    labels, centers = data.with_name("labels.csv"), data.with_name("centers.parquet")
    labels.write_text("from before\n")
    monkeypatch.setattr(pl.DataFrame, "write_parquet", _full_disk)
    reason = refused("cluster", data, "-k", 3, *NUMBERS, "-o", labels, "--centers", centers)
    assert f"cannot write {centers}: No space left on device" in reason
    assert labels.read_text() == "from before\n"
    assert sorted(p.name for p in data.parent.iterdir()) == ["data.csv", "labels.csv"]


def test_a_failure_while_renaming_leaves_nothing_behind(refused, data, monkeypatch):
    labels = data.with_name("labels.csv")
    monkeypatch.setattr(os, "replace", _full_disk)
    assert "cannot write" in refused("cluster", data, "-k", 3, *NUMBERS, "-o", labels)
    assert [p.name for p in data.parent.iterdir()] == ["data.csv"]


def test_an_interruption_leaves_nothing_behind(seedbed, data, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("seedbed.cli._cluster.KMeans.fit", interrupted)
    outcome = seedbed("cluster", data, "-k", 3, *NUMBERS, "-o", data.with_name("labels.csv"))
    assert outcome == (130, "", "seedbed: interrupted\n")
    assert [p.name for p in data.parent.iterdir()] == ["data.csv"]


def test_errors_of_our_own_making_are_not_hidden(seedbed, data, monkeypatch):
    def wrong(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("seedbed.cli._cluster.KMeans.fit", wrong)
    with pytest.raises(ZeroDivisionError):
        seedbed("cluster", data, "-k", 3, *NUMBERS)
