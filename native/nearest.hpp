// Every row's nearest centre and its squared distance, for some centres and when more are added.
#pragma once

#include "dataset.hpp"

namespace seedbed {

// OUT labels and squares: the nearest centre, the lowest index among equals, and the squared distance to it.
template <class T>
void nearest(const Dataset<T>& data, const T* centers, index_t k, int n_threads, std::int32_t* labels, double* squares);

// Centres are added: IN/OUT labels and squares, those of the nearest of k old centres, become those of the nearest
// of all, the m new ones counted from k on. Rows are compared with few of them where their distances allow.
template <class T>
void lower_nearest(const Dataset<T>& data, const T* old, index_t k, const T* fresh, index_t m, int n_threads, std::int32_t* labels,
                   double* squares);

}  // namespace seedbed
