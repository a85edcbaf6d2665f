// Four attributes of a row as doubles, whatever the type of the data and wherever the row ends.
#pragma once

#include "partition_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

// Attributes j to j + 3. Reading into the next row is harmless (a lens scales those lanes to zero),
// reading past the data is not.
template <class T>
static inline double4 four_of(const Points<T>& points, const T* row, index_t j) {
    if (j + 4 <= points.d || row + j + 4 <= points.x + points.n * points.d) [[likely]]
        return four(row + j);
    T tail[4] = {};
    for (index_t a = j; a < points.d; ++a) tail[a - j] = row[a];
    return four(tail);
}

// Attributes j to j + 3 of a row as a lens shows them.
template <class T>
static inline double4 seen(const Points<T>& points, const T* row, index_t j, const Lens& lens) {
    return (four_of(points, row, j) - load<double4>(lens.pivot + j)) * load<double4>(lens.scale + j);
}

}  // namespace seedbed::SEEDBED_ISA
