"""Fetching a data set: its addresses in turn, until one gives what the catalogue says."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote_plus, urljoin, urlsplit

from seedbed.data import _store
from seedbed.data._archives import plain_name, unpack
from seedbed.data._catalogue import Entry, find
from seedbed.data._dataset import DataSet
from seedbed.data._download import Patience, download
from seedbed.data._folders import folders
from seedbed.data._load import accept, load, store_folder
from seedbed.data._local import Arrays, find_copy, read_archive, read_contents
from seedbed.exceptions import DataError, FetchError

Report = Callable[[str, int, int | None], None]

MIRROR = "SEEDBED_DATA_MIRROR"


def fetch(
    slug: str,
    *,
    mirror: str | None = None,
    again: bool = False,
    timeout: float = 30.0,
    retries: int = 3,
    report: Report | None = None,
) -> DataSet:
    """Have a data set of the catalogue on this machine, downloading it only where that is needed.

    Its addresses are tried in turn; a copy whose content is not that of the catalogue counts as a
    failure like any other. An interrupted download goes on where it was.

    Parameters
    ----------
    slug : str
        Its name in the catalogue.
    mirror : str, optional
        Address of a server to ask instead of the archive's, with the same paths below it; by
        default the environment variable ``SEEDBED_DATA_MIRROR``, if set.
    again : bool
        Download it even if it is here.
    timeout : float
        Seconds without any byte after which a server is given up.
    retries : int
        How often an address is tried again after a failure that may pass.
    report : callable(address, done, total), optional
        Told how many bytes of how many (None if the server does not say) have come.

    Returns
    -------
    DataSet

    Raises
    ------
    FetchError
        No address gave the data set; the message has the reason for each, and says where to put
        the file by hand.
    """
    entry = find(slug)
    here = _store.has(store_folder(entry)) or find_copy(entry, folders()) is not None
    if entry.bundled or (here and not again):
        return load(slug)
    patience = Patience(timeout=timeout, retries=retries)
    told = report or (lambda address, done, total: None)
    failures = []
    for address in addresses(entry, mirror):
        try:
            X, y = _from_address(entry, address, patience, told)
            return accept(entry, X, y, origin=address)
        except DataError as error:
            failures.append(f"{address}: {error}")
    raise FetchError(_nothing_worked(entry, failures))


def addresses(entry: Entry, mirror: str | None = None) -> tuple[str, ...]:
    """Where a set is asked for, in turn."""
    mirror = mirror or os.environ.get(MIRROR)
    if not mirror:
        return entry.addresses
    if urlsplit(mirror).scheme not in ("http", "https"):
        raise FetchError(f"mirror {mirror!r} is no address; it must begin with http:// or https://")
    return tuple(mirror.rstrip("/") + urlsplit(address).path for address in entry.addresses)


def _from_address(entry: Entry, address: str, patience: Patience, report: Report) -> Arrays:
    """Attributes and classes from one address: an archive, a file, or a folder of files."""
    assert entry.read is not None
    if not address.endswith("/"):
        return read_archive(entry, _bytes(entry, address, patience, report), origin=address)
    contents = {}
    for name in entry.read.files:
        single = urljoin(address, name)
        raw = _bytes(entry, single, patience, report)
        contents[plain_name(name)] = unpack(raw, name=single, limit=entry.most_bytes)
    return read_contents(entry, entry.read, contents, address)


def _bytes(entry: Entry, address: str, patience: Patience, report: Report) -> bytes:
    """What is at an address; the file is gone afterwards, since the arrays are what is kept."""
    folder = folders()[0] / "downloads" / entry.slug
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FetchError(
            f"{folder} cannot be made ({error.strerror}); set_folder or SEEDBED_DATA names another"
        ) from error
    target = folder / unquote_plus(Path(urlsplit(address).path).name).replace(" ", "_")
    try:
        download(
            address,
            target,
            limit=entry.most_bytes,
            patience=patience,
            report=lambda done, total: report(address, done, total),
        )
        return target.read_bytes()
    finally:
        target.unlink(missing_ok=True)
        _remove_if_empty(folder)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # not empty, or another process was quicker
        folder.rmdir()
        folder.parent.rmdir()


def _nothing_worked(entry: Entry, failures: list[str]) -> str:
    assert entry.read is not None
    reasons = "; ".join(failures)
    archive = entry.addresses[0].rsplit("/", 1)[-1]
    needed = ", ".join(dict.fromkeys([archive, *entry.read.files]))
    return (
        f"the data set {entry.slug!r} could not be fetched. {reasons}. Get one by another way and "
        f"put it ({needed}, or a clean {entry.slug}.npz) into {folders()[0] / entry.slug}"
    )
