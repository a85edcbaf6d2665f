// A data set as the native core keeps it: the caller's rows, their frame, and what many runs may share.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels.hpp"
#include "points.hpp"
#include "scratch.hpp"

namespace seedbed {

template <class T>
class KdTree;

// The rows as 16-bit integers about their mean, two attributes to a word (coarse.hpp).
struct CoarseCopy {
    std::vector<double> origin;  // d, padded to a multiple of four
    double scale = 0.0;          // of the integers
    Scratch<std::int32_t> rows;    // n x pairs of attributes, and three words more
    Scratch<std::int32_t> blocks;  // the same in whole blocks of kBlock rows, pair after pair of attributes
    Scratch<std::int32_t> half;    // n, padded to whole blocks: half the squared norms
};

// Blocks are quickest to read in order, rows are what can be picked; both (with the norms) is for many runs.
enum class Packing { rows, blocks, both };

template <class T>
struct Dataset {
    Points<T> points;
    Frame<T> frame;
    std::optional<CoarseCopy> coarse;  // once packed, if the rows allow it
    std::vector<int128_t> sums;        // d, exact, of all rows (fixed_sum.hpp); empty unless asked for
    std::shared_ptr<const KdTree<T>> tree;  // built when first asked for

    // Throws std::invalid_argument when a value is not finite.
    Dataset(const Points<T>& points, int n_threads);
    // Some rows of another data set, in its frame: points holds copies of the n rows listed (IN, increasing), which are taken
    // from the coarse copy too, where there is one.
    Dataset(const Points<T>& points, const Dataset& whole, const index_t* rows);
    void measure(int n_threads);  // fills in total_square and variance
    void pack(Packing packing, int n_threads);  // makes the coarse copy; measures first
    void add_rows();              // fills in sums; rows must have no weights
    void plant();                 // builds the tree
    bool measured() const { return measured_; }

    Step<T> step() const;  // data and frame filled in, the rest empty
    double inverse_unit() const { return 1.0 / frame.unit; }

private:
    void weigh();  // finds the total mass
    double sampled_reach(const std::vector<double>& origin) const;
    bool measured_ = false, packed_ = false;
    std::vector<double> mean_;  // d, in the data's units
};

extern template struct Dataset<float>;
extern template struct Dataset<double>;

inline constexpr index_t kTask = 4096;  // rows per task: fixed, so that blocked sums have a fixed order

}  // namespace seedbed
