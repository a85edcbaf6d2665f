"""Reading what Unix ``compress`` wrote: the ``.Z`` files of the older archives.

Welch, T.A. (1984), A Technique for High-Performance Data Compression, Computer 17(6), in the form
that compress(1) gave it: codes of 9 to 16 bits, lowest bit first, in groups of eight.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

MAGIC = b"\x1f\x9d"
_CLEAR = 256
_BYTES = [bytes([byte]) for byte in range(256)]
_NARROWEST, _WIDEST = 9, 16
_FEWEST_GROUPS, _MOST_GROUPS = 16, 4096  # unpacked at once; few after the table was cleared


class LZWError(ValueError):
    """The bytes are not a whole ``.Z`` file, or unpack to more than was allowed."""


def decompress(packed: bytes, *, limit: int) -> bytes:
    """The plain bytes of a ``.Z`` file, of which there must be no more than ``limit``."""
    if len(packed) < 3 or packed[:2] != MAGIC:
        raise LZWError("it does not begin as a .Z file does")
    widest, blocks = packed[2] & 0x1F, bool(packed[2] & 0x80)
    if not _NARROWEST <= widest <= _WIDEST:
        raise LZWError(f"its codes would be up to {widest} bits wide; 9 to 16 are known")
    pieces: list[bytes] = []
    size = 0
    for piece in _pieces(np.frombuffer(packed, np.uint8, offset=3), widest, blocks):
        size += len(piece)
        if size > limit:
            raise LZWError(f"it unpacks to more than {limit:,} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _pieces(body: npt.NDArray[np.uint8], widest: int, blocks: bool) -> Iterator[bytes]:
    """The string that each code stands for."""
    first_free = _CLEAR + 1 if blocks else _CLEAR
    table = _fresh_table(first_free)
    reader = _Codes(body, widest)
    previous: bytes | None = None
    while (code := reader.next(len(table))) is not None:
        if blocks and code == _CLEAR:
            reader.narrow()
            table, previous = _fresh_table(first_free), None
            continue
        if previous is None:
            if code > 255:
                raise LZWError(f"code {code} comes where only a plain byte can")
            piece = table[code]
        else:
            if code < len(table):
                piece = table[code]
            elif code == len(table) < 1 << widest:
                piece = previous + previous[:1]
            else:
                raise LZWError(f"code {code} is used before it is defined")
            if len(table) < 1 << widest:
                table.append(previous + piece[:1])
        yield piece
        previous = piece


def _fresh_table(first_free: int) -> list[bytes]:
    return _BYTES + [b""] * (first_free - 256)


class _Codes:
    """The codes in turn. They lie in groups of eight; a change of width begins a new group."""

    def __init__(self, body: npt.NDArray[np.uint8], widest: int) -> None:
        self._body, self._widest = body, widest
        self._width = _NARROWEST
        self._group = 0  # where the first of the codes at hand begins
        self._codes: list[int] = []
        self._taken = 0
        self._ahead = _FEWEST_GROUPS

    def next(self, table_size: int) -> int | None:
        """The next code, or None at the end; the table's size decides how wide it is."""
        if table_size >= 1 << self._width and self._width < self._widest:
            self._leave_group()
            self._width += 1
        if self._taken == len(self._codes):
            self._leave_group()
            self._codes = _unpack(self._body, self._group, self._width, self._ahead)
            self._ahead = min(2 * self._ahead, _MOST_GROUPS)
            if not self._codes:
                return None
        self._taken += 1
        return self._codes[self._taken - 1]

    def narrow(self) -> None:
        """Go back to the narrowest codes, with the next group."""
        self._leave_group()
        self._width, self._ahead = _NARROWEST, _FEWEST_GROUPS

    def _leave_group(self) -> None:
        self._group += -(-self._taken // 8) * self._width
        self._codes, self._taken = [], 0


def _unpack(body: npt.NDArray[np.uint8], start: int, width: int, groups: int) -> list[int]:
    """Codes of some groups from ``start``; the bits left over at the end are padding."""
    chunk = body[start : start + groups * width]
    bits = np.unpackbits(chunk, bitorder="little")
    whole = len(bits) // width
    powers = (1 << np.arange(width)).astype(np.int64)
    codes: list[int] = (bits[: whole * width].reshape(whole, width) @ powers).tolist()
    return codes
