// Where to cut a cluster along an axis: at the mean, by Otsu's histogram, or at the least two-sided error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fixed_sum.hpp"
#include "partition.hpp"

namespace seedbed {

inline constexpr double kSame = 1e-12;  // a relative difference that may be due to rounding alone

// Whether a is greater than b by more than rounding; of equals, whoever scans keeps the first.
inline bool exceeds(double a, double b) { return a > b * (1 + kSame); }

// One cluster's rows along the axis.
struct Values {
    const double* y;        // IN, n
    const index_t* index;   // IN, n: row numbers
    const double* weight;   // IN, by row number, or null
    double mass_scale;
    index_t n;
    double least, greatest;  // of y; least < greatest

    double range() const { return greatest - least; }
    double mass(index_t i) const { return weight ? weight[index[i]] * mass_scale : 1.0; }
};

// Rows with y <= limit go left. The threshold is the number that is reported; both sides get some row.
struct Cut {
    double threshold;
    double limit;
};

namespace threshold_detail {

inline constexpr double kGrid = 0x1p50;  // masses and masses times positions lie in [0, 1]

inline Cut within(const Values& v, double threshold, double limit) {
    const double below = std::nextafter(v.greatest, -std::numeric_limits<double>::infinity());
    return {threshold, std::clamp(limit, v.least, below)};
}

}  // namespace threshold_detail

inline Cut cut_at(const Values& v, double threshold) {
    return threshold_detail::within(v, threshold, threshold + kSame * v.range());
}

// Otsu's threshold over `bins` equal bins: the last bin of the left part maximises the variance between
// the parts. A value that rounding may have moved just below an edge counts as lying on it.
inline Cut otsu_cut(const Values& v, int bins) {
    using namespace threshold_detail;
    std::vector<int128_t> mass(bins);
    std::vector<double> top(bins, v.least);  // greatest value in each bin
    for (index_t i = 0; i < v.n; ++i) {
        const double position = (v.y[i] - v.least) / v.range() + kSame;
        const int b = std::min(bins - 1, static_cast<int>(bins * position));
        mass[b] += to_fixed(v.mass(i), kGrid);
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
    return within(v, v.least + v.range() * (best + 1) / bins, limit);
}

// Between the two neighbouring values that leave the least squared error on both sides together, that
// is, the greatest mass_left * mass_right * (difference of means)^2.
inline Cut exact_cut(const Values& v) {
    using namespace threshold_detail;
    std::vector<std::pair<double, double>> sorted(v.n);  // value and mass
    int128_t total_mass = 0, total_moment = 0;
    const auto moment = [&](const std::pair<double, double>& s) {
        return to_fixed((s.first - v.least) / v.range() * s.second, kGrid);
    };
    for (index_t i = 0; i < v.n; ++i) {
        sorted[i] = {v.y[i], v.mass(i)};
        total_mass += to_fixed(sorted[i].second, kGrid), total_moment += moment(sorted[i]);
    }
    std::sort(sorted.begin(), sorted.end());
    int128_t left_mass = 0, left_moment = 0;
    index_t best = 0;
    double best_gain = 0.0;
    for (index_t i = 0; i + 1 < v.n; ++i) {
        left_mass += to_fixed(sorted[i].second, kGrid), left_moment += moment(sorted[i]);
        if (!(sorted[i + 1].first - sorted[i].first > kSame * v.range())) continue;
        const double left = from_fixed(left_mass, kGrid), right = from_fixed(total_mass - left_mass, kGrid);
        if (!(left > 0.0 && right > 0.0)) continue;
        const double apart = from_fixed(total_moment - left_moment, kGrid) / right - from_fixed(left_moment, kGrid) / left;
        if (const double gain = left * right * apart * apart; exceeds(gain, best_gain)) best_gain = gain, best = i;
    }
    return within(v, sorted[best].first / 2 + sorted[best + 1].first / 2, sorted[best].first);
}

}  // namespace seedbed
