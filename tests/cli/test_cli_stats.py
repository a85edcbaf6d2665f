"""`seedbed stats`: what the library finds, from a file, into files."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import seedbed as sb


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    scores = 5 + rng.normal(size=(40, 4)) + np.array([0, 3, 3, 1.5])
    return pl.DataFrame(scores, schema=["kmeans", "forgy", "maximin", "pca"])


@pytest.fixture
def file(tmp_path, frame):
    path = tmp_path / "scores.csv"
    frame.write_csv(path)
    return path


def test_prints_what_the_library_says(seedbed, file, frame):
    code, out, err = seedbed("stats", file)
    assert (code, err) == (0, "")
    assert out == f"{sb.stats.bergmann_hommel(frame)}\n"
    assert "{forgy,maximin} < pca < kmeans" in out


def test_quiet_prints_the_groups_only(seedbed, file):
    assert seedbed("stats", file, "-q").out == "{forgy,maximin} < pca < kmeans\n"
    assert seedbed("stats", file, "-q", "--higher-is-better").out == (
        "kmeans < pca < {forgy,maximin}\n"
    )


def test_options_reach_the_library(seedbed, file, frame):
    options = ("--test", "wilcoxon", "--adjust", "holm", "--alpha", 0.01, "--zeros", "pratt")
    _, out, _ = seedbed("stats", file, *options, "--tie-tolerance", 1e-3, "--no-gate")
    expected = sb.stats.pairwise(
        frame,
        test="wilcoxon",
        adjust="holm",
        alpha=0.01,
        zeros="pratt",
        tie_tolerance=1e-3,
        gate=False,
    )
    assert out == f"{expected}\n"
    _, out, _ = seedbed("stats", file, "--tie-correction", "--monotone")
    assert out == f"{sb.stats.bergmann_hommel(frame, tie_correction=True, monotone=True)}\n"


def test_json(seedbed, file, frame):
    code, out, err = seedbed("stats", file, "--json")
    assert (code, err) == (0, "")
    record = json.loads(out)
    result = sb.stats.bergmann_hommel(frame)
    assert record["groups"] == str(result.groups)
    assert record["omnibus"]["statistic"] == pytest.approx(result.omnibus.statistic)
    assert [pair["p_adjusted"] for pair in record["pairs"]] == pytest.approx(result.p_adjusted)
    assert record["mean_ranks"]["pca"] == pytest.approx(result.ranks.mean_ranks[3])


def test_json_has_no_infinity(seedbed, tmp_path):
    path = tmp_path / "perfect.csv"
    pl.DataFrame(np.tile(np.arange(4.0), (9, 1))).write_csv(path)
    record = json.loads(seedbed("stats", path, "--json").out)
    assert record["omnibus"]["statistic"] is None
    assert record["omnibus"]["p"] == 0.0


def test_writes_text_tables_and_diagrams(seedbed, file, frame, tmp_path):
    kinds = ("txt", "csv", "tsv", "parquet", "tex", "svg", "pdf", "png")
    outputs = [tmp_path / f"result.{kind}" for kind in kinds]
    code, out, err = seedbed("stats", file, *(arg for path in outputs for arg in ("-o", path)))
    assert (code, err) == (0, "")
    result = sb.stats.bergmann_hommel(frame)
    text, csv, tsv, parquet, tex, svg, pdf, png = outputs
    assert text.read_text(encoding="utf-8") == out
    assert pl.read_csv(csv)["p_adjusted"].to_numpy() == pytest.approx(result.p_adjusted)
    assert pl.read_csv(tsv, separator="\t").equals(pl.read_csv(csv))
    assert pl.read_parquet(parquet).equals(result.to_frame())
    assert tex.read_text(encoding="utf-8") == f"% {result.groups}\n{result.to_latex()}\n"
    assert "<svg" in svg.read_text(encoding="utf-8")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert {p.name for p in tmp_path.iterdir()} == {file.name, *(p.name for p in outputs)}


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_result_gives_the_same_picture(seedbed, file, tmp_path, kind):
    one, two = tmp_path / f"one.{kind}", tmp_path / f"two.{kind}"
    for path in (one, two):
        seedbed("stats", file, "-q", "-o", path)
    assert one.read_bytes() == two.read_bytes()


def test_names_of_data_sets_are_noticed(seedbed, tmp_path, frame):
    path = tmp_path / "named.csv"
    frame.insert_column(0, pl.Series("data", [f"set {i}" for i in range(40)])).write_csv(path)
    code, out, err = seedbed("stats", path, "--drop-columns", "forgy")
    assert code == 0
    assert "'data' is text and taken as the names of the data sets" in err
    assert "forgy" not in out
    assert seedbed("stats", path, "-q", "--columns", "pca,kmeans,forgy").out == (
        "forgy < pca < kmeans\n"
    )


def test_long_tables(seedbed, tmp_path, frame, file):
    path = tmp_path / "long.csv"
    long = frame.with_row_index("id").unpivot(index="id", variable_name="m", value_name="sse")
    long.sample(fraction=1.0, shuffle=True, seed=1).write_csv(path)
    code, out, _ = seedbed("stats", path, "--long", "id,m,sse", "--json")
    assert code == 0
    wide = json.loads(seedbed("stats", file, "--json").out)
    assert json.loads(out)["mean_ranks"] == pytest.approx(wide["mean_ranks"])


def test_gaps(seedbed, refused, tmp_path, frame):
    path = tmp_path / "gaps.csv"
    frame.with_columns(pca=pl.when(pl.col("pca") > 7).then(None).otherwise("pca")).write_csv(path)
    assert "column 'pca' is missing" in refused("stats", path)
    record = json.loads(seedbed("stats", path, "--missing", "drop", "--json").out)
    assert record["n_dropped"] + record["n_blocks"] == 40
    assert record["n_dropped"] > 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--test", "t"), "test='t' is unknown; use one of mean-rank, wilcoxon"),
        (("--adjust", "hommel"), "adjust='hommel' is unknown"),
        (("--alpha", 2), "alpha=2.0 is not usable"),
        (("--columns", "kmeens,pca"), "has no column 'kmeens'; did you mean 'kmeans'?"),
        (("--drop-columns", "x"), "--drop-columns: "),
        (("--columns", "kmeans"), "there must be two methods at least"),
        (("--columns", "kmeans,pca"), 'the test "wilcoxon"'),
        (("--long", "kmeans,pca"), "does not name three columns"),
        (("--long", "kmeans,pca,x"), "has no column 'x'"),
        (("--missing", "skip"), "missing='skip' is unknown"),
        (("-o", "result.doc"), "must end in one of .txt, .csv"),
        (("-o", "nowhere/result.csv"), "does not exist"),
    ],
)
def test_what_is_refused(refused, file, arguments, reason):
    assert reason in refused("stats", file, *arguments)


def test_tables_that_are_refused(refused, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b,a\n1,2,3\n4,5,6\n")
    assert "has several columns 'a'" in refused("stats", path)
    path.write_text("a,b,c\n1,2,NA\n4,5,6\n")
    assert "column 'c' of the scores holds 'NA'" in refused("stats", path)
    path.write_text("d,m,s\nx,A,1\nx,A,2\n")
    assert "several scores of method 'A' on data set 'x'" in refused(
        "stats", path, "--long", "d,m,s"
    )
    path.write_text("a,b,c\n1,2,3\n")
    assert "there must be two data sets at least" in refused("stats", path)


def test_output_may_not_replace_the_input(refused, file):
    assert "is also the input" in refused("stats", file, "-o", file)
