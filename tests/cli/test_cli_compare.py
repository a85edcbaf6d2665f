"""`seedbed compare`: methods on a file, criteria over K, files written, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

import seedbed as sb
from seedbed.cli._compare_run import numbers_of_clusters
from seedbed.cli._errors import UserError

NUMBERS = ("--columns", "width,height")


@pytest.fixture
def record(seedbed):
    def run(*arguments):
        code, out, _ = seedbed("compare", *arguments, "--json")
        assert code == 0
        return json.loads(out)

    return run


def test_the_table_and_the_verdict(seedbed, data):
    code, out, err = seedbed("compare", data, "-k", 3, *NUMBERS, "--scale", "minmax")
    assert (code, err) == (0, "")
    assert "data.csv: 60 rows × 2 attributes, scaled by minmax, K = 3" in out
    for meta in sb.methods():
        if meta.letter:
            assert meta.id in out
    assert "The least SSE" in out
    assert "of processor time each" in " ".join(out.split())


def test_it_is_the_comparison_of_the_library(record, data, frame):
    found = record(data, "-k", 3, *NUMBERS, "--runs", 4, "--seed", 5, "--methods", "K,pca-part")
    X = frame.select("width", "height").to_numpy()
    expected = sb.compare(X, 3, methods=["K", "P"], runs=4, random_state=5)
    assert [row["method"] for row in found["methods"]] == ["k-means++", "pca-part"]
    assert found["runs"]["k-means++"]["sse"] == expected["k-means++"].sse.tolist()
    assert found["least_sse"] == expected.least
    assert found["centers"] == expected.centers.tolist()
    assert found["complete"] is True
    assert found["options"]["seed"] == 5


def test_it_is_the_choice_of_the_library(record, data, frame):
    found = record(data, "-k", "1:6", *NUMBERS, "--seed", 2, "--references", 3)
    X = frame.select("width", "height").to_numpy()
    expected = sb.choose_k(X, range(1, 7), references=3, random_state=2)
    assert [row["sse"] for row in found["criteria"]] == expected.sse.tolist()
    assert [row["gap"] for row in found["criteria"]] == expected.gap.tolist()
    assert found["criteria"][0]["silhouette"] is None  # JSON knows no NaN
    assert found["preferred"] == expected.preferred
    assert found["reading"] == expected.reading.splitlines()


def test_criteria_in_the_terminal(seedbed, data):
    code, out, err = seedbed("compare", data, "-k", "2:6", *NUMBERS)
    assert (code, err) == (0, "")
    for words in ("silhouette", "Calinski–Harabasz", "gap", "* marks what a criterion prefers"):
        assert words in out
    assert "These are hints" in out


def test_quiet_says_the_verdict_only(seedbed, data):
    code, out, err = seedbed("compare", data, "-k", 3, *NUMBERS, "-q")
    assert (code, err) == (0, "")
    assert out.startswith("The least SSE")
    code, out, _ = seedbed("compare", data, "-k", "2:4", *NUMBERS, "-q")
    assert out.count("\n") <= 2


@pytest.mark.parametrize("k", ["3", "2:5"])
def test_files_are_written(seedbed, data, k):
    table, plot, page = (data.with_name(name) for name in ("t.csv", "p.png", "p.html"))
    code, out, _ = seedbed(
        "compare", data, "-k", k, *NUMBERS, "-o", table, "--plot", plot, "--html", page
    )
    assert code == 0
    assert f"wrote table {table}" in "".join(out.splitlines())
    frame = pl.read_csv(table)
    assert frame.columns[0] == ("method" if k == "3" else "k")
    assert frame.height == (8 if k == "3" else 4)
    assert plot.read_bytes().startswith(b"\x89PNG")
    text = page.read_text()
    assert "<title>data.csv</title>" in text
    assert "://" not in text.replace("http://www.w3.org/", "")  # but for names of XML


def test_a_file_with_a_dangerous_name(seedbed, data):
    evil = data.with_name("<script>alert(1)<!--.csv")
    evil.write_bytes(data.read_bytes())
    page = data.with_name("p.html")
    code, _, _ = seedbed("compare", evil, "-k", 2, *NUMBERS, "--runs", 1, "--html", page)
    assert code == 0
    assert "<script>alert" not in page.read_text()


def test_weights(record, data):
    plain = record(data, "-k", 3, *NUMBERS, "--methods", "P")
    weighted = record(data, "-k", 3, *NUMBERS, "--methods", "P", "--weight-column", "count")
    assert weighted["least_sse"] > plain["least_sse"]
    assert weighted["weight_column"] == "count"


def test_a_budget(record, data):
    found = record(data, "-k", 3, *NUMBERS, "--methods", "M", "--budget", 0.02)
    assert found["budget"] == found["seconds"] == 0.02
    assert found["methods"][0]["runs"] > 5


def test_a_function_of_ones_own(record, data, monkeypatch):
    data.with_name("mine_for_compare.py").write_text(
        "def first(X, n_clusters, random_state):\n    return X[:n_clusters]\n"
    )
    monkeypatch.chdir(data.parent)
    found = record(data, "-k", 3, *NUMBERS, "--methods", "mine_for_compare:first", "--runs", 2)
    assert found["methods"][0]["method"] == "first"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("8", 8),
        ("2:5", (2, 3, 4, 5)),
        ("2:10:3", (2, 5, 8)),
        ("2, 5,10", (2, 5, 10)),
        ("3:3", (3,)),
    ],
)
def test_numbers_of_clusters(given, expected):
    assert numbers_of_clusters(given) == expected


@pytest.mark.parametrize("given", ["", "a", "2:", ":5", "5:2", "2:9:0", "2.5", "-3", "1,a"])
def test_no_numbers_of_clusters(given):
    with pytest.raises(UserError, match="-k"):
        numbers_of_clusters(given)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("-k", 0), "-k 0 is less than 1"),
        (("-k", 61), "-k 61 is more than the 60 row(s)"),
        (("-k", "2:61"), "-k 2:61 is more than the 60 row(s)"),
        (("-k", 3, "--methods", "kmeans"), "did you mean 'k-means++'"),
        (("-k", 3, "--methods", "K,K"), "2 methods are called"),
        (("-k", 3, "--methods", "no_such_module:f"), "--methods no_such_module:f"),
        (("-k", 3, "--runs", 0), "runs=0 is not usable"),
        (("-k", 3, "--budget", -1), "budget=-1.0 is not usable"),
        (("-k", 3, "--tol", "x"), "--tol 'x' is not a number"),
        (("-k", 3, "--scale", "max"), "did you mean 'minmax'"),
        (("-k", "2:4", "--budget", 1), "--budget is for comparing methods; -k 2:4 is a range"),
        (("-k", "2:4", "--methods", "K,G"), "--methods names 2 methods"),
        (("-k", "2:4", "--weight-column", "count"), "--weight-column is for comparing methods"),
        (("-k", "2:4", "--references", -1), "references=-1 is not usable"),
        (("-k", 3, "--plot", "x.gif"), "must end in one of .svg, .pdf, .png"),
        (("-k", 3, "--html", "x.txt"), "must end in one of .html"),
        (("-k", 3, "-o", "x.npy"), "must end in one of .csv, .tsv, .parquet"),
        (("-k", 3, "--label-column", "kind"), "No such option: --label-column"),
    ],
)
def test_refusals(refused, data, arguments, reason):
    assert reason in refused("compare", data, *NUMBERS, *arguments)


def test_columns_that_are_not_numbers(refused, data):
    reason = refused("compare", data, "-k", 3)
    assert "(row 1 of 'kind' holds 'red'); leave them out with --drop-columns kind" in reason


def test_what_is_missing_is_said_before_any_work(refused, data, monkeypatch):
    monkeypatch.setattr("seedbed.cli._compare_run.find_spec", lambda name: None)
    reason = refused("compare", data, "-k", 3, "--html", data.with_name("x.html"))
    assert "--html needs matplotlib and jinja2; install what is missing with: pip install" in reason


def test_progress_on_a_terminal(seedbed, data, monkeypatch):
    told = []
    monkeypatch.setattr(
        "seedbed.cli._progress.Progress.stage",
        lambda self, what, *, done=0, total=0: told.append((what.strip(), done, total)),
    )
    seedbed("compare", data, "-k", 3, *NUMBERS, "--methods", "K", "--runs", 3)
    assert told[0] == ("reading data.csv", 0, 0)
    assert told[-1] == ("clustering", 3, 3)


@pytest.mark.parametrize("k", ["3", "2:5"])
def test_an_interruption_before_anything_is_found(seedbed, data, monkeypatch, k):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("seedbed.advise._compare.run_points", interrupted)
    monkeypatch.setattr("seedbed.advise._choose_k_path.run_points", interrupted)
    assert seedbed("compare", data, "-k", k, *NUMBERS) == (130, "", "seedbed: interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
def test_ctrl_c_shows_what_there_is(tmp_path):
    data = tmp_path / "x.npy"
    np.save(data, np.random.default_rng(0).normal(size=(2000, 4)))
    process = subprocess.Popen(
        [sys.executable, "-m", "seedbed.cli", "compare", str(data), "-k", "9", "--budget", "1000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    psutil = pytest.importorskip("psutil")
    deadline = time.monotonic() + 60
    while psutil.Process(process.pid).cpu_times().user < 5:  # imports take a second or two
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "seedbed: interrupted\n"
    words = " ".join(out.split())  # how far it got decides where lines are broken
    assert "; interrupted" in words
    assert "The comparison was interrupted; more runs may change it." in words
    assert "pca-part" in words
