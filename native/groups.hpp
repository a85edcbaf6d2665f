// Assignment with several lower bounds per point: one per group of up to 16 centres (Yinyang) or one per
// centre (simplified Elkan). Groups are vectors of centres: a group is either skipped or measured whole.
// Bounds are stored with the drift up to then and compared with the drift up to now, as in bounds.hpp.
#pragma once

#include "bounds.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr int kVectors = kGroupWidth / kLanes;

// Squared distances of P framed rows to the 16 centres of a group.
template <int P>
static inline void measure_rows(const float* const* rows, const float* panel, index_t d, vfloat (*out)[kVectors]) {
    vfloat sum[P][kVectors] = {};
    for (index_t j = 0; j < d; ++j, panel += kGroupWidth) {
        vfloat center[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) center[v] = load<vfloat>(panel + v * kLanes);
#pragma GCC unroll 4
        for (int p = 0; p < P; ++p) {
            const vfloat x = splat(rows[p][j]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) {
                const vfloat t = x - center[v];
                sum[p][v] += t * t;
            }
        }
    }
    for (int p = 0; p < P; ++p)
        for (int v = 0; v < kVectors; ++v) out[p][v] = sum[p][v];
}

inline constexpr int kTile = 4;  // rows measured together

static inline void measure_tile(const float* const* rows, int count, const float* panel, index_t d, vfloat (*out)[kVectors]) {
    switch (count) {
        case 1: return measure_rows<1>(rows, panel, d, out);
        case 2: return measure_rows<2>(rows, panel, d, out);
        case 3: return measure_rows<3>(rows, panel, d, out);
        default: return measure_rows<4>(rows, panel, d, out);
    }
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

static inline Podium podium_of(const vfloat (&squares)[kVectors]) {
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
    index_t i;                 // the point
    const float* row;          // framed
    float* lower;              // its bounds
    std::int32_t group, lane;  // of the best so far; lane -1: none yet
    float first, second;       // squared distances: the best so far, and the best of the measured others
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
                mask |= bits_unless_greater(load<vfloat>(lower + v * kLanes) - load<vfloat>(drift + v * kLanes), splat(upper)) << (v * kLanes);
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

// Looks through the groups for a batch of points, group by group, so that a group's panel stays in cache
// and several rows are measured against it at once. Bounds per group are kept beside each other for the
// batch, so that a vector of points is tested at once.
template <bool PerCenter, bool First, class T>
class GroupSearch {
public:
    GroupSearch(const Step<T>& step, Worker& worker)
        : step_(step), worker_(worker), groups_(step.groups), d_(step.points.d), bounds_(worker.rows + kBatch * d_) {}

    void operator()(index_t begin, const std::int32_t* offset, int count) {
        for (int p = 0; p < count; ++p) start(p, begin + (offset ? offset[p] : p));
        for (int p = count; p < kBatch; ++p) upper_[p] = -kInfinity;  // absent points never look further
        for (std::int32_t g = 0; g < groups_.n; ++g) visit_group(g, count);
        find_least(count);
        for (int p = 0; p < count; ++p) finish(p);
    }

private:
    using B = Bounds<PerCenter>;
    static constexpr float kInfinity = __builtin_inff();
    const Step<T>& step_;
    Worker& worker_;
    const Grouped& groups_;
    index_t d_;
    float* bounds_;  // groups x kBatch, one bound per group (not per centre)
    Search search_[kBatch];
    alignas(64) float upper_[kBatch];  // on the distance to the best so far
    alignas(64) float least_[kBatch];  // of all bounds on the others

    const float* high(std::int32_t g) const { return groups_.drift_high + g * B::kPerGroup; }
    const float* low(std::int32_t g) const { return groups_.drift_low + g * B::kPerGroup; }

    void start(int p, index_t i) {
        float* row = worker_.rows + p * d_;
        frame_row(step_, step_.points.row(i), row);
        Search& s = search_[p] = {i, row, step_.lower + i * groups_.n * B::kPerGroup, 0, -1, kInfinity, kInfinity};
        upper_[p] = kInfinity;
        if constexpr (First) return;
        const std::int32_t own = step_.labels[i], slot = groups_.slot[own];
        s.group = slot / kGroupWidth;
        s.lane = slot % kGroupWidth;
        s.first = measure_pair(row, groups_.rows + static_cast<index_t>(own) * d_, d_);
        upper_[p] = upper_of(step_.screen, s.first);
        ++worker_.distances;
        if constexpr (!PerCenter)
            for (std::int32_t g = 0; g < groups_.n; ++g) bounds_[g * kBatch + p] = s.lower[g];
    }

    // The lane of the best so far, if it is in group g: its distance is known already.
    static int own_lane(const Search& s, std::int32_t g) { return g == s.group ? s.lane : -1; }

    // Which of the points from p on must look into group g.
    std::uint32_t open(std::int32_t g, int p, int count) const {
        if constexpr (First) {
            const int n = count - p < kLanes ? count - p : kLanes;
            return (1u << n) - 1;
        } else if constexpr (PerCenter) {
            std::uint32_t mask = 0;
            for (int l = 0; l < kLanes && p + l < count; ++l) {
                const Search& s = search_[p + l];
                mask |= static_cast<std::uint32_t>(B::open(s.lower + g * kGroupWidth, high(g), upper_[p + l], own_lane(s, g))) << l;
            }
            return mask;
        } else {
            return bits(~(load<vfloat>(bounds_ + g * kBatch + p) - splat(*high(g)) > load<vfloat>(upper_ + p)) & (load<vfloat>(upper_ + p) > -kInfinity));
        }
    }

    void visit_group(std::int32_t g, int count) {
        const float* panel = groups_.panels + static_cast<index_t>(g) * kGroupWidth * d_;
        int tile[kTile], n = 0;
        const float* rows[kTile];
        const auto measure = [&] {
            vfloat squares[kTile][kVectors];
            measure_tile(rows, n, panel, d_, squares);
            for (int t = 0; t < n; ++t) judge(tile[t], g, squares[t]);
            worker_.distances += n * groups_.size[g];
            n = 0;
        };
        for (int p = 0; p < count; p += kLanes)
            for (std::uint32_t m = open(g, p, count); m; m &= m - 1) {
                tile[n] = p + __builtin_ctz(m);
                rows[n] = search_[tile[n]].row;
                if (++n == kTile) measure();
            }
        if (n > 0) measure();
    }

    void judge(int p, std::int32_t g, vfloat (&squares)[kVectors]) {
        Search& s = search_[p];
        const int own = own_lane(s, g);
        if (own >= 0) squares[own / kLanes][own % kLanes] = kInfinity;
        const float least = least_of(squares);
        if (!(least < s.first)) {
            set_bound(p, g, squares, least);
            s.second = least < s.second ? least : s.second;
            return;
        }
        const Podium podium = podium_of(squares);
        set_bound(p, g, squares, podium.second);
        admit(p);  // the former best joins the others of its group
        s.second = s.first < podium.second ? s.first : podium.second;
        s.first = podium.first;
        s.group = g;
        s.lane = podium.lane;
        upper_[p] = upper_of(step_.screen, s.first);
    }

    void set_bound(int p, std::int32_t g, const vfloat (&squares)[kVectors], float least) {
        float* bound = search_[p].lower + g * B::kPerGroup;
        B::set(bound, low(g), step_.screen, squares, least);
        if constexpr (!PerCenter) bounds_[g * kBatch + p] = *bound;
    }

    void admit(int p) {
        const Search& s = search_[p];
        if (s.lane < 0) return;
        float* bound = s.lower + s.group * B::kPerGroup;
        B::admit(bound, low(s.group), s.lane, lower_of(step_.screen, s.first));
        if constexpr (!PerCenter) bounds_[s.group * kBatch + p] = *bound;
    }

    void find_least(int count) {
        for (int p = 0; p < count; p += kLanes) {
            vfloat least = splat(kInfinity);
            for (std::int32_t g = 0; g < groups_.n; ++g) {
                if constexpr (PerCenter) {
                    for (int l = 0; l < kLanes && p + l < count; ++l) {
                        const Search& s = search_[p + l];
                        const float b = B::least(s.lower + g * kGroupWidth, high(g), own_lane(s, g));
                        least[l] = b < least[l] ? b : least[l];
                    }
                } else {
                    least = vmin(least, load<vfloat>(bounds_ + g * kBatch + p) - splat(*high(g)));
                }
            }
            store(least_ + p, least);
        }
    }

    void finish(int p) {
        const Search& s = search_[p];
        const Screen& screen = step_.screen;
        const float slope = 4 * screen.relative + 32 * screen.absolute + 0x1p-21f;
        const bool alone = s.second == kInfinity;  // nothing else was measured: the bounds decided
        if (!alone && !(s.second - s.first > slope * s.second + screen.absolute / 8)) {
            // Too close to tell: the exact label, with bounds that hold for whichever centre it is.
            double square;
            const std::int32_t label = reference<T>().nearest(step_.points.row(s.i), step_.centers, screen.k, d_, step_.inverse_unit, &square);
            worker_.distances += screen.k;
            admit(p);
            step_.slack[s.i] = -kInfinity;
            relabel(step_, worker_, s.i, label);
            return;
        }
        const std::int32_t label = groups_.member[s.group * kGroupWidth + s.lane];
        const float room = least_[p] - upper_[p];
        step_.slack[s.i] = room > 0 ? (room + step_.drift_low[label]) * kDown : -kInfinity;
        relabel(step_, worker_, s.i, label);
    }
};

template <bool PerCenter, class T>
static void grouped_first(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    GroupSearch<PerCenter, true, T> search(step, worker);
    for (index_t b = begin; b < end; b += kBatch) search(b, nullptr, static_cast<int>(end - b < kBatch ? end - b : kBatch));
}

template <bool PerCenter, class T>
static void grouped(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    const Lookup now(step.drift_high, step.screen.k);
    GroupSearch<PerCenter, false, T> search(step, worker);
    Failing failing = {};
    for (index_t b = begin; b < end; b += kChunk) {
        find_failing(step, now, b, b + kChunk < end ? b + kChunk : end, failing);
        for (int done = 0; done < failing.n; done += kBatch)
            search(b, failing.offset + done, failing.n - done < kBatch ? failing.n - done : kBatch);
    }
}

}  // namespace seedbed::SEEDBED_ISA
