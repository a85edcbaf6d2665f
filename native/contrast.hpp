// One step of FastICA over whitened rows (fast_ica.hpp). Lanes are rows, so that narrow data fill a
// vector too; sums are kept per lane and added in a fixed order, nothing is fused: the same bits on
// every machine.
#pragma once

#include "simd.hpp"
#include "tiles.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr int kDegree = 12;

// log(2)^k / k!, the coefficients of 2^t.
struct PowerSeries {
    double term[kDegree + 1] = {1.0};
    constexpr PowerSeries() {
        for (int k = 1; k <= kDegree; ++k) term[k] = term[k - 1] * 0.693147180559945309417 / k;
    }
};

// 2^t for -150 <= t <= 0: its series on [-1/2, 1/2], where the rest is below 2^-52, times a power of two
// that is added to the exponent.
static inline double4 power_of_two(double4 t) {
    static constexpr PowerSeries series;
    constexpr double to_integer = 0x1.8p52;
    const double4 shifted = t + to_integer, part = t - (shifted - to_integer);
    double4 sum = series.term[kDegree] - double4{};
#pragma GCC unroll 12
    for (int k = kDegree - 1; k >= 0; --k) sum = sum * part + series.term[k];
    return reinterpret_cast<double4>(reinterpret_cast<long4>(sum) + (reinterpret_cast<long4>(shifted) << 52));
}

// tanh, to within a few units of 2^-53 of absolute error.
static inline double4 bent(double4 y) {
    constexpr double kTwiceLog2E = 2.88539008177792681472;
    constexpr double kFlat = 40.0;  // tanh is one in double precision long before
    double4 size = y < 0.0 ? -y : y;
    size = size > kFlat ? kFlat - double4{} : size;
    const double4 e = power_of_two(size * -kTwiceLog2E);
    const double4 curve = (1.0 - e) / (1.0 + e);
    return y < 0.0 ? -curve : curve;
}

// What a step needs of four components y of share p: the curve times p, and its slope times p.
struct Tanh {
    static inline double4 weighted(double4 y, double4 share, double4& slope) {
        const double4 curve = bent(y), value = curve * share;
        slope += share - value * curve;
        return value;
    }
};

struct Cube {
    static inline double4 weighted(double4 y, double4 share, double4& slope) {
        const double4 square = y * y * share;
        slope += square * 3.0;
        return square * y;
    }
};

// Adds what fast_ica.hpp sums over tiles [begin, end); IN/OUT sums: r x (r + 1) x 4 lanes.
template <class Curve>
static void add_curve(const Tiles& tiles, const double* rotation, index_t begin, index_t end, double* sums) {
    const index_t r = tiles.r;
    for (index_t t = begin; t < end; ++t) {
        const double *z = tiles.values + t * r * kTileRows, *share = tiles.share + t * kTileRows;
        for (index_t c = 0; c < r; ++c) {
            double4 y[kTileVectors] = {};
            for (index_t k = 0; k < r; ++k) {
                const double factor = rotation[c * r + k];
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v) y[v] += load<double4>(z + k * kTileRows + 4 * v) * factor;
            }
            double* out = sums + c * (r + 1) * 4;
            double4 slope = load<double4>(out + 4 * r);
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v) y[v] = Curve::weighted(y[v], load<double4>(share + 4 * v), slope);
            store(out + 4 * r, slope);
            for (index_t k = 0; k < r; ++k) add_product(y, z + k * kTileRows, out + 4 * k);
        }
    }
}

}  // namespace seedbed::SEEDBED_ISA
