// What passes between seeding.cpp and its kernels, which exist once per instruction set (kernels.hpp).
#pragma once

#include <cstdint>

#include "points.hpp"

namespace seedbed {

inline constexpr int kWord = 64;         // rows per word of a bit set, and treated together
inline constexpr int kSketchBlock = 16;  // rows whose bytes lie together in a sketch
inline constexpr int kFine = 8;          // candidates are sketched this much finer than rows

// How far every row is from its nearest seed.
template <class T>
struct SeedState {
    Points<T> points;
    double inverse_unit;    // 1 where squares of raw differences neither overflow nor vanish
    double weight_scale;    // power of two: weights into [0, 1]
    index_t stride;         // of centres in double precision: d, padded to a multiple of four
    double* square;         // IN/OUT, n, then zeros to a multiple of kSketchBlock: squared distance to the nearest seed
    std::int32_t* nearest;  // IN/OUT, n: that seed; or null where nobody asks
    double* words;          // OUT, one for each kWord rows: their sum of w md^2 (total, lower_all)
};

// Rows in bytes (sketch.hpp): blocks of rows, pair of attributes by pair of attributes, two bytes per row.
struct Sketch {
    const std::uint8_t* bytes;  // IN
    index_t pairs;              // of attributes
    double steps_per_distance;  // steps are those of candidates: 1 / kFine of a byte
    double error;               // at least the distance of a row and a candidate to their sketches, together, in steps
};

// md^2 of the rows (padded with zeros to a multiple of kSketchBlock) and their weights.
struct Weighted {
    const double* square;  // IN
    const double* weight;  // IN, or null
    double scale;          // of weights, into [0, 1]
};

// Seeds as a scan for rows that would spread them reads them.
struct Apart {
    const double* centers;  // IN, k, `stride` apart
    index_t k;              // two at least
    const double* gap;      // IN, k: the squared distance of each seed to the seed next to it
    double closest;         // the least of them
};

// A row that would spread the seeds, or the end of the range where there is none.
struct Spreading {
    index_t row;
    std::int32_t nearest;  // seed, and the squares of the distances to it and to the next
    double square, next;
};

// What a sketch says about a candidate, in steps: sums over the rows that it may be nearer to.
struct Rough {
    double gain;    // of w max(0, md^2 - d^2)
    double square;  // of w d^2
    double mass;    // of w
};

// Rows of a list are counted from `begin`. What each kernel does is said where it is defined
// (min_distance.hpp, sketch.hpp).
template <class T>
struct SeedKernels {
    index_t (*list_reachable)(const SeedState<T>& s, const double* limit, index_t begin, index_t end, std::int32_t* list);
    index_t (*list_marked)(const std::uint64_t* bits, index_t words, std::int32_t* list);
    void (*weigh)(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* candidates, index_t n,
                  double* gains, std::uint64_t* nearer, index_t plane);
    void (*lower)(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* center, std::int32_t id);
    double (*measure)(const SeedState<T>& s, index_t begin, index_t end, const double* center);
    double (*lower_all)(const SeedState<T>& s, index_t begin, index_t end, const double* center, std::int32_t id);
    double (*total)(const SeedState<T>& s, index_t begin, index_t end);
    double (*greatest)(const SeedState<T>& s, index_t begin, index_t end);
    double (*make_sketch)(const Points<T>& points, const double* middle, double steps_per_value, index_t begin, index_t end, std::uint8_t* bytes);
    void (*compare)(const Sketch& sketch, const Weighted& rows, const std::int32_t* candidates, index_t n, index_t begin, index_t end,
                    std::uint64_t* bits, index_t plane, Rough* out);
    Spreading (*first_spreading)(const SeedState<T>& s, const Apart& seeds, index_t begin, index_t end);
};

}  // namespace seedbed
