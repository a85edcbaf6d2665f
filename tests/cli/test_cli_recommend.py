"""`seedbed recommend`: the library's advice on a file, and a command that follows it."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import seedbed as sb

NUMBERS = ("--columns", "width,height")


def test_the_advice_is_that_of_the_library(seedbed, data, frame):
    code, out, err = seedbed("recommend", data, "-k", 3, *NUMBERS, "--json")
    assert (code, err) == (0, "")
    record = json.loads(out)
    advice = sb.recommend(frame.select("width", "height").to_numpy(), 3)
    assert record["method"] == advice.method.meta.id
    assert (record["runs"], record["excess"]) == (advice.runs, advice.excess)
    assert record["why"] == advice.why
    assert (record["n_rows"], record["n_attributes"], record["n_clusters"]) == (60, 2, 3)
    assert [o["runs"] for o in record["alternatives"]] == [o.runs for o in advice.alternatives]


@pytest.mark.parametrize(
    "options",
    [(), ("--deterministic",), ("--scale", "minmax", "--weight-column", "count"), ("--budget", 9)],
)
def test_the_command_it_shows_can_be_run(seedbed, data, options):
    code, out, err = seedbed("recommend", data, "-k", 3, *NUMBERS, *options)
    assert (code, err) == (0, "")
    assert out.startswith("Use ")
    (line,) = (line for line in out.splitlines() if line.startswith("    seedbed cluster"))
    code, summary, _ = seedbed(*shlex.split(line)[1:])
    assert code == 0
    assert "final SSE" in summary


def test_the_command_it_shows_names_columns_with_commas(seedbed, data, frame):
    frame.rename({"height": "height, cm"}).write_csv(data)
    for option in (("--drop-columns", "kind"), ("--columns", "height, cm", "--columns", "width")):
        _, out, _ = seedbed("recommend", data, "-k", 3, *option)
        (line,) = (line for line in out.splitlines() if line.startswith("    seedbed cluster"))
        _, record, _ = seedbed(*shlex.split(line)[1:], "--json")
        assert "height, cm" in json.loads(record)["attributes"]


def test_clustering_with_auto_says_what_was_chosen(seedbed, data, frame):
    arguments = ("cluster", data, "-k", 3, *NUMBERS, "--init", "auto")
    code, out, _ = seedbed(*arguments)
    model = sb.KMeans(3, init="auto", random_state=0).fit(
        frame.select("width", "height").to_numpy()
    )
    assert code == 0
    assert "chosen" in out
    record = json.loads(seedbed(*arguments, "--json").out)
    assert record["method"]["id"] == model.init_choice_.method.meta.id
    assert record["method"]["chosen"] == model.init_choice_.reason
    assert record["sse"] == model.inertia_
    record = json.loads(seedbed(*arguments, "--param", "deterministic=true", "--json").out)
    assert record["method"]["deterministic"]
    plain = json.loads(seedbed("cluster", data, "-k", 3, *NUMBERS, "--json").out)
    assert plain["method"]["chosen"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-k", "many"), "-k 'many' is not a whole number of at least 1"),
        (("-k", 0), "-k '0' is not a whole number of at least 1"),
        (("-k", 100, *NUMBERS), "n_clusters=100 is more than the rows of X"),
        (("-k", 3, *NUMBERS, "--budget", -1), "budget=-1.0 is not allowed"),
        (("-k", 3, *NUMBERS, "--scale", "log"), "scaling 'log' is unknown"),
        (("-k", 3), "'kind'"),
        (("-k", 3, "--columns", "widht"), "did you mean 'width'"),
    ],
)
def test_refusals(refused, data, arguments, said):
    assert said in refused("recommend", data, *arguments)


def test_a_file_of_equal_rows(refused, tmp_path):
    np.save(tmp_path / "x.npy", np.ones((9, 2)))
    assert "1 distinct row" in refused("recommend", tmp_path / "x.npy", "-k", 3)
