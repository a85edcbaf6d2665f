"""Plain NumPy twins of Var-Part and PCA-Part, and of the k-means that the study ran after them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Split:
    cluster: int
    axis: np.ndarray
    threshold: float
    sse: float
    sizes: tuple[int, int]


def error(X, weight):
    mean = np.average(X, axis=0, weights=weight)
    return float(weight @ ((X - mean) ** 2).sum(axis=1))


def direction(X, weight, kind):
    """The axis of the largest variance, among attributes or among all directions."""
    centred = X - np.average(X, axis=0, weights=weight)
    if kind == "attribute":
        return np.eye(X.shape[1])[np.argmax(weight @ centred**2)]
    axis = np.linalg.eigh((centred.T * weight) @ centred)[1][:, -1]
    return axis * np.sign(axis[np.argmax(np.abs(axis))])


def otsu(y, weight, bins):
    """Upper edge of the last bin on the left, and which rows lie left of it."""
    low, range_ = y.min(), np.ptp(y)
    bin_of = np.minimum(bins - 1, np.floor(bins * (y - low) / range_)).astype(int)
    share = np.bincount(bin_of, weight, bins) / weight.sum()
    left, moment = np.cumsum(share)[:-1], np.cumsum(share * np.arange(bins))[:-1]
    total = share @ np.arange(bins)
    between = (total * left - moment) ** 2 / (left * (1 - left))
    best = int(np.argmax(np.round(between / between.max(), 10)))
    return low + range_ * (best + 1) / bins, bin_of <= best


def exact(y, weight):
    """The midpoint between the neighbours that leave the least error on both sides."""
    values, kind = np.unique(y, return_inverse=True)
    centred = (y - np.average(y, weights=weight)).astype(np.longdouble)
    mass = np.cumsum(np.bincount(kind, weight).astype(np.longdouble))
    moment = np.zeros(len(values), dtype=np.longdouble)
    np.add.at(moment, kind, weight * centred)
    left, first = mass[:-1], np.cumsum(moment)[:-1]
    gain = first**2 / left + (moment.sum() - first) ** 2 / (mass[-1] - left)
    best = int(np.argmax(np.round((gain / gain.max()).astype(float), 12)))
    cut = (values[best + 1] + values[best]) / 2
    return cut, y <= cut


def divide(X, k, kind, threshold="mean", weight=None, bins=256):
    """Centres and splits, by the definition."""
    X = X.astype(np.float64)
    weight = np.ones(len(X)) if weight is None else weight
    parts, splits = [np.arange(len(X))], []
    while len(parts) < k:
        errors = [error(X[rows], weight[rows]) for rows in parts]
        worst = int(np.argmax(errors))
        rows = parts[worst]
        axis = direction(X[rows], weight[rows], kind)
        y, w = X[rows] @ axis, weight[rows]
        if threshold == "mean":
            at = np.average(y, weights=w)
            left = y <= at + 1e-12 * np.ptp(y)
        else:
            at, left = otsu(y, w, bins) if threshold == "otsu" else exact(y, w)
        parts[worst] = rows[left]
        parts.append(rows[~left])
        sizes = int(left.sum()), int((~left).sum())
        splits.append(Split(worst, axis, at, errors[worst], sizes))
    centers = [np.average(X[rows], axis=0, weights=weight[rows]) for rows in parts]
    return np.array(centers), splits


def lloyd(X, centers, tol=1e-6, max_iter=100):
    """Final SSE of plain Lloyd with the study's stopping rule."""
    previous = np.inf
    for _ in range(max_iter):
        square = ((X[:, None, :] - centers[None]) ** 2).sum(axis=2)
        labels, sse = square.argmin(axis=1), square.min(axis=1).sum()
        if previous - sse <= tol * sse:
            return sse
        previous = sse
        centers = np.array([X[labels == c].mean(axis=0) for c in range(len(centers))])
    return sse


def minmax(X):
    """Attributes to [0, 1]; constant ones to 0."""
    X = X.astype(np.float64)
    range_ = np.ptp(X, axis=0)
    return np.ascontiguousarray((X - X.min(axis=0)) / np.where(range_ > 0, range_, 1))
