"""Random generators from whatever the caller has: the same seed gives the same numbers, and the
stream of run r does not depend on how many runs there are."""

from __future__ import annotations

import secrets

import numpy as np

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


def streams(random_state: RandomState, n: int) -> list[np.random.Generator]:
    """``n`` independent generators, one per run; with an int, run r is the same for every n > r."""
    if isinstance(random_state, np.random.Generator):
        return list(random_state.spawn(n))
    entropy = _entropy(random_state)
    return [_stream(entropy, (r,)) for r in range(n)]


def _stream(entropy: int | list[int], key: tuple[int, ...]) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy, spawn_key=key)))


def _entropy(random_state: object) -> int | list[int]:
    if isinstance(random_state, int | np.integer) and type(random_state) is not bool:
        if random_state < 0:
            raise ValueError(f"random_state={random_state} is negative; use an int >= 0")
        return int(random_state)
    if random_state is None:
        return secrets.randbits(128)
    if isinstance(random_state, np.random.RandomState):
        drawn = random_state.randint(0, 2**32, size=4, dtype=np.uint32)
        return [int(v) for v in drawn]
    raise TypeError(
        f"random_state={random_state!r} of type {type(random_state).__name__} is not usable; "
        "give None, an int >= 0, a numpy.random.Generator or a numpy.random.RandomState"
    )
