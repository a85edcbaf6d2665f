// A data set's rows as 16-bit integers about an origin, two attributes to a word (coarse.hpp).
#pragma once

#include <vector>

#include "points.hpp"
#include "scratch.hpp"

namespace seedbed {

// Blocks are quickest to read in order, rows are what can be picked; both (with the norms) is for many runs.
enum class Packing { rows, blocks, both };
inline constexpr index_t kWorthBoth = 8;  // attributes from which many runs gain from both

struct CoarseCopy {
    index_t n = 0, d = 0;
    std::vector<double> origin;  // d, padded to a multiple of four
    double scale = 0.0;          // of the integers
    Scratch<std::int32_t> rows;    // n x pairs of attributes, and three words more
    Scratch<std::int32_t> blocks;  // the same in whole blocks of kBlock rows, pair after pair of attributes
    Scratch<std::int32_t> half;    // n, padded to whole blocks: half the squared norms

    CoarseCopy() = default;
    CoarseCopy(Packing packing, index_t n, index_t d, std::vector<double> origin);

    index_t pairs() const { return (d + 1) / 2; }
    void resize(index_t fewer);  // for fewer rows, in the same memory

    // As fine as scores allow (coarse_centers.hpp) for rows that lie within `reach` of the origin. False where there is no such scale.
    bool set_scale(double reach, double unit);

    // Rows [begin, end) of the data. Returns their greatest squared norm in integers: beyond kMost they do not fit.
    template <class T>
    double pack(const Points<T>& points, index_t begin, index_t end);
    void pick(const CoarseCopy& from, const index_t* listed, index_t begin, index_t end);  // rows of another copy, of the same scale
    static constexpr double kMost = 7.0e8;
    static constexpr double kRoom = 1.25;  // for rows farther out than those of a sample

    // All rows: `reach` is a guess, and where some row turns out to lie farther out, all are packed again. False where
    // they cannot be.
    template <class T>
    bool pack_all(const Points<T>& points, double reach, double unit, int n_threads);

    void add_blocks(int n_threads);  // made of the rows, where both are wanted
};

}  // namespace seedbed
