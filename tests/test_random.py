"""Streams of random numbers."""

import pickle

import numpy as np
import pytest

from seedbed import KMeans
from seedbed._core._seeding import draw_starts, draw_streams
from seedbed._random import Streams, generator, streams
from seedbed._validation import as_points


@pytest.mark.parametrize("key", [(), (0,), (3, 1)])
def test_streams_are_those_of_numpy(key):
    expected = np.random.Generator(np.random.PCG64(np.random.SeedSequence(5, spawn_key=key)))
    found = generator(5, *key)
    for _ in range(2):  # the second time from memory
        assert found.random() == expected.random()
        found, expected = (
            generator(5, *key),
            np.random.default_rng(np.random.SeedSequence(5, spawn_key=key)),
        )
    np.testing.assert_array_equal(
        [g.random() for g in (*found.spawn(2), *found.spawn(1))],
        [g.random() for g in (*expected.spawn(2), *expected.spawn(1))],
    )


def test_a_stream_does_not_depend_on_how_many_there_are():
    few, many = streams(7, 2), streams(7, 9)
    assert [g.random() for g in few] == [g.random() for g in many[:2]]
    assert len({g.random() for g in streams(7, 9)}) == 9


@pytest.mark.parametrize("seed", [0, 7, 2**70])
def test_numbers_that_are_drawn_natively_are_those_of_numpy(seed):
    """Of 50,000 places on a line, each draw takes one by its uniform number."""
    points = as_points(np.linspace(0, 1, 50_000)[:, None])
    expected = [generator(seed, r).random((5, 3)) for r in range(4)]
    made = streams(seed, 4)
    assert isinstance(made, Streams)
    for some, numbers in ((made, expected), (made[1:3], expected[1:3])):
        ours = draw_streams(points.data, some.first_words(), 5, 3, 1)
        theirs = draw_starts(points.data, np.stack(numbers), 1)
        np.testing.assert_array_equal([d.rows for d in ours], [d.rows for d in theirs])
        assert [d.rows[0] for d in ours] == [int(u[0, 0] * points.n) for u in numbers]


def test_a_stream_is_made_once():
    made = streams(7, 3)
    assert len(made) == 3
    assert made[1] is made[-2]
    assert made[1].random() != made[1].random()
    with pytest.raises(IndexError):
        made[3]


def test_no_seed_is_a_new_seed():
    assert generator().random() != generator().random()


def test_a_generator_can_be_pickled():
    a = generator(3)
    b = pickle.loads(pickle.dumps(a))
    assert a.random() == b.random()


def test_what_advances():
    legacy = np.random.RandomState(0)
    assert generator(legacy).random() != generator(legacy).random()
    own = np.random.default_rng(0)
    assert generator(own) is own
    assert streams(own, 1)[0].random() != streams(own, 1)[0].random()


def of_a_random_state(seed):
    """A generator that cannot spawn others."""
    return np.random.Generator(np.random.RandomState(seed)._bit_generator)


def test_streams_of_a_generator_that_cannot_spawn():
    with pytest.raises(TypeError, match="spawning"):
        of_a_random_state(0).spawn(1)
    own = of_a_random_state(0)
    first = [g.random() for g in streams(own, 3)]
    assert len(set(first)) == 3
    assert first == [g.random() for g in streams(of_a_random_state(0), 3)]
    assert first != [g.random() for g in streams(own, 3)]  # it has advanced
    fits = [KMeans(3, init="macqueen", random_state=of_a_random_state(1)) for _ in range(2)]
    first, second = (km.fit(np.arange(20.0).reshape(-1, 1)) for km in fits)
    assert first.runs_.initial_sse.tolist() == second.runs_.initial_sse.tolist()


@pytest.mark.parametrize(
    ("value", "error"), [(-1, ValueError), (1.5, TypeError), ("a", TypeError), (True, TypeError)]
)
def test_bad_seeds(value, error):
    with pytest.raises(error, match="random_state="):
        generator(value)
