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

// Four rows of four attributes become four attributes of four rows.
static inline void transpose(double4 (&r)[4]) {
    const double4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const double4 c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// OUT columns: for every attribute kProductRows H, then as many L; what follows the last row, up to a
// multiple of four, is zero.
template <class T>
static inline void cut_rows(const RowList<T>& rows, const Lens& lens, double* columns) {
    constexpr double to_integer = 0x1.8p52;
    for (index_t i = 0; i < rows.n; i += 4) {
        const T* x[4];
        double root[4];
        for (int r = 0; r < 4; ++r) {
            const index_t row = rows.index[i + r < rows.n ? i + r : i];
            x[r] = rows.points.row(row);
            root[r] = i + r >= rows.n ? 0.0 : rows.points.weight ? __builtin_sqrt(rows.points.weight[row] * lens.mass_scale) : 1.0;
        }
        double* column = columns + i;
        for (index_t j = 0; j < rows.points.d; j += 4) {
            double4 z[4];
            for (int r = 0; r < 4; ++r) z[r] = seen(rows.points, x[r], j, lens) * root[r] * 0x1p22;
            transpose(z);
            for (int a = 0; a < 4; ++a, column += 2 * kProductRows) {
                const double4 high = (z[a] + to_integer) - to_integer;
                store(column, high);
                store(column + kProductRows, ((z[a] - high) * 0x1p23 + to_integer) - to_integer);
            }
        }
    }
}

// Sums over n rows of the products of attributes j and j + 1 with k and k + 1, in units of 2^-67.
static inline void multiply_columns(const double* columns, index_t d, index_t j, index_t k, index_t n, int128_t* totals) {
    const double *a = columns + 2 * j * kProductRows, *b = columns + 2 * k * kProductRows;
    double4 high[2][2] = {}, cross[2][2] = {};
    for (index_t i = 0; i < n; i += 4) {
#pragma GCC unroll 2
        for (int r = 0; r < 2; ++r) {
            const double* left = a + 2 * r * kProductRows + i;
            const double4 h = load<double4>(left), l = load<double4>(left + kProductRows);
#pragma GCC unroll 2
            for (int c = 0; c < 2; ++c) {
                const double* right = b + 2 * c * kProductRows + i;
                high[r][c] = multiply_add(h, load<double4>(right), high[r][c]);
                cross[r][c] += multiply_add(l, load<double4>(right), h * load<double4>(right + kProductRows));
            }
        }
    }
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) {
            if (j + r >= d || k + c > j + r) continue;
            const double4 top = high[r][c], rest = cross[r][c];
            totals[(j + r) * (j + r + 1) / 2 + k + c] +=
                static_cast<int128_t>(static_cast<std::int64_t>((top[0] + top[1]) + (top[2] + top[3]))) * (1 << 23) +
                static_cast<std::int64_t>((rest[0] + rest[1]) + (rest[2] + rest[3]));
        }
}

// IN/OUT totals: for every pair of attributes j >= k, in that order.
template <class T>
static void add_products(const RowList<T>& rows, const Lens& lens, int128_t* totals, double* scratch) {
    const index_t d = rows.points.d;
    for (index_t begin = 0; begin < rows.n; begin += kProductRows) {
        const index_t n = rows.n - begin < kProductRows ? rows.n - begin : kProductRows;
        cut_rows(RowList<T>{rows.points, rows.index + begin, n}, lens, scratch);
        for (index_t j = 0; j < d; j += 2)
            for (index_t k = 0; k <= j; k += 2) multiply_columns(scratch, d, j, k, n, totals);
    }
}

}  // namespace seedbed::SEEDBED_ISA
