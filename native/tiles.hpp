// Rows in tiles, for FastICA (fast_ica.hpp). Lanes are rows, so that narrow data fill a vector too; sums are
// kept per lane, four of them, and added in a fixed order, nothing is fused: the same bits on every machine.
#pragma once

#include "simd.hpp"
#include "tile_kernels.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr int kTileVectors = kTileRows / 4;

// OUT tile, d x kTileRows: rows [begin, begin + count) less the origin; and the share of each. What is not there
// is zero.
static void center(const Seen& rows, index_t begin, index_t count, double* tile, double* share) {
    const index_t d = rows.points.d;
    for (index_t p = 0; p < kTileRows; ++p) {
        share[p] = p < count ? rows.points.mass(begin + p) * rows.inverse_mass : 0.0;
        const double* x = rows.points.row(begin + (p < count ? p : 0));
        for (index_t j = 0; j < d; ++j) tile[j * kTileRows + p] = p < count ? x[j] - rows.origin[j] : 0.0;
    }
}

// OUT out, r x kTileRows: the rows of a tile along axes.
static void rotate(const double* tile, index_t d, const double* axes, index_t r, double* out) {
    for (index_t c = 0; c < r; ++c) {
        double4 y[kTileVectors] = {};
        for (index_t j = 0; j < d; ++j) {
            const double factor = axes[c * d + j];
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v) y[v] += load<double4>(tile + j * kTileRows + 4 * v) * factor;
        }
#pragma GCC unroll 8
        for (int v = 0; v < kTileVectors; ++v) store(out + c * kTileRows + 4 * v, y[v]);
    }
}

// Adds to four lanes the sum over a tile's rows of a times b.
[[gnu::always_inline]] static inline void add_product(const double4 (&a)[kTileVectors], const double* b, double* sum) {
    double4 even = {}, odd = {};
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; v += 2) {
        even += load<double4>(b + 4 * v) * a[v];
        odd += load<double4>(b + 4 * v + 4) * a[v + 1];
    }
    store(sum, load<double4>(sum) + (even + odd));
}

[[gnu::always_inline]] static inline void multiply(const double* a, const double* b, double4 (&out)[kTileVectors]) {
#pragma GCC unroll 8
    for (int v = 0; v < kTileVectors; ++v) out[v] = load<double4>(a + 4 * v) * load<double4>(b + 4 * v);
}

// Adds share t_j t_k, for j >= k in that order; IN/OUT sums: d (d + 1) / 2 x 4 lanes.
static void add_pairs(const double* tile, const double* share, index_t d, double* sums) {
    for (index_t j = 0; j < d; ++j) {
        double4 weighted[kTileVectors];
        multiply(tile + j * kTileRows, share, weighted);
        for (index_t k = 0; k <= j; ++k, sums += 4) add_product(weighted, tile + k * kTileRows, sums);
    }
}

// Adds share z_i z_j z_k z_l, for i <= j <= k <= l in lexicographic order; scratch pairs: r (r + 1) / 2 x
// kTileRows; IN/OUT sums, 4 lanes each.
static void add_quartics(const double* tile, const double* share, index_t r, double* pairs, double* sums) {
    double* pair = pairs;
    for (index_t i = 0; i < r; ++i)
        for (index_t j = i; j < r; ++j, pair += kTileRows) {
            double4 product[kTileVectors];
            multiply(tile + i * kTileRows, tile + j * kTileRows, product);
            for (int v = 0; v < kTileVectors; ++v) store(pair + 4 * v, product[v]);
        }
    const double *end = pair, *left = pairs;
    for (index_t i = 0; i < r; ++i) {
        const double* right = left;  // the pair (j, j)
        for (index_t j = i; j < r; ++j, left += kTileRows) {
            double4 weighted[kTileVectors];
            multiply(left, share, weighted);
            for (const double* other = right; other < end; other += kTileRows, sums += 4) add_product(weighted, other, sums);
            right += (r - j) * kTileRows;
        }
    }
}

// OUT out, r x kTileRows: cosines between the first `count` rows of a tile and directions, minus infinity where
// they do not count.
static void find_cosines(const double* tile, index_t d, const Directions& directions, index_t count, double* out) {
    rotate(tile, d, directions.axes, directions.r, out);
    double length[kTileRows] = {};
    for (index_t j = 0; j < d; ++j)
        for (int p = 0; p < kTileRows; ++p) length[p] += tile[j * kTileRows + p] * tile[j * kTileRows + p];
    for (int p = 0; p < kTileRows; ++p) length[p] = length[p] > 0.0 ? __builtin_sqrt(length[p]) : 1.0;
    for (index_t c = 0; c < directions.r; ++c) {
        double* cosine = out + c * kTileRows;
        const double ceiling = directions.ceiling[c];
        for (int p = 0; p < kTileRows; ++p) {
            const double plain = cosine[p] / length[p], value = directions.absolute && plain < 0.0 ? -plain : plain;
            cosine[p] = value < ceiling ? value : -__builtin_inf();
        }
        for (index_t p = count; p < kTileRows; ++p) cosine[p] = -__builtin_inf();
    }
}

}  // namespace seedbed::SEEDBED_ISA
