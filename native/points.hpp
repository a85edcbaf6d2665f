// The data as the kernels see it: a row-major matrix that belongs to the caller, and the frame
// (shift and powers of two) in which distances are screened and sums are kept exactly.
#pragma once

#include <cstdint>
#include <vector>

namespace seedbed {

using index_t = std::int64_t;

inline constexpr int kLargestExponent = 1000;  // of values that k-means takes, and of units

template <class T>
struct Points {
    const T* x = nullptr;            // IN, n x d, row-major
    const double* weight = nullptr;  // IN, n, or null for unit weights
    index_t n = 0;
    index_t d = 0;

    // Always inlined: this header is compiled with several instruction sets (kernels.hpp).
    [[gnu::always_inline]] const T* row(index_t i) const { return x + i * d; }
    [[gnu::always_inline]] double mass(index_t i) const { return weight ? weight[i] : 1.0; }
};

// Per attribute: x - shift lies in [-half, half]. `unit` is the smallest power of two that bounds every
// half, so (x - shift) / unit lies in [-1, 1] and single precision neither overflows nor underflows,
// whatever the scale of the data. `grid[j]` is the power of two that takes w * (x - shift) of attribute j
// into [-2^50, 2^50], the integers that exact sums are made of (fixed_sum.hpp).
template <class T>
struct Frame {
    std::vector<T> least, greatest;  // d: the range of each attribute
    std::vector<T> shift;       // d, padded to a multiple of 4
    std::vector<double> grid;   // d, padded likewise
    double unit = 1.0;
    double weight_grid = 1.0;   // power of two: weights into [0, 2^50]
    double total_mass = 0.0;
    double total_square = 0.0;  // sum of w |x - shift|^2, in units^2
    double variance = 0.0;      // mean over attributes of the (weighted) variance, in units^2
    double largest = 0.0;       // the greatest |x - shift|, times the greatest weight where that is more than one
    double grain = 0.0;         // how far the mean of exact sums may be from that of the rows, in units
};

}  // namespace seedbed
