"""`--init module:function`: the user's own function on the command line."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

MODULE = """
import seedbed

def first_rows(X, n_clusters, random_state):
    return X[:n_clusters]

def too_few(X, n_clusters, random_state):
    return X[:1]

otsu = seedbed.init.PCAPart(threshold="otsu")
number = 3
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in the current directory, which is not on the path."""
    (tmp_path / "own_seeds.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "own_seeds"
    sys.modules.pop("own_seeds", None)


def test_a_function_is_a_method(seedbed, data, frame, module):
    columns = ("--columns", "width,height", "--n-init", 1)
    arguments = ("cluster", data, "-k", 3, "--init", f"{module}:first_rows", *columns)
    code, out, err = seedbed(*arguments)
    assert (code, err) == (0, "")
    assert "method       first_rows\n" in "".join(line.rstrip() + "\n" for line in out.splitlines())
    record = json.loads(seedbed(*arguments, "--json").out)
    assert record["method"]["id"] == "first_rows"
    assert record["method"]["parameters"] == {}
    X = frame.select("width", "height").to_numpy()
    squares = ((X[:, None] - X[:3]) ** 2).sum(axis=2).min(axis=1)
    assert record["initial_sse"] == pytest.approx(squares.sum())  # raw data, not centred or scaled
    assert np.shape(record["centers"]) == (3, 2)


def test_a_method_with_parameters_too(seedbed, data, module):
    arguments = ("-k", 3, "--columns", "width,height", "--json")
    own = json.loads(seedbed("cluster", data, "--init", f"{module}:otsu", *arguments).out)
    by_name = json.loads(seedbed("cluster", data, "--init", "otsu-pca-part", *arguments).out)
    assert own["method"] == by_name["method"]
    assert own["sse"] == by_name["sse"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nowhere:f", "--init nowhere:f: No module named 'nowhere'"),
        ("own_seeds:missing", "--init own_seeds:missing: module 'own_seeds' has no attribute"),
        ("own_seeds:number", "--init own_seeds:number is of type int, not a function"),
        ("own_seeds:too_few", "the result of too_few() has shape (1, 2), but n_clusters=3"),
    ],
)
def test_what_is_no_method_is_refused(refused, data, module, name, complaint):
    refusal = refused("cluster", data, "-k", 3, "--columns", "width,height", "--init", name)
    assert complaint in refusal
