// K-means on parts of the rows, one part after another (Bradley and Fayyad's first stage).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine.hpp"

namespace seedbed {

// Parts of the rows: part p has rows[ends[p - 1]] ... rows[ends[p] - 1].
struct Parts {
    const index_t* rows;  // IN, ends[n - 1]: those of a part increasing, which is how memory is read fastest
    const index_t* ends;  // IN, n
    index_t n;
};

// Rows that do not go to the part of their label: of label p those with the numbers at [ends[p - 1], ends[p]) among its rows.
struct Exceptions {
    const index_t* number;   // IN, of a label increasing, from 0 on
    const index_t* to;       // IN: the part that each goes to
    const index_t* ends;     // IN, n_parts
};

// How many rows have each label (IN labels, n; OUT counts, n_labels).
void count_labels(const std::uint16_t* labels, index_t n, index_t n_labels, index_t* counts);

// OUT rows, n: those of each part, increasing. Row i goes to part labels[i] (IN, n), but for the exceptions. The parts must come
// out as long as is said (IN ends, n_parts).
void deal_rows(const std::uint16_t* labels, index_t n, index_t n_parts, const Exceptions& exceptions, const index_t* ends, index_t* rows);

// The centres, n x k x d, that k-means finds in each part from the rows listed in starts (IN, n x k). Empty
// clusters move to far points, as in `run_many`; in a part with too few distinct rows for that they stay.
template <class T>
std::vector<T> cluster_parts(const Dataset<T>& data, const Parts& parts, const index_t* starts, index_t k, double tol, int max_iter,
                             int n_threads, const std::function<bool()>& interrupted);

}  // namespace seedbed
