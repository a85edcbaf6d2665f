// Hartigan's refinement of a clustering: rows are moved one at a time, and the two means at once, as long
// as that lowers the error. What it cannot improve, Lloyd's iterations cannot either.
#pragma once

#include <functional>
#include <vector>

#include "dataset.hpp"

namespace seedbed {

struct Pass {
    double sse;              // of the labels about their means, after the pass
    std::int64_t moved;      // rows
    std::int64_t distances;  // between a row and a mean
};

template <class T>
struct Refined {
    std::vector<T> centers;            // k x d: the means of the labels
    std::vector<std::int32_t> labels;  // n
    std::vector<Pass> passes;          // the last one moves nothing unless the limit was reached
};

// A row of weight w moves from cluster a to the b of least m_b d_b^2 / (m_b + w) where that is less than
// m_a d_a^2 / (m_a - w), by more than rounding can feign; times w the difference is what the error falls by.
// Rows are visited in order. A cluster is never emptied, an empty one never filled (its centre stays), and rows
// of no weight stay where they are.
template <class T>
Refined<T> hartigan(const Dataset<T>& data, const T* centers, index_t k, const std::int32_t* labels, index_t max_passes, int n_threads,
                    const std::function<bool()>& interrupted);

}  // namespace seedbed
