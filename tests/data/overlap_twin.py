"""Overlap in plain NumPy, one direction at a time: what the native kernel is held against.

The integral of native/overlap.hpp over the straight line through 1/2, on a grid so fine and long
that it needs no care; for five dimensions or more, where the integrand fades by itself.
"""

import numpy as np


def overlap_map(weights, means, covariances):
    k = len(weights)
    out = np.eye(k)
    for i in range(k):
        for j in range(k):
            if i != j:
                out[i, j] = _one_way(weights, means, covariances, i, j)
    return out


def _one_way(weights, means, covariances, i, j):
    values, vectors = np.linalg.eigh(covariances[i])
    root = (vectors * np.sqrt(values)) @ vectors.T
    lam, gamma = np.linalg.eigh(root @ np.linalg.inv(covariances[j]) @ root)
    delta = gamma.T @ np.linalg.solve(root, means[i] - means[j])
    u = np.arange(0.0, 25.0, 0.005)
    t = 0.5 + 0.3j * np.sinh(u)
    factors = 1.0 + t[:, None] * (lam - 1.0)
    g = (
        -0.5 * np.log(factors).sum(axis=1)
        + t * (0.5 * np.log(lam).sum() + np.log(weights[j] / weights[i]))
        - 0.5 * t * (1.0 - t) * (lam * delta**2 / factors).sum(axis=1)
    )
    values = np.exp(g) / t * 0.3j * np.cosh(u)
    values[0] /= 2.0
    return values.sum().imag * 0.005 / np.pi


def monte_carlo(weights, means, covariances, n, rng):
    """Overlap by counting, and its standard errors."""
    k, d = np.shape(means)
    factors = np.linalg.cholesky(covariances)
    out, error = np.eye(k), np.zeros((k, k))

    def log_density(x, j):
        z = np.linalg.solve(factors[j], (x - means[j]).T)
        log_root = np.log(np.diag(factors[j])).sum()
        return np.log(weights[j]) - log_root - 0.5 * (z**2).sum(axis=0)

    for i in range(k):
        x = means[i] + rng.standard_normal((n, d)) @ factors[i].T
        own = log_density(x, i)
        for j in range(k):
            if i != j:
                share = (log_density(x, j) > own).mean()
                out[i, j] = share
                error[i, j] = np.sqrt(max(share * (1 - share), 1.0 / n) / n)
    return out, error
