"""What must hold for every registered method, whatever it does."""

import functools
import warnings

import numpy as np
import pytest
from fixtures import F9, RUSP, blobs
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from seedbed.exceptions import TooManyRowsError
from seedbed.init import (
    ROBIN,
    GreedyKMeansPlusPlus,
    Hierarchical,
    KaufmanRousseeuw,
    Lu,
    Maximin,
    Onoda,
    Pizzuti,
    RedmondHeneghan,
    SimpleClusterSeeking,
)
from seedbed.init._registry import classes

# Searches that take long on the data below: shorter ones obey the same rules.
SHORT = {
    "genetic": {"population": 6, "generations": 5},
    "hg-means": {"stall": 5, "population": 3},
    "random-swap": {"trials": 8},
    "simulated-annealing": {"patience": 30},
}
METHODS = [
    *(cls(**SHORT.get(cls.meta.id, {})) for cls in classes()),
    Maximin(first="kkz"),
    Maximin(first=2),
    GreedyKMeansPlusPlus(trials="survey"),
    KaufmanRousseeuw(power=1),
    *(Hierarchical(linkage=kind) for kind in ("average", "complete", "single")),
    Lu(spread=True),
    Onoda(centered=False),
    Onoda(use="mixing", sign="abs"),
    Pizzuti(spread=True),
    RedmondHeneghan(mode="trim"),
    ROBIN(reference="origin", lof="standard"),
    SimpleClusterSeeking(replace="full"),
]
each_method = pytest.mark.parametrize("method", METHODS, ids=repr)


def every_method(test):
    """Parametrise a test over the methods; one may refuse data too large for it, and say so."""

    @functools.wraps(test)
    def unless_refused(*args, **parameters):
        try:
            test(*args, **parameters)
        except TooManyRowsError as refusal:
            pytest.skip(f"refused: {refusal}")

    return each_method(unless_refused)


def as_set(centers):
    return np.array(sorted(map(tuple, centers)))


@every_method
@pytest.mark.parametrize(("n", "d"), [(500, 3), (40, 8)])
def test_order_of_rows(method, n, d):
    if not method.deterministic or method.order_sensitive:
        pytest.skip("random or order-sensitive: only the distribution could be compared")
    X = blobs(n, d, 5)
    centers = as_set(method.seed(X, 6).centers)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(n)
        np.testing.assert_allclose(as_set(method.seed(X[order], 6).centers), centers, rtol=1e-12)


@every_method
@pytest.mark.parametrize("scale", [0.125, 3.0, 1024.0])
@pytest.mark.parametrize("shift", [0.0, 96.0])
def test_translation_and_scaling(method, scale, shift):
    if shift and not method.translation_invariant:
        pytest.skip("depends on the origin")
    plain = method.seed(RUSP, 5, random_state=3)
    moved = method.seed(scale * RUSP + shift, 5, random_state=3)
    np.testing.assert_allclose(moved.centers, scale * plain.centers + shift, rtol=1e-9)


@every_method
def test_integer_weights_are_repetitions(method):
    if not (method.deterministic and method.meta.weights == "yes"):
        pytest.skip("holds in distribution, or not at all")
    X = blobs(200, 3, 4)
    weight = np.random.default_rng(1).integers(1, 5, len(X))
    weighted = method.seed(X, 5, sample_weight=weight).centers
    np.testing.assert_allclose(
        weighted, method.seed(np.repeat(X, weight, axis=0), 5).centers, rtol=1e-9
    )


@every_method
def test_rows_of_weight_zero_are_as_absent(method):
    X = blobs(300, 3, 4)
    weight = np.where(np.arange(len(X)) % 3 == 0, 0.0, 1.0 + np.arange(len(X)) % 2)
    weight[2] = 1.0
    kept = np.flatnonzero(weight)
    seeds = method.seed(X, 5, sample_weight=weight, random_state=0)
    if method == Maximin(first=2):
        method = Maximin(first=int(np.flatnonzero(kept == 2)[0]))
    alone = method.seed(X[kept], 5, sample_weight=weight[kept], random_state=0)
    assert seeds.centers.tobytes() == alone.centers.tobytes()
    if seeds.indices is not None:
        assert (weight[seeds.indices] > 0).all()
        np.testing.assert_array_equal(X[seeds.indices], seeds.centers)


@every_method
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inside_the_bounding_box_and_of_the_dtype(method, dtype):
    X = (blobs(400, 4, 5) + 1e3).astype(dtype)
    seeds = method.seed(X, 7, random_state=1)
    assert seeds.centers.dtype == dtype
    assert seeds.centers.shape == (7, 4)
    margin = 4 * np.finfo(dtype).eps * 1e3
    assert (seeds.centers >= X.min(axis=0) - margin).all()
    assert (seeds.centers <= X.max(axis=0) + margin).all()


@every_method
def test_input_is_left_alone(method):
    X, weight = blobs(300, 3, 4), np.arange(300) % 4 * 1.0
    before = X.copy(), weight.copy()
    X.flags.writeable = weight.flags.writeable = False
    seeds = method.seed(X, 4, sample_weight=weight + (weight == 0), random_state=0)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(weight, before[1])
    assert not np.shares_memory(seeds.centers, X)


@every_method
@pytest.mark.parametrize("weighted", [False, True])
def test_same_seed_same_bytes_for_any_number_of_threads(method, weighted):
    n = 40_000 if method.meta.cost in ("linear", "loglinear") else 900
    X = blobs(9_000 if isinstance(method, ROBIN) else n, 9, 6)  # its neighbours take long
    weight = np.random.default_rng(2).gamma(2.0, size=len(X)) if weighted else None
    results = [
        method.seed(X, 6, sample_weight=weight, random_state=11, n_threads=t).centers.tobytes()
        for t in (1, 2, 3, 8)
    ]
    assert len(set(results)) == 1


@every_method
@pytest.mark.parametrize("k", [1, 2, 9])
def test_one_some_and_all_rows(method, k):
    seeds = method.seed(F9, k, random_state=0)
    assert seeds.centers.shape == (k, 2)
    assert np.isfinite(seeds.centers).all()
    if k == len(F9) and method.meta.selects_rows:
        np.testing.assert_array_equal(as_set(seeds.centers), as_set(F9))


@every_method
@pytest.mark.parametrize(
    "X",
    [
        np.hstack([RUSP, np.full((75, 1), 0.1)]),
        RUSP[:, :1],
        np.random.default_rng(0).random((8, 20)),
        RUSP * 1e-180,
        RUSP * 1e150,
        RUSP + 1e8,
    ],
    ids=["constant attribute", "D=1", "D>N", "tiny", "huge", "offset"],
)
def test_awkward_data(method, X):
    seeds = method.seed(X, 4, random_state=0)
    assert np.isfinite(seeds.centers).all()
    assert len(np.unique(seeds.centers, axis=0)) == 4
    if X.shape[1] == 3:
        assert (seeds.centers[:, 2] == 0.1).all()


@every_method
def test_identical_rows(method):
    with pytest.warns(UserWarning, match="1 distinct row "):
        seeds = method.seed(np.full((10, 3), 0.3), 3, random_state=0)
    assert (seeds.centers == 0.3).all()
    assert seeds.info["distinct"] == 1


@every_method
def test_fewer_distinct_rows_than_clusters(method):
    X = np.repeat(F9[:4], [3, 1, 4, 2], axis=0)
    with pytest.warns(UserWarning, match=r"4 distinct rows .*n_clusters=6"):
        seeds = method.seed(X, 6, random_state=0)
    np.testing.assert_array_equal(as_set(seeds.centers[:4]), as_set(F9[:4]))
    assert len(np.unique(seeds.centers, axis=0)) == 4
    assert seeds.info["distinct"] == 4
    with pytest.raises(ValueError, match="ask for at most 4"):
        method.seed(X, 6, strict=True)


@each_method
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    X=hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 40), st.integers(1, 5)),
        elements=st.integers(-3, 3).map(float),
    ),
    data=st.data(),
)
def test_any_small_lattice(method, X, data):
    if method == Maximin(first=2):
        method = Maximin(first=0)
    k = data.draw(st.integers(1, len(X)))
    distinct = len(np.unique(X, axis=0))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            seeds = method.seed(X, k, random_state=data.draw(st.integers(0, 10)))
        except TooManyRowsError:
            reject()
    assert bool(caught) == (distinct < k)
    assert seeds.centers.shape == (k, X.shape[1])
    assert (seeds.centers >= X.min(axis=0) - 1e-12).all()
    assert (seeds.centers <= X.max(axis=0) + 1e-12).all()
    if method.meta.selects_rows:
        np.testing.assert_array_equal(X[seeds.indices], seeds.centers)
        assert len(np.unique(seeds.centers, axis=0)) == min(k, distinct)


@every_method
def test_flags_agree_with_behaviour(method):
    X = blobs(300, 4, 6)
    runs = [method.seed(X, 5, random_state=r) for r in range(6)]
    same = len({r.centers.tobytes() for r in runs}) == 1
    assert same == method.deterministic
    assert (runs[0].indices is not None) == method.meta.selects_rows
