// Assignment with several lower bounds per point: one per group of up to 16 centres (Yinyang) or one per
// centre (simplified Elkan). Groups are vectors of centres: a group is either skipped or measured whole.
// Bounds are stored with the drift up to then and compared with the drift up to now, as in bounds.hpp.
#pragma once

#include "bounds.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr int kVectors = kGroupWidth / kLanes;

// Squared distances of one framed row to the 16 centres of a group. Several partial sums hide the
// latency of the additions.
static inline void measure_group(const float* row, const float* panel, index_t d, vfloat (&out)[kVectors]) {
    vfloat sum[4][kVectors] = {};
    index_t j = 0;
    for (; j + 4 <= d; j += 4, panel += 4 * kGroupWidth) {
#pragma GCC unroll 4
        for (int u = 0; u < 4; ++u) {
            const vfloat x = splat(row[j + u]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) {
                const vfloat t = x - load<vfloat>(panel + u * kGroupWidth + v * kLanes);
                sum[u][v] += t * t;
            }
        }
    }
    for (; j < d; ++j, panel += kGroupWidth) {
        const vfloat x = splat(row[j]);
        for (int v = 0; v < kVectors; ++v) {
            const vfloat t = x - load<vfloat>(panel + v * kLanes);
            sum[0][v] += t * t;
        }
    }
    for (int v = 0; v < kVectors; ++v) out[v] = (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);
}

static inline float measure_pair(const float* a, const float* b, index_t d) {
    vfloat sum[2] = {};
    index_t j = 0;
    for (; j + 2 * kLanes <= d; j += 2 * kLanes) {
        const vfloat s = load<vfloat>(a + j) - load<vfloat>(b + j), t = load<vfloat>(a + j + kLanes) - load<vfloat>(b + j + kLanes);
        sum[0] += s * s;
        sum[1] += t * t;
    }
    float total = 0;
    for (; j < d; ++j) total += (a[j] - b[j]) * (a[j] - b[j]);
    const vfloat both = sum[0] + sum[1];
    for (int l = 0; l < kLanes; ++l) total += both[l];
    return total;
}

// OUT framed: the row in the frame, in single precision.
template <class T>
static inline void frame_row(const Step<T>& step, const T* x, float* framed) {
    const T inverse = static_cast<T>(step.inverse_unit);
    for (index_t j = 0; j < step.points.d; ++j) framed[j] = static_cast<float>((x[j] - step.shift[j]) * inverse);
}

static inline float least_of(const vfloat (&squares)[kVectors]) {
    vfloat m = squares[0];
    for (int v = 1; v < kVectors; ++v) m = vmin(m, squares[v]);
    return vleast(m);
}

// Least and second least of a group, and where the least is.
struct Podium {
    float first, second;
    int lane;
};

static inline Podium podium(const vfloat (&squares)[kVectors]) {
    vfloat first = squares[0], second = splat(__builtin_inff());
    vint lane = {};
    for (int l = 0; l < kLanes; ++l) lane[l] = l;
    const vint own = lane;
    for (int v = 1; v < kVectors; ++v) {
        lane = squares[v] < first ? own + v * kLanes : lane;
        second = vmin(second, vmax(first, squares[v]));
        first = vmin(first, squares[v]);
    }
    Podium p{first[0], second[0], lane[0]};
    for (int l = 1; l < kLanes; ++l) {
        const bool better = first[l] < p.first;
        const float loser = better ? p.first : first[l];
        p.second = loser < p.second ? loser : p.second;
        p.second = second[l] < p.second ? second[l] : p.second;
        p.lane = better ? lane[l] : p.lane;
        p.first = better ? first[l] : p.first;
    }
    return p;
}

static inline float upper_of(const Screen& s, float square) { return (__builtin_sqrtf(square) * (1 + s.relative) + s.absolute) * (1 + 0x1p-20f); }
static inline float lower_of(const Screen& s, float square) { return __builtin_sqrtf(square) * (1 - s.relative) - s.absolute; }

// What is known of one point while its groups are visited.
struct Search {
    std::int32_t label;
    std::int32_t group, lane;  // of the label
    float first, second;       // squared distances: the best so far, and the best of the measured others
    float upper;               // bound on the distance to the best so far
};

template <bool PerCenter>
struct Bounds {
    static constexpr int kPerGroup = PerCenter ? kGroupWidth : 1;

    // Whether some centre of group g (other than lane `own`, or -1) may be nearer than `upper`.
    static inline bool open(const float* lower, const float* drift, float upper, int own) {
        if constexpr (!PerCenter) {
            return !(lower[0] - drift[0] > upper);
        } else {
            std::uint32_t mask = 0;
            for (int v = 0; v < kVectors; ++v)
                mask |= bits(~(load<vfloat>(lower + v * kLanes) - load<vfloat>(drift + v * kLanes) > splat(upper))) << (v * kLanes);
            if (own >= 0) mask &= ~(1u << own);
            return mask != 0;
        }
    }

    // The least bound of the group, without lane `own`.
    static inline float least(const float* lower, const float* drift, int own) {
        if constexpr (!PerCenter) {
            return lower[0] - drift[0];
        } else {
            float least = __builtin_inff();
            for (int l = 0; l < kGroupWidth; ++l) {
                const float b = lower[l] - drift[l];
                least = l != own && b < least ? b : least;
            }
            return least;
        }
    }

    static inline void set(float* lower, const float* drift, const Screen& s, const vfloat (&squares)[kVectors], float least_square) {
        if constexpr (!PerCenter) {
            lower[0] = (lower_of(s, least_square) + drift[0]) * kDown;
        } else {
            for (int v = 0; v < kVectors; ++v)
                store(lower + v * kLanes, ((vsqrt(squares[v]) * (1 - s.relative) - s.absolute) + load<vfloat>(drift + v * kLanes)) * kDown);
        }
    }

    // A centre of the group (lane) is known to be no nearer than `distance`.
    static inline void admit(float* lower, const float* drift, int lane, float distance) {
        float* b = lower + (PerCenter ? lane : 0);
        const float value = (distance + drift[PerCenter ? lane : 0]) * kDown;
        if (PerCenter || value < *b) *b = value;
    }
};

// Visits the groups that may hold a nearer centre and leaves label, bounds and slack of point i up to date.
template <bool PerCenter, bool First, class T>
static inline void search_groups(const Step<T>& step, Worker& worker, index_t i) {
    using B = Bounds<PerCenter>;
    const Grouped& groups = step.groups;
    const Screen& screen = step.screen;
    const index_t d = step.points.d;
    float* row = worker.block;
    frame_row(step, step.points.row(i), row);
    float* lower = step.lower + i * groups.n * B::kPerGroup;

    Search s{0, 0, -1, __builtin_inff(), __builtin_inff(), __builtin_inff()};
    const std::int32_t old = First ? -1 : step.labels[i];
    if constexpr (!First) {
        s.label = old;
        s.group = groups.slot[old] / kGroupWidth;
        s.lane = groups.slot[old] % kGroupWidth;
        s.first = measure_pair(row, groups.rows + static_cast<index_t>(old) * d, d);
        s.upper = upper_of(screen, s.first);
        ++worker.distances;
    }

    for (std::int32_t g = 0; g < groups.n; ++g) {
        float* bound = lower + g * B::kPerGroup;
        const int own = g == s.group ? s.lane : -1;  // the own centre is known already, unless a nearer one was found
        if (!First && !B::open(bound, groups.drift_high + g * B::kPerGroup, s.upper, own)) continue;
        vfloat squares[kVectors];
        measure_group(row, groups.panels + static_cast<index_t>(g) * kGroupWidth * d, d, squares);
        worker.distances += groups.size[g];
        if (own >= 0) reinterpret_cast<float*>(squares)[own] = __builtin_inff();
        const float least_square = least_of(squares);
        const float* drift_low = groups.drift_low + g * B::kPerGroup;
        if (!(least_square < s.first)) {
            B::set(bound, drift_low, screen, squares, least_square);
            s.second = least_square < s.second ? least_square : s.second;
            continue;
        }
        const Podium p = podium(squares);
        B::set(bound, drift_low, screen, squares, p.second);
        if (s.lane >= 0)  // the former best joins the others of its group
            B::admit(lower + s.group * B::kPerGroup, groups.drift_low + s.group * B::kPerGroup, s.lane, lower_of(screen, s.first));
        s.second = s.first < p.second ? s.first : p.second;
        s.first = p.first;
        s.group = g;
        s.lane = p.lane;
        s.upper = upper_of(screen, s.first);
    }
    if (s.lane >= 0) s.label = groups.member[s.group * kGroupWidth + s.lane];

    const float slope = 4 * screen.relative + 32 * screen.absolute + 0x1p-21f;
    const bool alone = s.second == __builtin_inff();  // nothing else was measured: the bounds decided
    if (!alone && !(s.second - s.first > slope * s.second + screen.absolute / 8)) {
        // Too close to tell: the exact label, with bounds that hold for whichever centre it is.
        double square;
        const std::int32_t label = reference<T>().nearest(step.points.row(i), step.centers, screen.k, d, step.inverse_unit, &square);
        worker.distances += screen.k;
        B::admit(lower + s.group * B::kPerGroup, groups.drift_low + s.group * B::kPerGroup, s.lane, lower_of(screen, s.first));
        step.slack[i] = -__builtin_inff();
        relabel(step, worker, i, label);
        return;
    }
    float least = __builtin_inff();
    for (std::int32_t g = 0; g < groups.n; ++g) {
        const float b = B::least(lower + g * B::kPerGroup, groups.drift_high + g * B::kPerGroup, g == s.group ? s.lane : -1);
        least = b < least ? b : least;
    }
    const float room = least - s.upper;
    step.slack[i] = room > 0 ? (room + step.drift_low[s.label]) * kDown : -__builtin_inff();
    relabel(step, worker, i, s.label);
}

template <bool PerCenter, class T>
static void grouped_first(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) search_groups<PerCenter, true>(step, worker, i);
}

template <bool PerCenter, class T>
static void grouped(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    const Lookup now(step.drift_high, step.screen.k);
    std::int32_t failing[kChunk];
    for (index_t b = begin; b < end; b += kChunk) {
        const int n = find_failing(step, now, b, b + kChunk < end ? b + kChunk : end, failing);
        for (int f = 0; f < n; ++f) search_groups<PerCenter, false>(step, worker, b + failing[f]);
    }
}

}  // namespace seedbed::SEEDBED_ISA
