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

// What add_exactly does, with the sums in registers. The high sum lies beside 1.5 * 2^12, so that adding
// rounds to 40 bits by itself; where that is a tie, its parity decides, and the low sum takes the rest.
struct ExactSums {
    static constexpr double kHigh = 0x1.8p12, kLow = 0x1.8p-28;
    static constexpr index_t kRows = 128;  // far fewer than would move a sum out of its binade
    double4 high = kHigh - double4{}, low = {};

    [[gnu::always_inline]] void add(double4 v) {
        const double4 sum = high + v;
        low += ((v - (sum - high)) + kLow) - kLow;
        high = sum;
    }

    [[gnu::always_inline]] void move_to(double* to_high, double* to_low) const {
        store(to_high, load<double4>(to_high) + (high - kHigh));
        store(to_low, load<double4>(to_low) + low);
    }
};

template <class T>
static void add_moments(const RowList<T>& rows, const Lens& lens, double* high, double* low) {
    const index_t width = padded(rows.points.d);
    for (index_t begin = 0; begin < rows.n; begin += ExactSums::kRows) {
        const index_t end = rows.n - begin < ExactSums::kRows ? rows.n : begin + ExactSums::kRows;
        for (index_t j = 0; j < width; j += 4) {
            ExactSums first, second;
            for (index_t i = begin; i < end; ++i) {
                const double4 t = seen(rows.points, rows.points.row(rows.index[i]), j, lens);
                const double4 moment = t * mass_of(rows, lens, rows.index[i]);
                first.add(moment);
                second.add(moment * t);
            }
            first.move_to(high + j, low + j);
            second.move_to(high + width + j, low + width + j);
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

// Four rows at a time, their sums added as in `dot`.
template <class T>
static void project(const RowList<T>& rows, const Lens& lens, const double* coefficient, double* y) {
    const index_t width = padded(rows.points.d);
    index_t i = 0;
    for (; i + 4 <= rows.n; i += 4) {
        const T* x[4];
        for (int r = 0; r < 4; ++r) x[r] = rows.points.row(rows.index[i + r]);
        double4 sum[4] = {};
        for (index_t j = 0; j < width; j += 4) {
            const double4 factor = load<double4>(coefficient + j);
#pragma GCC unroll 4
            for (int r = 0; r < 4; ++r) sum[r] += factor * seen(rows.points, x[r], j, lens);
        }
        const double4 a = __builtin_shufflevector(sum[0], sum[1], 0, 4, 2, 6) + __builtin_shufflevector(sum[0], sum[1], 1, 5, 3, 7);
        const double4 b = __builtin_shufflevector(sum[2], sum[3], 0, 4, 2, 6) + __builtin_shufflevector(sum[2], sum[3], 1, 5, 3, 7);
        store(y + i, __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7));
    }
    for (; i < rows.n; ++i) y[i] = dot(rows.points, rows.points.row(rows.index[i]), lens, coefficient);
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
