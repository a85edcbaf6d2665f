// What passes between seeding.cpp and its kernels, which exist once per instruction set (kernels.hpp).
#pragma once

#include <cstdint>

#include "points.hpp"

namespace seedbed {

inline constexpr int kWord = 64;           // rows treated together, few enough to stay in the nearest cache: a bit each
inline constexpr int kMaxCandidates = 24;  // weighed in one pass over the rows

// How far every row is from its nearest seed.
template <class T>
struct SeedState {
    Points<T> points;
    double inverse_unit;    // 1 where squares of raw differences neither overflow nor vanish
    double weight_scale;    // power of two: weights into [0, 1]
    index_t stride;         // of centres in double precision: d, padded to a multiple of four
    double* square;         // IN/OUT, n: squared distance to the nearest seed
    std::int32_t* nearest;  // IN/OUT, n: that seed
};

// Rows in bytes (sketch.hpp).
struct Sketch {
    const std::uint8_t* bytes;  // IN, n x stride
    index_t stride;             // d, padded to a multiple of 16
    double steps_per_distance;  // rounded up
    double error;               // at least the distance of two rows to their sketches, together, in steps
};

// A list holds rows counted from `begin`, the first row of a task; a null list stands for the first
// `count` rows of the task. What each does is said where it is defined (min_distance.hpp, sketch.hpp).
template <class T>
struct SeedKernels {
    index_t (*within_reach)(const SeedState<T>& s, const double* limit, index_t begin, index_t end, std::int32_t* list, double* rest);
    void (*weigh)(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* candidates, int n,
                  double* total, std::uint64_t* nearer, index_t plane);
    double (*lower)(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* center, std::int32_t id);
    double (*greatest)(const SeedState<T>& s, index_t begin, index_t end);
    double (*make_sketch)(const Points<T>& points, const T* shift, double steps_per_unit, index_t begin, index_t end,
                          std::uint8_t* bytes, index_t stride);
    index_t (*sieve)(const SeedState<T>& s, const Sketch& sketch, const std::int16_t* candidates, int n, index_t begin,
                     std::int32_t* list, index_t count, double* rest);
};

}  // namespace seedbed
