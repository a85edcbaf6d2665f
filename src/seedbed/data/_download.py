"""One file from one address, with pooch: goes on where it was cut off, tries again, tells how far
it is, and stops what is far too large."""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedbed.data._extras import require
from seedbed.exceptions import FetchError

Report = Callable[[int, int | None], None]

_CHUNK = 1 << 13  # what a broken connection may lose
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds before another try; each is twice the last
_WORTH_ANOTHER_TRY = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How many seconds to wait for a byte, and how often to ask again."""

    timeout: float = 30.0
    retries: int = 3


def download(
    address: str, target: Path, *, limit: int, patience: Patience, report: Report | None = None
) -> Path:
    """Bring what is at an address into a file; FetchError says why that was not possible."""
    pooch = require("pooch", "to download data sets")
    target.unlink(missing_ok=True)  # pooch would take a file of that name for the one wanted
    source = hashlib.sha256(address.encode()).hexdigest()[:8]  # parts of two mirrors do not mix
    part = target.with_name(f"{target.name}.{source}.part")
    transfer = _Transfer(part, limit, patience, report)
    with _quiet(pooch):
        return Path(
            pooch.retrieve(
                address, known_hash=None, fname=target.name, path=target.parent, downloader=transfer
            )
        )


class _Interrupted(Exception):
    """The transfer broke off in a way that may not happen again."""


class _Transfer:
    """A downloader for pooch. What was received stays in ``part`` until all of it is there."""

    def __init__(self, part: Path, limit: int, patience: Patience, report: Report | None) -> None:
        self.part, self.limit, self.patience = part, limit, patience
        self.report: Report = report or (lambda done, total: None)
        self.mark = part.with_name(f"{part.name}.mark")  # which version of the file it is part of

    def __call__(self, url: str, output_file: Any, pooch: Any, check_only: bool = False) -> None:
        for attempt in range(self.patience.retries + 1):
            try:
                self._receive(url)
                break
            except _Interrupted as reason:
                if attempt == self.patience.retries:
                    raise FetchError(f"{reason} ({attempt + 1} tries)") from reason
                time.sleep(min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE))
        self.mark.unlink(missing_ok=True)
        os.replace(self.part, output_file)

    def _receive(self, url: str) -> None:
        requests = require("requests", "to download data sets")
        options = {"stream": True, "timeout": self.patience.timeout, "headers": self._headers()}
        with _told_apart(requests, self.patience), requests.get(url, **options) as response:
            self._take(response)

    def _headers(self) -> dict[str, str]:
        headers = {"Accept-Encoding": "identity"}  # the bytes as they are, so that they add up
        if self.part.exists() and self.part.stat().st_size:
            headers["Range"] = f"bytes={self.part.stat().st_size}-"
            if self.mark.exists():
                headers["If-Range"] = self.mark.read_text()
        return headers

    def _take(self, response: Any) -> None:
        if response.status_code == 416:  # more is here than there: another version of the file
            self.part.unlink(missing_ok=True)
            raise _Interrupted("the server has a shorter file than the part received before")
        if response.status_code in _WORTH_ANOTHER_TRY:
            raise _Interrupted(f"HTTP {response.status_code} {response.reason}")
        if response.status_code not in (200, 206):
            raise FetchError(f"HTTP {response.status_code} {response.reason}")
        done = self._resumed(response)
        length = response.headers.get("Content-Length")
        total = None if length is None else done + int(length)
        self._note_version(response)
        with self.part.open("ab" if done else "wb") as file:
            for chunk in response.iter_content(_CHUNK):
                done += len(chunk)
                if done > self.limit:
                    break
                file.write(chunk)
                self.report(done, total)
        if done > self.limit or (total or 0) > self.limit:
            self._forget()
            raise FetchError(f"it is larger than {self.limit:,} bytes, far more than this data set")
        if total is not None and done < total:
            raise _Interrupted(f"only {done:,} of {total:,} bytes came")

    def _resumed(self, response: Any) -> int:
        """How many bytes are here already, if the server goes on after them."""
        if response.status_code != 206:
            return 0
        have = self.part.stat().st_size
        if not response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
            self._forget()
            raise _Interrupted("the server went on at another place than asked")
        return have

    def _note_version(self, response: Any) -> None:
        version = response.headers.get("ETag") or response.headers.get("Last-Modified")
        if version is None or version.startswith("W/"):
            self.mark.unlink(missing_ok=True)
        else:
            self.mark.write_text(version)

    def _forget(self) -> None:
        self.part.unlink(missing_ok=True)
        self.mark.unlink(missing_ok=True)


@contextmanager
def _told_apart(requests: Any, patience: Patience) -> Iterator[None]:
    """Turn errors of requests into what may be tried again and what may not."""
    errors = requests.exceptions
    try:
        yield
    except errors.Timeout as error:
        raise _Interrupted(f"nothing came for {patience.timeout:g} seconds") from error
    except (errors.ChunkedEncodingError, errors.ContentDecodingError) as error:
        raise _Interrupted("the connection broke off") from error
    except errors.ConnectionError as error:
        if "NameResolutionError" in repr(error) or "Failed to resolve" in str(error):
            raise FetchError("the host's name cannot be resolved; is there a network?") from error
        if "Read timed out" in str(error):
            raise _Interrupted(f"nothing came for {patience.timeout:g} seconds") from error
        raise _Interrupted("no connection could be made") from error
    except errors.RequestException as error:
        raise FetchError(str(error)) from error


@contextmanager
def _quiet(pooch: Any) -> Iterator[None]:
    """Without pooch's own messages: progress and errors are told by us."""
    logger = pooch.get_logger()
    before = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)
