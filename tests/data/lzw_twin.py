"""A plain writer of ``.Z`` files as Unix compress makes them, to test the reader with."""

from __future__ import annotations


class _Bits:
    """Codes of changing width, lowest bit first, in groups of eight."""

    def __init__(self) -> None:
        self.out = bytearray()
        self.group: list[int] = []
        self.width = 9

    def put(self, code: int) -> None:
        self.group.append(code)
        if len(self.group) == 8:
            self.flush()

    def flush(self, *, last: bool = False) -> None:
        """Write the group, filled up to its full length except at the very end."""
        number = sum(code << (i * self.width) for i, code in enumerate(self.group))
        size = -(-len(self.group) * self.width // 8) if last else self.width
        if self.group:
            self.out += number.to_bytes(size, "little")
        self.group = []

    def set_width(self, width: int) -> None:
        self.flush()
        self.width = width


def compress(data: bytes, *, bits: int = 16, blocks: bool = True, clear_every: int = 0) -> bytes:
    """Pack bytes; ``clear_every`` starts the table anew each time so many codes were written."""
    first = 257 if blocks else 256
    header = bytes([0x1F, 0x9D, bits | (0x80 if blocks else 0)])
    writer, table, free = _Bits(), {bytes([b]): b for b in range(256)}, first
    word, since = b"", 0
    for byte in data:
        longer = word + bytes([byte])
        if longer in table:
            word = longer
            continue
        writer.put(table[word])
        since += 1
        if free < 1 << bits:
            table[longer] = free
            free += 1
        # The reader is one entry behind: it needs wider codes one code later.
        if free > 1 << writer.width and writer.width < bits:
            writer.set_width(writer.width + 1)
        if clear_every and blocks and since >= clear_every:
            writer.put(256)
            writer.set_width(9)
            table, free, since = {bytes([b]): b for b in range(256)}, first, 0
        word = bytes([byte])
    if word:
        writer.put(table[word])
    writer.flush(last=True)
    return header + bytes(writer.out)
