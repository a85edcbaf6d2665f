"""One's own data sets: added, loaded, refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import seedbed as sb
from seedbed.exceptions import DataNotFoundError, ParameterError, WrongDataError

X = np.array([[1.0, 2.0], [3.5, 4.0], [5.0, -6.0], [7.0, 8.0]])


def test_added_and_loaded(folder):
    added = sb.data.add(
        "my-set",
        X,
        ["b", "a", "b", "c"],
        name="My set",
        feature_names=["u", "v"],
        citation="me",
        licence="mine",
        origin="a notebook",
    )
    found = sb.data.load("my-set")
    for got in (added, found):
        np.testing.assert_array_equal(got.X, X)
        assert got.y.tolist() == [1, 0, 1, 2]
        assert (got.name, got.class_names, got.feature_names) == (
            "My set",
            ("a", "b", "c"),
            ("u", "v"),
        )
        assert (got.n_clusters, got.citation, got.licence, got.number) == (3, "me", "mine", None)
        assert got.origin == "a notebook"
    assert sb.data.whereabouts("my-set").kind == "own"
    assert [w.slug for w in sb.data.present()][-1] == "my-set"
    with pytest.raises(DataNotFoundError, match="did you mean 'my-set'"):
        sb.data.load("my-sett")


def test_without_classes_and_with_a_number_of_clusters():
    assert sb.data.add("plain", X.astype(np.float32)).n_clusters is None
    found = sb.data.add("chosen", X, n_clusters=2)
    assert (found.y, found.n_clusters, found.class_names) == (None, 2, ())
    assert found.X.dtype == np.float64
    assert found.feature_names == ("column 1", "column 2")


def test_a_data_frame_brings_its_names():
    frame = pd.DataFrame(X, columns=["left", "right"])
    assert sb.data.add("framed", frame).feature_names == ("left", "right")


def test_the_arrays_given_stay_writable():
    mine = X.copy()
    sb.data.add("copied", mine)
    mine[0, 0] = 9
    assert sb.data.load("copied").X[0, 0] == 1


def test_replacing_must_be_asked_for():
    sb.data.add("twice", X)
    with pytest.raises(ParameterError, match="already one of your data sets"):
        sb.data.add("twice", X)
    assert sb.data.add("twice", X[:2], replace=True).X.shape == (2, 2)
    assert sb.data.load("twice").X.shape == (2, 2)


def test_a_changed_file_is_noticed(folder):
    sb.data.add("mine", X)
    np.save(folder / "own/mine/X.npy", X + 1)
    with pytest.raises(WrongDataError, match="changed after it was added"):
        sb.data.load("mine")


@pytest.mark.parametrize(
    "slug", ["", "My-Set", "a b", "../up", "a/b", "-a", "a--b", "ü", "con.", None, 3]
)
def test_names_that_cannot_be(slug, folder):
    with pytest.raises(ParameterError, match="small letters"):
        sb.data.add(slug, X)
    assert not folder.exists()


def test_names_that_are_taken():
    for slug in ("ecoli", "iris"):
        with pytest.raises(ParameterError, match="data set of the catalogue"):
            sb.data.add(slug, X)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"X": np.ones(3)}, "2, rows × features"),
        ({"X": [[1.0, np.nan]]}, "NaN"),
        ({"X": [["a", "b"]]}, "numbers"),
        ({"X": X, "y": [1, 2]}, "one class for each of the 4 rows"),
        ({"X": X, "feature_names": ["a"]}, "each of the 2 columns"),
        ({"X": X, "feature_names": "ab"}, "each of the 2 columns"),
        ({"X": X, "n_clusters": 5}, "more than the rows"),
        ({"X": X, "n_clusters": 0}, "less than 1"),
    ],
)
def test_bad_data(given, why, folder):
    with pytest.raises(ValueError, match=why):
        sb.data.add("bad", **given)
    assert not folder.exists()
