// K-means on parts of the rows, one part after another (Bradley and Fayyad's first stage).
#pragma once

#include <functional>
#include <vector>

#include "engine.hpp"

namespace seedbed {

// Parts of the rows: part p has order[ends[p - 1]] ... order[ends[p] - 1].
struct Parts {
    const index_t* order;  // IN, ends[n - 1]: rows, none of them twice
    const index_t* ends;   // IN, n
    index_t n;
};

// The centres, n x k x d, that k-means finds in each part from the rows listed in starts (IN, n x k). Empty
// clusters move to far points, as in `run_many`; in a part with too few distinct rows for that they stay.
template <class T>
std::vector<T> cluster_parts(const Dataset<T>& data, const Parts& parts, const index_t* starts, index_t k, double tol, int max_iter,
                             int n_threads, const std::function<bool()>& interrupted);

}  // namespace seedbed
