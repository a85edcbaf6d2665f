// Divisive seeding (Var-Part and PCA-Part, Su & Dy 2007; Otsu's threshold, Celebi & Kingravi 2012): split
// the cluster of largest error in two, across its widest attribute or its principal axis, until there
// are k clusters; their means are the centres. No bit of the result depends on the order of the rows or
// on the number of threads: everything a decision is made of is an exact sum (moments.hpp,
// products.hpp), an extreme, or computed from one row alone.
#pragma once

#include <functional>
#include <vector>

#include "dataset.hpp"

namespace seedbed {

enum class Axis { attribute, principal };
enum class Threshold { mean, otsu, exact };

struct PartitionOptions {
    index_t k = 1;
    Axis axis = Axis::attribute;
    Threshold threshold = Threshold::mean;
    int bins = 256;  // of Otsu's histogram
    int n_threads = 1;
    std::function<bool()> interrupted;  // asked between steps; true: give up with Interrupted
};

struct Split {
    index_t cluster;    // the one that was split; its left part keeps the number, the right takes the next
    index_t attribute;  // -1 for a principal axis
    double threshold;   // in the data's coordinates
    double sse;         // before the split
    index_t left, right;  // rows
    double residual;    // of the axis as an eigenvector, relative to its eigenvalue; 0 for an attribute
};

template <class T>
struct Partition {
    std::vector<T> centers;      // k x d; fewer than asked for when no cluster has any error left
    std::vector<index_t> sizes;  // k: rows of positive weight
    std::vector<double> errors;  // k: sum of squared errors
    std::vector<Split> splits;   // k - 1
    std::vector<double> axes;    // (k - 1) x d for principal axes, else empty
    index_t k = 0;
};

// Throws std::invalid_argument when an attribute's range is not a finite number. The range of all rows is
// looked for where no frame tells it.
template <class T>
Partition<T> partition(const Points<T>& points, const PartitionOptions& options, const Frame<T>* frame = nullptr);

}  // namespace seedbed
