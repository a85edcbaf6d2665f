"""Original files out of what is at hand: plain, packed with compress or gzip, or inside a zip.

Nothing is ever unpacked onto the disk, and nothing may grow beyond what the data set can need.
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from seedbed.data._lzw import MAGIC as Z_MAGIC
from seedbed.data._lzw import LZWError, decompress
from seedbed.exceptions import DataError

_ZIP_MAGIC, _EMPTY_ZIP_MAGIC, _GZIP_MAGIC = b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b"
_PACKED = re.compile(r"(\.z|\.gz|\.zip|\.txt)+$")
_DEEPEST = 2  # a zip inside a zip, as some archives have it, and no further


class ArchiveError(DataError):
    """A file cannot be unpacked, or should not be."""


def plain_name(name: str) -> str:
    """A file name without folders and packing, to compare: "a/sat.trn.Z" is "sat.trn"."""
    return _PACKED.sub("", PurePosixPath(name.replace("\\", "/")).name.lower())


def is_zip(raw: bytes) -> bool:
    """Whether these bytes begin as a zip does."""
    return raw[:4] in (_ZIP_MAGIC, _EMPTY_ZIP_MAGIC)


def unpack(raw: bytes, *, name: str, limit: int) -> bytes:
    """The plain bytes of one file that may be packed; told by its first bytes, not by its name."""
    if raw[:2] == Z_MAGIC:
        try:
            return decompress(raw, limit=limit)
        except LZWError as error:
            raise ArchiveError(f"{name} cannot be unpacked: {error}") from error
    if raw[:2] == _GZIP_MAGIC:
        try:
            with gzip.open(io.BytesIO(raw)) as stream:
                return _limited(stream.read(limit + 1), name, limit)
        except (OSError, EOFError, zlib.error) as error:
            raise ArchiveError(f"{name} cannot be unpacked: {error}") from error
    return _limited(raw, name, limit)


def members(
    raw: bytes, wanted: Iterable[str], *, name: str, limit: int, depth: int = 1
) -> Mapping[str, bytes]:
    """Those of the wanted files, by their plain names, that a zip holds, unpacked."""
    missing = set(wanted)
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            listing = _honest(archive, name)
            for info in _by_preference(listing):
                plain = plain_name(info.filename)
                if plain in missing and not info.filename.lower().endswith(".zip"):
                    found[plain] = unpack(
                        _read(archive, info, name, limit), name=info.filename, limit=limit
                    )
                    missing.remove(plain)
            for info in listing:
                if missing and depth < _DEEPEST and info.filename.lower().endswith(".zip"):
                    inner = _read(archive, info, name, limit)
                    found |= members(
                        inner, missing, name=f"{name}/{info.filename}", limit=limit, depth=depth + 1
                    )
                    missing -= found.keys()
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ArchiveError(f"{name} is not a whole zip: {error}") from error
    return found


def _by_preference(listing: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Plain members before packed ones of the same name."""
    return sorted(listing, key=lambda info: bool(_PACKED.search(info.filename.lower())))


def _honest(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    """The members, none of which may point outside the archive."""
    listing = [info for info in archive.infolist() if not info.is_dir()]
    for info in listing:
        path = PurePosixPath(info.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", info.filename):
            raise ArchiveError(
                f"{name} holds {info.filename!r}, a path that leads out of it; it is refused"
            )
    return listing


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, limit: int) -> bytes:
    # The size that a zip states is not to be believed, so reading stops by itself.
    with archive.open(info) as stream:
        return _limited(stream.read(limit + 1), f"{name}/{info.filename}", limit)


def _limited(raw: bytes, name: str, limit: int) -> bytes:
    if len(raw) > limit:
        raise ArchiveError(
            f"{name} holds more than {limit:,} bytes, far more than this data set; it is refused"
        )
    return raw
