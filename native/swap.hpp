// Local search by swapping centres: rows' two nearest centres, swaps of centres for rows drawn by D^2 (LS++ and
// its form with several swaps at once), and the swap that is best after the means are taken (FLS++). There is no
// random generator here: the caller brings the uniform numbers.
#pragma once

#include <functional>
#include <vector>

#include "dataset.hpp"

namespace seedbed {

struct TwoNearest {
    std::vector<std::int32_t> first, second;  // the lowest index among equals; second is -1 where there is one centre
    std::vector<double> square, next_square;  // squared distances to them, infinity where there is none
};

template <class T>
TwoNearest two_nearest(const Dataset<T>& data, const T* centers, index_t k, int n_threads);

template <class T>
struct Swapped {
    std::vector<T> centers;        // k x d
    std::vector<index_t> rows;     // k: the row that a centre was swapped for, -1 where it was kept
    std::vector<double> cost;      // sum of w d^2 at the start and after each step: never rises
    std::int64_t distances = 0;    // between a row and a centre
};

// Each step draws `swaps` rows with probability proportional to w d^2 (uniforms: steps x swaps), adds them to the
// centres, removes as many of the greater set, one at a time, each the one that raises the cost least, and keeps
// the outcome if it costs less. With one swap that is LS++.
template <class T>
Swapped<T> swap_search(const Dataset<T>& data, const T* centers, index_t k, const double* uniforms, index_t steps, index_t swaps,
                       int n_threads, const std::function<bool()>& interrupted);

// Of all ways to leave one out of k centres and a row (the row itself among them), the one whose means have the
// least error. OUT centers: those means, k x d; a centre without rows stays. Returns the centre whose place the
// row takes, or -1.
template <class T>
index_t best_mean_swap(const Dataset<T>& data, index_t row, index_t k, int n_threads, T* centers);

}  // namespace seedbed
