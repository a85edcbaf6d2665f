// What passes between partition.cpp and its kernels, which exist once per instruction set (kernels.hpp).
#pragma once

#include <limits>

#include "fixed_sum.hpp"
#include "points.hpp"

namespace seedbed {

inline constexpr index_t kExactRows = 4096;   // rows whose sums are exact in two doubles (moments.hpp)
inline constexpr index_t kProductRows = 256;  // rows whose products are summed exactly in doubles (products.hpp)

inline constexpr int kProductBits = 44;       // of the grid that each product is rounded to

using row_t = std::uint32_t;  // the number of a row: half the memory of an index_t, and so half the time to fetch it

// Attributes are treated four at a time.
static constexpr index_t padded(index_t d) { return (d + 3) / 4 * 4; }

// Some rows of the data, by their numbers.
template <class T>
struct RowList {
    Points<T> points;
    const row_t* index;  // IN, n
    index_t n;
};

// What is known of positions along an axis: their range, and the neighbours of a limit on both sides.
struct Extremes {
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    double last_left = greatest, first_right = least;

    [[gnu::always_inline]] void include(const Extremes& other) {
        least = other.least < least ? other.least : least;
        greatest = other.greatest > greatest ? other.greatest : greatest;
        last_left = other.last_left > last_left ? other.last_left : last_left;
        first_right = other.first_right < first_right ? other.first_right : first_right;
    }
};

// Rows of a piece on both sides of a limit: the left ones from the front, the right ones from the back.
struct Sides {
    row_t* room;     // OUT, as many as there are rows
    index_t left;    // IN/OUT: room[0, left) are left rows
    index_t right;   // IN/OUT: room[right, ...) are right rows, the last first
};

// How a cluster is looked at: t = (x - pivot) * scale lies in [-1, 1], and a row's mass times mass_scale
// in [0, 1]. Scales are powers of two; past the last attribute they are zero, so that nothing is added
// there.
struct Lens {
    const double* pivot;  // IN, padded(d)
    const double* scale;  // IN, padded(d)
    double mass_scale;
};

template <class T>
struct PartitionKernels {
    // Least and greatest value of each attribute; IN/OUT: those known so far.
    void (*row_range)(const RowList<T>& rows, T* least, T* greatest);
    // Adds w t and, padded(d) further on, w t^2 to exact sums; at most kExactRows rows.
    void (*add_moments)(const RowList<T>& rows, const Lens& lens, double* high, double* low);
    // OUT y, n: the sum of coefficient * t, in a fixed order of attributes.
    void (*project)(const RowList<T>& rows, const Lens& lens, const double* coefficient, double* y);
    // Adds w (coefficient . t) t * shrink, which must lie in [-1, 1], to exact sums; at most kExactRows rows.
    void (*add_image)(const RowList<T>& rows, const Lens& lens, const double* coefficient, double shrink, double* high, double* low);
    // Adds the exact sums of w t_j t_k, j >= k, to `totals` in 2^-kProductBits; scratch: kProductRows padded(d).
    void (*add_products)(const RowList<T>& rows, const Lens& lens, int128_t* totals, double* scratch);
    // Puts each row on its side: left where y <= limit. IN/OUT extremes.
    void (*sift)(const row_t* index, const double* y, index_t n, double limit, Sides& sides, Extremes& extremes);
};

}  // namespace seedbed
