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
    index_t i;                 // the point
    const float* row;          // framed
    float* lower;              // its bounds
    std::int32_t group, lane;  // of the best so far; lane -1: none yet
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

// Looks through the groups for a batch of points, group by group, so that a group's panel stays in cache
// and several rows are measured against it at once.
template <bool PerCenter, bool First, class T>
class GroupSearch {
public:
    GroupSearch(const Step<T>& step, Worker& worker) : step_(step), worker_(worker), groups_(step.groups), d_(step.points.d) {}

    void operator()(index_t begin, const std::int32_t* offset, int count) {
        for (int p = 0; p < count; ++p) start(search_[p], begin + (offset ? offset[p] : p), worker_.rows + p * d_);
        for (std::int32_t g = 0; g < groups_.n; ++g) visit_group(g, count);
        for (int p = 0; p < count; ++p) finish(search_[p]);
    }

private:
    using B = Bounds<PerCenter>;
    static constexpr float kInfinity = __builtin_inff();
    const Step<T>& step_;
    Worker& worker_;
    const Grouped& groups_;
    index_t d_;
    Search search_[kBatch];

    const float* high(std::int32_t g) const { return groups_.drift_high + g * B::kPerGroup; }
    const float* low(std::int32_t g) const { return groups_.drift_low + g * B::kPerGroup; }

    void start(Search& s, index_t i, float* row) {
        frame_row(step_, step_.points.row(i), row);
        s = {i, row, step_.lower + i * groups_.n * B::kPerGroup, 0, -1, kInfinity, kInfinity, kInfinity};
        if constexpr (!First) {
            const std::int32_t own = step_.labels[i], slot = groups_.slot[own];
            s.group = slot / kGroupWidth;
            s.lane = slot % kGroupWidth;
            s.first = measure_pair(row, groups_.rows + static_cast<index_t>(own) * d_, d_);
            s.upper = upper_of(step_.screen, s.first);
            ++worker_.distances;
        }
    }

    // The lane of the best so far, if it is in group g: its distance is known already.
    static int own_lane(const Search& s, std::int32_t g) { return g == s.group ? s.lane : -1; }

    void visit_group(std::int32_t g, int count) {
        const float* panel = groups_.panels + static_cast<index_t>(g) * kGroupWidth * d_;
        Search* tile[kTile];
        const float* rows[kTile];
        int n = 0;
        const auto measure = [&] {
            vfloat squares[kTile][kVectors];
            measure_tile(rows, n, panel, d_, squares);
            for (int t = 0; t < n; ++t) judge(*tile[t], g, squares[t]);
            worker_.distances += n * groups_.size[g];
            n = 0;
        };
        for (int p = 0; p < count; ++p) {
            Search& s = search_[p];
            if (!First && !B::open(s.lower + g * B::kPerGroup, high(g), s.upper, own_lane(s, g))) continue;
            tile[n] = &s;
            rows[n++] = s.row;
            if (n == kTile) measure();
        }
        if (n > 0) measure();
    }

    void judge(Search& s, std::int32_t g, vfloat (&squares)[kVectors]) {
        float* bound = s.lower + g * B::kPerGroup;
        const int own = own_lane(s, g);
        if (own >= 0) squares[own / kLanes][own % kLanes] = kInfinity;
        const float least = least_of(squares);
        if (!(least < s.first)) {
            B::set(bound, low(g), step_.screen, squares, least);
            s.second = least < s.second ? least : s.second;
            return;
        }
        const Podium p = podium(squares);
        B::set(bound, low(g), step_.screen, squares, p.second);
        admit(s);  // the former best joins the others of its group
        s.second = s.first < p.second ? s.first : p.second;
        s.first = p.first;
        s.group = g;
        s.lane = p.lane;
        s.upper = upper_of(step_.screen, s.first);
    }

    void admit(Search& s) {
        if (s.lane >= 0) B::admit(s.lower + s.group * B::kPerGroup, low(s.group), s.lane, lower_of(step_.screen, s.first));
    }

    void finish(Search& s) {
        const Screen& screen = step_.screen;
        const float slope = 4 * screen.relative + 32 * screen.absolute + 0x1p-21f;
        const bool alone = s.second == kInfinity;  // nothing else was measured: the bounds decided
        if (!alone && !(s.second - s.first > slope * s.second + screen.absolute / 8)) {
            // Too close to tell: the exact label, with bounds that hold for whichever centre it is.
            double square;
            const std::int32_t label = reference<T>().nearest(step_.points.row(s.i), step_.centers, screen.k, d_, step_.inverse_unit, &square);
            worker_.distances += screen.k;
            admit(s);
            step_.slack[s.i] = -kInfinity;
            relabel(step_, worker_, s.i, label);
            return;
        }
        const std::int32_t label = groups_.member[s.group * kGroupWidth + s.lane];
        float least = kInfinity;
        for (std::int32_t g = 0; g < groups_.n; ++g) {
            const float b = B::least(s.lower + g * B::kPerGroup, high(g), own_lane(s, g));
            least = b < least ? b : least;
        }
        const float room = least - s.upper;
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
    std::int32_t failing[kChunk];
    for (index_t b = begin; b < end; b += kChunk) {
        const int n = find_failing(step, now, b, b + kChunk < end ? b + kChunk : end, failing);
        for (int done = 0; done < n; done += kBatch) search(b, failing + done, n - done < kBatch ? n - done : kBatch);
    }
}

}  // namespace seedbed::SEEDBED_ISA
