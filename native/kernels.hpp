// The table of kernels that exists once per instruction set, and what passes through it. Only plain
// data and static functions in headers that kernels include: an ordinary inline function would be
// compiled with several instruction sets and the linker would keep one of them for all.
#pragma once

#include <cstdint>

#include "fixed_sum.hpp"
#include "points.hpp"

namespace seedbed {

inline constexpr int kBlock = 32;  // points screened together, attribute by attribute

// The centres in single precision, in the frame of the data, as the screening kernels read them, and
// how far a screened distance s may be from the true one d: |s - d| <= relative * s + absolute.
struct Screen {
    const float* panels;  // IN, groups of `group` centres, attribute by attribute, padded far away
    index_t d;
    std::int32_t k;
    std::int32_t group;
    std::int32_t n_groups;
    float relative;
    float absolute;
};

// What one assignment step reads and writes. Bounds are in units of the frame and rounded outwards.
template <class T>
struct Step {
    Points<T> points;
    const T* shift;           // IN, d
    const double* grid;       // IN, d
    double weight_grid;
    double inverse_unit;
    const float* packed;      // IN, blocks of kBlock points in single precision, or null: packed as needed
    const T* centers;         // IN, k x d
    Screen screen;
    std::int32_t* labels;     // IN/OUT, n; -1 before the first assignment
    float* upper;             // IN/OUT, n: at least the distance to the own centre
    float* lower;             // IN/OUT, n (hamerly) or n x columns (elkan, yinyang)
    const float* moved;       // IN, k: how far each centre moved, rounded up
    const float* moved_other; // IN, k: the largest move of any other centre (hamerly)
    const float* half_gap;    // IN, k: half the distance to the nearest other centre, rounded down
};

// One worker's memory and counters.
struct Worker {
    SumSheet sums;            // IN/OUT
    float* block;             // scratch, d x kBlock, 64-byte aligned
    std::int64_t changed = 0;
    std::int64_t distances = 0;
};

template <class T>
struct Kernels {
    // Least and greatest value of each attribute; false when a value is not finite.
    bool (*column_range)(const T* x, index_t n, index_t d, T* least, T* greatest);
    void (*pack)(const Step<T>& step, index_t begin, index_t end, float* packed);
    void (*lloyd)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*label)(const Step<T>& step, Worker& worker, index_t begin, index_t end);  // labels only
    void (*hamerly_first)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*hamerly)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*move_row)(const Step<T>& step, const SumSheet& sums, index_t i, std::int32_t from, std::int32_t to);
};

// How far every row is from its nearest seed, as seeding methods keep it (min_distance.hpp).
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

inline constexpr int kWord = 64;           // rows treated together, few enough to stay in the nearest cache: a bit each
inline constexpr int kMaxCandidates = 24;  // weighed in one pass over the rows

// Computed without fused operations, in a fixed order: the same bits on every machine.
template <class T>
struct Exact {
    double (*square)(const T* a, const T* b, index_t d, double inverse_unit);
    // The label of plain Lloyd: least squared distance, lowest index among equals.
    std::int32_t (*nearest)(const T* x, const T* centers, index_t k, index_t d, double inverse_unit, double* square);
    // Sum of w |x - shift|^2 / unit^2 over rows [begin, end); OUT sums: of w (x - shift) / unit, d.
    double (*moments)(const Points<T>& points, const T* shift, double inverse_unit, index_t begin, index_t end, double* sums);
    // Sum of w |x - c_label|^2 / unit^2 over rows [begin, end).
    double (*sse)(const Points<T>& points, const T* centers, const std::int32_t* labels, double inverse_unit, index_t begin, index_t end);

    // Seeding; a list holds rows counted from `begin` (min_distance.hpp).
    index_t (*within_reach)(const SeedState<T>& s, const double* limit, index_t begin, index_t end, std::int32_t* list, double* rest);
    void (*weigh)(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* candidates, int n, double* total,
                  std::uint64_t* nearer, index_t plane);
    double (*lower)(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* center, std::int32_t id);
    double (*greatest)(const SeedState<T>& s, index_t begin, index_t end);
    double (*make_sketch)(const Points<T>& points, const T* shift, double steps_per_unit, index_t begin, index_t end, std::uint8_t* bytes,
                          index_t stride);
    index_t (*sieve)(const SeedState<T>& s, const Sketch& sketch, const std::int16_t* candidates, int n, index_t begin, std::int32_t* list,
                     index_t count, double* rest);
};

template <class T> const Kernels<T>& kernels();
template <class T> const Exact<T>& exact();
const char* instruction_set();

}  // namespace seedbed
