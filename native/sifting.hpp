// Rows on the two sides of a limit along an axis, without a branch that depends on the data.
#pragma once

#include "partition_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

static inline double4 lesser(double4 a, double4 b) { return b < a ? b : a; }
static inline double4 greater(double4 a, double4 b) { return b > a ? b : a; }

static inline Extremes extremes_of(const double* y, index_t n, double limit) {
    const Extremes none;
    double4 least = none.least - double4{}, greatest = none.greatest - double4{}, last_left = greatest, first_right = least;
    for (index_t i = 0; i < n; i += 4) {
        double tail[4];
        if (n - i < 4)
            for (int l = 0; l < 4; ++l) tail[l] = y[i + l < n ? i + l : i];
        const double4 v = n - i < 4 ? load<double4>(tail) : load<double4>(y + i);
        least = lesser(least, v);
        greatest = greater(greatest, v);
        last_left = v <= limit ? greater(last_left, v) : last_left;
        first_right = v <= limit ? first_right : lesser(first_right, v);
    }
    Extremes found;
    for (int l = 0; l < 4; ++l) {
        Extremes lane;
        lane.least = least[l], lane.greatest = greatest[l], lane.last_left = last_left[l], lane.first_right = first_right[l];
        found.include(lane);
    }
    return found;
}

static void sift(const row_t* index, const double* y, index_t n, double limit, Sides& sides, Extremes& extremes) {
    extremes.include(extremes_of(y, n, limit));
    row_t* room = sides.room;
    index_t left = sides.left, right = sides.right;
    for (index_t i = 0; i < n; ++i) {  // the next free place of both sides is written, and one of them taken
        const bool goes_left = y[i] <= limit;
        room[left] = room[right - 1] = index[i];
        left += goes_left;
        right -= !goes_left;
    }
    sides.left = left;
    sides.right = right;
}

}  // namespace seedbed::SEEDBED_ISA
