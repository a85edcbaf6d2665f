// Assignment in 16-bit integers. Points and centres are rounded to integers about the data's mean, two
// attributes to a 32-bit word, so that one instruction multiplies twice as many attributes as in single
// precision and a point takes half the memory. A score, x.c - |c|^2 / 2 (the greater, the nearer), is exact for the
// integers; how far these are from the points and centres is known (coarse_centers.hpp), and points that this leaves
// undecided are screened in single precision from their rows.
#pragma once

#include "assign.hpp"
#include "lookup.hpp"
#include "places.hpp"
#include "prefetch.hpp"
#include "rowload.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr int kChunk = 1024;  // points looked at before those left over are screened
inline constexpr int kAhead = 2 * kBlock;  // points asked for before they are scored
using Offsets = std::int32_t[kChunk + kLanes];  // of points in a chunk; list_places writes up to a vector more

static inline vint least_int(vint a, vint b) { return a < b ? a : b; }
static inline vint greatest_int(vint a, vint b) { return a > b ? a : b; }

// Scores of a chunk's points: greatest and second greatest, and whose the greatest is; half their squared norms.
struct Scores {
    alignas(64) std::int32_t first[kChunk];
    alignas(64) std::int32_t second[kChunk];
    alignas(64) std::int32_t label[kChunk];
    alignas(64) std::int32_t half[kChunk];
};

struct ScoreRace {
    vint first[2], second[2], label[2];
};

template <int Group>
[[gnu::always_inline]] static inline const std::int32_t* score_group(const std::int32_t* block, const std::int32_t* panel, const Coarse& coarse,
                                                                     std::int32_t from, ScoreRace& race) {
    vint sum[Group][2];
#pragma GCC unroll 8
    for (int c = 0; c < Group; ++c) sum[c][0] = sum[c][1] = splat_int(coarse.offset[from + c]);
    for (index_t j = 0; j < coarse.pairs; ++j, panel += Group, block += kBlock) {
        const vint x0 = load<vint>(block), x1 = load<vint>(block + kLanes);
#pragma GCC unroll 8
        for (int c = 0; c < Group; ++c) {
            const vint center = splat_int(panel[c]);
            sum[c][0] += multiply_pairs(x0, center);
            sum[c][1] += multiply_pairs(x1, center);
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < Group; ++c) {
        const vint here = splat_int(from + c);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            const vint s = sum[c][v];
            race.label[v] = s > race.first[v] ? here : race.label[v];
            race.second[v] = greatest_int(race.second[v], least_int(race.first[v], s));
            race.first[v] = greatest_int(race.first[v], s);
        }
    }
    return panel;
}

template <int Group>
static inline void score_all(const std::int32_t* block, const Coarse& coarse, const Screen& screen, int from, Scores& out) {
    const vint far = splat_int(INT32_MIN);
    for (int p = 0; p < kBlock; p += 2 * kLanes) {
        ScoreRace race{{far, far}, {far, far}, {}};
        const std::int32_t* panel = coarse.panels;
        std::int32_t c = 0;
        for (std::int32_t g = 0; g < screen.n_full; ++g, c += Group) panel = score_group<Group>(block + p, panel, coarse, c, race);
        if constexpr (Group > 1)
            for (; c < screen.k; c += Group - 1) panel = score_group<Group - 1>(block + p, panel, coarse, c, race);
        for (int v = 0; v < 2; ++v) {
            store(out.first + from + p + v * kLanes, race.first[v]);
            store(out.second + from + p + v * kLanes, race.second[v]);
            store(out.label + from + p + v * kLanes, race.label[v]);
        }
    }
}

// OUT out: the scores of a block's points, from number `from` on.
static inline void score(const std::int32_t* block, const Coarse& coarse, const Screen& screen, int from, Scores& out) {
    switch (screen.group) {
        case 2: return score_all<2>(block, coarse, screen, from, out);
        case 3: return score_all<3>(block, coarse, screen, from, out);
        case 4: return score_all<4>(block, coarse, screen, from, out);
        case 5: return score_all<5>(block, coarse, screen, from, out);
        default: return score_all<6>(block, coarse, screen, from, out);
    }
}

// OUT half: |x|^2 / 2 of a block's points. Minus a score it is half the squared distance, up to rounding.
static inline void half_squares(const std::int32_t* block, index_t pairs, std::int32_t* half) {
    vint square[kBlock / kLanes] = {};  // side by side: one sum would wait for itself
    for (index_t j = 0; j < pairs; ++j, block += kBlock) {
#pragma GCC unroll 8
        for (int v = 0; v < kBlock / kLanes; ++v) {
            const vint x = load<vint>(block + v * kLanes);
            square[v] += multiply_pairs(x, x);
        }
    }
#pragma GCC unroll 8
    for (int v = 0; v < kBlock / kLanes; ++v) store(half + v * kLanes, square[v] >> 1);
}

inline constexpr float kHalfError = 2.0f;  // of half a squared distance between integers, from a score

// A bit for each of `count` points from number `from` on, a block at the most, whose greatest score does not stand out: it exceeds
// the second by no more than twice the distance of the second times the roundings of a point and a centre, and some.
static inline std::uint32_t undecided(const Scores& scores, const std::int32_t* half, const Coarse& coarse, int from, int count) {
    std::uint32_t mask = 0;
    for (int p = 0; p < kBlock; p += kLanes) {
        const vint second = load<vint>(scores.second + from + p);
        const vfloat far = __builtin_convertvector(load<vint>(half + from + p) - second, vfloat) + kHalfError;
        const vfloat lead = vmax(__builtin_convertvector(load<vint>(scores.first + from + p) - second, vfloat) - coarse.lead_error, vfloat{});
        mask |= bits_unless_greater(lead * lead, coarse.lead_slope * far) << p;
    }
    return count < kBlock ? mask & ((1u << count) - 1) : mask;
}

// OUT slack: second minus first distance of kLanes points from number `at` on, rounded down, plus the drift so far.
static inline vfloat slack_of(const Scores& scores, const std::int32_t* half, const Coarse& coarse, const Lookup& drift, int at) {
    const vint halves = load<vint>(half + at);
    const vfloat first = __builtin_convertvector(halves - load<vint>(scores.first + at), vfloat) + kHalfError;
    const vfloat second = __builtin_convertvector(halves - load<vint>(scores.second + at), vfloat) - kHalfError;
    const vfloat upper = vsqrt(vmax(first, vfloat{}) * 2) * (1 + 0x1p-20f), lower = vsqrt(vmax(second, vfloat{}) * 2) * (1 - 0x1p-20f);
    return ((lower - upper - coarse.distance_error) * coarse.unit + drift(load<vint>(scores.label + at))) * kDown;
}

template <class T>
[[gnu::always_inline]] static inline void prefetch_row(const Step<T>& step, index_t i) {
    prefetch(step.points.row(i), step.points.row(i) + step.points.d);
}

// Up to a chunk of rows: all from `begin` on, or those listed, begin + offset[0] and so on.
struct Selection {
    index_t begin;
    const std::int32_t* offset;  // IN, n, increasing, and kBlock more that repeat the last; null: 0, 1, 2, ...
    int n;
    const std::int32_t* label = nullptr;  // IN, those of the rows listed, and kBlock more to read

    index_t row(int p) const { return begin + (offset ? offset[p] : p); }
};

// The numbers of a block's points, the first of which is `from`, that have a bit, behind `n` others. Returns how many there are then.
static inline int list_block(std::uint32_t mask, int from, std::int32_t* numbers, int n) {
#if defined(__AVX512F__)
    for (int p = 0; p < kBlock; p += kLanes) n += list_places(mask >> p & 0xffff, from + p, numbers + n);
#else
    for (; mask; mask &= mask - 1) numbers[n++] = from + __builtin_ctz(mask);
#endif
    return n;
}

// Rows of a selection that change their cluster, moved together when it is known which do.
template <class T>
class Moves {
public:
    // `label`: IN, new ones of the selection.
    Moves(const Step<T>& step, const Selection& rows, const std::int32_t* label)
        : step_(step), rows_(rows), label_(label), first_(rows.n > 0 && step.labels[rows.row(0)] < 0),
          ask_(!first_ && step.points.n * step.points.d * static_cast<index_t>(sizeof(T)) > kNear) {}

    // `count` rows from number `from` on, where their labels are new, but for those with a bit in `open`.
    [[gnu::always_inline]] inline void note(int from, int count, std::uint32_t open) {
        const int before = n_;
        n_ = list_block(changed(from, count) & ~open, from, number_, n_);
        if (ask_)
            for (int m = before; m < n_; ++m) prefetch_row(step_, rows_.row(number_[m]));
    }

    void make(Worker& worker) {
        const auto row = [this](int m) { return rows_.row(number_[m]); };
        const auto to = [this](int m) { return label_[number_[m]]; };
        if (first_) {
            if (worker.may_spare && worker.spared < 0) worker.spared = most_frequent();
            return move_rows<false>(step_, worker, n_, row, to);
        }
        move_rows<true>(step_, worker, n_, row, to);
    }

private:
    static constexpr index_t kNear = index_t{1} << 18;  // bytes of data that are in the cache anyway

    // A bit for each row whose label is new.
    std::uint32_t changed(int from, int count) const {
        std::uint32_t mask = 0;
        const std::int32_t* label = label_ + from;
        if (rows_.offset || count == kBlock) {
            const std::int32_t* own = (rows_.offset ? rows_.label : step_.labels + rows_.begin) + from;
            for (int p = 0; p < kBlock; p += kLanes) mask |= bits_where_different(load<vint>(own + p), load<vint>(label + p)) << p;
            if (count < kBlock) mask &= (1u << count) - 1;
        } else
            for (int p = 0; p < count; ++p) mask |= static_cast<std::uint32_t>(step_.labels[rows_.begin + from + p] != label[p]) << p;
        return mask;
    }

    std::int32_t most_frequent() const {
        constexpr int kFew = 64;  // labels that are counted
        int count[kFew] = {};
        std::int32_t best = 0;
        for (int m = 0; m < n_; ++m)
            if (const std::int32_t to = label_[number_[m]]; to < kFew && ++count[to] > count[best]) best = to;
        return best;
    }

    const Step<T>& step_;
    const Selection rows_;
    const std::int32_t* const label_;
    const bool first_, ask_;  // whether it is the first assignment, in which all rows move, in order; whether rows are asked for
    int n_ = 0;
    Offsets number_;
};

// The slack of `count` selected rows from number `from` on.
template <class T>
static inline void set_slack(const Step<T>& step, const Scores& scores, const std::int32_t* half, const Lookup& drift, const Selection& rows, int from,
                             int count) {
    alignas(64) float slack[kBlock];
    for (int p = 0; p < kBlock; p += kLanes) store(slack + p, slack_of(scores, half, step.coarse, drift, from + p));
    if (rows.offset)
        for (int p = 0; p < count; ++p) step.slack[rows.begin + rows.offset[from + p]] = slack[p];
    else
        std::memcpy(step.slack + rows.begin + from, slack, static_cast<std::size_t>(count) * sizeof(float));
}

// OUT block: the rows at(0) to at(kBlock - 1), pair after pair of attributes. Reads up to three words past a row, and
// writes up to three pairs more.
template <class At>
static inline void turn_block(index_t pairs, const At& at, std::int32_t* block) {
    for (int g = 0; g < kBlock; g += kTurned)
        for (index_t j = 0; j < pairs; j += 4) {
            turned r[4];  // only moved about
            for (int p = 0; p < 4; ++p) {
                float4 rows[kAcross];
                for (int q = 0; q < kAcross; ++q) rows[q] = load<float4>(at(g + p + 4 * q) + j);
                r[p] = join(rows);
            }
            transpose(r);
            for (int p = 0; p < 4; ++p) store(block + (j + p) * kBlock + g, r[p]);
        }
}

// OUT blocks: those of rows [begin, end), begin at a block's start; the last one is filled up with the last row. Scratch: (pairs + 3) x kBlock.
static void turn_rows(const std::int32_t* rows, index_t pairs, index_t begin, index_t end, std::int32_t* scratch, std::int32_t* blocks) {
    for (index_t b = begin; b < end; b += kBlock) {
        const index_t last = end - 1 - b;
        turn_block(pairs, [&](int p) { return rows + (b + (p < last ? p : last)) * pairs; }, scratch);
        std::memcpy(blocks + b * pairs, scratch, static_cast<std::size_t>(pairs) * kBlock * sizeof(std::int32_t));
    }
}

// kBlock selected rows from number `from` on, made in `scratch` unless they are a block already; absent rows are anything.
static inline const std::int32_t* block_of(const Coarse& coarse, const Selection& rows, int from, std::int32_t* scratch) {
    const index_t pairs = coarse.pairs;
    if (!rows.offset && coarse.blocks) return coarse.blocks + (rows.begin + from) * pairs;
    const std::int32_t* first = coarse.rows + (rows.begin + from) * pairs;
    if (!rows.offset && from + kBlock <= rows.n) {
        turn_block(pairs, [&](int p) { return first + p * pairs; }, scratch);
        return scratch;
    }
    if (rows.offset) {
        const std::int32_t* offset = rows.offset + from;
        turn_block(pairs, [&](int p) { return coarse.rows + (rows.begin + offset[p]) * pairs; }, scratch);
    } else {
        const index_t last = rows.n - 1 - from;
        turn_block(pairs, [&](int p) { return first + (p < last ? p : last) * pairs; }, scratch);
    }
    return scratch;
}

// OUT words: values[offset[p]] for p below kBlock.
static inline void pick_words(const std::int32_t* values, const std::int32_t* offset, std::int32_t* words) {
#if defined(__AVX512F__)  // single words would have to leave the processor before they can be read as a vector
    for (int p = 0; p < kBlock; p += kLanes) store(words + p, _mm512_i32gather_epi32(load<__m512i>(offset + p), values, 4));
#else
    for (int p = 0; p < kBlock; ++p) words[p] = values[offset[p]];
#endif
}

// OUT half: half the squared norms of the same rows, whose block is given.
static inline void find_half(const Coarse& coarse, const Selection& rows, int from, const std::int32_t* block, std::int32_t* half) {
    if (!coarse.half) half_squares(block, coarse.pairs, half);
    else pick_words(coarse.half + rows.begin, rows.offset + from, half);
}

// Asks for the listed rows from number `from` to `to`, as far as there are so many. Rows in order come by themselves.
[[gnu::always_inline]] static inline void ask_for_listed(const Coarse& coarse, const Selection& rows, int from, int to) {
    to = to < rows.n ? to : rows.n;
    for (int p = from; p < to; ++p) {
        const std::int32_t* row = coarse.rows + rows.row(p) * coarse.pairs;
        prefetch(row, row + coarse.pairs);
    }
}

// Labels of the selected rows. OUT left: offsets of those left undecided; returns how many. With Bounds, the slack is
// set too. All blocks are scored before it is asked what comes out: what is then guessed wrong would hold up the next block.
template <bool Bounds, class T>
static inline int score_rows(const Step<T>& step, Worker& worker, const Lookup& drift, const Selection& rows, Offsets& left) {
    const Coarse& coarse = step.coarse;
    const bool known = coarse.half && !rows.offset;
    Scores scores;
    const bool ask = rows.offset && coarse.far;
    if (ask) ask_for_listed(coarse, rows, 0, kAhead);
    for (int from = 0; from < rows.n; from += kBlock) {
        if (ask) ask_for_listed(coarse, rows, from + kAhead, from + kAhead + kBlock);
        const std::int32_t* block = block_of(coarse, rows, from, worker.words);
        score(block, coarse, step.screen, from, scores);
        if (!known) find_half(coarse, rows, from, block, scores.half + from);
    }
    const std::int32_t* half = known ? coarse.half + rows.begin : scores.half;
    Moves<T> moves(step, rows, scores.label);
    int n = 0;
    for (int from = 0; from < rows.n; from += kBlock) {
        const int count = rows.n - from < kBlock ? rows.n - from : kBlock;
        if constexpr (Bounds) set_slack(step, scores, half, drift, rows, from, count);
        const std::uint32_t open = undecided(scores, half, coarse, from, count);
        const int before = n;
        n = list_block(open, from, left, n);
        for (int m = before; m < n; ++m) prefetch_row(step, rows.row(left[m]));
        moves.note(from, count, open);
    }
    for (int m = 0; m < n; ++m) left[m] = static_cast<std::int32_t>(rows.row(left[m]) - rows.begin);
    moves.make(worker);
    worker.distances += static_cast<std::int64_t>(rows.n) * step.screen.k;
    return n;
}

template <class T>
static void lloyd(const Step<T>& step, Worker& worker, index_t begin, index_t end) {
    if (step.coarse.pairs == 0)
        return for_each_block(step, worker, begin, end,
                              [&](index_t b, int count, const Nearest& near) { relabel_block(step, worker, b, count, near.label); });
    const Lookup none(step.drift_low, 0);
    Offsets left;
    for (index_t b = begin; b < end; b += kChunk) {
        const int n = score_rows<false>(step, worker, none, {b, nullptr, static_cast<int>(b + kChunk < end ? kChunk : end - b)}, left);
        for (int done = 0; done < n; done += kBlock)
            for_some_rows(step, worker, b, left + done, n - done < kBlock ? n - done : kBlock, [](const Nearest&) {});
    }
}

typedef std::int16_t short4 __attribute__((vector_size(8)));
typedef std::int16_t short16 __attribute__((vector_size(32)));

// OUT out: the words of a row, `stride` apart: attributes about the origin, rounded; those past its end are zeros. Returns its squared norm
// in integers. Where an attribute does not fit into 16 bits, the norm tells.
template <class T>
[[gnu::always_inline]] static inline double pack_row(const Points<T>& points, const T* row, const double* origin, const double* scale,
                                                     index_t stride, std::int32_t* out) {
    double4 square = {};
    for (index_t j = 0; j < points.d; j += 4) {
        const double4 rounded = (four_of(points, row, j) - load<double4>(origin + j)) * load<double4>(scale + j) + kMagic;
        const double4 whole = rounded - kMagic;
        square += whole * whole;
        const short16 bits = __builtin_bit_cast(short16, rounded);  // the last of a number's are those of the integer
        const short4 four = __builtin_shufflevector(bits, bits, 0, 4, 8, 12);
        if (stride == 1 && j + 2 < points.d) {
            store(out + j / 2, four);
            continue;
        }
        std::int32_t pair[2];
        store(pair, four);
        out[j / 2 * stride] = pair[0];
        if (j + 2 < points.d) out[(j / 2 + 1) * stride] = pair[1];
    }
    return (square[0] + square[1]) + (square[2] + square[3]);
}

// OUT words, half: rows [begin, end). Returns the greatest squared norm of a row in integers.
template <class T>
static double pack_coarse(const Points<T>& points, const double* origin, const double* scale, bool blocked, index_t begin, index_t end, std::int32_t* words,
                          std::int32_t* half) {
    const index_t pairs = (points.d + 1) / 2;
    double greatest = 0.0;
    for (index_t i = begin; i < end; ++i) {
        const double square = blocked ? pack_row(points, points.row(i), origin, scale, kBlock, words + i / kBlock * kBlock * pairs + i % kBlock)
                                      : pack_row(points, points.row(i), origin, scale, 1, words + i * pairs);
        greatest = square > greatest ? square : greatest;
        if (half) half[i] = square < 0x1p31 ? static_cast<std::int32_t>(square * 0.5) : 0;  // too large: packed again
    }
    return greatest;
}

}  // namespace seedbed::SEEDBED_ISA
