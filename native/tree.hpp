// Kd-tree filtering (Pelleg & Moore 1999; Kanungo et al. 2002): a box all of whose points share their
// nearest centre is assigned at once by its stored sums. Built once per data set, shared by all runs.
// Sums are exact (fixed_sum.hpp), so centres are the same bits as with any other algorithm.
#pragma once

#include <vector>

#include "dataset.hpp"
#include "fixed_sum.hpp"

namespace seedbed {

template <class T>
class KdTree {
public:
    struct Node {
        index_t begin, end;   // rows [begin, end) in the tree's order
        std::int32_t right;   // the right child (the left one follows its parent), or -1 at a leaf
        std::int32_t leaf;    // number of the leaf, or -1
        int128_t mass;
    };

    explicit KdTree(const Dataset<T>& data);

    index_t d() const { return d_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<index_t>& order() const { return order_; }
    const double* low(std::int32_t node) const { return box_.data() + 2 * node * d_; }         // d, framed
    const double* high(std::int32_t node) const { return box_.data() + (2 * node + 1) * d_; }  // d, framed
    const int128_t* sums(std::int32_t node) const { return sums_.data() + node * d_; }         // d
    const float* block(std::int32_t leaf) const { return blocks_.data() + static_cast<index_t>(leaf) * kBlock * d_; }
    const std::vector<std::int32_t>& branches() const { return branches_; }  // disjoint subtrees that cover all rows

private:
    std::int32_t build(const Dataset<T>& data, index_t begin, index_t end, int depth);
    void fill_leaf(const Dataset<T>& data, std::int32_t node);

    index_t d_;
    std::vector<index_t> order_;
    std::vector<Node> nodes_;
    std::vector<double> box_;
    std::vector<int128_t> sums_;
    std::vector<float> blocks_;
    std::vector<std::int32_t> branches_;
};

// One run's walk over a tree.
template <class T>
class TreeWalk {
public:
    TreeWalk(const Dataset<T>& data, const KdTree<T>& tree, index_t k);

    // Labels every row anew for the step's centres; OUT sums: those of the new labels, from nothing.
    void assign(const Step<T>& step, std::vector<Worker>& workers, int n_threads);
    void set_label(index_t i, std::int32_t label);   // of row i in the caller's order
    void write_labels(std::int32_t* labels) const;   // OUT, n, in the caller's order

private:
    struct Visit;
    void filter(Visit& visit, std::int32_t node, int depth, const std::int32_t* candidates, std::int32_t n);
    void push_down(std::int32_t node);
    void scan_leaf(Visit& visit, std::int32_t node, const std::int32_t* candidates, std::int32_t n);
    void assign_all(Visit& visit, std::int32_t node, std::int32_t label);
    std::int32_t prune(Visit& visit, std::int32_t node, const std::int32_t* candidates, std::int32_t n, std::int32_t* kept);

    const Dataset<T>& data_;
    const KdTree<T>& tree_;
    index_t k_, d_;
    std::vector<double> centers_;          // k x d, framed
    std::vector<std::int32_t> labels_;     // n, in the tree's order
    std::vector<std::int32_t> owner_;      // per node: the label of all its rows, or -1 when mixed or unknown
    std::vector<index_t> position_;        // of each row in the tree's order; filled when first asked for
};

}  // namespace seedbed
