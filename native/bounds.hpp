// Hamerly's assignment: one upper and one lower bound per point decide most points without a distance.
// The points that fail are collected and screened 32 at a time.
#pragma once

#include "assign.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr int kChunk = 1024;  // points whose bounds are checked before the failing ones are screened
inline constexpr float kUp = 1.0f + 0x1p-21f;    // rounds a positive bound outwards
inline constexpr float kDown = 1.0f - 0x1p-21f;

static inline void set_bounds(const Screen& screen, const Nearest& near, int p, float& upper, float& lower) {
    upper = (__builtin_sqrtf(near.first[p]) * (1 + screen.relative) + screen.absolute) * kUp;
    lower = (__builtin_sqrtf(near.second[p]) * (1 - screen.relative) - screen.absolute) * kDown;
}

template <class T>
static void hamerly_first(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    for_each_block(step, worker, begin, end, [&](index_t b, int count, const Nearest& near) {
        for (int p = 0; p < count; ++p) set_bounds(step.screen, near, p, step.upper[b + p], step.lower[b + p]);
        for (int p = 0; p < count; ++p) relabel(step, worker, b + p, near.label[p]);
    });
}

template <class T>
static inline void rescan(const Step<T>& step, Worker& worker, const index_t* rows, int count) {
    Nearest near;
    const T* pointers[kBlock];
    for (int p = 0; p < kBlock; ++p) pointers[p] = step.points.row(rows[p < count ? p : count - 1]);
    pack_rows(step, pointers, worker.block);
    scan(worker.block, step.screen, near);
    worker.distances += static_cast<std::int64_t>(count) * step.screen.k;
    for (std::uint32_t m = undecided(near, step.screen, count); m; m &= m - 1) {
        const int p = __builtin_ctz(m);
        settle(step, worker, rows[p], p, near);
    }
    for (int p = 0; p < count; ++p) {
        const index_t i = rows[p];
        set_bounds(step.screen, near, p, step.upper[i], step.lower[i]);
        relabel(step, worker, i, near.label[p]);
    }
}

template <class T>
static void hamerly(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    index_t failing[kChunk + kBlock];
    int n_failing = 0;
    for (index_t b = begin; b < end; b += kChunk) {
        const index_t stop = b + kChunk < end ? b + kChunk : end;
        for (index_t i = b; i < stop; ++i) {
            const std::int32_t a = step.labels[i];
            const float upper = (step.upper[i] + step.moved[a]) * kUp;
            const float lower = (step.lower[i] - step.moved_other[a]) * kDown;
            const float limit = lower > step.half_gap[a] ? lower : step.half_gap[a];
            step.upper[i] = upper;
            step.lower[i] = lower;
            failing[n_failing] = i;
            n_failing += !(upper < limit);
        }
        int done = 0;
        for (; done + kBlock <= n_failing; done += kBlock) rescan(step, worker, failing + done, kBlock);
        n_failing -= done;
        for (int p = 0; p < n_failing; ++p) failing[p] = failing[done + p];
    }
    if (n_failing > 0) rescan(step, worker, failing, n_failing);
}

}  // namespace seedbed::SEEDBED_ISA
