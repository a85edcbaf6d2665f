// A data set as the native core keeps it: the caller's rows, their frame, and what many runs may share.
#pragma once

#include <memory>
#include <vector>

#include "kernels.hpp"
#include "points.hpp"

namespace seedbed {

template <class T>
class KdTree;

template <class T>
struct Dataset {
    Points<T> points;
    Frame<T> frame;
    std::vector<float> packed;  // blocks for the screening kernels, only where many runs share them
    std::shared_ptr<const KdTree<T>> tree;  // built when first asked for

    // Throws std::invalid_argument when a value is not finite.
    Dataset(const Points<T>& points, int n_threads);
    void measure(int n_threads);  // fills in total_square and variance
    void pack(int n_threads);
    void plant();                 // builds the tree
    bool measured() const { return measured_; }

    Step<T> step() const;  // data and frame filled in, the rest empty
    double inverse_unit() const { return 1.0 / frame.unit; }

private:
    bool measured_ = false;
};

extern template struct Dataset<float>;
extern template struct Dataset<double>;

inline constexpr index_t kTask = 4096;  // rows per task: fixed, so that blocked sums have a fixed order

}  // namespace seedbed
