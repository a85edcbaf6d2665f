"""Plain NumPy twins of what the native engine does, and data to try both on."""

from __future__ import annotations

import numpy as np


def squares(X, centers):
    """Squared distances n × k from differences, in the engine's order of summation: feature j goes
    to partial sum j % 4, and the four are added as (0 + 1) + (2 + 3)."""
    X, centers = X.astype(np.float64), centers.astype(np.float64)
    lanes = np.zeros((4, len(X), len(centers)))
    for j in range(X.shape[1]):
        difference = X[:, j, None] - centers[None, :, j]
        lanes[j % 4] += difference * difference
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


def nearest(X, centers):
    """Labels of plain Lloyd: the lowest index among the nearest centres."""
    return squares(X, centers).argmin(axis=1).astype(np.int32)


def sse(X, centers, labels, weight=None):
    d = X.astype(np.float64) - centers.astype(np.float64)[labels]
    return float(np.sum((1.0 if weight is None else weight) * np.sum(d * d, axis=1)))


def means(X, labels, centers, weight=None):
    """New centres; an empty cluster keeps its own."""
    weight = np.ones(len(X)) if weight is None else weight
    out = centers.astype(np.float64).copy()
    for c in range(len(centers)):
        mine = labels == c
        if weight[mine].sum() > 0:
            out[c] = np.average(X[mine].astype(np.float64), axis=0, weights=weight[mine])
    return out.astype(X.dtype)


def lloyd(X, centers, *, stop, tol, max_iter):
    """(labels, centres, SSE per iteration, reason) of a loop written as the rules are stated."""
    centers = np.array(centers, dtype=X.dtype)
    labels, previous, history = None, None, []
    threshold = tol * X.astype(np.float64).var(axis=0).mean()
    for iteration in range(max_iter):
        found = nearest(X, centers)
        error = sse(X, centers, found)
        history.append(error)
        if labels is not None and (found == labels).all():
            return found, centers, history, "labels"
        if stop == "sse" and previous is not None and previous - error <= tol * error:
            return found, centers, history, "sse"
        labels, previous = found, error
        moved = means(X, labels, centers)
        shift = np.sum((moved.astype(np.float64) - centers) ** 2)
        centers = moved
        still = stop == "centers" and shift <= threshold
        if still or iteration + 1 == max_iter:
            return nearest(X, centers), centers, history, "centers" if still else "max_iter"
    raise AssertionError("max_iter is at least 1")


def blobs(n=600, d=5, k=6, *, seed=0, spread=1.0, dtype=np.float64):
    """Overlapping clusters, and k of the rows to start from."""
    rng = np.random.default_rng(seed)
    middles = rng.normal(size=(k, d)) * 2
    X = (middles[rng.integers(k, size=n)] + spread * rng.normal(size=(n, d))).astype(dtype)
    return X, X[rng.choice(n, k, replace=False)].copy()
