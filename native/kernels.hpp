// The table of kernels that exists once per instruction set, and what passes through it. Only plain
// data and static functions in headers that kernels include: an ordinary inline function would be
// compiled with several instruction sets and the linker would keep one of them for all.
#pragma once

#include <cstdint>

#include "fixed_sum.hpp"
#include "points.hpp"

namespace seedbed {

inline constexpr int kBlock = 32;         // points screened together, attribute by attribute
inline constexpr index_t kMaxGroup = 6;  // centres whose sums stay in registers together

inline constexpr int kGroupWidth = 16;  // centres per group of the grouped bounds
inline constexpr int kBatch = 128;      // points that look through the groups together

// The centres in groups of neighbours, as the grouped bounds read them.
struct Grouped {
    std::int32_t n;               // groups
    const float* panels;          // IN, per group: attribute by attribute, kGroupWidth centres, absent ones far away
    const float* rows;            // IN, k x d: the framed centres in their own order
    const std::int32_t* member;   // IN, n x kGroupWidth: centre in each slot, -1 where absent
    const std::int32_t* slot;     // IN, k: where each centre is
    const std::int32_t* size;     // IN, n
    const float* drift_high;      // IN, n (per group) or n x kGroupWidth (per centre): moves so far, rounded up
    const float* drift_low;       // IN, the same, rounded down
};

// The centres in single precision, in the frame of the data, as the screening kernels read them, and
// how far a screened distance s may be from the true one d: |s - d| <= relative * s + absolute.
struct Screen {
    const float* panels;  // IN, n_full groups of `group` centres, then groups of one less, attribute by attribute
    index_t d;
    std::int32_t k;
    std::int32_t group;
    std::int32_t n_full;
    float relative;
    float absolute;
};

// Points and centres as 16-bit integers about the data's mean, two attributes to a word (coarse.hpp).
struct Coarse {
    const std::int32_t* rows;    // IN, n x pairs, and three words more; null: only to be read in order
    const std::int32_t* blocks;  // IN, blocks of kBlock rows, pair after pair; null: only the rows are there
    const std::int32_t* half;    // IN, n, padded to whole blocks: half the squared norm; null: not known
    const std::int32_t* panels;  // IN, centres in the groups of Screen, pair after pair
    const std::int32_t* offset;  // IN, k: minus half the squared norm
    index_t pairs;               // 0: not to be used
    bool far;                    // whether asking for rows early pays
    float lead_slope;            // (score - score)^2 must exceed this times half the squared distance of the farther one,
    float lead_error;            // the scores being this much closer
    float distance_error;        // of the difference of two distances between integers
    float unit;                  // of the integers, in units of the frame
};

// What one assignment step reads and writes. Bounds are in units of the frame and rounded outwards.
template <class T>
struct Step {
    Points<T> points;
    const T* shift;           // IN, d
    const double* grid;       // IN, d
    double weight_grid;
    double inverse_unit;
    const T* centers;         // IN, k x d
    Screen screen;
    Coarse coarse;
    std::int32_t* labels;     // IN/OUT, n; -1 before the first assignment
    float* slack;             // IN/OUT, n: how much nearer the own centre was than any other when last looked at,
                              // plus its cluster's drift up to then
    float* lower;             // IN/OUT, n x groups (yinyang) or n x groups x kGroupWidth (elkan)
    Grouped groups;
    double gather_cost;       // of one failing row, in rows of a full scan
    bool far;                 // whether the rows lie beyond the cache, so that asking for them early pays
    const double* quarter_gaps;  // IN, k x k: a quarter of the squared distances between centres (tie-pde)
    const float* drift_high;  // IN, k (padded to 16): how far own and other centres moved in all, rounded up
    const float* drift_low;   // IN, k (padded to 16): the same, rounded down
};

// One worker's memory and counters.
struct Worker {
    SumSheet sums;            // IN/OUT
    float* block;             // scratch, d x kBlock, 64-byte aligned
    float* rows;              // scratch, kBatch x (d + groups), for the grouped bounds
    std::int32_t* words;      // scratch, (pairs + 3) x kBlock, for coarse rows
    std::int64_t changed = 0;
    std::int64_t failed = 0;  // points whose bound did not decide (hamerly)
    std::int64_t distances = 0;
    bool may_spare = false;     // one cluster's sums in the first assignment: they are what the others leave of all
    std::int32_t spared = -1;   // OUT, the cluster
};

template <class T>
struct Kernels {
    // Least and greatest value of each attribute; false when a value is not finite.
    bool (*column_range)(const T* x, index_t n, index_t d, T* least, T* greatest);
    // OUT words: (rows - origin) * scale as coarse.hpp reads them; returns the greatest squared norm of a row. OUT half, unless
    // null: half of each. Origin and scale are padded by zeros to a multiple of four.
    double (*pack_coarse)(const Points<T>& points, const double* origin, const double* scale, bool blocked, index_t begin, index_t end,
                          std::int32_t* words, std::int32_t* half);
    void (*turn_rows)(const std::int32_t* rows, index_t pairs, index_t begin, index_t end, std::int32_t* scratch, std::int32_t* blocks);
    void (*lloyd)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    // OUT slots: the nearest of the screen's centres for `count` points of a block; a bit per point left undecided.
    std::uint32_t (*scan)(const float* block, const Screen& screen, int count, std::int32_t* slots);
    void (*label)(const Step<T>& step, Worker& worker, index_t begin, index_t end);  // labels only
    void (*hamerly_first)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*hamerly)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*tie_pde)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*yinyang_first)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*yinyang)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*elkan_first)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*elkan)(const Step<T>& step, Worker& worker, index_t begin, index_t end);
    void (*move_row)(const Step<T>& step, const SumSheet& sums, index_t i, std::int32_t from, std::int32_t to);
    void (*add_rows)(const Step<T>& step, const SumSheet& sums, const std::int32_t* labels, index_t begin, index_t end);
};

template <class T> struct SeedKernels;
template <class T> struct PartitionKernels;
template <class T> struct AttributeKernels;
struct TileKernels;

// Computed without fused operations, in a fixed order: the same bits on every machine.
template <class T>
struct Exact {
    double (*square)(const T* a, const T* b, index_t d, double inverse_unit);
    // The label of plain Lloyd: least squared distance, lowest index among equals.
    std::int32_t (*nearest)(const T* x, const T* centers, index_t k, index_t d, double inverse_unit, double* square);
    // The same label, starting at `start`: centres are skipped by the triangle inequality and abandoned when
    // the partial sum exceeds the best; adds the distances begun to `distances`.
    std::int32_t (*nearest_pde)(const T* x, const T* centers, const double* quarter_gaps, index_t k, index_t d, double inverse_unit,
                                std::int32_t start, std::int64_t* distances);
    // Sum of w |x - shift|^2 / unit^2 over rows [begin, end); OUT sums: of w (x - shift) / unit, d.
    double (*moments)(const Points<T>& points, const T* shift, double inverse_unit, index_t begin, index_t end, double* sums);
    // Sum of w |x - c_label|^2 / unit^2 over rows [begin, end).
    double (*sse)(const Points<T>& points, const T* centers, const std::int32_t* labels, double inverse_unit, index_t begin, index_t end);
    // OUT out: |x - c_label|^2 / unit^2 of rows [begin, end), whose labels begin with the first of them; from the first of them on.
    void (*squares)(const Points<T>& points, const T* centers, const std::int32_t* labels, double inverse_unit, index_t begin, index_t end,
                    double* out);
    const SeedKernels<T>* seeding;          // seed_kernels.hpp
    const PartitionKernels<T>* partition;   // partition_kernels.hpp
    const AttributeKernels<T>* attributes;  // attribute_kernels.hpp
    const TileKernels* tiles;               // tile_kernels.hpp
};

template <class T> const Kernels<T>& kernels();
template <class T> const Exact<T>& exact();
const char* instruction_set();

}  // namespace seedbed
