"""Logarithms of upper tail probabilities, exact where the probabilities themselves underflow.

With thousands of data sets the statistics go far beyond what a double can express: at z = 129 the
p-value is about 1e-3616. Every test therefore works with log p.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

FloatArray = NDArray[np.float64]

_STEP = 0.05  # of the trapezoidal rule; the integrand is smooth, so this gives full precision
_REACH = 12.0  # beyond this many deviations the integrand is below any rounding error


def log_two_sided(z: FloatArray) -> FloatArray:
    """Log of P(|Z| >= |z|) for a standard normal Z."""
    tail: FloatArray = np.minimum(0.0, math.log(2.0) + special.log_ndtr(-np.abs(z)))
    return tail


def log_chi2(statistic: float, df: int) -> float:
    """Log of the upper tail of chi-squared, by the finite sum of positive terms for integer df."""
    half = statistic / 2.0
    if half == 0.0:
        return 0.0
    powers = np.arange(df / 2.0 - 1.0, -0.75, -1.0)  # down to 0, or to -1/2 where df is odd
    terms = powers * math.log(half) - half - special.gammaln(powers + 1.0)
    if df % 2:
        # erfc(sqrt(x/2)) is the tail for one degree of freedom, and takes the place of power -1/2
        terms[-1] = log_two_sided(np.array(math.sqrt(statistic)))
    return min(0.0, float(special.logsumexp(terms)))


def log_f(statistic: float, df1: int, df2: int) -> float:
    """Log of the upper tail of the F distribution."""
    if math.isinf(statistic):
        return -math.inf
    a, b = df2 / 2.0, df1 / 2.0
    y = df2 / (df2 + df1 * statistic)
    tail = float(special.betainc(a, b, y))
    if tail > 1e-290:
        return math.log(tail)
    # I_y(a, b) = y^a (1-y)^b / (a B(a, b)) · (1 + Σ of positive, falling terms)
    total, term, n = 1.0, 1.0, 0
    while term > 1e-17 * total:
        term *= y * (a + b + n) / (a + 1.0 + n)
        total += term
        n += 1
    front = a * math.log(y) + b * math.log1p(-y) - math.log(a) - float(special.betaln(a, b))
    return front + math.log(total)


def log_studentised_range(q: FloatArray, n_groups: int) -> FloatArray:
    """Log of the upper tail of the range of `n_groups` standard normals.

    With the largest at x, the range exceeds q unless all others lie within (x - q, x). The tail is
    the integral of n φ(x) (Φ(x)^(n-1) - (Φ(x) - Φ(x-q))^(n-1)), in which nothing cancels once the
    difference is written with log1p and expm1; summed in logarithms it never underflows.
    """
    q = np.asarray(q, dtype=np.float64)
    out = np.zeros(q.shape)
    for i, value in np.ndenumerate(q):
        if value > 0.0:  # the range always exceeds 0
            x = np.arange(-_REACH, value + _REACH, _STEP)
            log_below = special.log_ndtr(x)
            log_outside = _log_any(special.log_ndtr(x - value) - log_below, n_groups - 1)
            log_density = -0.5 * x * x - 0.5 * math.log(2.0 * math.pi)
            log_terms = log_density + (n_groups - 1) * log_below + log_outside
            out[i] = math.log(n_groups * _STEP) + special.logsumexp(log_terms)
    return np.minimum(0.0, out)


def _log_any(log_p: FloatArray, n: int) -> FloatArray:
    """Log of the probability that at least one of n independent events of probability p happens."""
    rare = log_p < -40.0  # then it is n p to the last digit, and p itself may underflow
    p = np.exp(np.where(rare, -40.0, log_p))
    with np.errstate(divide="ignore"):  # p = 1: the others never happen
        log_none = n * np.log1p(-p)
    return np.where(rare, math.log(n) + log_p, np.log(-np.expm1(log_none)))


def studentised_range_quantile(alpha: float, n_groups: int) -> float:
    """The q that the range of `n_groups` standard normals exceeds with probability alpha."""

    def excess(q: float) -> float:
        return float(log_studentised_range(np.array(q), n_groups)) - math.log(alpha)

    return float(optimize.brentq(excess, 0.0, 100.0, xtol=1e-12))
