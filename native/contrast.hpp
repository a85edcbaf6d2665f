// One step of FastICA over whitened rows (fast_ica.hpp). Lanes are rows, so that narrow data fill a
// vector too; sums are kept per lane and added in a fixed order, nothing is fused: the same bits on
// every machine.
#pragma once

#include "fast_ica.hpp"
#include "simd.hpp"

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

static void add_contrast(const Tiles& tiles, const double* rotation, index_t begin, index_t end, double* sums) {
    constexpr int kVectors = kTileRows / 4;
    const index_t r = tiles.r;
    for (index_t t = begin; t < end; ++t) {
        const double *z = tiles.values + t * r * kTileRows, *share = tiles.share + t * kTileRows;
        for (index_t c = 0; c < r; ++c) {
            double4 y[kVectors] = {};
            for (index_t k = 0; k < r; ++k) {
                const double factor = rotation[c * r + k];
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) y[v] += load<double4>(z + k * kTileRows + 4 * v) * factor;
            }
            double* out = sums + c * (r + 1) * 4;
            double4 slope = load<double4>(out + 4 * r);
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                const double4 mass = load<double4>(share + 4 * v), curve = bent(y[v]);
                y[v] = curve * mass;
                slope += mass - y[v] * curve;
            }
            store(out + 4 * r, slope);
            for (index_t k = 0; k < r; ++k) {
                double4 even = {}, odd = {};
#pragma GCC unroll 4
                for (int v = 0; v < kVectors; v += 2) {
                    even += load<double4>(z + k * kTileRows + 4 * v) * y[v];
                    odd += load<double4>(z + k * kTileRows + 4 * v + 4) * y[v + 1];
                }
                store(out + 4 * k, load<double4>(out + 4 * k) + (even + odd));
            }
        }
    }
}

}  // namespace seedbed::SEEDBED_ISA
