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

// Some rows of the data, by their numbers.
template <class T>
struct Rows {
    Points<T> points;
    const index_t* index;  // IN, n
    index_t n;
};

// How the divisive methods look at a cluster: t = (x - pivot) * scale lies in [-1, 1] and a row's mass
// times mass_scale in [0, 1]. Scales are powers of two; `pivot` and `scale` are padded with zeros to
// `padded(d)`, so that the lanes past the last attribute add nothing.
struct Lens {
    const double* pivot;
    const double* scale;
    double mass_scale;
};

static constexpr index_t padded(index_t d) { return (d + 3) / 4 * 4; }

inline constexpr index_t kExactRows = 4096;   // rows whose sums are exact in two doubles (moments.hpp)
inline constexpr index_t kProductRows = 256;  // rows whose products are summed exactly in doubles (products.hpp)

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
    // Adds the exact sums of w t_j t_k over the rows to `totals` (products.hpp); scratch: 2 kProductRows padded(d).
    void (*add_products)(const Rows<T>& rows, const Lens& lens, int128_t* totals, double* scratch);
};

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
    // Over some rows (moments.hpp). Least and greatest value of each attribute; IN/OUT: what is known so far.
    void (*row_range)(const Rows<T>& rows, T* least, T* greatest);
    // Adds w t and, padded(d) further on, w t^2 to exact sums; at most kExactRows rows.
    void (*add_moments)(const Rows<T>& rows, const Lens& lens, double* high, double* low);
    // OUT y, n: the sum of coefficient * t, in a fixed order.
    void (*project)(const Rows<T>& rows, const Lens& lens, const double* coefficient, double* y);
    // Adds w (coefficient . t) t * shrink, which must lie in [-1, 1], to exact sums; at most kExactRows rows.
    void (*add_image)(const Rows<T>& rows, const Lens& lens, const double* coefficient, double shrink, double* high, double* low);
};

template <class T> const Kernels<T>& kernels();
template <class T> const Exact<T>& exact();
const char* instruction_set();

}  // namespace seedbed
