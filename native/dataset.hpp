// A data set as the native core keeps it: the caller's rows, their frame, and what many runs may share.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "coarse_copy.hpp"
#include "kernels.hpp"
#include "points.hpp"

namespace seedbed {

class FixedSums;
template <class T>
class KdTree;
template <class T>
class SketchShelf;

// Sums over the rows of each task: what a data set's mean and spread are made of.
struct Moments {
    Moments(index_t n, index_t d);
    std::vector<double> squares;  // one per task: of w |x - shift|^2, in units^2
    std::vector<double> sums;     // d per task: of w (x - shift), in units
};

template <class T>
void take_moments(const Points<T>& points, const Frame<T>& frame, index_t task, Moments& moments);

template <class T>
struct Dataset {
    Points<T> points;
    Frame<T> frame;
    std::optional<CoarseCopy> coarse;  // once packed, if the rows allow it
    std::vector<int128_t> sums;        // d, exact, of all rows (fixed_sum.hpp); empty unless asked for
    std::shared_ptr<const KdTree<T>> tree;  // built when first asked for
    std::shared_ptr<SketchShelf<T>> shelf;  // what one seeding leaves for the next (sketcher.hpp)

    // Throws std::invalid_argument when a value is not finite.
    Dataset(const Points<T>& points, int n_threads);
    // Rows of another data set, in its frame, that are measured and packed already (if they can be).
    Dataset(const Points<T>& points, const Frame<T>& frame, const Moments& moments, std::optional<CoarseCopy> coarse);
    void measure(int n_threads);  // fills in total_square and variance
    void pack(Packing packing, int n_threads);  // makes the coarse copy; measures first
    void add_rows();              // fills in sums; rows must have no weights
    void add_rows(const std::int32_t* labels, index_t k, FixedSums& into) const;  // of k clusters; throws where a label (IN, n) is none of them
    void plant();                 // builds the tree
    bool measured() const { return measured_; }
    std::vector<double> middle() const;                          // d: the mean, that of some rows until all are measured
    double reach_about(const std::vector<double>& origin) const;  // the greatest distance from there, by some rows

    Step<T> step() const;  // data and frame filled in, the rest empty
    double inverse_unit() const { return 1.0 / frame.unit; }

private:
    void weigh();  // finds the total mass
    void settle(const Moments& moments);
    bool measured_ = false, packed_ = false;
    std::vector<double> mean_;  // d, in the data's units
};

extern template struct Dataset<float>;
extern template struct Dataset<double>;

inline constexpr index_t kTask = 4096;  // rows per task: fixed, so that blocked sums have a fixed order

}  // namespace seedbed
