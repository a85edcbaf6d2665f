// Choosing rows to start from: which rows are distinct, D^2 draws (k-means++ and its greedy form) and
// farthest points (maximin), the last two over one pruned update of every row's distance to its
// nearest seed. There is no random generator here: the caller brings the uniform numbers.
#pragma once

#include <functional>
#include <vector>

#include "dataset.hpp"

namespace seedbed {

// The first `limit` rows, in order, that equal no row before them; fewer where there are no more.
template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit);

// The same among n rows (IN); what is returned are places among them.
template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit, const index_t* among, index_t n);

struct Chosen {
    std::vector<index_t> rows;      // fewer than asked for when every row coincides with a seed
    std::vector<double> potential;  // sum of w md^2 after each seed (D^2 draws)
    std::vector<double> distance;   // of each seed to those before it when it was chosen (maximin; the first is 0)
    std::int64_t distances = 0;     // row-to-seed distances computed
};

// Round r draws `trials` candidates with uniforms[r * trials ...], each with probability proportional
// to w md^2, and keeps the one that lowers the sum of w md^2 most, the first drawn among equals. The
// first seed is drawn by weight with uniforms[0]. The rows in `given` are the first seeds, in place of draws.
// Rows must have positive weights.
template <class T>
Chosen draw_seeds(const Dataset<T>& data, index_t k, const double* uniforms, index_t trials, int n_threads,
                  const std::function<bool()>& interrupted, const std::vector<index_t>& given = {});

// The same for several starts at once (one at least), each with its own k x trials uniforms: they share what depends
// on the data only, and small ones are spread over the threads.
template <class T>
std::vector<Chosen> draw_starts(const Dataset<T>& data, index_t k, const double* uniforms, index_t starts, index_t trials, int n_threads,
                                const std::function<bool()>& interrupted);

// Each seed after the first is the row farthest from the seeds before it, the lowest index among equals.
template <class T>
Chosen farthest_seeds(const Dataset<T>& data, index_t k, index_t first, int n_threads, const std::function<bool()>& interrupted);

struct Spread {
    std::vector<index_t> rows;
    index_t replaced = 0;  // how many rows took a seed's place, some of which may have lost it again
};

// Lets every row after the last of at least two distinct seeds, in order, take the place of one. Where the row
// is farther from its nearest seed q than the closest pair of seeds from each other, it takes that of the nearer
// of the two; else, where it is farther from its second nearest seed than q from the seed next to it, that of q.
template <class T>
Spread spread_seeds(const Dataset<T>& data, std::vector<index_t> rows, const std::function<bool()>& interrupted);

// The weighted mean of the rows of each label in [0, k), k x d; every label must have a row.
template <class T>
std::vector<T> label_means(const Dataset<T>& data, const std::int32_t* labels, index_t k);

// The row of greatest Euclidean norm, the lowest index among equals.
template <class T>
index_t longest_row(const Dataset<T>& data);

}  // namespace seedbed
