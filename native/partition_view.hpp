// What partition.cpp knows of a cluster: its rows, the coordinates they are looked at in, and exact sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "fixed_sum.hpp"
#include "partition_kernels.hpp"
#include "threshold.hpp"

namespace seedbed {

inline constexpr int kMomentBits = 80;

inline double scaled(double v, int exponent) { return std::ldexp(v, exponent); }

inline double of_integer(int128_t v, int bits) { return scaled(from_fixed(v, 1.0), kLowBits - bits); }

// The power of two above v, as an exponent whose inverse is finite too.
inline int exponent_above(double v) {
    int exponent = 0;
    std::frexp(v, &exponent);
    return v > 0.0 ? std::max(exponent, -1000) : -1000;
}

// The coordinates in which a cluster's sums are kept; children begin with their parent's.
struct View {
    std::vector<double> pivot, scale;  // padded(d)
    std::vector<int> exponent;         // d: scale = 2^-exponent
    int unit = 0;                      // the largest exponent
    int mass_exponent = 0;             // masses are taken times 2^-mass_exponent

    template <class T>
    View(const std::vector<T>& least, const std::vector<T>& greatest, const std::vector<double>& about, int mass_exponent)
        : pivot(about), scale(about.size()), exponent(about.size()), mass_exponent(mass_exponent) {
        for (std::size_t j = 0; j < about.size(); ++j) {
            const double half = std::max(static_cast<double>(greatest[j]) - about[j], about[j] - static_cast<double>(least[j]));
            exponent[j] = exponent_above(half);
            scale[j] = scaled(1.0, -exponent[j]);
        }
        unit = *std::max_element(exponent.begin(), exponent.end());
        pivot.resize(padded(static_cast<index_t>(about.size())), 0.0);
        scale.resize(pivot.size(), 0.0);
    }

    // About the means of a part of what another view shows.
    View(const View& other, const std::vector<double>& means)
        : pivot(means), scale(other.scale), exponent(other.exponent), unit(other.unit + 1), mass_exponent(other.mass_exponent) {
        for (int& e : exponent) ++e;
        for (double& s : scale) s /= 2;
        pivot.resize(scale.size(), 0.0);
    }

    double mass_scale() const { return scaled(1.0, -mass_exponent); }
    Lens lens() const { return {pivot.data(), scale.data(), mass_scale()}; }
    int error_exponent() const { return 2 * unit + mass_exponent; }  // errors are kept in this power of two
    // Takes a square of attribute j to units of 4^unit.
    int square_exponent(index_t j) const { return 2 * (exponent[j] - unit); }
};

struct Cluster {
    index_t begin = 0, end = 0;        // in the permutation of rows
    std::shared_ptr<const View> view;
    bool own_view = false;             // made for this very cluster
    std::vector<int128_t> sums;        // 2 padded(d), in 2^-80: of w t, then of w t^2
    std::vector<int128_t> products;    // d (d + 1) / 2, in 2^-44: of w t_j t_k, j >= k; empty where not known
    int128_t mass = 0;
    double sse = 0.0;                  // in 2^view->error_exponent()

    index_t size() const { return end - begin; }
};

// Whether a's error is greater than b's, whatever their units: no error is too small to beat none.
inline bool worse(const Cluster& a, const Cluster& b) {
    if (!(b.sse > 0.0)) return a.sse > 0.0;
    return exceeds(scaled(a.sse, a.view->error_exponent() - b.view->error_exponent()), b.sse);
}

// An axis to split along: y = sum of coefficient * t in the view, measured in 2^unit from `origin`.
struct Direction {
    index_t attribute = -1;
    std::vector<double> coefficient;  // padded(d); empty for an attribute
    std::vector<double> axis;         // d, of length one; empty for an attribute
    std::shared_ptr<const View> view;
    double origin = 0.0;              // of y, in the data's coordinates
    int unit = 0;
    double residual = 0.0;
};

}  // namespace seedbed
