"""Local search in plain NumPy: what the native kernels must reproduce."""

import numpy as np


def squares(X, centers):
    return ((X[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)


def cost(X, centers, weight):
    return float(weight @ squares(X, centers).min(axis=1))


def draw(mass, u):
    cumulative = np.cumsum(mass)
    return int(np.searchsorted(cumulative, u * cumulative[-1], side="right"))


def swap_search(X, centers, uniforms, weight):
    """Swaps judged by computing the whole error again; greedy removal where there are several."""
    centers, history = centers.copy(), [cost(X, centers, weight)]
    for step in uniforms:
        mass = weight * squares(X, centers).min(axis=1)
        more = np.concatenate([centers, X[[draw(mass, u) for u in step]]])
        places = list(range(len(centers))) + [-1] * len(step)
        for _ in step:
            costs = [cost(X, np.delete(more, c, axis=0), weight) for c in range(len(more))]
            worst = int(np.argmin(costs))
            more = np.delete(more, worst, axis=0)
            places.pop(worst)
        if min(costs) < history[-1]:
            kept = np.array(places) >= 0
            free = sorted(set(range(len(centers))) - set(places))
            centers[free] = more[~kept]
        history.append(min(min(costs), history[-1]))
    return centers, history


def best_means(X, centers, row, weight):
    """Least error about the means over all ways to leave one of centres and row out."""
    more = np.concatenate([centers, X[[row]]])
    errors = []
    for out in range(len(more)):
        labels = squares(X, np.delete(more, out, axis=0)).argmin(axis=1)
        error = 0.0
        for c in np.unique(labels):
            inside = labels == c
            mean = np.average(X[inside], axis=0, weights=weight[inside])
            error += weight[inside] @ ((X[inside] - mean) ** 2).sum(axis=1)
        errors.append(error)
    return min(errors)


def hartigan(X, labels, k, weight):
    """Passes over the rows in order, every term computed anew; labels and the SSE after each."""
    labels, history = labels.copy(), []
    while True:
        moved = 0
        for i, x in enumerate(X):
            mass = np.bincount(labels, weights=weight, minlength=k)
            a, w = labels[i], weight[i]
            if w == 0 or not mass[a] > w:
                continue
            means = np.stack(
                [np.average(X[labels == c], axis=0, weights=weight[labels == c]) for c in range(k)]
            )
            away = ((x - means) ** 2).sum(axis=1)
            terms = mass / (mass + w) * away
            terms[a] = mass[a] / (mass[a] - w) * away[a] * (1 - 1e-12)
            if terms.argmin() != a:
                labels[i] = terms.argmin()
                moved += 1
        means = np.stack(
            [np.average(X[labels == c], axis=0, weights=weight[labels == c]) for c in range(k)]
        )
        history.append(weight @ ((X - means[labels]) ** 2).sum(axis=1))
        if moved == 0:
            return labels, history
