"""Reading ``.Z`` files: against a plain writer, which gzip(1) reads too."""

from __future__ import annotations

import random
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lzw_twin import compress

from seedbed.data._lzw import LZWError, decompress

TEXT = " ".join(str(n * n % 977) for n in range(60_000)).encode()
NOISE = random.Random(1).randbytes(200_000)
CASES = {
    "text": (TEXT, {}),
    "noise": (NOISE, {}),  # fills the table of 65,536 codes
    "one byte over and over": (b"a" * 100_000, {}),
    "empty": (b"", {}),
    "one byte": (b"x", {}),
    "narrow codes": (TEXT, {"bits": 9}),
    "twelve bits": (TEXT, {"bits": 12}),
    "no clear code": (TEXT, {"blocks": False}),
    "cleared often": (TEXT, {"clear_every": 1000}),
    "cleared in the middle of a group": (NOISE[:6_000], {"clear_every": 3}),
    "cleared at the widest": (NOISE, {"clear_every": 40_001}),
}


@pytest.mark.parametrize("case", CASES)
def test_what_was_packed_comes_back(case):
    data, options = CASES[case]
    assert decompress(compress(data, **options), limit=len(data)) == data


@pytest.mark.skipif(shutil.which("gzip") is None, reason="gzip(1) is not installed")
@pytest.mark.parametrize("case", [case for case in CASES if case != "narrow codes"])
def test_the_writer_of_these_tests_is_right(case):
    """gzip reads its files; it does not know codes of at most 9 bits."""
    data, options = CASES[case]
    done = subprocess.run(["gzip", "-dc"], input=compress(data, **options), capture_output=True)
    assert done.stdout == data


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=3000), st.integers(9, 16), st.integers(0, 50))
def test_any_bytes_come_back(data, bits, clear_every):
    packed = compress(data, bits=bits, clear_every=clear_every)
    assert decompress(packed, limit=len(data)) == data


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.sampled_from([0x89, 0x90, 0x10, 0x8C]))
def test_any_bytes_at_all_are_read_or_refused(data, flags):
    try:
        unpacked = decompress(bytes([0x1F, 0x9D, flags]) + data, limit=10**6)
    except LZWError:
        return
    assert len(unpacked) <= 10**6


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (b"", "does not begin"),
        (b"PK\x03\x04", "does not begin"),
        (b"\x1f\x9d\x88", "8 bits"),
        (b"\x1f\x9d\x9f", "31 bits"),
        (b"\x1f\x9d\x90\x2c\x01", "only a plain byte"),  # 300 as the first code
        (b"\x1f\x9d\x90\x61\x58\x02", "before it is defined"),  # "a", then 300
    ],
)
def test_what_is_no_such_file_is_refused(packed, why):
    with pytest.raises(LZWError, match=why):
        decompress(packed, limit=100)


def test_a_bomb_is_refused_before_it_goes_off():
    bomb = compress(b"0" * 1_200_000)
    assert len(bomb) < 6000
    with pytest.raises(LZWError, match="more than 1,000,000 bytes"):
        decompress(bomb, limit=10**6)
