// Attributes one by one: their range, mean and deviation, a grid over their range, and which rows share
// a cell of it. What the methods that look at the data through a grid or along an attribute begin with.
#pragma once

#include <cstdint>
#include <vector>

#include "dataset.hpp"
#include "scratch.hpp"

namespace seedbed {

template <class T>
struct Attributes {
    std::vector<T> least, greatest;       // d
    std::vector<double> mean, deviation;  // d, weighted; the deviation of all rows, not of a sample
};

// The same bits for any order of rows and any number of threads.
template <class T>
Attributes<T> describe_attributes(const Dataset<T>& data, int n_threads);

// The weighted mean alone.
template <class T>
std::vector<double> mean_of_attributes(const Dataset<T>& data, int n_threads);

// Where rows lie on a grid over the range of attributes: floor(steps (x - least) / (greatest - least) + offset),
// but no more than `top`; 0 for an attribute without a range.
struct Grid {
    double steps;
    double offset;
    std::uint16_t top;
};

// n x count positions of the attributes listed (IN, count).
template <class T>
Scratch<std::uint16_t> grid_positions(const Dataset<T>& data, const index_t* attributes, index_t count, const Grid& grid, int n_threads);

struct Groups {
    Scratch<std::int32_t> labels;  // n: the group of each row, numbered in order of appearance
    std::vector<index_t> first;    // the first row of each group
};

// Groups of rows (IN, n x d, values below 2^bits) that are equal once `shift` bits are dropped from every value.
Groups group_rows(const std::uint16_t* rows, index_t n, index_t d, int bits, int shift);

// A number of groups that there are at least: different hashes, 6 % fewer where all rows differ. The same for any order
// of rows, and found many times faster than the groups.
index_t fewest_groups(const std::uint16_t* rows, index_t n, index_t d, int bits, int shift);

}  // namespace seedbed
