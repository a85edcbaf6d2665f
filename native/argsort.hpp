// Rows in the order of one number each, equal numbers in the order of the rows: all rows, or only those at a few
// places of that order. -0.0 equals 0.0, infinities are numbers like others; NaN has no place in an order and throws
// std::invalid_argument. Time is linear in n: nothing is compared but a few neighbours.
#pragma once

#include "points.hpp"

namespace seedbed {

// The rows (OUT, n) in the order of their keys (IN, n), and the keys in that order (OUT, n).
template <class T>
void argsort(const T* keys, index_t n, index_t* rows, T* sorted, int n_threads);

// The rows (OUT, count) at some places (IN, count, of 0..n-1, in any order) of that order. What lies between the places is
// counted and not sorted.
template <class T>
void select_rows(const T* keys, index_t n, const index_t* places, index_t count, index_t* rows, int n_threads);

extern template void argsort(const float*, index_t, index_t*, float*, int);
extern template void argsort(const double*, index_t, index_t*, double*, int);
extern template void select_rows(const float*, index_t, const index_t*, index_t, index_t*, int);
extern template void select_rows(const double*, index_t, const index_t*, index_t, index_t*, int);

}  // namespace seedbed
