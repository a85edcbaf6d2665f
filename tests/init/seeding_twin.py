"""The native seeding in plain NumPy, for the tests."""

import numpy as np


def _draw(mass, u):
    """First row whose prefix sum exceeds u times the total; never a row without mass."""
    prefix = np.cumsum(mass)
    row = int(np.searchsorted(prefix, u * prefix[-1], side="right"))
    return min(row, int(np.flatnonzero(mass)[-1]))


def draw_seeds(X, uniforms, weight=None):
    """Rows and potentials of (greedy) k-means++ with the given uniform numbers."""
    x = np.asarray(X, dtype=np.float64)
    weight = np.ones(len(x)) if weight is None else weight
    rows = [_draw(weight, uniforms[0, 0])]
    nearest = ((x - x[rows[0]]) ** 2).sum(axis=1)
    potential = [float(weight @ nearest)]
    for u in uniforms[1:]:
        if potential[-1] == 0:
            break
        candidates = [_draw(weight * nearest, v) for v in u]
        after = [np.minimum(nearest, ((x - x[c]) ** 2).sum(axis=1)) for c in candidates]
        sums = [float((weight * a).sum()) for a in after]
        best = int(np.argmin(sums))
        rows.append(candidates[best])
        nearest = after[best]
        potential.append(sums[best])
    return np.array(rows), np.array(potential)


def farthest_seeds(X, n_clusters, first):
    """Rows of maximin and the distance of each to those before it."""
    x = np.asarray(X, dtype=np.float64)
    rows, radii = [first], []
    nearest = ((x - x[first]) ** 2).sum(axis=1)
    while len(rows) < n_clusters and nearest.max() > 0:
        rows.append(int(nearest.argmax()))
        radii.append(float(np.sqrt(nearest.max())))
        nearest = np.minimum(nearest, ((x - x[rows[-1]]) ** 2).sum(axis=1))
    return np.array(rows), np.array(radii)


def spread_seeds(X, rows):
    """Seeds after every later row was let to replace one, and how many did."""
    x = np.asarray(X, dtype=np.float64)
    chosen, replaced = np.array(rows), 0
    for i in range(chosen[-1] + 1, len(x)):
        gaps = ((x[chosen][:, None] - x[chosen][None]) ** 2).sum(axis=2)
        np.fill_diagonal(gaps, np.inf)
        to_seeds = ((x[i] - x[chosen]) ** 2).sum(axis=1)
        q, second = np.argsort(to_seeds, kind="stable")[:2]
        m, n = np.unravel_index(gaps.argmin(), gaps.shape)
        if to_seeds[q] > gaps[m, n]:
            chosen[n if to_seeds[n] < to_seeds[m] else m] = i
        elif to_seeds[second] > gaps[q].min():
            chosen[q] = i
        else:
            continue
        replaced += 1
    return chosen, replaced
