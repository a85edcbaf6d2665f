// Sums of products of attributes, the covariance of PCA-Part, that do not depend on the order of rows, at
// one multiplication each. A sum lies beside 1.5 * 2^8, where adding rounds to a multiple of 2^-44: what a
// fused multiplication adds is the product rounded to that grid, whatever the sum was, as long as no
// product lies half-way between two multiples. None does: z = sqrt(w) t in [-1, 1] is made an odd
// multiple of 2^-50, so that a product is an odd multiple of 2^-100.
#pragma once

#include "partition_kernels.hpp"
#include "rowload.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

static constexpr double kProductsBeside = 0x1.8p8;           // kProductRows / 4 products of one lane stay in its binade
static constexpr double kProductGrid = 0x1p-44;             // the unit in the last place there

#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
// What rounding left of a * b.
static inline double left_of_product(double a, double b) {
    const auto high = [](double v) {
        const double far = v * 134217729.0;  // 2^27 + 1
        return far - (far - v);
    };
    const double ah = high(a), al = a - ah, bh = high(b), bl = b - bh;
    return ((ah * bh - a * b) + ah * bl + al * bh) + al * bl;
}
#endif

// sum + a b, rounded once. Without an instruction for it, rounding twice is wrong only where a b itself was
// rounded to a number half-way between two multiples of the grid; what was left of it then decides.
static inline double4 add_product(double4 a, double4 b, double4 sum) {
#if defined(__FMA__)
    return _mm256_fmadd_pd(a, b, sum);
#elif defined(__ARM_FEATURE_FMA)
    for (int i = 0; i < 4; ++i) sum[i] = __builtin_fma(a[i], b[i], sum[i]);
    return sum;
#else
    const double4 product = a * b, found = sum + product, rest = product - (found - sum);
    double4 result = found;
    for (int i = 0; i < 4; ++i) {
        if (rest[i] != kProductGrid / 2 && rest[i] != -kProductGrid / 2) [[likely]] continue;
        const double left = left_of_product(a[i], b[i]);
        if (rest[i] > 0.0 && left > 0.0) result[i] += kProductGrid;
        if (rest[i] < 0.0 && left < 0.0) result[i] -= kProductGrid;
    }
    return result;
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

// OUT columns: for every attribute kProductRows odd multiples of 2^-50; what follows the last row, up to a
// multiple of four, is zero.
template <class T>
static inline void cut_rows(const RowList<T>& rows, const Lens& lens, double* columns) {
    constexpr double to_49_bits = 0x1.8p3, odd = 0x1p-50;
    for (index_t i = 0; i < rows.n; i += 4) {
        const index_t there = rows.n - i < 4 ? rows.n - i : 4;
        const T* x[4];
        double root[4];
        for (int r = 0; r < 4; ++r) {
            const index_t row = rows.index[r < there ? i + r : i];
            x[r] = rows.points.row(row);
            root[r] = rows.points.weight ? __builtin_sqrt(rows.points.weight[row] * lens.mass_scale) : 1.0;
        }
        double* column = columns + i;
        for (index_t j = 0; j < rows.points.d; j += 4) {
            double4 z[4];
            for (int r = 0; r < 4; ++r) z[r] = seen(rows.points, x[r], j, lens) * root[r];
            transpose(z);
            for (int a = 0; a < 4; ++a, column += kProductRows) store(column, ((z[a] + to_49_bits) - to_49_bits) + odd);
        }
        if (there == 4) [[likely]] continue;
        for (index_t j = 0; j < padded(rows.points.d); ++j)
            for (index_t r = there; r < 4; ++r) columns[j * kProductRows + i + r] = 0.0;
    }
}

// Sums over n rows of the products of attributes j and j + 1 with k to k + width - 1.
template <int width>
static inline void multiply_columns(const double* columns, index_t d, index_t j, index_t k, index_t n, int128_t* totals) {
    const double *a = columns + j * kProductRows, *b = columns + k * kProductRows;
    double4 sum[2][width];
    for (int c = 0; c < width; ++c) sum[0][c] = sum[1][c] = kProductsBeside - double4{};
    for (index_t i = 0; i < n; i += 4) {
        const double4 first = load<double4>(a + i), second = load<double4>(a + kProductRows + i);
#pragma GCC unroll 4
        for (int c = 0; c < width; ++c) {
            const double4 right = load<double4>(b + c * kProductRows + i);
            sum[0][c] = add_product(first, right, sum[0][c]);
            sum[1][c] = add_product(second, right, sum[1][c]);
        }
    }
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < width; ++c) {
            if (j + r >= d || k + c > j + r) continue;
            const double4 lanes = sum[r][c] - kProductsBeside;
            totals[(j + r) * (j + r + 1) / 2 + k + c] += static_cast<std::int64_t>(((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) / kProductGrid);
        }
}

// IN/OUT totals: for every pair of attributes j >= k, in that order.
template <class T>
static void add_products(const RowList<T>& rows, const Lens& lens, int128_t* totals, double* scratch) {
    const index_t d = rows.points.d;
    for (index_t begin = 0; begin < rows.n; begin += kProductRows) {
        const index_t n = rows.n - begin < kProductRows ? rows.n - begin : kProductRows;
        cut_rows(RowList<T>{rows.points, rows.index + begin, n}, lens, scratch);
        for (index_t j = 0; j < d; j += 2) {
            index_t k = 0;
            for (; k + 2 < j + 2; k += 4) multiply_columns<4>(scratch, d, j, k, n, totals);
            if (k < j + 2) multiply_columns<2>(scratch, d, j, k, n, totals);
        }
    }
}

}  // namespace seedbed::SEEDBED_ISA
