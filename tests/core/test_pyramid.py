"""Pictures of rows on a grid natively against the same in plain NumPy."""

import numpy as np
import pytest

from seedbed._core import _native
from seedbed._core._pyramid import sort_cells


def example(n, d, bits, spread, weighted):
    rng = np.random.default_rng(n + d)
    middle = rng.integers(0, 2**bits, size=(3, d))
    rows = middle[rng.integers(3, size=n)] + np.round(spread * 2**bits * rng.normal(size=(n, d)))
    rows = np.clip(rows, 0, 2**bits - 1).astype(np.uint16)
    return rows, rng.gamma(2.0, size=n) if weighted else None


def expected_picture(rows, weight, keys, level):
    """Means and masses by cell; the finest picture minds attributes that are no keys, too."""
    by = rows if level == 0 else rows[:, keys] >> level
    _, labels = np.unique(by, axis=0, return_inverse=True)
    labels, weight = labels.reshape(-1), np.ones(len(rows)) if weight is None else weight
    masses = np.bincount(labels, weights=weight)
    sums = [np.bincount(labels, weights=weight * column) for column in rows.T]
    return np.column_stack(sums) / masses[:, np.newaxis], masses


def in_order(means, masses):
    return np.column_stack([means, masses])[np.lexsort([masses, *means.round(6).T])]


SHAPES = [(1, 1, 8), (500, 1, 16), (4000, 2, 5), (6000, 3, 8), (3000, 10, 8), (800, 12, 16)]


WANTED = [(1, 1.0), (20, 0.5), (300, 0.1)]  # cells at least, and at most as a share of the rows


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spread", [0.002, 0.1])
@pytest.mark.parametrize(("n", "d", "bits"), SHAPES)
@pytest.mark.parametrize("all_keys", [False, True])
@pytest.mark.parametrize(("least", "share"), WANTED)
def test_pictures_equal_numpy(n, d, bits, spread, weighted, all_keys, least, share):
    rows, weight = example(n, d, bits, spread, weighted)
    keys = np.arange(d) if all_keys else np.arange(0, d, 2)
    cells = sort_cells(rows, bits, keys, weight, least=least, most=share * n)
    expected = [expected_picture(rows, weight, keys, level) for level in range(bits + 1)]
    sizes = [len(masses) for _, masses in expected]
    assert cells.sizes(bits + 1)[cells.level :].tolist() == sizes[cells.level :]
    if cells.level > 0:  # finer pictures are not wanted
        assert sizes[cells.level] >= least
        assert sizes[cells.level - 1] > share * n or sizes[cells.level] > share * n
    for level in range(cells.level, bits + 1):
        cells = cells.coarser(level) if level > cells.level else cells
        assert cells.sizes(bits + 1)[level:].tolist() == sizes[level:]
        found, there = in_order(cells.means, cells.mass), in_order(*expected[level])
        np.testing.assert_allclose(found, there, rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_the_order_of_rows_does_not_matter(share):
    rows, _ = example(50_000, 4, 8, 0.05, False)
    order = np.random.default_rng(0).permutation(len(rows))
    one, other = (
        sort_cells(r, 8, np.arange(4), None, least=20, most=share * len(rows))
        for r in (rows, rows[order])
    )
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_does_not_fit_is_refused():
    rows = np.zeros((4, 2), np.uint16)
    for bits, keys, weight in ((0, [0], None), (17, [0], None), (8, [2], None), (8, [], None)):
        with pytest.raises(ValueError, match=r"please|out of range"):
            sort_cells(rows, bits, np.array(keys), weight, least=1, most=4)
    with pytest.raises(ValueError, match="one weight per row"):
        sort_cells(rows, 8, np.array([0]), np.ones(3), least=1, most=4)
    cells = sort_cells(rows, 8, np.array([0, 1]), None, least=1, most=4)
    with pytest.raises(ValueError, match="do not fit"):
        _native.make_picture(*cells[1:], 1, np.empty((2, 2)), np.empty(2), np.empty(2, np.uint8))
