"""Random generators from whatever the caller has: the same seed gives the same numbers, and the
stream of run r does not depend on how many runs there are."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence
from numpy.typing import NDArray

Entropy = int | tuple[int, ...]
RandomState = int | np.integer | np.random.Generator | np.random.RandomState | None


def generator(random_state: RandomState = None, *key: int) -> np.random.Generator:
    """A generator for ``random_state``.

    An int (or None, for fresh entropy) makes a new stream, one for each ``key``: streams of
    different keys are independent. A Generator is used as it is and advances. A RandomState is
    drawn from, so that it advances too.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    return _stream(_entropy(random_state), key)


def streams(random_state: RandomState, n: int) -> Sequence[np.random.Generator]:
    """``n`` independent generators, one per run; with an int, run r is the same for every n > r."""
    if isinstance(random_state, np.random.Generator):
        try:
            return random_state.spawn(n)
        except TypeError:  # it was not made from a SeedSequence, as that of a RandomState is not
            words = random_state.integers(0, 2**32, size=4, dtype=np.uint32)
            return Streams(tuple(words.tolist()), range(n))
    return Streams(_entropy(random_state), range(n))


class Streams(Sequence[np.random.Generator]):
    """Independent generators, each made when it is first asked for: where only uniform numbers are
    wanted, making it takes longer than drawing them."""

    def __init__(self, entropy: Entropy, runs: range) -> None:
        self._entropy = entropy
        self._runs = runs
        self._made: dict[int, np.random.Generator] = {}

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, index: int) -> np.random.Generator: ...
    @overload
    def __getitem__(self, index: slice) -> Streams: ...
    def __getitem__(self, index: int | slice) -> np.random.Generator | Streams:
        if isinstance(index, slice):
            return Streams(self._entropy, self._runs[index])
        run = self._runs[index]
        if run not in self._made:
            self._made[run] = _stream(self._entropy, (run,))
        return self._made[run]

    def first_words(self) -> NDArray[np.uint64]:
        """The four words that seed each generator, one after the other."""
        words = [_first_words(self._entropy, (r,), 4, np.uint64) for r in self._runs]
        return words[0] if len(words) == 1 else np.concatenate(words)


class _Seeded(ISpawnableSeedSequence):
    """A SeedSequence whose first words are remembered: mixing them takes as long as an iteration
    over a thousand points, and fits with the same seed come in numbers."""

    def __init__(self, entropy: Entropy, key: tuple[int, ...]) -> None:
        self._given = entropy, key
        self._sequence: np.random.SeedSequence | None = None

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        return _first_words(*self._given, n_words, dtype).copy()

    def spawn(self, n_children: int) -> list[Any]:
        if self._sequence is None:  # kept, as it counts its children
            self._sequence = _sequence(*self._given)
        return self._sequence.spawn(n_children)


@lru_cache(maxsize=1024)
def _first_words(entropy: Entropy, key: tuple[int, ...], n: int, dtype: Any) -> NDArray[Any]:
    words: NDArray[Any] = _sequence(entropy, key).generate_state(n, dtype)
    return words


def _sequence(entropy: Entropy, key: tuple[int, ...]) -> np.random.SeedSequence:
    return np.random.SeedSequence(entropy, spawn_key=key)


def _stream(entropy: Entropy, key: tuple[int, ...]) -> np.random.Generator:
    seeded: Any = _Seeded(entropy, key)
    return np.random.Generator(np.random.PCG64(seeded))


def _entropy(random_state: object) -> Entropy:
    if type(random_state) is int or (
        isinstance(random_state, int | np.integer) and type(random_state) is not bool
    ):
        if random_state < 0:
            raise ValueError(f"random_state={random_state} is negative; use an int >= 0")
        return int(random_state)
    if random_state is None:
        return secrets.randbits(128)
    if isinstance(random_state, np.random.RandomState):
        drawn = random_state.randint(0, 2**32, size=4, dtype=np.uint32)
        return tuple(int(v) for v in drawn)
    raise TypeError(
        f"random_state={random_state!r} of type {type(random_state).__name__} is not usable; "
        "give None, an int >= 0, a numpy.random.Generator or a numpy.random.RandomState"
    )
