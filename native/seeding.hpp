// Choosing rows to start from: which rows are distinct, D^2 draws (k-means++ and its greedy form) and
// farthest points (maximin), all over one pruned update of every row's distance to its nearest seed.
#pragma once

#include <vector>

#include "dataset.hpp"

namespace seedbed {

// The first `limit` rows, in order, that equal no row before them; fewer where there are no more.
template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit);

}  // namespace seedbed
