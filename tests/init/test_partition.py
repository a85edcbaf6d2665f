"""Var-Part and PCA-Part against published numbers, their definition in NumPy, and what must never
matter: the order of rows, the number of threads, where the origin is, how weights are written."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from fixtures import F9, G6, RUSP
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from partition_twin import divide, error, exact

from seedbed import run_many
from seedbed.init import PCAPart, VarPart, get

METHODS = [cls(threshold=t) for cls in (VarPart, PCAPart) for t in ("mean", "otsu", "exact")]
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)
every_dtype = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def mixture(n, d, k=5, seed=0, offset=0.0):
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-1, 1, size=(k, d))
    spread = rng.uniform(0.05, 0.5, size=d)
    return centers[rng.integers(0, k, n)] + spread * rng.normal(size=(n, d)) + offset


def final_sse(X, centers):
    return run_many(X, centers[None], stop="labels", max_iter=1000, n_threads=1).sse[0]


def record(seeds):
    """Everything a method says, as bytes."""
    parts = [seeds.centers.tobytes(), seeds.info["sizes"].tobytes(), seeds.info["errors"].tobytes()]
    for s in seeds.info["splits"]:
        axis = b"" if s.axis is None else s.axis.tobytes()
        numbers = np.array([s.cluster, s.threshold, s.sse, *s.sizes, s.residual])
        parts += [str(s.attribute).encode(), axis, numbers.tobytes()]
    return b"|".join(parts)


# Golden values


def test_ruspini_var_part():
    seeds = VarPart().seed(RUSP, 4)
    splits = seeds.info["splits"]
    assert [s.cluster for s in splits] == [0, 1, 0]
    assert [s.attribute for s in splits] == [1, 0, 0]
    assert [s.sizes for s in splits] == [(35, 40), (23, 17), (20, 15)]
    np.testing.assert_allclose(
        [s.threshold for s in splits], [92.026667, 66.975, 41.057143], atol=5e-7
    )
    np.testing.assert_allclose(
        [s.sse for s in splits], [244373.867, 46009.375, 43328.457], atol=5e-4
    )
    np.testing.assert_allclose(
        seeds.centers,
        [[20.15, 64.95], [43.9130, 146.0435], [98.1765, 114.8824], [68.9333, 19.4]],
        atol=5e-5,
    )
    assert seeds.info["errors"].sum() == pytest.approx(12881.0512, abs=5e-5)


def test_ruspini_first_principal_axis():
    axis = PCAPart().seed(RUSP, 2).info["splits"][0].axis
    np.testing.assert_allclose(axis, [0.066297, 0.997800], atol=5e-7)


@every_method
def test_ruspini_four_clusters(method):
    assert final_sse(RUSP, method.seed(RUSP, 4).centers) == pytest.approx(12881.0512, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("V", (8677.5, 6171.0, 5089.7)),
        ("OV", (8677.5, 6632.2, 5085.2)),
        ("P", (8783.5, 6736.0, 4698.2)),
        ("OP", (8783.5, 6166.5, 4715.1)),
    ],
)
def test_ruspini_final_sse(name, expected):
    found = [final_sse(RUSP, get(name).seed(RUSP, k).centers) for k in (6, 8, 10)]
    np.testing.assert_allclose(found, expected, atol=0.05)


@pytest.mark.parametrize("cls", [VarPart, PCAPart])
def test_six_points(cls):
    assert cls().seed(G6, 3).centers.ravel().tolist() == [0.5, 11.0, 2.0]


def test_nine_points():
    """(0, 0) projects onto the mean of an axis whose components tie in size: it goes left."""
    seeds = PCAPart().seed(F9, 3)
    assert seeds.info["splits"][0].sizes == (5, 4)
    np.testing.assert_allclose(seeds.info["splits"][0].axis, [0.5**0.5, -(0.5**0.5)])
    nearest = ((F9[:, None] - seeds.centers) ** 2).sum(axis=2).min(axis=1)
    assert nearest.sum() == pytest.approx(20.771, abs=5e-4)
    for method in (VarPart(), PCAPart(threshold="otsu"), PCAPart(threshold="exact")):
        assert final_sse(F9, method.seed(F9, 3).centers) == pytest.approx(4)


# The definition


def with_one_far(y):
    """Nearly all values in a tiny part of the range."""
    return np.append(y * 1e-6, 1.0)


ALONG = {
    "round": lambda rng: rng.normal(size=30_000),
    "two groups": lambda rng: np.append(rng.normal(size=9_000), rng.normal(5, 0.1, size=4_000)),
    "whole numbers": lambda rng: rng.poisson(3, size=20_000).astype(float),
    "heavy tails": lambda rng: rng.standard_cauchy(size=20_000),
    "one far off": lambda rng: with_one_far(rng.normal(size=20_000)),
    "far off twice": lambda rng: with_one_far(with_one_far(rng.normal(size=20_000))),
    "equal but for some": lambda rng: np.append(np.zeros(10_000), rng.random(20)),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ALONG)
def test_exact_cut_of_many_values(kind, weighted):
    """Values are counted in buckets first; the cut must be that of sorting them all."""
    rng = np.random.default_rng(5)
    y = ALONG[kind](rng)
    weight = rng.gamma(2.0, size=len(y)) if weighted else np.ones(len(y))
    (split,) = VarPart(threshold="exact").seed(y[:, None], 2, sample_weight=weight).info["splits"]
    cut, left = exact(y, weight)
    assert split.sizes == (left.sum(), (~left).sum())
    assert split.threshold == pytest.approx(cut, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("threshold", ["mean", "otsu", "exact"])
def test_many_rows_agree_with_the_twin(threshold):
    """Products of children come by subtraction, through several generations."""
    X = mixture(12_000, 6, k=9, seed=3, offset=4.0)
    seeds = PCAPart(threshold=threshold).seed(X, 12)
    centers, splits = divide(X, 12, "principal", threshold)
    for ours, twin in zip(seeds.info["splits"], splits, strict=True):
        assert (ours.cluster, ours.sizes) == (twin.cluster, twin.sizes)
        np.testing.assert_allclose(ours.axis, twin.axis, atol=1e-8)
    np.testing.assert_allclose(seeds.centers, centers, rtol=1e-12)


@every_method
@pytest.mark.parametrize(
    ("n", "d", "k", "offset"),
    [(200, 1, 6, 0), (300, 2, 9, 1e3), (250, 7, 12, -50), (60, 128, 4, 0), (90, 131, 5, 3)],
)
@pytest.mark.parametrize(
    ("dtype", "weighted"), [(np.float64, False), (np.float64, True), (np.float32, True)]
)
def test_agrees_with_its_twin(method, dtype, n, d, k, offset, weighted):
    X = mixture(n, d, seed=n + d, offset=offset).astype(dtype)
    weight = np.random.default_rng(n).gamma(2.0, size=n) if weighted else None
    seeds = method.seed(X, k, sample_weight=weight)
    centers, splits = divide(X, k, method.axis, method.threshold, weight)
    for ours, twin in zip(seeds.info["splits"], splits, strict=True):
        assert (ours.cluster, ours.sizes) == (twin.cluster, twin.sizes)
        axis = np.eye(d)[ours.attribute] if ours.axis is None else ours.axis
        np.testing.assert_allclose(axis, twin.axis, atol=1e-8)
        assert ours.threshold == pytest.approx(
            twin.threshold, rel=1e-9, abs=1e-8 * (1 + abs(offset))
        )
        assert ours.sse == pytest.approx(twin.sse, rel=1e-9)
    tolerance = 1e-6 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(seeds.centers, centers, rtol=tolerance, atol=tolerance)
    assert seeds.info["errors"].sum() == pytest.approx(
        divided_error(X, seeds, method, weight), rel=1e-9
    )


def divided_error(X, seeds, method, weight):
    """Total error of the parts, found again from the splits."""
    X = X.astype(np.float64)
    weight = np.ones(len(X)) if weight is None else weight
    parts = [np.arange(len(X))]
    for s in seeds.info["splits"]:
        rows = parts[s.cluster]
        y = X[rows] @ (np.eye(X.shape[1])[s.attribute] if s.axis is None else s.axis)
        order = np.argsort(y, kind="stable")
        parts[s.cluster] = rows[order[: s.sizes[0]]]
        parts.append(rows[order[s.sizes[0] :]])
    assert [len(rows) for rows in parts] == seeds.info["sizes"].tolist()
    return sum(error(X[rows], weight[rows]) for rows in parts)


@pytest.mark.parametrize("bins", [2, 3, 64, 1024])
def test_otsu_with_other_bins(bins):
    X = mixture(300, 3, seed=bins)
    seeds = VarPart(threshold="otsu", bins=bins).seed(X, 6)
    centers, _ = divide(X, 6, "attribute", "otsu", bins=bins)
    np.testing.assert_allclose(seeds.centers, centers, rtol=1e-12, atol=1e-12)


def test_exact_cut_of_one_attribute_is_the_best_of_all():
    y = np.random.default_rng(3).gamma(1.0, size=(80, 1))
    values = np.sort(y.ravel())
    best = min(
        error(values[:i, None], np.ones(i)) + error(values[i:, None], np.ones(80 - i))
        for i in range(1, 80)
    )
    assert VarPart(threshold="exact").seed(y, 2).info["errors"].sum() == pytest.approx(best)


# What must not matter


@every_method
@every_dtype
@pytest.mark.parametrize(("n", "d"), [(5000, 2), (3000, 10), (700, 64), (200, 150)])
@pytest.mark.parametrize("weighted", [False, True])
def test_order_of_rows_does_not_change_a_bit(method, dtype, n, d, weighted):
    X = mixture(n, d, seed=d).astype(dtype)
    rng = np.random.default_rng(d)
    weight = rng.gamma(2.0, size=n) if weighted else np.ones(n)
    order = rng.permutation(n)
    plain = method.seed(X, 9, sample_weight=weight)
    shuffled = method.seed(X[order], 9, sample_weight=weight[order])
    assert record(plain) == record(shuffled)
    backwards = method.seed(X[::-1], 9, sample_weight=weight[::-1])
    assert record(plain) == record(backwards)


@every_method
@pytest.mark.parametrize(("n", "d"), [(50_000, 5), (9_000, 40), (5_000, 140)])
@pytest.mark.parametrize("weighted", [False, True])
def test_number_of_threads_does_not_change_a_bit(method, n, d, weighted):
    X = mixture(n, d, seed=1)
    weight = np.random.default_rng(2).gamma(2.0, size=n) if weighted else None
    results = {record(method.seed(X, 5, sample_weight=weight, n_threads=t)) for t in (1, 2, 3, 8)}
    assert len(results) == 1


SCRIPT = """
import numpy as np
from seedbed.init import PCAPart, VarPart
rng = np.random.default_rng(0)
for d, dtype in ((3, np.float64), (22, np.float32), (22, np.float64), (150, np.float64)):
    X = (rng.normal(size=(600, d)) ** 3).astype(dtype)
    w = rng.gamma(1.0, size=600)
    for cls in (VarPart, PCAPart):
        seeds = cls().seed(X, 7, sample_weight=w)
        print(seeds.centers.tobytes().hex(), [s.threshold.hex() for s in seeds.info["splits"]])
"""


def test_instruction_set_does_not_change_a_bit():
    def run(isa):
        environment = {**os.environ, "SEEDBED_ISA": isa, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True
        )
        if "SEEDBED_ISA" in done.stderr:
            pytest.skip(f"this processor has no {isa}")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("baseline") == run("avx2")


@every_method
@pytest.mark.parametrize("scale", [1e-3, 0.5, 7.0, 1e150, 1e-150])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_translation_and_scaling(method, scale, shift):
    X = mixture(400, 4, seed=8)
    plain = method.seed(X, 7)
    moved = method.seed((X + shift) * scale, 7)
    assert [s.sizes for s in moved.info["splits"]] == [s.sizes for s in plain.info["splits"]]
    np.testing.assert_allclose(moved.centers / scale, plain.centers + shift, rtol=1e-11, atol=1e-11)


@every_method
def test_large_offset(method):
    X = np.round(mixture(400, 3, seed=5) * 2**20) / 2**20  # exact after the shift, too
    plain, moved = method.seed(X, 6), method.seed(X + 1e8, 6)
    assert [s.sizes for s in moved.info["splits"]] == [s.sizes for s in plain.info["splits"]]
    np.testing.assert_allclose(moved.centers - 1e8, plain.centers, atol=3e-8)


@every_method
@pytest.mark.parametrize("d", [1, 3, 135])
def test_integer_weights_are_repetitions(method, d):
    X = mixture(150, d, seed=4)
    weight = np.random.default_rng(4).integers(1, 6, len(X))
    weighted = method.seed(X, 6, sample_weight=weight)
    repeated = method.seed(np.repeat(X, weight, axis=0), 6)
    np.testing.assert_allclose(weighted.centers, repeated.centers, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(weighted.info["errors"], repeated.info["errors"], rtol=1e-9)


@every_method
@pytest.mark.parametrize("factor", [0.125, 3.0, 1e-200])
def test_weights_count_relative_to_each_other(method, factor):
    X, weight = mixture(200, 3), np.random.default_rng(1).gamma(2.0, size=200)
    plain = method.seed(X, 5, sample_weight=weight)
    scaled = method.seed(X, 5, sample_weight=weight * factor)
    np.testing.assert_allclose(scaled.centers, plain.centers, rtol=1e-12)


@every_method
def test_rows_of_weight_zero_are_as_absent(method):
    X, weight = mixture(200, 3), np.arange(200) % 3 * 1.0
    kept = weight > 0
    seeds = method.seed(X, 6, sample_weight=weight)
    assert record(seeds) == record(method.seed(X[kept], 6, sample_weight=weight[kept]))


# Odd data


@every_method
def test_one_cluster_is_the_mean(method):
    X = mixture(100, 4)
    seeds = method.seed(X, 1)
    np.testing.assert_allclose(seeds.centers, X.mean(axis=0)[None], rtol=1e-14)
    assert seeds.info["splits"] == ()


@every_method
@every_dtype
@pytest.mark.parametrize("d", [1, 3, 140])
def test_as_many_clusters_as_rows(method, dtype, d):
    X = mixture(40, d).astype(dtype)
    seeds = method.seed(X, len(X))
    np.testing.assert_array_equal(np.unique(seeds.centers, axis=0), np.unique(X, axis=0))
    assert seeds.info["errors"].tolist() == [0.0] * len(X)


@every_method
def test_zeros_of_either_sign_are_equal(method):
    X = np.array([[-0.0, 1], [0.0, 2], [0.0, 3], [-0.0, 5], [0.0, 1]])
    for k in (1, 2, 4):
        assert record(method.seed(X, k)) == record(method.seed(X[::-1], k))


@every_method
def test_constant_attributes_are_reproduced_and_never_cut(method):
    X = np.insert(mixture(200, 2), [0, 1], [0.1, -1e9 / 3], axis=1)
    seeds = method.seed(X, 5)
    assert (seeds.centers[:, [0, 2]] == X[0, [0, 2]]).all()
    for s in seeds.info["splits"]:
        assert s.attribute not in (0, 2)
        assert s.axis is None or np.abs(s.axis[[0, 2]]).max() < 1e-12


@every_method
@pytest.mark.parametrize("d", [60, 200])
def test_more_attributes_than_rows(method, d):
    X = mixture(12, d)
    seeds = method.seed(X, 8)
    assert np.isfinite(seeds.centers).all()
    assert (seeds.info["sizes"] > 0).all()
    assert seeds.info["sizes"].sum() == 12


@every_method
def test_duplicates_are_never_separated(method):
    X = np.repeat(mixture(7, 2), 30, axis=0)
    seeds = method.seed(X, 7)
    assert sorted(seeds.info["sizes"]) == [30] * 7
    assert seeds.info["errors"].tolist() == [0.0] * 7
    np.testing.assert_allclose(np.sort(seeds.centers, axis=0), np.sort(X[::30], axis=0), rtol=1e-15)


@every_method
def test_too_few_distinct_rows(method):
    X = np.repeat([[1.0, 2], [3, 4], [5, 7]], 4, axis=0)
    with pytest.warns(UserWarning, match="3 distinct rows"):
        seeds = method.seed(X, 5)
    assert seeds.info["distinct"] == 3
    assert len(np.unique(seeds.centers, axis=0)) == 3


@every_method
def test_shortfall_is_completed_by_the_farthest_rows(method):
    """Weights so far apart that all but one row weigh nothing in the sums."""
    X = np.array([[0.0], [1], [2], [3]])
    seeds = method.seed(X, 4, sample_weight=[1, 1e-40, 1e-40, 1e-40])
    assert seeds.info["shortfall"] == 3
    np.testing.assert_allclose(seeds.centers.ravel(), [0, 3, 1, 2], atol=1e-30)
    other = method.seed(X[::-1], 4, sample_weight=[1e-40, 1e-40, 1e-40, 1])
    assert other.centers.tobytes() == seeds.centers.tobytes()


@every_method
def test_tight_clusters_far_apart(method):
    """Widths of 1e-9 beside distances of 1: only sums about a cluster's own mean see inside."""
    inner = mixture(50, 2, k=2, seed=1)
    inner -= inner.mean(axis=0)
    X = np.concatenate([1e-9 * inner, 1 + 1e-9 * inner * 3])
    seeds = method.seed(X, 4)
    centers, _ = divide(X, 4, method.axis, method.threshold)
    assert (seeds.info["sizes"] > 1).all()
    np.testing.assert_allclose(seeds.centers, centers, atol=1e-15)


@every_method
def test_values_that_differ_by_next_to_nothing(method):
    X = np.array([[1.0], [np.nextafter(1.0, 2)], [5.0], [0.0], [1e-300], [-1.0], [0.5]])
    seeds = method.seed(X, len(X))
    assert seeds.info["shortfall"] == 0
    np.testing.assert_array_equal(np.sort(seeds.centers, axis=0), np.sort(X, axis=0))


@every_method
def test_one_heavy_row_still_leaves_two_parts(method):
    """The mean rounds to the heaviest and greatest row; something must go right nevertheless."""
    X = np.array([[0.0], [0.5], [1.0]])
    seeds = method.seed(X, 2, sample_weight=[1e-18, 1e-18, 1.0])
    assert (seeds.info["sizes"] > 0).all()


@every_method
@every_dtype
@pytest.mark.parametrize("seed", range(8))
def test_extreme_weights_and_scales(method, dtype, seed):
    rng = np.random.default_rng(seed)
    reach = 30 if dtype == np.float32 else 250
    X = (rng.normal(size=(20, 3)) * 10 ** rng.uniform(-reach, reach, size=(20, 3))).astype(dtype)
    weight = 10 ** rng.uniform(-60, 60, size=20)
    seeds = method.seed(X, 12, sample_weight=weight)
    assert (seeds.centers >= X.min(axis=0)).all()
    assert (seeds.centers <= X.max(axis=0)).all()
    order = rng.permutation(20)
    assert record(method.seed(X[order], 12, sample_weight=weight[order])) == record(seeds)


def test_range_beyond_double_precision():
    X = np.array([[1.7e308], [-1.7e308], [0.0]])
    with pytest.raises(ValueError, match="column 0 is too wide"):
        VarPart().seed(X, 2)


@settings(max_examples=60, deadline=None)
@given(
    X=hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
        elements=st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, -1.0, 0.1]),
    ),
    method=st.sampled_from(METHODS),
    data=st.data(),
)
@pytest.mark.filterwarnings("ignore:X has")
def test_any_data(X, method, data):
    k = data.draw(st.integers(1, len(X)))
    seeds = method.seed(X, k)
    assert seeds.centers.shape == (k, X.shape[1])
    assert (seeds.centers >= X.min(axis=0)).all()
    assert (seeds.centers <= X.max(axis=0)).all()
    order = data.draw(st.permutations(range(len(X))))
    if "distinct" not in seeds.info:
        assert seeds.info["shortfall"] == 0
        assert record(method.seed(X[order], k)) == record(seeds)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timers")
def test_can_be_interrupted():
    def handler(*_):
        raise KeyboardInterrupt

    X = np.random.default_rng(0).normal(size=(6000, 500))  # takes many seconds when left alone
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            PCAPart().seed(X, 500)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - started < 5


# Parameters and names


def test_names():
    assert get("V") == get("var_part") == VarPart()
    assert get("p") == get("PCA-Part") == PCAPart()
    assert get("OV") == get("otsu-var-part") == VarPart(threshold="otsu")
    assert get("OP") == get("otsu-pca-part") == PCAPart(threshold="otsu")
    assert get("exact-pca-part") == PCAPart(threshold="exact")


@pytest.mark.parametrize(
    "bad", [{"threshold": "median"}, {"threshold": ["mean"]}, {"bins": 1}, {"bins": 2.5}]
)
def test_bad_parameters(bad):
    with pytest.raises(ValueError, match=f"{next(iter(bad))}=.* is not allowed for var-part; use "):
        VarPart(**bad)
