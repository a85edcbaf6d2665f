// Exact sums of products of attributes, the covariance of PCA-Part, at the speed of plain arithmetic:
// z = sqrt(w) t in [-1, 1] is cut into two integers, z = H 2^-22 + L 2^-45 with |H|, |L| <= 2^22. Products
// of such integers, and their sums over kProductRows rows, are exact in double precision (fused or not),
// so the result does not depend on the order of rows. L L is left out: it lies below 2^-46 of a product.
#pragma once

#include "partition_kernels.hpp"
#include "rowload.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

// a b + c; all sums here are exact, so that fusing changes no bit.
static inline double4 multiply_add(double4 a, double4 b, double4 c) {
#if defined(__FMA__)
    return _mm256_fmadd_pd(a, b, c);
#else
    return a * b + c;
#endif
}

// OUT panels: for every four attributes, kProductRows times four H, then as many L.
template <class T>
static inline void cut_rows(const RowList<T>& rows, const Lens& lens, double* panels) {
    constexpr double to_integer = 0x1.8p52;
    for (index_t i = 0; i < rows.n; ++i) {
        const T* x = rows.points.row(rows.index[i]);
        const double root = rows.points.weight ? __builtin_sqrt(rows.points.weight[rows.index[i]] * lens.mass_scale) : 1.0;
        double* panel = panels + 4 * i;
        for (index_t j = 0; j < rows.points.d; j += 4, panel += 8 * kProductRows) {
            const double4 z = seen(rows.points, x, j, lens) * root * 0x1p22;
            const double4 high = (z + to_integer) - to_integer;
            store(panel, high);
            store(panel + 4 * kProductRows, ((z - high) * 0x1p23 + to_integer) - to_integer);
        }
    }
}

// Four attributes against four over n rows; adds 16 sums in units of 2^-67 to `totals`.
static inline void multiply_panels(const double* a, const double* b, index_t n, int128_t* totals) {
    double4 high[4] = {}, cross[4] = {};
    const double *a_low = a + 4 * kProductRows, *b_low = b + 4 * kProductRows;
    for (index_t i = 0; i < 4 * n; i += 4) {
        const double4 h = load<double4>(b + i), l = load<double4>(b_low + i);
#pragma GCC unroll 4
        for (int r = 0; r < 4; ++r) {
            const double4 a_high = a[i + r] - double4{}, a_rest = a_low[i + r] - double4{};
            high[r] = multiply_add(h, a_high, high[r]);
            cross[r] += multiply_add(l, a_high, h * a_rest);
        }
    }
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            totals[4 * r + c] += static_cast<int128_t>(static_cast<std::int64_t>(high[r][c])) * (1 << 23) +
                                 static_cast<std::int64_t>(cross[r][c]);
}

// OUT totals: for every pair of panels a >= b, in that order, 4 x 4 sums.
template <class T>
static void add_products(const RowList<T>& rows, const Lens& lens, int128_t* totals, double* scratch) {
    const index_t n_panels = padded(rows.points.d) / 4, stride = 8 * kProductRows;
    for (index_t begin = 0; begin < rows.n; begin += kProductRows) {
        const index_t n = rows.n - begin < kProductRows ? rows.n - begin : kProductRows;
        cut_rows(RowList<T>{rows.points, rows.index + begin, n}, lens, scratch);
        int128_t* block = totals;
        for (index_t a = 0; a < n_panels; ++a)
            for (index_t b = 0; b <= a; ++b, block += 16)
                multiply_panels(scratch + a * stride, scratch + b * stride, n, block);
    }
}

}  // namespace seedbed::SEEDBED_ISA
