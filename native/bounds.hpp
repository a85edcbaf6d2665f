// Hamerly's assignment: a lower bound on how much farther the second nearest centre is than the own one
// decides most points without a distance. The bound is stored as it was when set plus the drift of its
// cluster up to then, and compared with the drift up to now: a point that passes is read, never written.
// The points that fail are collected and screened 32 at a time.
#pragma once

#include <utility>

#include "coarse.hpp"
#include "places.hpp"
#include "prefetch.hpp"

namespace seedbed::SEEDBED_ISA {

// OUT slack: second minus first distance of each point, rounded down, plus the drift so far.
static inline void find_slack(const Screen& screen, const Nearest& near, const Lookup& drift, float* slack) {
    for (int p = 0; p < kBlock; p += kLanes) {
        const vfloat first = vsqrt(load<vfloat>(near.first + p)) * (1 + screen.relative) + screen.absolute;
        const vfloat second = vsqrt(load<vfloat>(near.second + p)) * (1 - screen.relative) - screen.absolute;
        const vfloat room = (second - first) - first * 0x1p-20f + drift(load<vint>(near.label + p));
        store(slack + p, room * kDown);
    }
}

// The n rows begin + failing[0] and so on, in single precision.
template <class T>
static inline void rescan(const Step<T>& step, Worker& worker, const Lookup& drift, index_t begin, const std::int32_t* failing, int n) {
    alignas(64) float slack[kBlock];
    for (int done = 0; done < n; done += kBlock) {
        const std::int32_t* offset = failing + done;
        const int count = n - done < kBlock ? n - done : kBlock;
        for_some_rows(step, worker, begin, offset, count, [&](const Nearest& near) {
            find_slack(step.screen, near, drift, slack);
            for (int p = 0; p < count; ++p) step.slack[begin + offset[p]] = slack[p];
        });
    }
}

template <class T>
static inline void rescan_coarse(const Step<T>& step, Worker& worker, const Lookup& drift, const Selection& rows) {
    Offsets left;
    const int n = score_rows<true>(step, worker, drift, rows, left);
    rescan(step, worker, drift, rows.begin, left, n);
}

// Rows [begin, end) of a chunk, all of them.
template <class T>
static inline void rescan_whole(const Step<T>& step, Worker& worker, const Lookup& drift, index_t begin, index_t end) {
    if (step.coarse.pairs > 0) return rescan_coarse(step, worker, drift, {begin, nullptr, static_cast<int>(end - begin)});
    alignas(64) float slack[kBlock];
    for_each_block(step, worker, begin, end, [&](index_t b, int count, const Nearest& near) {
        find_slack(step.screen, near, drift, slack);
        for (int p = 0; p < count; ++p) step.slack[b + p] = slack[p];
        relabel_block(step, worker, b, count, near.label);
    });
}

template <class T>
static void hamerly_first(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    const Lookup drift(step.drift_low, step.screen.k);
    for (index_t b = begin; b < end; b += kChunk) rescan_whole(step, worker, drift, b, b + kChunk < end ? b + kChunk : end);
}

// Points of a chunk that fail their bound.
struct Failing {
    std::int32_t offset[kChunk + kBlock];  // from the chunk's first point; kBlock more repeat the last
    std::int32_t label[kChunk + kBlock];   // of each; kBlock more may be read
    int n;

    // Those of the kLanes points from `first` on, whose labels are given, that have a bit in `mask`, behind `count` others.
    // Returns how many there are then: a member would be stored and loaded again for every vector.
    [[gnu::always_inline]] inline int add(int count, std::uint32_t mask, std::int32_t first, const std::int32_t* labels) {
        list_values(mask, labels, label + count);
        return count + list_places(mask, first, offset + count);
    }
};

inline constexpr int kSoon = 1024;  // points ahead, whose bounds and labels are asked for

// OUT failing: those of [begin, end). Without branches: which points fail is hard to predict. What is read is taken at hand
// first: stores to `failing` might change it, for all the compiler knows.
template <class T>
static inline void find_failing(const Step<T>& step, const Lookup& drift, index_t begin, index_t end, Failing& failing) {
    const Lookup now = drift;
    const float* slack = step.slack + begin;
    const std::int32_t* labels = step.labels + begin;
    const int count = static_cast<int>(end - begin);
    int n = 0, i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        prefetch_ahead(slack, i + kSoon);
        prefetch_ahead(labels, i + kSoon);
        n = failing.add(n, bits_unless_greater(load<vfloat>(slack + i), now(load<vint>(labels + i))), i, labels + i);
    }
    for (; i < count; ++i)
        if (!(slack[i] > step.drift_high[labels[i]])) {
            failing.label[n] = labels[i];
            failing.offset[n++] = i;
        }
    failing.n = n;
    if (n > 0)
        for (int p = 0; p < kBlock; p += kLanes) {
            store(failing.offset + n + p, splat_int(failing.offset[n - 1]));
            store(failing.label + n + p, vint{});
        }
}

// Where so many points fail that reading every row in order is cheaper than gathering, the chunk is scanned whole. Where short rows are
// far away, the next chunk's failing points are found first: their rows are on the way while those of this one are scanned.
template <class T>
static void hamerly(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    const Lookup now(step.drift_high, step.screen.k), then(step.drift_low, step.screen.k);
    const bool ask = step.far && step.coarse.pairs == 0, ahead = ask && step.points.d * static_cast<index_t>(sizeof(T)) <= 128;
    const auto stop = [=](index_t b) { return b + kChunk < end ? b + kChunk : end; };
    const auto whole = [&](index_t b, int n) { return n * step.gather_cost > static_cast<double>(stop(b) - b); };
    const auto find = [&](index_t b, Failing& failing) {
        find_failing(step, now, b, stop(b), failing);
        if (ask && !whole(b, failing.n))
            for (int p = 0; p < failing.n; ++p) prefetch_row(step, b + failing.offset[p]);
    };
    Failing found[2];
    Failing *failing = &found[0], *next = &found[1];
    if (ahead) find(begin, *next);
    for (index_t b = begin; b < end; b += kChunk) {
        if (ahead) std::swap(failing, next);
        else find(b, *failing);
        if (ahead && stop(b) < end) find(stop(b), *next);
        if (whole(b, failing->n)) rescan_whole(step, worker, then, b, stop(b));
        else if (step.coarse.pairs > 0) rescan_coarse(step, worker, then, {b, failing->offset, failing->n, failing->label});
        else rescan(step, worker, then, b, failing->offset, failing->n);
        worker.failed += failing->n;
    }
}

}  // namespace seedbed::SEEDBED_ISA
