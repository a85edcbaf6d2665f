"""The report of a study: what is in it, which files there are, and studies that are unusual."""

from __future__ import annotations

import builtins
import html as html_module
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_study import make_study

from seedbed.cli import main
from seedbed.report import Written, _page, write
from seedbed.study import RealSets, Study, published

SECTIONS = (
    "Verdict",
    "What was run",
    "Rankings",
    "Quality and time",
    "Data sets",
    "Iterations and time",
    "Beside the publication",
    "Failures",
    "Methods",
)


def words(html: str) -> str:
    """What a reader sees, without markup."""
    return " ".join(html_module.unescape(re.sub(r"<[^>]*>", " ", html)).split())


def section(html: str, title: str) -> str:
    """The words of one section."""
    found = re.search(rf"<h2 [^>]*>{title}</h2>(.*?)</section>", html, flags=re.DOTALL)
    assert found, title
    return words(found[1])


def carried(html: str) -> dict[str, Any]:
    found = re.search(r'id="data-study">(.*?)</script>', html)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_has_every_section_and_is_small(html: str, written: Written) -> None:
    assert tuple(re.findall(r"<h2 [^>]*>(.*?)</h2>", html)) == SECTIONS
    assert written.page.stat().st_size < 3_000_000
    assert not re.search(r'(src|href)="(?!#|data:|https://doi\.org/)', html)


def test_the_verdict_tells_who_is_ahead_and_how_far_the_study_is(html: str) -> None:
    said = section(html, "Verdict")
    assert "On the 6 real data sets" in said
    assert "On the 5 easy synthetic data sets" in said
    assert "The study is not complete: 23 of 26 data sets are done; 1 failed." in said


def test_what_was_run_names_machine_versions_and_design(html: str, study: Study) -> None:
    said = section(html, "What was run")
    (session,) = study.store.manifest["sessions"]
    for fact in (session["cpu"], session["python"], study.store.manifest["digest"], "1e-06"):
        assert str(fact) in said
    assert 'label = "K"' in said  # the design as a file


def test_every_ranking_has_a_diagram_and_its_numbers(html: str, study: Study) -> None:
    diagrams = html.count('aria-label="Critical difference diagram')
    assert diagrams == len(study.rankings)
    for ranking in study.rankings:
        assert html_module.escape(str(ranking)) in html
    assert html.count("<summary>The numbers</summary>") >= diagrams


def test_every_figure_has_words_for_those_who_do_not_see_it(html: str) -> None:
    drawings = re.findall(
        r'<div class="drawing[^"]*" role="img" aria-label="([^"]*)">(<svg.*?)</svg>', html
    )
    assert len(drawings) > 20
    for label, svg in drawings:
        assert len(label) > 20
        assert re.search(r"<title>.+</title>", svg)


def test_failures_are_told_with_their_tracebacks(html: str) -> None:
    said = section(html, "Failures")
    assert "yeast ValueError: no <luck>" in said
    assert "Traceback" in said
    assert "2 data sets are not done yet" in said
    assert "easy-0032" in said


def test_the_legend_has_every_method_with_its_reference(html: str, study: Study) -> None:
    said = section(html, "Methods")
    for entry in study.design.methods:
        meta = entry.build().meta
        assert meta.name in said
        assert meta.reference.title in said
        assert meta.summary[1:] in said


def test_printed_figures_stand_beside_ours_with_agreement_marked(html: str, study: Study) -> None:
    said = section(html, "Beside the publication")
    off = sum(cell.verdict == "off" for cell in study.published_final_sse)
    opposite = [one for one in study.published_rankings if one.disagree]
    assert off > 0
    assert said.count("✗ off") == off
    assert said.count("✗ some opposite") == len(opposite) > 0
    for one in study.published_rankings:
        assert one.printed in said
    assert "Processor times, printed and ours" in said
    ours = study.summary.filter(
        (pl.col("dataset") == "ecoli")
        & (pl.col("method") == "B")
        & (pl.col("criterion") == "seconds")
    )["mean"].item()
    printed = published("cpu_time").filter((pl.col("dataset_id") == 6) & (pl.col("method") == "B"))
    ms = printed["cpu_ms"].item()
    assert f"ecoli Bradley–Fayyad {ms:g} {1e3 * ours:.3f}" in said


def test_the_page_carries_every_data_set(html: str, study: Study) -> None:
    data = carried(html)
    names = {row[0] for row in study.summary.select("dataset").unique().iter_rows()}
    assert len(data["sets"]["best"]) == len(names) == 23
    assert [m["label"] for m in data["methods"]] == list("FMXBKGVP")
    assert data["sets"]["overlap"]["levels"][-1] is None  # real sets have none
    assert set(data["sets"]["overlap"]["levels"][:-1]) <= {0.025, 0.05, 0.1, 0.2}


def test_tables_are_written_as_csv_and_latex(written: Written, study: Study) -> None:
    folder = written.page.parent
    assert {path.name for path in folder.iterdir()} == {path.name for path in written.files}
    assert pl.read_csv(folder / "summary.csv").height == study.summary.height
    excess = pl.read_csv(folder / "excess.csv")
    assert excess.height == 23 * 8
    assert excess.group_by("dataset").agg(pl.col("best").min())["best"].to_list() == [0.0] * 23
    rankings = pl.read_csv(folder / "rankings.csv")["ranking"].to_list()
    assert sorted(rankings) == sorted(str(ranking) for ranking in study.rankings)
    pairs = pl.read_csv(folder / "pairs.csv")
    assert set(pairs.columns) >= {"first", "second", "p", "p_adjusted", "different"}
    for path in folder.glob("*.tex"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith(r"\begin{tabular}")
        assert text.rstrip().endswith(r"\end{tabular}")
        columns = len(re.match(r"\\begin{tabular}{([lr]+)}", text)[1])  # type: ignore[index]
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {columns}


def test_figures_are_drawn_as_svg_and_pdf_the_same_bytes_each_time(tmp_path: Path) -> None:
    made = make_study(tmp_path / "study", methods=("K", "V"), runs=3)  # too few to rank
    first = write(made, tmp_path / "one")
    second = write(made, tmp_path / "two")
    figures = sorted(path.name for path in first.files if path.parent.name == "figures")
    assert figures == sorted(
        f"{name}_real.{kind}"
        for name in ("quality_and_time", "costs", "excess")
        for kind in ("svg", "pdf")
    )
    for a, b in zip(first.files, second.files, strict=True):
        assert a.read_bytes() == b.read_bytes(), a.name


def test_every_ranking_is_drawn_for_papers_too(tmp_path: Path) -> None:
    made = make_study(tmp_path / "study", methods=("V", "P", "macqueen-1"), classes=False)
    files = {path.name for path in write(made, tmp_path / "report").files}
    assert made.rankings
    for ranking in made.rankings:
        name = f"ranking_{ranking.group}_{ranking.criterion}_{ranking.statistic}"
        assert {f"{name}.svg", f"{name}.pdf"} <= files


@pytest.mark.parametrize("methods", [("G",), ("V",), ("G", "V")])
def test_too_few_methods_to_rank_are_reported_without_rankings(
    tmp_path: Path, folder: Path, methods: tuple[str, ...]
) -> None:
    made = make_study(tmp_path / "study", methods=methods, runs=4)
    html = write(made, folder, figures=False).page.read_text(encoding="utf-8")
    assert "at least three methods and two data sets" in section(html, "Rankings")
    assert f"three methods (here {len(methods)})" in section(html, "Verdict")


def test_one_data_set_is_reported_without_rankings(tmp_path: Path, folder: Path) -> None:
    made = make_study(tmp_path / "study", data=(RealSets(sets=("ecoli",)),))
    html = write(made, folder, figures=False).page.read_text(encoding="utf-8")
    assert "two data sets (here 1)" in section(html, "Verdict")
    assert carried(html)["sets"]["names"] == ["ecoli"]


def test_sets_and_methods_that_the_publication_has_not_are_said_to_be_so(
    tmp_path: Path, folder: Path
) -> None:
    methods = ("V", "P", {"method": "pca-part", "threshold": "otsu", "label": "OP"}, "lu")
    made = make_study(tmp_path / "study", data=(RealSets(sets=("mine", "yours")),), methods=methods)
    html = write(made, folder, figures=False).page.read_text(encoding="utf-8")
    assert "The publication has no figures" in section(html, "Beside the publication")
    assert "the 2 data sets of your own" in section(html, "Verdict")
    legend = section(html, "Methods")
    assert "OP" in legend
    assert "threshold=otsu" in legend
    looks = [(m["colour"], m["marker"]) for m in carried(html)["methods"]]
    assert len(set(looks)) == 4


def test_criteria_that_are_not_known_are_not_offered(tmp_path: Path, folder: Path) -> None:
    made = make_study(tmp_path / "study", classes=False)
    html = write(made, folder, figures=False).page.read_text(encoding="utf-8")
    offered = [criterion["key"] for criterion in carried(html)["criteria"]]
    assert offered == ["final_sse", "initial_sse", "iterations", "seconds"]


def test_a_best_sse_of_zero_has_no_relative_excess(tmp_path: Path, folder: Path) -> None:
    made = make_study(tmp_path / "study")
    path = made.folder / "runs" / "ecoli.parquet"
    frame = pl.read_parquet(path)
    frame.with_columns(
        pl.when(pl.col("method") == "P").then(0.0).otherwise(pl.col("final_sse")).alias("final_sse")
    ).write_parquet(path)
    written = write(Study.open(made.folder), folder, figures=False)
    html = written.page.read_text(encoding="utf-8")
    assert "On 1 data sets the best known SSE is 0" in section(html, "Data sets")
    excess = pl.read_csv(folder / "excess.csv").filter(pl.col("dataset") == "ecoli")
    assert dict(excess.select("method", "mean").iter_rows())["P"] == 0.0
    assert excess.filter(pl.col("method") != "P")["mean"].null_count() == 7


def test_sets_that_all_have_a_best_sse_of_zero_are_reported(tmp_path: Path, folder: Path) -> None:
    made = make_study(tmp_path / "study", data=(RealSets(sets=("ecoli",)),), methods=("K", "V"))
    path = made.folder / "runs" / "ecoli.parquet"
    zero = pl.when(pl.col("method") == "V").then(0.0).otherwise(pl.col("final_sse"))
    pl.read_parquet(path).with_columns(final_sse=zero).write_parquet(path)
    html = write(Study.open(made.folder), folder).page.read_text(encoding="utf-8")
    assert "nan" not in words(re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL))
    assert "one run of Var-Part" in section(html, "Verdict")


@pytest.mark.parametrize(
    ("shorter_by", "says"),
    [
        (0, "kept in this page to four digits"),
        (3500, "kept in this page to steps of less than one percent"),
        (5000, "Left out, and to be found in summary.csv or the study itself: the spread"),
    ],
)
def test_a_page_leaves_out_what_does_not_fit_and_says_so(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, shorter_by: int, says: str
) -> None:
    made = make_study(tmp_path / "study")
    whole = write(made, folder, figures=False).page.stat().st_size
    spare = 4_000  # what is set apart for names of criteria, and the sentence about it
    monkeypatch.setattr("seedbed.report._write.LIMIT", whole + spare - shorter_by)
    html = write(made, folder, figures=False).page.read_text(encoding="utf-8")
    assert len(html.encode()) <= whole + spare - shorter_by
    assert says in section(html, "Data sets")


def test_without_jinja2_it_says_what_to_install(
    study: Study, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__
    _page._environment.cache_clear()

    def without(name: str, *arguments: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "jinja2":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr("importlib.import_module", lambda name: without(name))
    with pytest.raises(ImportError, match=r'pip install "seedbed\[report\]"'):
        write(study, folder)
    assert not folder.exists()


def test_a_study_without_results_is_refused(tmp_path: Path, folder: Path) -> None:
    made = make_study(tmp_path / "study", missing=("ecoli", "glass", "heart", "yeast"))
    with pytest.raises(ValueError, match="has no results yet"):
        write(made, folder)
    assert not folder.exists()


def test_the_command_prints_the_rankings_and_writes_the_report(
    study: Study, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "report", str(study.folder), "-o", str(folder), "--no-figures"]) == 0
    out = capsys.readouterr().out
    assert "final SSE, mean" in out
    assert f"report: {folder / 'report.html'}" in out
    assert (folder / "report.html").is_file()
    assert not (folder / "figures").exists()


def test_the_command_opens_the_page_when_asked(
    study: Study, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    where = ["-o", str(folder), "--no-figures", "--open"]
    assert main(["study", "report", str(study.folder), *where]) == 0
    assert opened == [(folder / "report.html").resolve().as_uri()]


def test_the_command_refuses_a_place_that_cannot_be_written(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["study", "report", str(study.folder), "-o", str(tmp_path / "file" / "x")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_numbers_of_runs_are_those_of_the_study(study: Study, html: str) -> None:
    rows = study.rows().collect()
    assert f"Runs of k-means {rows.height:,}" in section(html, "What was run")
    ecoli = rows.filter(pl.col("dataset") == "ecoli")["final_sse"].min()
    assert carried(html)["sets"]["best"][0] == pytest.approx(ecoli, rel=1e-5)
