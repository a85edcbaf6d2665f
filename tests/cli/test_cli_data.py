"""`seedbed data`: what people and programs read, and the exit codes."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import seedbed as sb
from seedbed.data import catalogue, set_folder


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDBED_DATA", str(tmp_path / "sets"))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr("seedbed.data._local.find_spec", lambda name: None)
    set_folder()
    return tmp_path / "sets"


class TestList:
    def test_it_has_every_set(self, seedbed, folder):
        code, out, err = seedbed("data", "list")
        assert (code, err) == (0, "")
        lines = {tuple(line.split()[:2]): line for line in out.splitlines()}
        for entry in catalogue().values():
            if entry.number is None:
                continue
            line = lines[str(entry.number), entry.slug]
            n, d, k, here, recipe = line.split()[2:]
            assert (n, d, k) == (f"{entry.shape[0]:,}", str(entry.shape[1]), str(entry.k))
            assert here == "–"
            assert recipe == ("verified" if entry.verified else "untested")
        assert f"4 of 36 on this machine; folder: {folder}" in out

    def test_only_those_here(self, seedbed):
        _, out, _ = seedbed("data", "list", "--here", "--json")
        found = json.loads(out)
        assert {r["slug"] for r in found} == {s for s, e in catalogue().items() if e.bundled}
        assert {r["where"] for r in found} == {"scikit-learn"}

    def test_names_where_there_is_room(self, seedbed, monkeypatch):
        assert "Letter Recognition" not in seedbed("data", "list").out
        monkeypatch.setenv("COLUMNS", "120")
        assert "Letter Recognition" in seedbed("data", "list").out


class TestInfo:
    @pytest.mark.parametrize("slug", catalogue())
    def test_it_has_recipe_citation_and_counts(self, seedbed, slug):
        entry = catalogue()[slug]
        code, out, err = seedbed("data", "info", slug)
        assert (code, err) == (0, "")
        text = " ".join(out.split())
        for expected in (entry.name, entry.recipe, entry.citation.split(". ")[0], entry.licence):
            assert " ".join(expected.split()) in text
        for count in entry.class_counts or ():
            assert f"{count:,}" in text or str(count) in text
        assert (entry.sha256 or "recipe untested") in text
        for copy in entry.wrong:
            assert copy.note in text

    def test_json(self, seedbed):
        record = json.loads(seedbed("data", "info", "spectf", "--json").out)
        assert (record["n"], record["d"], record["k"]) == (267, 44, 2)
        assert record["class_counts"] == [55, 212]
        assert record["files"] == ["SPECTF.train", "SPECTF.test"]
        assert "349" in record["wrong_copies"][0]

    def test_unknown_names_get_the_nearest(self, refused):
        assert "did you mean 'yeast'" in refused("data", "info", "yeats")


class TestFetch:
    def test_what_is_here_already(self, seedbed):
        code, out, err = seedbed("data", "fetch", "iris", "wine")
        assert (code, err) == (0, "")
        assert out.splitlines()[0].startswith("iris: here already, 150 × 4, content verified")

    def test_a_failure_names_the_set_the_address_and_the_folder(self, seedbed, folder):
        code, out, err = seedbed(
            "data", "fetch", "iris", "ecoli", "--mirror", "http://127.0.0.1:9", "--retries", 0
        )
        assert code == 1
        assert out.startswith("iris: here already")
        assert "http://127.0.0.1:9/static/public/39/ecoli.zip: no connection" in err
        assert str(folder / "ecoli") in err
        assert err.endswith("seedbed: not fetched: ecoli\n")

    def test_all_goes_on_after_a_failure(self, seedbed):
        code, out, err = seedbed(
            "data", "fetch", "--all", "--mirror", "http://127.0.0.1:9", "--retries", 0
        )
        assert (code, out) == (1, "")
        last = err.splitlines()[-1].removeprefix("seedbed: not fetched: ").split(", ")
        assert last == [s for s, e in catalogue().items() if e.number is not None]

    def test_what_to_fetch_must_be_said(self, refused):
        assert "names, or --all" in refused("data", "fetch")
        assert "names, or --all" in refused("data", "fetch", "ecoli", "--all")
        assert "did you mean 'ecoli'" in refused("data", "fetch", "ecolli")

    def test_a_set_of_ones_own_is_not_fetched(self, refused):
        sb.data.add("mine", np.ones((2, 2)))
        assert "one of your own" in refused("data", "fetch", "mine")

    def test_quiet(self, seedbed):
        assert seedbed("data", "fetch", "iris", "-q") == (0, "", "")

    def test_a_missing_package_is_told(self, seedbed, monkeypatch):
        import sys

        monkeypatch.setitem(sys.modules, "pooch", None)
        code, _, err = seedbed("data", "fetch", "ecoli")
        assert code == 1
        assert 'pip install "seedbed[data]"' in err


class TestAdd:
    def test_from_a_table(self, seedbed, data, frame):
        code, out, err = seedbed(
            "data", "add", data, "--slug", "groups", "--label-column", "kind",
            "--drop-columns", "count", "--name", "Three groups", "--citation", "me",
        )  # fmt: skip
        assert (code, err) == (0, "")
        assert out.startswith("groups: 60 rows × 2 attributes, 3 classes\n")
        found = sb.data.load("groups")
        np.testing.assert_array_equal(found.X, frame.select("width", "height").to_numpy())
        assert found.class_names == ("blue", "green", "red")
        assert found.y.tolist() == [2] * 20 + [1] * 20 + [0] * 20
        assert found.feature_names == ("width", "height")
        assert found.n_clusters == 3
        assert found.origin == str(data)
        info = seedbed("data", "info", "groups").out
        assert "Three groups (groups)" in info
        assert "blue 20, green 20, red 20" in info
        assert seedbed("data", "list").out.count("groups") == 1

    def test_clusters_and_numbers_as_classes(self, seedbed, tmp_path):
        path = tmp_path / "n.parquet"
        pl.DataFrame({"x": [1.0, 2, 3, 4], "c": [10, 9, 10, 2]}).write_parquet(path)
        assert seedbed("data", "add", path, "--slug", "n", "--label-column", "c", "-k", 2).code == 0
        found = sb.data.load("n")
        assert found.n_clusters == 2
        assert found.class_names == ("2", "9", "10")

    def test_refusals(self, refused, seedbed, data, tmp_path):
        assert "not numbers" in refused("data", "add", data, "--slug", "a")
        assert "does not exist" in refused("data", "add", tmp_path / "no.csv", "--slug", "a")
        drop = ("--drop-columns", "kind")
        assert "small letters" in refused("data", "add", data, "--slug", "A", *drop)
        assert "of the catalogue" in refused("data", "add", data, "--slug", "yeast", *drop)
        assert seedbed("data", "add", data, "--slug", "a", *drop).code == 0
        assert "already" in refused("data", "add", data, "--slug", "a", *drop)
        assert seedbed("data", "add", data, "--slug", "a", *drop, "--replace").code == 0


def test_another_folder(seedbed, tmp_path, data, folder):
    other = tmp_path / "other"
    arguments = ("--slug", "x", "--drop-columns", "kind", "--folder", other)
    assert seedbed("data", "add", data, *arguments).code == 0
    assert (other / "own/x/X.npy").is_file()
    assert "own" in seedbed("data", "list", "--folder", other).out
    assert sb.data.folders() == (folder,)  # as before


def test_without_a_command_it_explains_itself(seedbed):
    code, out, err = seedbed("data")
    assert (code, err) == (0, "")
    for command in ("list", "info", "fetch", "add"):
        assert f"  {command} " in out
