// What the divisive methods need to know of a cluster, as sums that do not depend on the order of rows:
// a value in [-1, 1] is cut into a multiple of 2^-40 and a rest rounded to a multiple of 2^-80. Of such
// parts up to kExactRows add without any rounding in a double; the caller then moves them to integers.
// A row's own value (a difference, a square, a dot product) is rounded once, in a fixed order of
// attributes, so every row contributes the same bits wherever it stands.
#pragma once

#include "partition_kernels.hpp"
#include "rowload.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

static inline void add_exactly(double4 v, double* high, double* low) {
    constexpr double to_40_bits = 0x1.8p12, to_80_bits = 0x1.8p-28;  // 1.5 * 2^(52 - bits): adding rounds
    const double4 h = (v + to_40_bits) - to_40_bits;
    const double4 l = ((v - h) + to_80_bits) - to_80_bits;
    store(high, load<double4>(high) + h);
    store(low, load<double4>(low) + l);
}

template <class T>
static inline double mass_of(const RowList<T>& rows, const Lens& lens, index_t i) {
    return rows.points.weight ? rows.points.weight[i] * lens.mass_scale : 1.0;
}

template <class T>
static void row_range(const RowList<T>& rows, T* least, T* greatest) {
    const index_t d = rows.points.d;
    for (index_t i = 0; i < rows.n; ++i) {
        const T* x = rows.points.row(rows.index[i]);
        for (index_t j = 0; j < d; ++j) {
            least[j] = x[j] < least[j] ? x[j] : least[j];
            greatest[j] = x[j] > greatest[j] ? x[j] : greatest[j];
        }
    }
}

template <class T>
static void add_moments(const RowList<T>& rows, const Lens& lens, double* high, double* low) {
    const index_t width = padded(rows.points.d);
    for (index_t i = 0; i < rows.n; ++i) {
        const T* x = rows.points.row(rows.index[i]);
        const double mass = mass_of(rows, lens, rows.index[i]);
        for (index_t j = 0; j < width; j += 4) {
            const double4 t = seen(rows.points, x, j, lens);
            const double4 first = t * mass;
            add_exactly(first, high + j, low + j);
            add_exactly(first * t, high + width + j, low + width + j);
        }
    }
}

// Four interleaved partial sums (attribute j in lane j % 4), then (0+1)+(2+3).
template <class T>
static inline double dot(const Points<T>& points, const T* x, const Lens& lens, const double* coefficient) {
    double4 sum = {};
    for (index_t j = 0; j < padded(points.d); j += 4) sum += load<double4>(coefficient + j) * seen(points, x, j, lens);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <class T>
static void project(const RowList<T>& rows, const Lens& lens, const double* coefficient, double* y) {
    for (index_t i = 0; i < rows.n; ++i) y[i] = dot(rows.points, rows.points.row(rows.index[i]), lens, coefficient);
}

template <class T>
static void add_image(const RowList<T>& rows, const Lens& lens, const double* coefficient, double shrink, double* high, double* low) {
    const index_t width = padded(rows.points.d);
    for (index_t i = 0; i < rows.n; ++i) {
        const T* x = rows.points.row(rows.index[i]);
        const double factor = dot(rows.points, x, lens, coefficient) * shrink * mass_of(rows, lens, rows.index[i]);
        for (index_t j = 0; j < width; j += 4) add_exactly(seen(rows.points, x, j, lens) * factor, high + j, low + j);
    }
}

}  // namespace seedbed::SEEDBED_ISA
