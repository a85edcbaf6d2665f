// Full assignment: every centre against 32 points at a time. Distances are screened in single precision
// from differences; where first and second are too close to tell, the exact arithmetic decides.
#pragma once

#include "fixed_sum.hpp"
#include "kernels.hpp"
#include "pack.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

extern const Exact<float> exact_float;
extern const Exact<double> exact_double;
template <class T> static inline const Exact<T>& reference();
template <> inline const Exact<float>& reference<float>() { return exact_float; }
template <> inline const Exact<double>& reference<double>() { return exact_double; }

// Nearest and second nearest squared distances of a block's points, and the nearest centre.
struct Nearest {
    alignas(64) float first[kBlock];
    alignas(64) float second[kBlock];
    alignas(64) std::int32_t label[kBlock];
};

// Two vectors of points, their nearest and second nearest so far.
struct Race {
    vfloat first[2], second[2];
    vint label[2];
};

// Group centres at once: 2 x Group sums stay in registers.
template <int Group>
static inline const float* scan_group(const float* block, const float* panel, index_t d, std::int32_t from, Race& race) {
    vfloat sum[Group][2] = {};
    for (index_t j = 0; j < d; ++j, panel += Group, block += kBlock) {
        const vfloat x0 = load<vfloat>(block), x1 = load<vfloat>(block + kLanes);
#pragma GCC unroll 8
        for (int c = 0; c < Group; ++c) {
            const vfloat center = splat(panel[c]);
            const vfloat t0 = x0 - center, t1 = x1 - center;
            sum[c][0] += t0 * t0;
            sum[c][1] += t1 * t1;
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < Group; ++c) {
        const vint here = splat_int(from + c);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            const vfloat s = sum[c][v];
            race.label[v] = s < race.first[v] ? here : race.label[v];
            race.second[v] = vmin(race.second[v], vmax(race.first[v], s));
            race.first[v] = vmin(race.first[v], s);
        }
    }
    return panel;
}

// Full groups first, then those with one centre less: no padding, whatever K.
template <int Group>
static inline void scan_all(const float* block, const Screen& screen, Nearest& out) {
    const vfloat far = splat(__builtin_inff());
    for (int p = 0; p < kBlock; p += 2 * kLanes) {
        Race race{{far, far}, {far, far}, {}};
        const float* panel = screen.panels;
        std::int32_t c = 0;
        for (std::int32_t g = 0; g < screen.n_full; ++g, c += Group) panel = scan_group<Group>(block + p, panel, screen.d, c, race);
        if constexpr (Group > 1)
            for (; c < screen.k; c += Group - 1) panel = scan_group<Group - 1>(block + p, panel, screen.d, c, race);
        for (int v = 0; v < 2; ++v) {
            store(out.first + p + v * kLanes, race.first[v]);
            store(out.second + p + v * kLanes, race.second[v]);
            store(out.label + p + v * kLanes, race.label[v]);
        }
    }
}

static inline void scan(const float* block, const Screen& screen, Nearest& out) {
    switch (screen.group) {
        case 1: return scan_all<1>(block, screen, out);
        case 2: return scan_all<2>(block, screen, out);
        case 3: return scan_all<3>(block, screen, out);
        case 4: return scan_all<4>(block, screen, out);
        case 5: return scan_all<5>(block, screen, out);
        default: return scan_all<6>(block, screen, out);
    }
}

// Which of the block's points screening cannot decide: sqrt(b)(1-r) - a <= sqrt(f)(1+r) + a, made
// free of square roots by 4a sqrt(b) <= 32a b + a/8 (a, r: absolute and relative error of the screen).
static inline std::uint32_t undecided(const Nearest& near, const Screen& screen, int count) {
    const vfloat slope = splat(4 * screen.relative + 32 * screen.absolute + 0x1p-21f);
    const vfloat offset = splat(screen.absolute / 8);
    std::uint32_t mask = 0;
    for (int p = 0; p < kBlock; p += kLanes) {
        const vfloat first = load<vfloat>(near.first + p), second = load<vfloat>(near.second + p);
        mask |= bits_unless_greater(second - first, slope * second + offset) << p;
    }
    return count < kBlock ? mask & ((1u << count) - 1) : mask;
}

// What adding rows needs, at hand: stores to the sums cannot change it.
template <class T>
struct RowAdder {
    Points<T> points;
    const T* shift;
    const double* grid;
    SumSheet sums;
    long4 of_tail;  // the lanes of attributes that do not fill a vector

    explicit RowAdder(const Step<T>& step, const SumSheet& sums)
        : points(step.points), shift(step.shift), grid(step.grid), sums(sums), of_tail(long4{0, 1, 2, 3} < points.d % 4) {}

    // Adds row i to the sums of cluster `to` and, if it Leaves one, takes it from those of `from`.
    template <bool Leaves, bool Weighted>
    [[gnu::always_inline]] inline void take(index_t i, index_t from, index_t to) const {
        const index_t d = points.d;
        const T* x = points.row(i);
        const double mass = Weighted ? points.weight[i] : 1.0;
        std::int64_t *high = sums.high + to * d, *low = sums.low + to * d;
        std::int64_t *old_high = sums.high + from * d, *old_low = sums.low + from * d;
        const double* const to_grid = grid;
        const auto add = [=](index_t j, double4 v) __attribute__((always_inline)) {
            if constexpr (Weighted) v *= mass;
            const double4 t = v * load<double4>(to_grid + j), rounded = t + kMagic;  // its whole part and the rest
            const double4 rest = (t - (rounded - kMagic)) * kLowScale + kMagic;
            const long4 h = __builtin_bit_cast(long4, rounded) - __builtin_bit_cast(std::int64_t, kMagic);
            const long4 l = __builtin_bit_cast(long4, rest) - __builtin_bit_cast(std::int64_t, kMagic);
            store(high + j, load<long4>(high + j) + h);
            store(low + j, load<long4>(low + j) + l);
            if constexpr (Leaves) {
                store(old_high + j, load<long4>(old_high + j) - h);
                store(old_low + j, load<long4>(old_low + j) - l);
            }
        };
        index_t j = 0;
        for (; j + 4 <= d; j += 4) add(j, four(x + j) - four(shift + j));
        if (j < d) add(j, tail_of(x, j));  // adds zeros to what follows
    }

    // Attributes from j on, fewer than four.
    [[gnu::always_inline]] inline double4 tail_of(const T* x, index_t j) const {
        const double4 origin = four(shift + j);
        if (x + j + 4 <= points.x + points.n * points.d) [[likely]]
            return __builtin_bit_cast(double4, __builtin_bit_cast(long4, four(x + j) - origin) & of_tail);
        T last[4] = {};
        for (index_t l = 0; j + l < points.d; ++l) last[l] = x[j + l];
        return four(last) - origin;
    }
};

// Takes row i from cluster `from` (or from none: -1) and adds it to cluster `to`. Not inlined: it would
// take the registers of the loops that seldom call it.
template <class T>
__attribute__((noinline)) static void move_row(const Step<T>& step, const SumSheet& sums, index_t i, std::int32_t from, std::int32_t to) {
    announce(sums, to, +1);
    if (from >= 0) announce(sums, from, -1);
    if (sums.mass) {
        const int128_t fixed_mass = to_fixed(step.points.mass(i), step.weight_grid);
        sums.mass[to] += fixed_mass;
        if (from >= 0) sums.mass[from] -= fixed_mass;
    }
    const RowAdder<T> adder(step, sums);
    if (!step.points.weight) from < 0 ? adder.template take<false, false>(i, 0, to) : adder.template take<true, false>(i, from, to);
    else from < 0 ? adder.template take<false, true>(i, 0, to) : adder.template take<true, true>(i, from, to);
}

// Adds rows [begin, end) to the sums of the clusters that their labels (IN, of all rows) name.
template <class T>
static void add_rows(const Step<T>& step, const SumSheet& sums, const std::int32_t* labels, index_t begin, index_t end) {
    const RowAdder<T> adder(step, sums);
    for (index_t i = begin; i < end; ++i) {
        const std::int32_t to = labels[i];
        if (step.points.weight) {
            move_row(step, adder.sums, i, -1, to);
            continue;
        }
        announce(adder.sums, to, +1);
        adder.template take<false, false>(i, 0, to);
    }
}

// row(p) gets label(p), for p from 0 to n - 1; all of them Leave another, or none has a label yet. Of the latter, those of
// the cluster that is spared are counted only.
template <bool Leaves, class T, class Row, class Label>
static inline void move_rows(const Step<T>& step, Worker& worker, int n, const Row& row, const Label& label) {
    const RowAdder<T> adder(step, worker.sums);
    std::int32_t* labels = step.labels;
    for (int p = 0; p < n; ++p) {
        const index_t i = row(p);
        const std::int32_t from = labels[i], to = label(p);
        labels[i] = to;
        if (step.points.weight) {
            move_row(step, adder.sums, i, from, to);
            continue;
        }
        if (!Leaves && to == worker.spared) {
            ++adder.sums.count[to];
            continue;
        }
        announce(adder.sums, to, +1);
        if constexpr (Leaves) announce(adder.sums, from, -1);
        adder.template take<Leaves, false>(i, Leaves ? from : 0, to);
    }
    worker.changed += n;
}

template <class T>
static inline void relabel(const Step<T>& step, Worker& worker, index_t i, std::int32_t label) {
    if (step.labels[i] == label) return;
    move_row(step, worker.sums, i, step.labels[i], label);
    step.labels[i] = label;
    ++worker.changed;
}

template <class T>
static inline void relabel_block(const Step<T>& step, Worker& worker, index_t begin, int count, const std::int32_t* label) {
    if (step.labels[begin] < 0)  // the first assignment: none of them has one
        return move_rows<false>(step, worker, count, [=](int p) { return begin + p; }, [=](int p) { return label[p]; });
    if (count < kBlock) {
        for (int p = 0; p < count; ++p) relabel(step, worker, begin + p, label[p]);
        return;
    }
    for (int p = 0; p < kBlock; p += kLanes)
        for (std::uint32_t m = bits_where_different(load<vint>(step.labels + begin + p), load<vint>(label + p)); m; m &= m - 1) {
            const int lane = p + __builtin_ctz(m);
            relabel(step, worker, begin + lane, label[lane]);
        }
}

// Exact label of point i, written into lane p of `near` with a first/second that bound what is known.
template <class T>
static inline void settle(const Step<T>& step, Worker& worker, index_t i, int p, Nearest& near) {
    double square;
    near.label[p] = reference<T>().nearest(step.points.row(i), step.centers, step.screen.k, step.points.d, step.inverse_unit, &square);
    worker.distances += step.screen.k;
    near.second[p] = near.first[p];  // no centre is nearer than the screened first
    near.first[p] = static_cast<float>(square);
}

template <class T>
static inline void settle_undecided(const Step<T>& step, Worker& worker, index_t begin, const std::int32_t* offset, int count, Nearest& near) {
    for (std::uint32_t m = undecided(near, step.screen, count); m; m &= m - 1) {
        const int p = __builtin_ctz(m);
        settle(step, worker, begin + (offset ? offset[p] : p), p, near);
    }
    worker.distances += static_cast<std::int64_t>(count) * step.screen.k;
}

// Calls visit(first row, count, near) for each block of rows in [begin, end), undecided points settled.
template <class T, class Visit>
static inline void for_each_block(const Step<T>& step, Worker& worker, index_t begin, index_t end, const Visit& visit) {
    Nearest near;
    for (index_t b = begin; b < end; b += kBlock) {
        const int count = static_cast<int>(end - b < kBlock ? end - b : kBlock);
        pack_range(step, b, end, worker.block);
        scan(worker.block, step.screen, near);
        settle_undecided(step, worker, b, nullptr, count, near);
        visit(b, count, near);
    }
}

// The same for up to kBlock rows anywhere, begin + offset[0] and so on, in increasing order: visit(near).
template <class T, class Visit>
static inline void for_some_rows(const Step<T>& step, Worker& worker, index_t begin, const std::int32_t* offset, int count, const Visit& visit) {
    Nearest near;
    const T* rows[kBlock];
    for (int p = 0; p < kBlock; ++p) rows[p] = step.points.row(begin + offset[p < count ? p : count - 1]);
    pack_rows(step, rows, worker.block);
    scan(worker.block, step.screen, near);
    settle_undecided(step, worker, begin, offset, count, near);
    visit(near);
    for (int p = 0; p < count; ++p) relabel(step, worker, begin + offset[p], near.label[p]);
}

template <class T>
static void tie_pde(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
        const std::int32_t start = step.labels[i] < 0 ? 0 : step.labels[i];
        relabel(step, worker, i, reference<T>().nearest_pde(step.points.row(i), step.centers, step.quarter_gaps, step.screen.k, step.points.d,
                                                            step.inverse_unit, start, &worker.distances));
    }
}

template <class T>
static void label(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    for_each_block(step, worker, begin, end, [&](index_t b, int count, const Nearest& near) {
        for (int p = 0; p < count; ++p) step.labels[b + p] = near.label[p];
    });
}

}  // namespace seedbed::SEEDBED_ISA
