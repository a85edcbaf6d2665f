// Where to cut a cluster along an axis: at the mean or by Otsu's histogram (exact_cut.hpp has the third way).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fixed_sum.hpp"
#include "partition_kernels.hpp"

namespace seedbed {

inline constexpr double kSame = 1e-12;  // a relative difference that may be due to rounding alone

// Whether a is greater than b by more than rounding; of equals, whoever scans keeps the first.
inline bool exceeds(double a, double b) { return a > b * (1 + kSame); }

namespace threshold_detail {

inline constexpr double kGrid = 0x1p50;  // masses and masses times positions lie in [0, 1]

}  // namespace threshold_detail

// One cluster's rows along the axis.
struct Values {
    const double* y;        // IN, n
    const row_t* index;     // IN, n: row numbers
    const double* weight;   // IN, by row number, or null
    double mass_scale;
    index_t n;
    double least, greatest;  // of y; least < greatest

    double range() const { return greatest - least; }
    double mass(index_t i) const { return weight ? weight[index[i]] * mass_scale : 1.0; }
    int128_t fixed_mass(index_t i) const {
        constexpr int128_t one = int128_t{1} << (50 + kLowBits);  // to_fixed(1.0, kGrid)
        return weight ? to_fixed(mass(i), threshold_detail::kGrid) : one;
    }
};

// Rows with y <= limit go left. The threshold is the number that is reported; both sides get some row.
struct Cut {
    double threshold;
    double limit;
};

namespace threshold_detail {

inline Cut within(double least, double greatest, double threshold, double limit) {
    const double below = std::nextafter(greatest, -std::numeric_limits<double>::infinity());
    return {threshold, std::clamp(limit, least, below)};
}

}  // namespace threshold_detail

// At a given place, of which values that differ by rounding lie left.
inline Cut cut_at(double threshold, double least, double greatest) {
    return threshold_detail::within(least, greatest, threshold, threshold + kSame * (greatest - least));
}

// Otsu's threshold over `bins` equal bins: the last bin of the left part maximises the variance between
// the parts. A value that rounding may have moved just below an edge counts as lying on it.
inline Cut otsu_cut(const Values& v, int bins) {
    using namespace threshold_detail;
    std::vector<int128_t> mass(bins);
    std::vector<double> top(bins, v.least);  // greatest value in each bin
    const double scale = 1.0 / v.range();
    for (index_t i = 0; i < v.n; ++i) {
        const double position = (v.y[i] - v.least) * scale + kSame;
        const int b = std::min(bins - 1, static_cast<int>(bins * position));
        mass[b] += v.fixed_mass(i);
        top[b] = std::max(top[b], v.y[i]);
    }
    int128_t total_mass = 0, total_moment = 0;
    for (int b = 0; b < bins; ++b) total_mass += mass[b], total_moment += mass[b] * b;
    const double whole = from_fixed(total_mass, kGrid), mean = from_fixed(total_moment, kGrid) / whole;
    int128_t left_mass = 0, left_moment = 0;
    int best = 0;
    double best_between = 0.0;
    for (int b = 0; b + 1 < bins; ++b) {
        left_mass += mass[b], left_moment += mass[b] * b;
        const double p = from_fixed(left_mass, kGrid) / whole, q = from_fixed(total_mass - left_mass, kGrid) / whole;
        if (!(p > 0.0 && q > 0.0)) continue;
        const double off = mean * p - from_fixed(left_moment, kGrid) / whole;
        if (const double between = off * off / (p * q); exceeds(between, best_between)) best_between = between, best = b;
    }
    const double limit = *std::max_element(top.begin(), top.begin() + best + 1);
    return within(v.least, v.greatest, v.least + v.range() * (best + 1) / bins, limit);
}

}  // namespace seedbed
