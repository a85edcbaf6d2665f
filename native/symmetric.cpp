#include "symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace seedbed {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// sqrt(a^2 + b^2) without overflow; unlike std::hypot the same everywhere.
double length(double a, double b) {
    const double big = std::max(std::fabs(a), std::fabs(b)), small = std::min(std::fabs(a), std::fabs(b));
    if (big == 0.0) return 0.0;
    const double ratio = small / big;
    return big * std::sqrt(1.0 + ratio * ratio);
}

double dot(const double* x, const double* y, index_t n) {
    double sum = 0.0;
    for (index_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

void add_multiple(double* y, double factor, const double* x, index_t n) {
    for (index_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

// One Householder step: makes row k zero beyond k + 1 and applies the reflection to what is left, and to `along`.
void reflect(double* a, index_t d, index_t k, double* diagonal, double* beside, double* along, double* v, double* w) {
    const index_t m = d - k - 1;
    const double* row = a + k * d + k + 1;
    diagonal[k] = a[k * d + k];
    const double norm = std::sqrt(dot(row, row, m));
    if (m == 1 || norm == 0.0) {
        beside[k] = row[0];
        return;
    }
    std::copy(row, row + m, v);
    beside[k] = row[0] > 0.0 ? -norm : norm;
    v[0] -= beside[k];
    const double factor = 2.0 / dot(v, v, m);
    std::fill(w, w + m, 0.0);
    double* rest = a + (k + 1) * d + k + 1;  // m x m, symmetric, both halves kept
    for (index_t i = 0; i < m; ++i) add_multiple(w, factor * v[i], rest + i * d, m);
    add_multiple(w, -0.5 * factor * dot(v, w, m), v, m);
    for (index_t i = 0; i < m; ++i) {
        double* line = rest + i * d;
        const double vi = v[i], wi = w[i];
        for (index_t j = 0; j < m; ++j) line[j] -= vi * w[j] + wi * v[j];
    }
    add_multiple(along + k + 1, -factor * dot(v, along + k + 1, m), v, m);
}

// Implicit QL with Wilkinson's shift on a tridiagonal matrix; rotations are applied to `along`.
void iterate_ql(double* diagonal, double* beside, index_t d, double* along) {
    for (index_t l = 0; l < d; ++l) {
        for (int iteration = 0;; ++iteration) {
            index_t m = l;
            while (m < d - 1 && std::fabs(beside[m]) > kEpsilon * (std::fabs(diagonal[m]) + std::fabs(diagonal[m + 1]))) ++m;
            if (m == l) break;
            if (iteration == 100) throw std::runtime_error("the eigenvalue iteration did not converge");
            double g = (diagonal[l + 1] - diagonal[l]) / (2.0 * beside[l]);
            g = diagonal[m] - diagonal[l] + beside[l] / (g + std::copysign(length(g, 1.0), g));
            double s = 1.0, c = 1.0, p = 0.0;
            index_t i = m - 1;
            for (; i >= l; --i) {
                const double f = s * beside[i], b = c * beside[i], r = length(f, g);
                beside[i + 1] = r;
                if (r == 0.0) break;
                s = f / r;
                c = g / r;
                const double shifted = diagonal[i + 1] - p, t = (diagonal[i] - shifted) * s + 2.0 * c * b;
                p = s * t;
                diagonal[i + 1] = shifted + p;
                g = c * t - b;
                const double upper = along[i + 1];
                along[i + 1] = s * along[i] + c * upper;
                along[i] = c * along[i] - s * upper;
            }
            if (i >= l) {  // an early zero splits the matrix
                diagonal[i + 1] -= p;
            } else {
                diagonal[l] -= p;
                beside[l] = g;
            }
            beside[m] = 0.0;
        }
    }
}

}  // namespace

bool cholesky(double* a, index_t d) {
    for (index_t i = 0; i < d; ++i) {
        double* row = a + i * d;
        for (index_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, a + j * d, j)) / a[j * d + j];
        const double pivot = row[i] - dot(row, row, i);
        // Below this the pivot is rounding noise of the subtraction, not a variance.
        if (!(pivot > row[i] * kEpsilon)) return false;
        row[i] = std::sqrt(pivot);
        std::fill(row + i + 1, row + d, 0.0);
    }
    return true;
}

void solve_lower(const double* l, double* x, index_t d) {
    for (index_t i = 0; i < d; ++i) x[i] = (x[i] - dot(l + i * d, x, i)) / l[i * d + i];
}

void eigen_along(double* a, index_t d, std::vector<double>& values, double* along) {
    std::vector<double> beside(d, 0.0), v(d), w(d), unsorted(d), components(along, along + d);
    for (index_t k = 0; k + 1 < d; ++k) reflect(a, d, k, unsorted.data(), beside.data(), components.data(), v.data(), w.data());
    unsorted[d - 1] = a[d * d - 1];
    iterate_ql(unsorted.data(), beside.data(), d, components.data());
    std::vector<index_t> order(d);
    std::iota(order.begin(), order.end(), index_t{0});
    std::stable_sort(order.begin(), order.end(), [&](index_t i, index_t j) { return unsorted[i] < unsorted[j]; });
    values.resize(d);
    for (index_t l = 0; l < d; ++l) {
        values[l] = unsorted[order[l]];
        along[l] = components[order[l]];
    }
}

void squares_along_left(std::vector<double> columns, const double* vector, index_t d, std::vector<double>& values,
                        std::vector<double>& squares) {
    bool rotated = true;
    for (int sweep = 0; rotated; ++sweep) {
        if (sweep == 60) throw std::runtime_error("the singular value iteration did not converge");
        rotated = false;
        for (index_t i = 0; i < d; ++i) {
            for (index_t j = i + 1; j < d; ++j) {
                double *x = &columns[i * d], *y = &columns[j * d];
                const double xx = dot(x, x, d), yy = dot(y, y, d), xy = dot(x, y, d);
                if (std::fabs(xy) <= 4.0 * kEpsilon * std::sqrt(xx) * std::sqrt(yy)) continue;
                rotated = true;
                const double tau = (yy - xx) / (2.0 * xy);
                const double t = std::copysign(1.0, tau) / (std::fabs(tau) + length(1.0, tau));
                const double c = 1.0 / std::sqrt(1.0 + t * t), s = c * t;
                for (index_t r = 0; r < d; ++r) {
                    const double old = x[r];
                    x[r] = c * old - s * y[r];
                    y[r] = s * old + c * y[r];
                }
            }
        }
    }
    values.resize(d);
    squares.resize(d);
    for (index_t l = 0; l < d; ++l) {
        const double* x = &columns[l * d];
        values[l] = dot(x, x, d);
        const double along = dot(x, vector, d) / std::sqrt(values[l]);
        squares[l] = along * along;
    }
}

}  // namespace seedbed
