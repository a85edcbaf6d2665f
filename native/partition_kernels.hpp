// What passes between partition.cpp and its kernels, which exist once per instruction set (kernels.hpp).
#pragma once

#include "fixed_sum.hpp"
#include "points.hpp"

namespace seedbed {

inline constexpr index_t kExactRows = 4096;   // rows whose sums are exact in two doubles (moments.hpp)
inline constexpr index_t kProductRows = 256;  // rows whose products are summed exactly in doubles (products.hpp)

// Attributes are treated four at a time.
static constexpr index_t padded(index_t d) { return (d + 3) / 4 * 4; }

// Some rows of the data, by their numbers.
template <class T>
struct RowList {
    Points<T> points;
    const index_t* index;  // IN, n
    index_t n;
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
    // Adds the exact sums of w t_j t_k to `totals`; scratch: 2 kProductRows padded(d).
    void (*add_products)(const RowList<T>& rows, const Lens& lens, int128_t* totals, double* scratch);
};

}  // namespace seedbed
