"""`seedbed methods` shows the registry, whatever is in it."""

from __future__ import annotations

import json

import pytest

import seedbed as sb


@pytest.mark.parametrize("meta", sb.methods(), ids=lambda meta: meta.id)
def test_the_table_has_every_method(seedbed, meta):
    code, out, err = seedbed("methods")
    assert (code, err) == (0, "")
    (line,) = (line for line in out.splitlines() if line.startswith(f"{meta.id} "))
    assert str(meta.year) in line
    assert meta.cost in line
    assert (meta.letter or meta.id) in line.split()
    assert f"{len(sb.methods())} methods" in out


@pytest.mark.parametrize("meta", sb.methods(), ids=lambda meta: meta.id)
def test_every_method_is_explained(seedbed, meta):
    code, out, err = seedbed("methods", meta.id)
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert meta.name in text
    assert meta.summary in text
    assert meta.complexity in text
    assert str(meta.reference.year) in text
    assert all(p.name in text for p in type(sb.init.get(meta.id)).parameters())


def test_json_has_all_that_the_registry_has(seedbed):
    code, out, _ = seedbed("methods", "--json")
    assert code == 0
    records = {record["id"]: record for record in json.loads(out)}
    for meta in sb.methods():
        record = records[meta.id]
        for name in ("letter", "name", "year", "family", "cost", "complexity", "weights"):
            assert record[name] == getattr(meta, name)
        assert record["deterministic"] is meta.deterministic
        assert record["order_sensitive"] is meta.order_sensitive
        parameters = type(sb.init.get(meta.id)).parameters()
        assert [p["name"] for p in record["parameters"]] == [p.name for p in parameters]


def test_filters(seedbed):
    _, out, _ = seedbed("methods", "--deterministic", "--json")
    assert {r["id"] for r in json.loads(out)} == {m.id for m in sb.methods() if m.deterministic}
    family = sb.methods()[0].family
    _, out, _ = seedbed("methods", "--family", family, "--json")
    assert {r["id"] for r in json.loads(out)} == {m.id for m in sb.methods() if m.family == family}
    _, out, _ = seedbed("methods", "--linear", "--deterministic", "--json")
    chosen = {m.id for m in sb.methods() if m.deterministic and m.cost == "linear"}
    assert {r["id"] for r in json.loads(out)} == chosen


def test_the_table_fits_eighty_columns(seedbed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = seedbed("methods")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    table = [line for line in lines[1 : lines.index("Presets")] if line.strip()]
    assert [line.split()[0] for line in table] == [m.id for m in sb.methods()]  # nothing wrapped
    assert "…" not in out


def test_presets_are_listed_with_what_they_stand_for(seedbed):
    _, out, _ = seedbed("methods")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "kkz maximin with first=kkz" in lines
    assert "otsu-pca-part, op pca-part with threshold=otsu" in lines
    for meta in sb.methods():
        for preset in meta.presets:
            assert any(preset in line and f"{meta.id} with" in line for line in lines)


def test_deterministic_presets_of_random_methods_are_deterministic(seedbed):
    _, out, _ = seedbed("methods", "--deterministic")
    ids = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert "maximin" not in ids
    assert "kkz" in ids


def test_the_explanation_has_what_the_class_says_and_its_presets(seedbed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = seedbed("methods", "pca-part")
    assert max(map(len, out.splitlines())) <= 80
    text = " ".join(out.split())
    assert "Split across the principal axis." in text
    assert "'mean', 'otsu' or 'exact'; default mean" in text
    assert "exact-pca-part pca-part with threshold=exact" in text


def test_letters_and_presets_name_methods_too(seedbed):
    assert json.loads(seedbed("methods", "G", "--json").out)["id"] == "greedy-k-means++"
    preset = json.loads(seedbed("methods", "kkz", "--json").out)
    assert preset["id"] == "maximin"
    assert preset["deterministic"] is True
    assert "here kkz, default random" in seedbed("methods", "kkz").out


def test_unknown_names_get_the_nearest(refused):
    assert "did you mean 'maximin'" in refused("methods", "maximum")
    assert "no method has family='nonsense'; use one of " in refused(
        "methods", "--family", "nonsense"
    )
