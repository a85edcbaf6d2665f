#include "seeding.hpp"

#include <algorithm>
#include <bit>

namespace seedbed {
namespace {

template <class T>
std::uint64_t hash_of(const T* row, index_t d) {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (index_t j = 0; j < d; ++j) {
        const double value = static_cast<double>(row[j]) + 0.0;  // -0 and 0 are equal, so they hash alike
        h = (h ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

}  // namespace

// An open-addressed table of rows that is never more than half full.
template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit) {
    const index_t d = points.d;
    std::vector<index_t> found;
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(std::min(limit, points.n)) * 2 + 1);
    std::vector<index_t> table(size, -1);
    for (index_t i = 0; i < points.n && static_cast<index_t>(found.size()) < limit; ++i) {
        const T* row = points.row(i);
        std::size_t slot = hash_of(row, d) & (size - 1);
        while (table[slot] >= 0 && !std::equal(row, row + d, points.row(table[slot]))) slot = (slot + 1) & (size - 1);
        if (table[slot] >= 0) continue;
        table[slot] = i;
        found.push_back(i);
    }
    return found;
}

template std::vector<index_t> distinct_rows<float>(const Points<float>&, index_t);
template std::vector<index_t> distinct_rows<double>(const Points<double>&, index_t);

}  // namespace seedbed
