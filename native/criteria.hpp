// The contingency table of two labellings of the same points, from which every external criterion follows.
// Only occupied cells are kept, so a table of a million classes by a million clusters is no larger than its points.
#pragma once

#include <cstdint>
#include <vector>

#include "points.hpp"

namespace seedbed {

struct Contingency {
    std::vector<std::int64_t> classes, clusters;         // the labels that occur, ascending
    std::vector<std::int64_t> rows, columns, counts;     // occupied cells in row-major order; positions in the two above
    std::vector<std::int64_t> row_margins, column_margins;  // points per class and per cluster, all positive
};

// T is std::int32_t or std::int64_t; any values are allowed.
template <class T>
Contingency contingency(const T* truth,      // IN, n
                        const T* predicted,  // IN, n
                        index_t n);

// The largest count of every group, added up.
std::int64_t sum_of_largest(const std::int64_t* counts,  // IN, n, none negative
                            const std::int64_t* groups,  // IN, n, from 0 to n_groups - 1
                            index_t n, index_t n_groups);

// Sum of c (c - 1) / 2 without overflow: a count alone may have more pairs than 64 bits can hold.
__extension__ using uint128_t = unsigned __int128;
uint128_t pairs(const std::int64_t* counts,  // IN, n, none negative
                index_t n);

}  // namespace seedbed
