#include "tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "pool.hpp"

namespace seedbed {
namespace {

constexpr int kBranchDepth = 5;    // subtrees at this depth are the units of parallel work
constexpr int kMaxDepth = 64;      // halving 2^63 rows
constexpr double kMargin = 1e-9;   // a centre is dropped only when farther by more than any rounding error

}  // namespace

template <class T>
KdTree<T>::KdTree(const Dataset<T>& data) : d_(data.points.d), order_(data.points.n) {
    std::iota(order_.begin(), order_.end(), index_t{0});
    build(data, 0, data.points.n, 0);
}

template <class T>
std::int32_t KdTree<T>::build(const Dataset<T>& data, index_t begin, index_t end, int depth) {
    const auto self = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({begin, end, -1, -1, 0});
    const index_t at = static_cast<index_t>(box_.size());
    box_.resize(at + 2 * d_);
    sums_.resize(sums_.size() + d_);
    index_t widest = 0;
    double width = -1.0;
    for (index_t j = 0; j < d_; ++j) {
        T low = data.points.row(order_[begin])[j], high = low;
        for (index_t i = begin; i < end; ++i) {
            low = std::min(low, data.points.row(order_[i])[j]);
            high = std::max(high, data.points.row(order_[i])[j]);
        }
        const double shift = static_cast<double>(data.frame.shift[j]);
        box_[at + j] = (static_cast<double>(low) - shift) * data.inverse_unit();
        box_[at + d_ + j] = (static_cast<double>(high) - shift) * data.inverse_unit();
        if (box_[at + d_ + j] - box_[at + j] > width) width = box_[at + d_ + j] - box_[at + j], widest = j;
    }
    const bool leaf = end - begin <= kBlock;
    if (depth == kBranchDepth || (leaf && depth < kBranchDepth)) branches_.push_back(self);
    if (leaf) {
        fill_leaf(data, self);
        return self;
    }
    const index_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](index_t a, index_t b) {
        const T x = data.points.row(a)[widest], y = data.points.row(b)[widest];
        return x < y || (x == y && a < b);
    });
    build(data, begin, middle, depth + 1);
    const std::int32_t right = build(data, middle, end, depth + 1);
    nodes_[self].right = right;
    nodes_[self].mass = nodes_[self + 1].mass + nodes_[right].mass;
    for (index_t j = 0; j < d_; ++j) sums_[self * d_ + j] = sums_[(self + 1) * d_ + j] + sums_[right * d_ + j];
    return self;
}

template <class T>
void KdTree<T>::fill_leaf(const Dataset<T>& data, std::int32_t node) {
    Node& n = nodes_[node];
    n.leaf = static_cast<std::int32_t>(blocks_.size() / (kBlock * d_));
    blocks_.resize(blocks_.size() + kBlock * d_);
    float* block = blocks_.data() + static_cast<index_t>(n.leaf) * kBlock * d_;
    std::sort(order_.begin() + n.begin, order_.begin() + n.end);
    for (index_t i = n.begin; i < n.end; ++i) {
        const T* x = data.points.row(order_[i]);
        const double mass = data.points.mass(order_[i]);
        n.mass += to_fixed(mass, data.frame.weight_grid);
        for (index_t j = 0; j < d_; ++j) {
            const double v = static_cast<double>(x[j]) - static_cast<double>(data.frame.shift[j]);
            sums_[node * d_ + j] += to_fixed(v * mass, data.frame.grid[j]);
            block[j * kBlock + (i - n.begin)] = static_cast<float>(v * data.inverse_unit());
        }
    }
    for (index_t p = n.end - n.begin; p < kBlock; ++p)
        for (index_t j = 0; j < d_; ++j) block[j * kBlock + p] = block[j * kBlock];
}

// What one worker carries through a subtree.
template <class T>
struct TreeWalk<T>::Visit {
    const Step<T>& step;
    Worker& worker;
    std::vector<std::int32_t> candidates;  // one list per level
    std::vector<float> panels;             // the candidates of a leaf
};

template <class T>
TreeWalk<T>::TreeWalk(const Dataset<T>& data, const KdTree<T>& tree, index_t k)
    : data_(data), tree_(tree), k_(k), d_(data.points.d), centers_(k * d_), labels_(data.points.n, -1), owner_(tree.nodes().size(), -1) {}

template <class T>
void TreeWalk<T>::assign(const Step<T>& step, std::vector<Worker>& workers, int n_threads) {
    for (index_t c = 0; c < k_; ++c)
        for (index_t j = 0; j < d_; ++j)
            centers_[c * d_ + j] = (static_cast<double>(step.centers[c * d_ + j]) - static_cast<double>(data_.frame.shift[j])) * data_.inverse_unit();
    std::vector<std::int32_t> all(k_);
    std::iota(all.begin(), all.end(), 0);
    const auto& branches = tree_.branches();
    parallel_for(static_cast<index_t>(branches.size()), n_threads, [&](index_t b, int w) {
        Visit visit{step, workers[w], std::vector<std::int32_t>(kMaxDepth * k_), {}};
        filter(visit, branches[b], 0, all.data(), static_cast<std::int32_t>(k_));
    });
}

// Keeps the candidates that may own a row of the box: those not dominated by the one nearest to its middle.
template <class T>
std::int32_t TreeWalk<T>::prune(Visit& visit, std::int32_t node, const std::int32_t* candidates, std::int32_t n, std::int32_t* kept) {
    const double *low = tree_.low(node), *high = tree_.high(node);
    std::int32_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::int32_t c = 0; c < n; ++c) {
        const double* z = &centers_[candidates[c] * d_];
        double square = 0.0;
        for (index_t j = 0; j < d_; ++j) {
            const double t = z[j] - 0.5 * (low[j] + high[j]);
            square += t * t;
        }
        if (square < least) least = square, nearest = c;
    }
    visit.worker.distances += n;
    const double* best = &centers_[candidates[nearest] * d_];
    std::int32_t left = 0;
    for (std::int32_t c = 0; c < n; ++c) {
        const double* z = &centers_[candidates[c] * d_];
        // The corner of the box that lies farthest in the direction from `best` to z decides.
        double from_z = 0.0, from_best = 0.0;
        for (index_t j = 0; j < d_; ++j) {
            const double corner = z[j] > best[j] ? high[j] : low[j];
            from_z += (z[j] - corner) * (z[j] - corner);
            from_best += (best[j] - corner) * (best[j] - corner);
        }
        if (c == nearest || !(from_z > from_best * (1 + kMargin) + kMargin * kMargin)) kept[left++] = candidates[c];
    }
    return left;
}

template <class T>
void TreeWalk<T>::filter(Visit& visit, std::int32_t node, int depth, const std::int32_t* candidates, std::int32_t n) {
    std::int32_t* kept = visit.candidates.data() + depth * k_;
    const std::int32_t left = prune(visit, node, candidates, n, kept);
    if (left == 1) {
        assign_all(visit, node, kept[0]);
        return;
    }
    const auto& here = tree_.nodes()[node];
    if (here.leaf >= 0) {
        owner_[node] = -1;
        scan_leaf(visit, node, kept, left);
        return;
    }
    push_down(node);
    filter(visit, node + 1, depth + 1, kept, left);
    filter(visit, here.right, depth + 1, kept, left);
}

// A box that is no longer of one label hands it to its halves.
template <class T>
void TreeWalk<T>::push_down(std::int32_t node) {
    if (owner_[node] >= 0) owner_[node + 1] = owner_[tree_.nodes()[node].right] = owner_[node];
    owner_[node] = -1;
}

template <class T>
void TreeWalk<T>::assign_all(Visit& visit, std::int32_t node, std::int32_t label) {
    const auto& here = tree_.nodes()[node];
    SumSheet& sums = visit.worker.sums;
    for (index_t j = 0; j < d_; ++j) sums.total[label * d_ + j] += tree_.sums(node)[j];
    if (sums.mass) sums.mass[label] += here.mass;
    sums.count[label] += here.end - here.begin;
    sums.changed[label] = 1;
    if (owner_[node] == label) return;
    std::int64_t changed = 0;
    for (index_t i = here.begin; i < here.end; ++i) {
        changed += labels_[i] != label;
        labels_[i] = label;
    }
    visit.worker.changed += changed;
    owner_[node] = label;
}

template <class T>
void TreeWalk<T>::scan_leaf(Visit& visit, std::int32_t node, const std::int32_t* candidates, std::int32_t n) {
    const auto& here = tree_.nodes()[node];
    const Step<T>& step = visit.step;
    visit.panels.resize(n * d_);
    Screen screen = step.screen;
    screen.k = n;
    const index_t panels = (n + kMaxGroup - 1) / kMaxGroup, group = (n + panels - 1) / panels;
    screen.group = static_cast<std::int32_t>(group);
    screen.n_full = static_cast<std::int32_t>(n - panels * (group - 1));
    screen.panels = visit.panels.data();
    float* out = visit.panels.data();
    for (index_t c = 0; c < n;) {
        const index_t width = c < screen.n_full * group ? group : group - 1;
        for (index_t j = 0; j < d_; ++j)
            for (index_t w = 0; w < width; ++w) *out++ = static_cast<float>(centers_[candidates[c + w] * d_ + j]);
        c += width;
    }
    const int count = static_cast<int>(here.end - here.begin);
    std::int32_t slots[kBlock];
    std::uint32_t undecided = kernels<T>().scan(tree_.block(here.leaf), screen, count, slots);
    visit.worker.distances += static_cast<std::int64_t>(count) * n;
    for (int p = 0; p < count; ++p) {
        const index_t row = tree_.order()[here.begin + p];
        std::int32_t label = candidates[slots[p]];
        if (undecided >> p & 1u) {
            double square;
            label = exact<T>().nearest(data_.points.row(row), step.centers, k_, d_, step.inverse_unit, &square);
            visit.worker.distances += k_;
        }
        kernels<T>().move_row(step, visit.worker.sums, row, -1, label);
        visit.worker.changed += labels_[here.begin + p] != label;
        labels_[here.begin + p] = label;
    }
}

template <class T>
void TreeWalk<T>::set_label(index_t i, std::int32_t label) {
    if (position_.empty()) {
        position_.resize(labels_.size());
        for (std::size_t p = 0; p < labels_.size(); ++p) position_[tree_.order()[p]] = static_cast<index_t>(p);
    }
    const index_t at = position_[i];
    labels_[at] = label;
    for (std::int32_t node = 0;;) {  // no box above this row is of one label any more
        const auto& here = tree_.nodes()[node];
        if (here.leaf >= 0) {
            owner_[node] = -1;
            return;
        }
        push_down(node);
        node = at < tree_.nodes()[here.right].begin ? node + 1 : here.right;
    }
}

template <class T>
void TreeWalk<T>::write_labels(std::int32_t* labels) const {
    for (std::size_t p = 0; p < labels_.size(); ++p) labels[tree_.order()[p]] = labels_[p];
}

template class KdTree<float>;
template class KdTree<double>;
template class TreeWalk<float>;
template class TreeWalk<double>;

}  // namespace seedbed
