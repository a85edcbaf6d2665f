"""Small data sets with known answers."""

import numpy as np

G6 = np.array([[0.0], [1], [2], [10], [11], [12]])

F9 = np.array(
    [[0.0, 0], [1, 0], [0, 1], [10, 0], [11, 0], [10, 1], [0, 10], [1, 10], [0, 11]]
)  # mean (11/3, 11/3), SSE of one cluster 404, of the best three 4

# Ruspini's data, 75 × 2.
_RUSPINI = """
4,53 5,63 10,59 9,77 13,49 13,69 12,88 15,75 18,61 19,65 22,74 27,72 28,76 24,58 27,55 28,60 30,52
31,60 32,61 36,72 28,147 32,149 35,153 33,154 38,151 41,150 38,145 38,143 32,143 34,141 44,156
44,149 44,143 46,142 47,149 49,152 50,142 53,144 52,152 55,155 54,124 60,136 63,139 86,132 85,115
85,96 78,94 74,96 97,122 98,116 98,124 99,119 99,128 101,115 108,111 110,111 108,116 111,126 115,117
117,115 70,4 77,12 83,21 61,15 69,15 78,16 66,18 58,13 64,20 69,21 66,23 61,25 76,27 72,31 64,30
"""
RUSP = np.array([pair.split(",") for pair in _RUSPINI.split()], dtype=np.float64)


def sse(X, centers, weight=None):
    """Sum of squared distances to the nearest centre."""
    squares = ((X[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2).min(axis=1)
    return float(squares.sum() if weight is None else weight @ squares)


def blobs(n, d, k, *, seed=0, spread=0.1):
    """Rows around k random centres, in random order."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-1, 1, size=(k, d))
    return centers[rng.integers(0, k, n)] + spread * rng.normal(size=(n, d))
