"""The catalogue against the publication and against the verified arrays."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import seedbed as sb
from seedbed.data import catalogue, fingerprint
from seedbed.exceptions import DataNotFoundError

PUBLISHED = Path(__file__).resolve().parents[2] / "../shared/paper/paper_datasets.csv"
STUDY = [entry for entry in catalogue().values() if entry.number is not None]
VERIFIED = [entry for entry in STUDY if entry.verified]


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published table (../shared) is not here")
def test_the_32_sets_are_those_of_the_publication():
    with PUBLISHED.open() as file:
        rows = list(csv.DictReader(file))
    printed = [
        (int(row["id"]), row["name"], int(row["n"]), int(row["d"]), int(row["k"])) for row in rows
    ]
    assert [(e.number, e.name, *e.shape, e.k) for e in STUDY] == printed
    arbitrary = {int(row["id"]) for row in rows if row["footnote"] == "K arbitrary"}
    domain = {int(row["id"]) for row in rows if row["footnote"] == "K from domain knowledge"}
    assert {e.number for e in STUDY if e.k_from == "chosen"} == arbitrary
    assert {e.number for e in STUDY if e.k_from == "domain"} == domain


def test_28_are_verified_and_4_are_said_to_be_untested():
    assert len(VERIFIED) == 28
    untested = {e.slug for e in STUDY if not e.verified}
    assert untested == {"corel", "miniboone", "person-activity", "world-tsp"}


@pytest.mark.parametrize("entry", catalogue().values(), ids=lambda e: e.slug)
def test_every_entry_says_all_that_is_asked_of_it(entry):
    n, d = entry.shape
    assert entry.recipe.endswith(".")
    assert entry.citation
    assert entry.licence
    assert len(entry.feature_names) == len(set(entry.feature_names)) == d
    assert (entry.sha256 is None) == (entry.content is None)
    if entry.class_counts is not None:
        assert sum(entry.class_counts) == n
        assert len(entry.class_counts) == len(entry.class_names) == entry.k
    if entry.bundled is None:
        assert len(entry.read.features) == d
        assert all(address.startswith("https://") for address in entry.addresses)
        assert entry.addresses
        assert 8 * n * d < entry.most_bytes


def test_original_files_have_names_of_their_own():
    """So that a folder with the files of many sets is not ambiguous."""
    names = [name.lower() for e in STUDY for name in e.read.files]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("entry", VERIFIED, ids=lambda e: e.slug)
def test_the_verified_arrays_have_the_catalogues_content(entry, clean):
    X, y = clean(entry)
    assert X.shape == entry.shape
    assert fingerprint(X, y) == sb.data.Fingerprint(entry.sha256, entry.content)
    if y is None:
        assert entry.class_names == ()
    else:
        assert tuple(np.bincount(y)) == entry.class_counts


def test_digits_is_the_test_part_of_optdigits(clean):
    """Two sources that know nothing of each other."""
    X, y = clean(catalogue()["optdigits"])
    digits = sb.data.load("digits")
    np.testing.assert_array_equal(digits.X, X[-1797:])
    np.testing.assert_array_equal(digits.y, y[-1797:])


def test_unknown_names_get_the_nearest():
    with pytest.raises(DataNotFoundError, match="did you mean 'letter-recognition'"):
        sb.data.load("letter-recognitoin")
    with pytest.raises(DataNotFoundError, match="seedbed data list"):
        sb.data.load("zzzz")


class TestFingerprint:
    X = np.array([[1.0, 2.0], [3.0, -0.5], [0.0, 7.25]])
    y = np.array([0, 1, 1])

    def test_by_hand(self):
        """SHA-256 of the 48 bytes of X and the 24 of y, by sha256sum."""
        import hashlib
        import struct

        plain = struct.pack("<6d3q", 1, 2, 3, -0.5, 0, 7.25, 0, 1, 1)
        assert fingerprint(self.X, self.y).sha256 == hashlib.sha256(plain).hexdigest()

    def test_order_of_rows_changes_one_and_not_the_other(self):
        order = [2, 0, 1]
        first, other = fingerprint(self.X, self.y), fingerprint(self.X[order], self.y[order])
        assert first.sha256 != other.sha256
        assert first.content == other.content

    def test_everything_else_changes_both(self):
        first = fingerprint(self.X, self.y)
        nudged = self.X.copy()
        nudged[0, 0] = np.nextafter(1.0, 2.0)
        for other in (
            fingerprint(nudged, self.y),
            fingerprint(self.X, self.y[::-1].copy()),
            fingerprint(self.X[:, ::-1], self.y),
            fingerprint(self.X),
            fingerprint(self.X[:2], self.y[:2]),
        ):
            assert first.sha256 != other.sha256
            assert first.content != other.content

    def test_memory_layout_and_the_sign_of_zero_do_not_count(self):
        same = np.asfortranarray(self.X)
        same[2, 0] = -0.0
        assert fingerprint(same, self.y.astype(np.int32)) == fingerprint(self.X, self.y)
        assert fingerprint(self.X.astype(">f8"), self.y) == fingerprint(self.X, self.y)


def test_the_catalogue_cannot_be_changed():
    with pytest.raises(TypeError):
        catalogue()["mine"] = catalogue()["ecoli"]
