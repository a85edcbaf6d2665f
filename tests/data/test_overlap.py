"""Overlap against R, closed formulas, a NumPy twin and counting, and what must not change it."""

import numpy as np
import pytest
from golden_mixsim import golden, parameters
from hypothesis import given, settings
from hypothesis import strategies as st
from overlap_twin import monte_carlo, overlap_map
from scipy.special import ndtr
from scipy.stats import ncx2

from seedbed.data import overlap
from seedbed.data._components import as_components
from seedbed.data._overlap import model_of, overlap_of


def random_components(k, d, seed, *, spread=0.3, equal_weights=False):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((k, d, d + 2))
    covariances = spread**2 * root @ root.transpose(0, 2, 1) / d
    weights = np.full(k, 1 / k) if equal_weights else rng.dirichlet(np.full(k, 5.0))
    return weights, rng.random((k, d)), covariances


@pytest.mark.parametrize("case", golden("cases"))
def test_reference_values_from_r(case):
    found = overlap(*parameters(case))
    assert np.abs(found.map - case["tight"]["OmegaMap"]).max() <= 2e-9
    assert abs(found.mean - case["tight"]["BarOmega"]) <= 2e-9
    assert abs(found.max - case["tight"]["MaxOmega"]) <= 2e-9
    assert np.abs(found.map - case["OmegaMap"]).max() <= 1e-6
    assert found.max_pair == tuple(i - 1 for i in case["rcMax"])
    assert abs(found.generalised - case["GOM"]) <= 1e-6


@pytest.mark.parametrize("case", golden("cases"))
def test_limit_of_large_covariances_from_r(case):
    weights, means, covariances = as_components(*parameters(case))
    found = overlap_of(model_of(means, covariances), weights, limit=True)
    assert abs(found.mean - case["asymptotic"]["BarOmega"]) <= 1e-6
    assert abs(found.max - case["asymptotic"]["MaxOmega"]) <= 1e-6


@pytest.mark.parametrize("draw", golden("draws", having="S"))
def test_mixtures_drawn_by_r(draw):
    found = overlap(*parameters(draw))
    assert np.abs(found.map - draw["OmegaMap"]).max() <= 1e-6
    assert abs(found.mean - draw["BarOmega"]) <= 1e-6
    assert abs(found.max - draw["MaxOmega"]) <= 1e-6


@pytest.mark.parametrize("d", [5, 8, 16, 33, 64])
def test_numpy_twin(d):
    weights, means, covariances = random_components(4, d, d, spread=0.5)
    found = overlap(weights, means, covariances)
    assert np.abs(found.map - overlap_map(weights, means, covariances)).max() < 1e-10


@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 12, 16, 32, 64])
def test_counting(d):
    weights, means, covariances = random_components(3, d, 10 + d, spread=0.6)
    counted, error = monte_carlo(weights, means, covariances, 40_000, np.random.default_rng(d))
    found = overlap(weights, means, covariances).map
    assert (np.abs(found - counted) <= 4 * error + 1e-15).all()


def one_dimension(weights, means, variances):
    """w(1|0) from the roots of a quadratic: the exact answer for one attribute."""
    (w0, w1), (m0, m1), (v0, v1) = weights, means, variances
    a, b = 1 / v1 - 1 / v0, -2 * (m1 / v1 - m0 / v0)
    c = m1**2 / v1 - m0**2 / v0 - 2 * np.log(w1 / w0) + np.log(v1 / v0)
    inside = b * b - 4 * a * c  # point x is handed over where a x² + b x + c < 0
    if inside <= 0:
        return float(a < 0)
    q = -0.5 * (b + np.copysign(np.sqrt(inside), b))
    low, high = sorted([q / a, c / q])
    z_low, z_high = (np.array([low, high]) - m0) / np.sqrt(v0)
    between = ndtr(z_high) - ndtr(z_low) if z_low < 0 else ndtr(-z_low) - ndtr(-z_high)
    return between if a > 0 else 1 - between


@settings(max_examples=300, deadline=None)
@given(
    st.floats(0.001, 0.999),
    st.floats(0.0, 8.0),
    st.floats(-12.0, 12.0).filter(lambda e: abs(e) > 1e-3),
)
def test_one_attribute_is_exact(weight, apart, exponent):
    weights, means, variances = [weight, 1 - weight], [0.0, apart], [1.0, float(np.exp(exponent))]
    found = overlap(weights, np.reshape(means, (2, 1)), variances).map
    assert found[0, 1] == pytest.approx(one_dimension(weights, means, variances), abs=2e-10)
    turned = one_dimension(weights[::-1], means[::-1], variances[::-1])
    assert found[1, 0] == pytest.approx(turned, abs=2e-10)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 64), st.floats(0.01, 10.0), st.floats(-4.0, 4.0), st.floats(0.01, 0.99))
def test_spheres_are_exact(d, apart, exponent, weight):
    ratio = float(np.exp(exponent)) if abs(exponent) > 0.05 else 1.1
    means = np.zeros((2, d))
    means[1, 0] = apart
    found = overlap([weight, 1 - weight], means, [ratio, 1.0]).map[0, 1]
    # ratio |z + e|² − |z|² below a bound, by completing the square: one noncentral chi-square.
    bound = 2 * np.log((1 - weight) / weight) + d * np.log(ratio)
    shift = ratio * apart**2 / ratio / (ratio - 1)
    centre = ratio * apart**2 / (ratio - 1) ** 2
    chance = ncx2(d, centre).cdf((bound + shift) / (ratio - 1))
    assert found == pytest.approx(chance if ratio > 1 else 1 - chance, abs=1e-8)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 64), st.floats(0.01, 30.0), st.floats(0.001, 0.999))
def test_equal_covariances_are_exact(d, apart, weight):
    rng = np.random.default_rng(d)
    root = rng.standard_normal((d, d + 3))
    covariance = root @ root.T / d
    direction = np.linalg.cholesky(covariance) @ np.eye(d)[d // 2]
    found = overlap([weight, 1 - weight], [direction * 0, apart * direction], covariance)
    odds = np.log((1 - weight) / weight)
    assert found.map[0, 1] == pytest.approx(ndtr(odds / apart - apart / 2), abs=1e-10)
    assert found.map[1, 0] == pytest.approx(ndtr(-odds / apart - apart / 2), abs=1e-10)


@pytest.mark.parametrize("d", [1, 2, 5, 16, 64])
@pytest.mark.parametrize("difference", [1e-14, 1e-11, 1e-8, 1e-5])
def test_nearly_equal_covariances_differ_little_from_equal_ones(d, difference):
    _, means, covariances = random_components(2, d, d, spread=0.8)
    equal = overlap([0.4, 0.6], means, covariances[0])
    nearly = [covariances[0], covariances[0] + difference * covariances[1]]
    found = overlap([0.4, 0.6], means, nearly)
    assert np.abs(found.map - equal.map).max() <= 20 * d * difference + 1e-10


@pytest.mark.parametrize("d", [2, 3, 8, 32])
def test_near_singular_covariances(d):
    """A map that flattens everything to a condition of 1e12 leaves the overlap as it was."""
    weights, means, covariances = random_components(4, d, 50 + d)
    plain = overlap(weights, means, covariances).map
    flat = np.ones(d)
    flat[-1] = 2.0**-20
    found = overlap(weights, means * flat, covariances * np.outer(flat, flat)).map
    assert np.abs(found - plain).max() < 1e-10


@pytest.mark.parametrize("d", [2, 4, 12])
def test_near_singular_in_different_directions(d):
    rng = np.random.default_rng(d)
    means = rng.random((3, d)) * 0.1
    spreads = np.ones((3, d))
    for k in range(3):
        spreads[k, (k + np.arange(d // 2)) % d] = 2.0**-36
    covariances = spreads[:, :, None] * np.eye(d)
    weights = np.full(3, 1 / 3)
    counted, error = monte_carlo(weights, means, covariances, 40_000, rng)
    assert (np.abs(overlap(weights, means, covariances).map - counted) <= 4 * error).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), st.integers(1, 20), st.integers(0, 10**6))
def test_common_affine_map_changes_nothing(k, d, seed):
    weights, means, covariances = random_components(k, d, seed)
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0] * np.exp(rng.uniform(-2, 2, d))
    moved = overlap(weights, means @ turn.T + 5.0, turn @ covariances @ turn.T)
    assert np.abs(moved.map - overlap(weights, means, covariances).map).max() < 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), st.integers(1, 20), st.integers(0, 10**6))
def test_order_of_components_does_not_matter(k, d, seed):
    weights, means, covariances = random_components(k, d, seed)
    order = np.random.default_rng(seed).permutation(k)
    found = overlap(weights[order], means[order], covariances[order]).map
    expected = overlap(weights, means, covariances).map[np.ix_(order, order)]
    assert np.abs(found - expected).max() < 1e-10


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), st.integers(1, 32), st.integers(0, 10**6))
def test_overlap_rises_with_a_common_factor(k, d, seed):
    weights, means, covariances = random_components(k, d, seed, equal_weights=True)
    model = model_of(*as_components(weights, means, covariances)[1:])
    pairs = [overlap_of(model, weights, c).pairs for c in np.geomspace(1e-3, 1e5, 30)]
    pairs.append(overlap_of(model, weights, limit=True).pairs)
    assert (np.diff(pairs, axis=0) >= -1e-11).all()
    assert pairs[-1].max() <= 1 + 1e-10


def test_scales_of_single_components():
    weights, means, covariances = random_components(4, 5, 3)
    scale = np.array([0.5, 2.0, 1.0, 0.1])
    model = model_of(*as_components(weights, means, covariances)[1:])
    direct = overlap(weights, means, scale[:, None, None] * covariances)
    assert np.abs(overlap_of(model, weights, scale).map - direct.map).max() < 1e-12


def test_shapes_of_covariances():
    weights, means, _ = random_components(3, 4, 0)
    variances = np.array([0.1, 0.2, 0.3])
    full = variances[:, None, None] * np.eye(4)
    assert np.array_equal(overlap(weights, means, variances).map, overlap(weights, means, full).map)
    assert np.array_equal(
        overlap(weights, means, full[0]).map, overlap(weights, means, full[[0, 0, 0]]).map
    )


def test_summaries_come_from_the_map():
    found = overlap(*random_components(4, 3, 1))
    both = found.map + found.map.T
    assert found.pairs.tolist() == [both[i, j] for i in range(4) for j in range(i + 1, 4)]
    assert found.mean == found.pairs.mean()
    assert found.max == both[found.max_pair] == found.pairs.max()
    assert np.diag(found.map).tolist() == [1, 1, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        found.map[0, 1] = 0.0


@pytest.mark.parametrize("weight", [0.2, 0.5, 0.8])
def test_a_component_on_top_of_another_loses_to_the_heavier_one(weight):
    found = overlap([weight, 1 - weight], np.ones((2, 3)), np.eye(3)).map
    expected = {0.2: (1.0, 0.0), 0.5: (0.5, 0.5), 0.8: (0.0, 1.0)}[weight]
    assert (found[0, 1], found[1, 0]) == expected


class TestDefectsOfTheRPackage:
    """What goes wrong in MixSim 1.1-8 and must not here."""

    def test_equality_is_not_judged_from_the_first_pair(self):
        weights, means, covariances = random_components(3, 6, 4)
        covariances[1] = covariances[0]
        found = overlap(weights, means, covariances).map
        assert np.abs(found - overlap_map(weights, means, covariances)).max() < 1e-10
        turned = overlap(weights[::-1], means[::-1], covariances[::-1]).map
        assert np.abs(turned[::-1, ::-1] - found).max() < 1e-10

    def test_an_eigenvalue_of_exactly_one(self):
        covariances = np.array([np.diag([1.0, 2.0, 3.0]), np.diag([1.0, 0.5, 4.0])])
        means = np.array([[0.0, 0.0, 0.0], [1.5, 0.5, 1.0]])
        found = overlap([0.5, 0.5], means, covariances).map
        assert np.abs(found - overlap_map([0.5, 0.5], means, covariances)).max() < 1e-10

    def test_no_fault_is_passed_on_as_a_number(self):
        rng = np.random.default_rng(0)
        for d in (1, 2, 3):  # where the package runs out of terms and leaves −1 in the map
            for seed in range(60):
                parts = random_components(3, d, seed, spread=10.0 ** rng.uniform(-3, 3))
                found = overlap(*parts).map
                assert ((found >= 0) & (found <= 1)).all()

    @pytest.mark.parametrize("size", [1e-150, 1e-9, 1e9, 1e150])
    def test_determinants_neither_vanish_nor_overflow(self, size):
        weights, means, covariances = random_components(3, 64, 5)
        plain = overlap(weights, means, covariances).map
        found = overlap(weights, means * size, covariances * size**2).map
        assert np.abs(found - plain).max() < 1e-10

    def test_many_threads_at_once(self):
        from concurrent.futures import ThreadPoolExecutor

        parts = [random_components(6, d, d) for d in (1, 2, 3, 8, 16) * 8]
        alone = [overlap(*p).map for p in parts]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda p: overlap(*p).map, parts))
        assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))

    @pytest.mark.parametrize("near", [1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
    def test_eigenvalues_near_one_do_not_cancel(self, near):
        variances = [1.0, 1.0 + near]
        means = np.array([[0.0], [2.0]])
        found = overlap([0.5, 0.5], means, variances).map
        assert found[0, 1] == pytest.approx(ndtr(-1.0), abs=near + 1e-10)


GOOD = ([0.5, 0.5], [[0.0, 0.0], [1.0, 1.0]], [[[1.0, 0.0], [0.0, 1.0]]] * 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: [0.5, 0.6]}, "sum to 1.1"),
        ({0: [1.0, 0.0]}, r"weights\[1\]=0.0 is not positive"),
        ({0: [1.2, -0.2]}, "not positive"),
        ({0: [1.0]}, "one for each of the 2 means"),
        ({0: [0.5, np.nan]}, "weights contains NaN"),
        ({1: [[0.0, 0.0]]}, "2 components or more"),
        ({1: [0.0, 1.0]}, "components × features"),
        ({1: [[0.0, np.inf], [1.0, 1.0]]}, "means contains NaN or infinity"),
        ({2: np.ones((2, 2, 3))}, "for 2 components and 2 features give"),
        ({2: [np.eye(2), [[1.0, 0.5], [0.0, 1.0]]]}, "component 1 is not symmetric"),
        ({2: [np.eye(2), np.diag([1.0, -1.0])]}, "component 1 is not positive definite"),
        ({2: [np.ones((2, 2)), np.eye(2)]}, "component 0 is not positive definite"),
        ({2: [1.0, 0.0]}, "component 1 is not positive definite"),
    ],
)
def test_bad_arguments(change, message):
    arguments = [change.get(i, given) for i, given in enumerate(GOOD)]
    with pytest.raises(ValueError, match=message):
        overlap(*arguments)
