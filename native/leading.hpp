// The eigenvector of the largest eigenvalue of a symmetric positive semi-definite matrix that is known
// by its action on vectors: Lanczos' iteration with full reorthogonalisation. Plain loops in a fixed
// order: the same bits on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "points.hpp"

namespace seedbed {

struct Leading {
    std::vector<double> vector;  // of length one
    double value = 0.0;
    double residual = 0.0;       // |A v - value v| / value
};

namespace leading_detail {

inline double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// Divides by the length, which is returned; a vector of zeros stays as it is.
inline double normalise(std::vector<double>& v) {
    const double length = std::sqrt(dot(v.data(), v.data(), v.size()));
    if (length > 0.0)
        for (double& c : v) c /= length;
    return length;
}

// Pivots of x I - T; all positive just when x exceeds every eigenvalue of T.
inline bool pivots_of(const std::vector<double>& diagonal, const std::vector<double>& beside, double x, std::vector<double>& pivots) {
    pivots.resize(diagonal.size());
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        pivots[i] = x - diagonal[i] - (i > 0 ? beside[i - 1] * (beside[i - 1] / pivots[i - 1]) : 0.0);
        if (!(pivots[i] > 0.0)) return false;
    }
    return true;
}

// Largest eigenvalue (from above, by bisection) and its vector (by inverse iteration) of a tridiagonal
// matrix. What lies beside the diagonal is positive, so is the vector, and a start of ones cannot miss it.
inline double leading_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside, std::vector<double>& vector) {
    const std::size_t m = diagonal.size();
    double low = *std::max_element(diagonal.begin(), diagonal.end()), high = low;
    for (std::size_t i = 0; i < m; ++i)
        high = std::max(high, diagonal[i] + (i > 0 ? beside[i - 1] : 0.0) + (i + 1 < m ? beside[i] : 0.0));
    if (!(high > 0.0)) {  // a matrix of zeros
        vector.assign(m, 0.0);
        vector[0] = 1.0;
        return 0.0;
    }
    high *= 1 + 0x1p-50;
    std::vector<double> pivots;
    for (double middle = low + (high - low) / 2; low < middle && middle < high; middle = low + (high - low) / 2)
        (pivots_of(diagonal, beside, middle, pivots) ? high : low) = middle;
    vector.assign(m, 1.0);
    pivots_of(diagonal, beside, high, pivots);
    for (int round = 0; round < 4; ++round) {
        for (std::size_t i = 1; i < m; ++i) vector[i] += beside[i - 1] / pivots[i - 1] * vector[i - 1];
        for (std::size_t i = 0; i < m; ++i) vector[i] /= pivots[i];
        for (std::size_t i = m - 1; i > 0; --i) vector[i - 1] += beside[i - 1] / pivots[i - 1] * vector[i];
        normalise(vector);
    }
    return high;
}

// Takes from v what lies along the rows of the basis.
inline void orthogonalise(std::vector<double>& v, const std::vector<std::vector<double>>& basis) {
    for (const std::vector<double>& q : basis) {
        const double along = dot(q.data(), v.data(), v.size());
        for (std::size_t j = 0; j < v.size(); ++j) v[j] -= along * q[j];
    }
}

}  // namespace leading_detail

// `apply(v, out)` computes out = A v. Ends when the residual is below `tolerance` or after `max_steps`.
inline Leading leading_eigenvector(std::vector<double> start, const std::function<void(const double*, double*)>& apply,
                                   double tolerance, int max_steps) {
    using namespace leading_detail;
    const std::size_t d = start.size();
    std::vector<std::vector<double>> basis;
    std::vector<double> diagonal, beside, ritz, next(d);
    normalise(start);
    basis.push_back(std::move(start));
    Leading result;
    for (int step = 1;; ++step) {
        apply(basis.back().data(), next.data());
        diagonal.push_back(dot(basis.back().data(), next.data(), d));
        for (int twice = 0; twice < 2; ++twice) orthogonalise(next, basis);
        const double length = normalise(next);
        result.value = leading_of_tridiagonal(diagonal, beside, ritz);
        result.residual = result.value > 0.0 ? length * std::abs(ritz.back()) / result.value : 0.0;
        if (result.residual <= tolerance || step >= max_steps || basis.size() == d) break;
        beside.push_back(length);
        basis.push_back(next);
    }
    result.vector.assign(d, 0.0);
    for (std::size_t i = 0; i < basis.size(); ++i)
        for (std::size_t j = 0; j < d; ++j) result.vector[j] += ritz[i] * basis[i][j];
    normalise(result.vector);
    return result;
}

}  // namespace seedbed
