// What passes between attributes.cpp and its kernels, which exist once per instruction set (kernels.hpp).
#pragma once

#include <cstdint>

#include "points.hpp"

namespace seedbed {

// Of each attribute j, t = (x - pivot[j]) * scale[j]; what is summed is w t or, with `squared`, w t^2, times
// grid[j], which must lie in [-2^50, 2^50].
struct Moment {
    const double* pivot;  // IN, d
    const double* scale;  // IN, d
    const double* grid;   // IN, d
    bool squared;
};

// Positions of some attributes on a grid: floor((x - low) * scale * steps / range + offset), `top` at most. What
// is there for each attribute goes on, in any way, up to a multiple of four.
struct Ruler {
    const index_t* attributes;  // IN, count
    const double* low;          // IN, count, like the next two
    const double* scale;
    const double* range;
    index_t count;
    double steps;
    double offset;
    std::uint16_t top;
};

// What each kernel does is said where it is defined (columns.hpp).
template <class T>
struct AttributeKernels {
    void (*add_moment)(const Points<T>& points, const Moment& moment, index_t begin, index_t end, std::int64_t* high, std::int64_t* low);
    void (*find_positions)(const Points<T>& points, const Ruler& ruler, index_t begin, index_t end, std::uint16_t* out);
};

}  // namespace seedbed
