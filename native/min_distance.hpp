// Every row's squared distance to its nearest seed, kept up to date as seeds are added: the work that
// k-means++, its greedy form and maximin share. Rows that a candidate cannot be nearer to are left out;
// the others are treated four at a time, each with the four interleaved sums of the reference
// arithmetic, so that squares are the same bits as those of `square_of` in exact.cpp.
#pragma once

#include "seed_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

typedef std::int64_t long4 __attribute__((vector_size(32)));

static inline double4 splat4(double v) { return v - double4{}; }
static inline double lanes_added(double4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

static inline double4 where(long4 mask, double4 v) {
    return reinterpret_cast<double4>(reinterpret_cast<long4>(v) & mask);
}

// All bits in the first n lanes.
static inline long4 first_lanes(index_t n) { return long4{0, 1, 2, 3} < n - long4{}; }

#if defined(__AVX__)
// The first n of four values, the others unread.
static inline double4 some(const double* p, index_t n) { return _mm256_maskload_pd(p, reinterpret_cast<__m256i>(first_lanes(n))); }
static inline double4 some(const float* p, index_t n) {
    return _mm256_cvtps_pd(_mm_maskload_ps(p, reinterpret_cast<__m128i>(__builtin_convertvector(first_lanes(n), int4))));
}
#endif

// One bit per lane of a comparison's result.
static inline std::uint64_t bits_of(long4 mask) {
#if defined(__AVX__)
    return static_cast<std::uint64_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#else
    return static_cast<std::uint64_t>((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// Lists the rows that are farther from their nearest seed a than limit[a]: a candidate cannot be nearer
// to the others. Returns the length of the list.
template <class T>
static index_t list_reachable(const SeedState<T>& s, const double* limit, index_t begin, index_t end, std::int32_t* list) {
    index_t count = 0;
    for (index_t i = begin; i < end; ++i) {
        list[count] = static_cast<std::int32_t>(i - begin);
        count += s.square[i] > limit[s.nearest[i]];
    }
    return count;
}

// Lists the rows that have a bit among so many words. Returns the length of the list.
static index_t list_marked(const std::uint64_t* bits, index_t words, std::int32_t* list) {
    index_t count = 0;
    for (index_t w = 0; w < words; ++w)
        for (std::uint64_t m = bits[w]; m; m &= m - 1) list[count++] = static_cast<std::int32_t>(w * kWord + __builtin_ctzll(m));
    return count;
}

// Up to 64 listed rows, padded to a multiple of four by repeating the last one.
template <class T>
struct Rows {
    int count, padded;
    index_t index[kWord];
    const T* x[kWord];
    const T* next[kWord];  // rows to ask memory for meanwhile: those that follow in the list
};

template <class T>
static inline void gather(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, index_t at, Rows<T>& r) {
    r.count = static_cast<int>(count - at < kWord ? count - at : kWord);
    r.padded = (r.count + 3) / 4 * 4;
    for (int p = 0; p < r.count; ++p) r.index[p] = begin + list[at + p];
    for (int p = r.count; p < r.padded; ++p) r.index[p] = r.index[r.count - 1];
    for (int p = 0; p < r.padded; ++p) r.x[p] = s.points.row(r.index[p]);
    for (int p = 0; p < r.padded; ++p) r.next[p] = at + kWord + p < count ? s.points.row(begin + list[at + kWord + p]) : r.x[p];
}

// Reads the last d % 4 attributes of rows, zeros after them. Without instructions that leave the others unread, it reads
// into later rows where there are any.
template <class T>
struct Tail {
    index_t first, rest;
    const T* limit;  // end of the data

    explicit Tail(const Points<T>& points) : first(points.d / 4 * 4), rest(points.d % 4), limit(points.x + points.n * points.d) {}

    [[gnu::always_inline]] double4 of(const T* x) const {
#if defined(__AVX__)
        return some(x + first, rest);
#else
        if (x + first + 4 <= limit) [[likely]] return where(first_lanes(rest), four(x + first));
        double4 out = {};
        for (index_t l = 0; l < rest; ++l) out[l] = static_cast<double>(x[first + l]);
        return out;
#endif
    }
};

// Four sums of four lanes each into one vector: lane p is (0+1)+(2+3) of the p-th.
static inline double4 add_lanes(double4 a, double4 b, double4 c, double4 d) {
    const double4 low = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const double4 high = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(low, high, 0, 1, 4, 5) + __builtin_shufflevector(low, high, 2, 3, 6, 7);
}

template <int Group, bool Scaled>
[[gnu::always_inline]] static inline void add_squares(double4 (&sum)[4][Group], const double4 (&x)[4], const double* centers, index_t stride,
                                                      double inverse_unit) {
#pragma GCC unroll 4
    for (int p = 0; p < 4; ++p) {
#pragma GCC unroll 3
        for (int c = 0; c < Group; ++c) {
            double4 t = x[p] - load<double4>(centers + c * stride);
            if constexpr (Scaled) t *= inverse_unit;
            sum[p][c] += t * t;
        }
    }
}

// OUT out: squared distances of four rows to Group centres (`stride` apart, zeros after d attributes).
template <int Group, bool Scaled, class T>
[[gnu::always_inline]] static inline void squares_of_four(const SeedState<T>& s, const Tail<T>& tail, const T* x0, const T* x1, const T* x2,
                                                          const T* x3, const double* centers, double4 (&out)[Group]) {
    double4 sum[4][Group] = {};
    for (index_t j = 0; j < tail.first; j += 4)
        add_squares<Group, Scaled>(sum, {four(x0 + j), four(x1 + j), four(x2 + j), four(x3 + j)}, centers + j, s.stride, s.inverse_unit);
    if (tail.rest > 0)
        add_squares<Group, Scaled>(sum, {tail.of(x0), tail.of(x1), tail.of(x2), tail.of(x3)}, centers + tail.first, s.stride, s.inverse_unit);
    for (int c = 0; c < Group; ++c) out[c] = add_lanes(sum[0][c], sum[1][c], sum[2][c], sum[3][c]);
}

// OUT out: squared distances of the rows to Group centres. Not inlined: there are many callers, and 64 rows to a call.
template <int Group, bool Scaled, class T>
[[gnu::noinline]] static void squares_of(const SeedState<T>& s, const Rows<T>& r, const double* centers, double (*out)[kWord]) {
    const Tail<T> tail(s.points);
    for (int p = 0; p < r.padded; p += 4) {
        for (int q = p; q < p + 4; ++q)
            for (index_t j = 0; j < s.points.d; j += 64 / static_cast<index_t>(sizeof(T))) __builtin_prefetch(r.next[q] + j);
        double4 square[Group];
        squares_of_four<Group, Scaled>(s, tail, r.x[p], r.x[p + 1], r.x[p + 2], r.x[p + 3], centers, square);
        for (int c = 0; c < Group; ++c) store(out[c] + p, square[c]);
    }
}

template <int Group, class T>
static inline void squares(const SeedState<T>& s, const Rows<T>& r, const double* centers, double (*out)[kWord]) {
    if (s.inverse_unit == 1.0) squares_of<Group, false>(s, r, centers, out);
    else squares_of<Group, true>(s, r, centers, out);
}

// So many rows from one on, padded as in `gather`.
template <class T>
static inline void gather_range(const SeedState<T>& s, index_t begin, index_t count, Rows<T>& r) {
    r.count = static_cast<int>(count);
    r.padded = (r.count + 3) / 4 * 4;
    for (int p = 0; p < r.padded; ++p) {
        r.index[p] = begin + (p < r.count ? p : r.count - 1);
        r.x[p] = r.next[p] = s.points.row(r.index[p]);
    }
}

// The two nearest seeds of up to 64 rows.
struct NearestTwo {
    alignas(32) double first[kWord], second[kWord];
    alignas(32) std::int64_t label[kWord];

    void start(int padded) {
        for (int p = 0; p < padded; ++p) first[p] = second[p] = __builtin_inf(), label[p] = 0;
    }

    void see(const double* distance, int padded, std::int64_t seed) {
        for (int p = 0; p < padded; p += 4) {
            const double4 d = load<double4>(distance + p), f = load<double4>(first + p), s = load<double4>(second + p);
            const double4 rest = d < f ? f : d;
            store(second + p, rest < s ? rest : s);
            store(label + p, d < f ? seed - long4{} : load<long4>(label + p));
            store(first + p, d < f ? d : f);
        }
    }
};

// The first of rows [begin, end) that is farther from its nearest seed than the closest seeds from each other, or
// farther from the next than its nearest seed from the seed next to that.
template <class T>
static Spreading first_spreading(const SeedState<T>& s, const Apart& seeds, index_t begin, index_t end) {
    Rows<T> r;
    NearestTwo near;
    alignas(32) double distance[3][kWord];
    for (index_t at = begin; at < end; at += kWord) {
        gather_range(s, at, end - at < kWord ? end - at : kWord, r);
        near.start(r.padded);
        for (index_t c = 0; c < seeds.k;) {
            const index_t left = seeds.k - c, group = left >= 3 && left != 4 ? 3 : (left >= 2 ? 2 : 1);
            const double* centers = seeds.centers + c * s.stride;
            if (group == 3) squares<3>(s, r, centers, distance);
            else if (group == 2) squares<2>(s, r, centers, distance);
            else squares<1>(s, r, centers, distance);
            for (index_t g = 0; g < group; ++g, ++c) near.see(distance[g], r.padded, c);
        }
        for (int p = 0; p < r.count; ++p)
            if (near.first[p] > seeds.closest || near.second[p] > seeds.gap[near.label[p]])
                return {at + p, static_cast<std::int32_t>(near.label[p]), near.first[p], near.second[p]};
    }
    return {end, -1, 0.0, 0.0};
}

// md^2 and weights of rows, no weight past the last.
struct Masses {
    alignas(32) double square[kWord];
    alignas(32) double mass[kWord];
};

template <class T>
static inline void weigh_rows(const SeedState<T>& s, const Rows<T>& r, Masses& m) {
    for (int p = 0; p < r.padded; ++p) m.square[p] = s.square[r.index[p]];
    for (int p = 0; p < r.padded; ++p) m.mass[p] = s.weight_scale;
    if (s.points.weight)
        for (int p = 0; p < r.padded; ++p) m.mass[p] *= s.points.weight[r.index[p]];
    for (int p = r.count; p < r.padded; ++p) m.mass[p] = 0.0;
}

// Adds to `sum` what the rows gain, w (md^2 - d^2) where positive; a bit for each that does.
static inline std::uint64_t gain_of(const Masses& m, const double* distance, int padded, double4& sum) {
    std::uint64_t nearer = 0;
    for (int p = 0; p < padded; p += 4) {
        const double4 mass = load<double4>(m.mass + p), less = load<double4>(m.square + p) - load<double4>(distance + p);
        sum += where(less > splat4(0.0), mass * less);
        nearer |= bits_of((less > splat4(0.0)) & (mass > splat4(0.0))) << p;
    }
    return nearer;
}

// By how much each of n candidates (`stride` apart) would lower the sum of w md^2 of the listed rows:
// added to gains. OUT nearer, `plane` words apart and cleared by the caller: a bit for each row from
// `begin` on that the candidate would be nearer to.
template <class T>
static void weigh(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* candidates, index_t n,
                  double* gains, std::uint64_t* nearer, index_t plane) {
    Rows<T> r;
    Masses m;
    alignas(32) double distance[3][kWord];
    for (index_t at = 0; at < count; at += kWord) {
        gather(s, list, count, begin, at, r);
        weigh_rows(s, r, m);
        for (index_t c = 0; c < n;) {
            const index_t group = n - c >= 3 && n - c != 4 ? 3 : (n - c >= 2 ? 2 : 1);
            const double* centers = candidates + c * s.stride;
            if (group == 3) squares<3>(s, r, centers, distance);
            else if (group == 2) squares<2>(s, r, centers, distance);
            else squares<1>(s, r, centers, distance);
            for (index_t g = 0; g < group; ++g, ++c) {
                double4 sum = {};
                for (std::uint64_t found = gain_of(m, distance[g], r.padded, sum); found; found &= found - 1) {
                    const std::int32_t row = list[at + __builtin_ctzll(found)];
                    nearer[c * plane + row / kWord] |= std::uint64_t{1} << (row % kWord);
                }
                gains[c] += lanes_added(sum);
            }
        }
    }
}

constexpr index_t kLead = 24;  // rows of a list between the one treated and the one asked for

// Four listed rows: the last ones of a list are repeated.
template <bool Scaled, class T>
[[gnu::always_inline]] static inline void lower_four(const SeedState<T>& s, const Tail<T>& tail, index_t a, index_t b, index_t c, index_t e,
                                                     const double* center, std::int32_t id) {
    double4 square[1];
    squares_of_four<1, Scaled>(s, tail, s.points.row(a), s.points.row(b), s.points.row(c), s.points.row(e), center, square);
    const double4 before = {s.square[a], s.square[b], s.square[c], s.square[e]};
    const double4 after = square[0] < before ? square[0] : before;
    s.square[a] = after[0], s.square[b] = after[1], s.square[c] = after[2], s.square[e] = after[3];
    if (!s.nearest) return;
    const std::uint64_t nearer = bits_of(square[0] < before);
    if (nearer & 1) s.nearest[a] = id;
    if (nearer & 2) s.nearest[b] = id;
    if (nearer & 4) s.nearest[c] = id;
    if (nearer & 8) s.nearest[e] = id;
}

template <bool Scaled, class T>
static void lower_as(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* center, std::int32_t id) {
    const Tail<T> tail(s.points);
    index_t at = 0;
    for (; at + 4 <= count; at += 4) {
        const std::int32_t* ahead = list + (at + kLead < count - 4 ? at + kLead : count - 4);
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) {
            const T* x = s.points.row(begin + ahead[p]);
            for (index_t j = 0; j < s.points.d; j += 64 / static_cast<index_t>(sizeof(T))) __builtin_prefetch(x + j);
        }
        lower_four<Scaled>(s, tail, begin + list[at], begin + list[at + 1], begin + list[at + 2], begin + list[at + 3], center, id);
    }
    if (at == count) return;
    const auto row = [&](index_t p) { return begin + list[at + p < count ? at + p : count - 1]; };
    lower_four<Scaled>(s, tail, row(0), row(1), row(2), row(3), center, id);
}

// Makes seed `id` the nearest of those listed rows that it is nearer to.
template <class T>
static void lower(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* center, std::int32_t id) {
    if (s.inverse_unit == 1.0) lower_as<false>(s, list, count, begin, center, id);
    else lower_as<true>(s, list, count, begin, center, id);
}

// Sums of w md^2 over rows that come four at a time, row i in lane i % 4: of all of them, and of each word of 64.
template <class T>
class Totals {
public:
    Totals(const SeedState<T>& s, index_t begin) : s_(s), at_(begin) {}

    // The next four rows, or the last ones, whose md^2 are these.
    [[gnu::always_inline]] void add(double4 square) {
        double4 mass = square;
        if (s_.points.weight) mass = load<double4>(s_.points.weight + at_) * s_.weight_scale * square;
        see(mass);
    }
    void add_last(double4 square, index_t count) {
        double4 mass = {};
        for (index_t l = 0; l < count; ++l) mass[l] = s_.points.mass(at_ + l) * s_.weight_scale * square[l];
        see(mass);
    }
    // The sum of all, once the last rows are added.
    double finish() {
        if (at_ % kWord != 0) close();
        return lanes_added(all_);
    }

private:
    [[gnu::always_inline]] void see(double4 mass) {
        all_ += mass;
        word_ += mass;
        at_ += 4;
        if (at_ % kWord == 0) close();
    }
    void close() {
        s_.words[(at_ - 1) / kWord] = lanes_added(word_);
        word_ = double4{};
    }

    const SeedState<T>& s_;
    index_t at_;
    double4 all_ = {}, word_ = {};
};

// Sum of w md^2 over rows [begin, end), begin at a word's start. OUT s.words: those of its words.
template <class T>
static double total(const SeedState<T>& s, index_t begin, index_t end) {
    Totals<T> totals(s, begin);
    const index_t whole = begin + (end - begin) / 4 * 4;
    for (index_t i = begin; i < whole; i += 4) totals.add(load<double4>(s.square + i));
    if (whole < end) {
        double4 square = {};
        for (index_t i = whole; i < end; ++i) square[i - whole] = s.square[i];
        totals.add_last(square, end - whole);
    }
    return totals.finish();
}

// Squares of four rows that follow each other or, with `last` less than 3, of fewer.
template <bool Scaled, class T>
[[gnu::always_inline]] static inline double4 squares_in_order(const SeedState<T>& s, const Tail<T>& tail, index_t i, index_t last, const double* center) {
    const index_t d = s.points.d;
    const T* x = s.points.row(i);
    double4 square[1];
    squares_of_four<1, Scaled>(s, tail, x, x + (last > 0 ? d : 0), x + (last > 1 ? 2 * d : 0), x + (last > 2 ? 3 * d : 0), center, square);
    return square[0];
}

// Rows [begin, end) and one seed: of all seeds the first, or one more.
template <bool First, bool Scaled, class T>
static double lower_all_as(const SeedState<T>& s, index_t begin, index_t end, const double* center, std::int32_t id) {
    const Tail<T> tail(s.points);
    const index_t d = s.points.d, whole = begin + (end - begin) / 4 * 4;
    Totals<T> totals(s, begin);
    for (index_t i = begin; i < whole; i += 4) {
        const T *x = s.points.row(i), *next = i + kWord < whole ? x + kWord * d : x;  // rows to ask memory for meanwhile
        for (index_t j = 0; j < 4 * d; j += 64 / static_cast<index_t>(sizeof(T))) __builtin_prefetch(next + j);
        double4 square = squares_in_order<Scaled>(s, tail, i, 3, center);
        if constexpr (!First) {
            const double4 before = load<double4>(s.square + i);
            const long4 nearer = square < before;
            square = nearer ? square : before;
            if (s.nearest) store(s.nearest + i, __builtin_convertvector(nearer, int4) ? id - int4{} : load<int4>(s.nearest + i));
        }
        store(s.square + i, square);
        totals.add(square);
    }
    if (whole == end) return totals.finish();
    const double4 square = squares_in_order<Scaled>(s, tail, whole, end - 1 - whole, center);
    double4 after = {};
    for (index_t i = whole; i < end; ++i) {
        const bool nearer = First || square[i - whole] < s.square[i];
        if (nearer) s.square[i] = square[i - whole];
        if (!First && nearer && s.nearest) s.nearest[i] = id;
        after[i - whole] = s.square[i];
    }
    totals.add_last(after, end - whole);
    return totals.finish();
}

// OUT s.square: squared distances of rows [begin, end) to the first seed; returns what `total` would.
template <class T>
static double measure(const SeedState<T>& s, index_t begin, index_t end, const double* center) {
    return s.inverse_unit == 1.0 ? lower_all_as<true, false>(s, begin, end, center, 0) : lower_all_as<true, true>(s, begin, end, center, 0);
}

// Makes seed `id` the nearest of those among rows [begin, end) that it is nearer to; returns what `total` would.
template <class T>
static double lower_all(const SeedState<T>& s, index_t begin, index_t end, const double* center, std::int32_t id) {
    return s.inverse_unit == 1.0 ? lower_all_as<false, false>(s, begin, end, center, id) : lower_all_as<false, true>(s, begin, end, center, id);
}

template <class T>
static double greatest(const SeedState<T>& s, index_t begin, index_t end) {
    double4 most = {};
    index_t i = begin;
    for (; i + 4 <= end; i += 4) {
        const double4 square = load<double4>(s.square + i);
        most = square > most ? square : most;
    }
    for (; i < end; ++i) most[0] = s.square[i] > most[0] ? s.square[i] : most[0];
    const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    return a > b ? a : b;
}

}  // namespace seedbed::SEEDBED_ISA
