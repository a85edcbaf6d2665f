// Every row's squared distance to its nearest seed, kept up to date as seeds are added: the work that
// k-means++, its greedy form and maximin share. Two exact filters leave out rows that a candidate cannot
// be nearer to (the triangle inequality, and a copy of the data in bytes); the rest are treated four at
// a time, each row with the four interleaved sums of the reference arithmetic, so that squares are the
// same bits as `square_of` in exact.cpp.
#pragma once

#include "seed_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

typedef std::int64_t long4 __attribute__((vector_size(32)));

static inline double4 splat4(double v) { return v - double4{}; }
static inline double4 where(long4 mask, double4 v) { return reinterpret_cast<double4>(reinterpret_cast<long4>(v) & mask); }
static inline double lanes_added(double4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

// One bit per lane of a comparison's result.
static inline std::uint64_t bits(long4 mask) {
#if defined(__AVX__)
    return static_cast<std::uint64_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#else
    return static_cast<std::uint64_t>((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// Up to 64 rows of a task, padded to a multiple of four by repeating the last one without mass.
template <class T>
struct Rows {
    int count, padded;
    index_t index[kWord];
    const T* x[kWord];
    alignas(32) double square[kWord];
    alignas(32) double mass[kWord];
};

// Rows number `at` and after of a list, or of the task itself where the list is null.
template <class T>
static inline void gather(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, index_t at, Rows<T>& r) {
    r.count = static_cast<int>(count - at < kWord ? count - at : kWord);
    r.padded = (r.count + 3) / 4 * 4;
    if (list) {
        for (int p = 0; p < r.count; ++p) r.index[p] = begin + list[at + p];
        for (int p = 0; p < r.count; ++p) r.square[p] = s.square[r.index[p]];
    } else {
        for (int p = 0; p < r.count; ++p) r.index[p] = begin + at + p;
        for (int p = 0; p < r.count; ++p) r.square[p] = s.square[begin + at + p];
    }
    if (s.points.weight) {
        for (int p = 0; p < r.count; ++p) r.mass[p] = s.points.weight[r.index[p]] * s.weight_scale;
    } else {
        for (int p = 0; p < r.count; ++p) r.mass[p] = 1.0;
    }
    for (int p = r.count; p < r.padded; ++p) {
        r.index[p] = r.index[r.count - 1];
        r.square[p] = r.square[r.count - 1];
        r.mass[p] = 0.0;
    }
    for (int p = 0; p < r.padded; ++p) r.x[p] = s.points.row(r.index[p]);
}

// The last d % 4 attributes of a row, zeros after them. Reads into later rows where there are any.
template <class T>
static inline double4 tail(const Points<T>& points, const T* x, index_t j) {
    const index_t rest = points.d - j;
    if (x + j + 4 <= points.x + points.n * points.d) [[likely]] {
        const long4 keep = {-1, rest > 1 ? -1 : 0, rest > 2 ? -1 : 0, 0};
        return where(keep, four(x + j));
    }
    double4 out = {};
    for (index_t l = 0; l < rest; ++l) out[l] = static_cast<double>(x[j + l]);
    return out;
}

// Four sums of four lanes each into one vector: lane p is (0+1)+(2+3) of a[p].
static inline double4 add_lanes(double4 a0, double4 a1, double4 a2, double4 a3) {
    const double4 low = __builtin_shufflevector(a0, a1, 0, 4, 2, 6) + __builtin_shufflevector(a0, a1, 1, 5, 3, 7);
    const double4 high = __builtin_shufflevector(a2, a3, 0, 4, 2, 6) + __builtin_shufflevector(a2, a3, 1, 5, 3, 7);
    return __builtin_shufflevector(low, high, 0, 1, 4, 5) + __builtin_shufflevector(low, high, 2, 3, 6, 7);
}

template <int Group, bool Scaled>
[[gnu::always_inline]] static inline void add_squares(double4 (&sum)[4][Group], const double4 (&x)[4], const double* centers, index_t stride,
                                                      double inverse_unit) {
#pragma GCC unroll 4
    for (int p = 0; p < 4; ++p) {
#pragma GCC unroll 4
        for (int c = 0; c < Group; ++c) {
            double4 t = x[p] - load<double4>(centers + c * stride);
            if constexpr (Scaled) t *= inverse_unit;
            sum[p][c] += t * t;
        }
    }
}

// OUT out: squared distances of the rows to Group centres (`stride` apart, zeros after d attributes).
template <class T, int Group, bool Scaled>
static inline void squares_of(const SeedState<T>& s, const Rows<T>& r, const double* centers, double (*out)[kWord]) {
    const index_t d = s.points.d, stride = s.stride;
    for (int p = 0; p < r.padded; p += 4) {
        const T *x0 = r.x[p], *x1 = r.x[p + 1], *x2 = r.x[p + 2], *x3 = r.x[p + 3];
        double4 sum[4][Group] = {};
        index_t j = 0;
        for (; j + 4 <= d; j += 4)
            add_squares<Group, Scaled>(sum, {four(x0 + j), four(x1 + j), four(x2 + j), four(x3 + j)}, centers + j, stride, s.inverse_unit);
        if (j < d)
            add_squares<Group, Scaled>(sum, {tail(s.points, x0, j), tail(s.points, x1, j), tail(s.points, x2, j), tail(s.points, x3, j)},
                                       centers + j, stride, s.inverse_unit);
        for (int c = 0; c < Group; ++c) store(out[c] + p, add_lanes(sum[0][c], sum[1][c], sum[2][c], sum[3][c]));
    }
}

template <class T, int Group>
[[gnu::noinline]] static void squares(const SeedState<T>& s, const Rows<T>& r, const double* centers, double (*out)[kWord]) {
    if (s.inverse_unit == 1.0) squares_of<T, Group, false>(s, r, centers, out);
    else squares_of<T, Group, true>(s, r, centers, out);
}

// Lists the rows that a candidate could be nearer to than their nearest seed a: those whose square is
// more than limit[a]. OUT list, and `rest`: the sum of w md^2 of the others. Returns the list's length.
template <class T>
static index_t within_reach(const SeedState<T>& s, const double* limit, index_t begin, index_t end, std::int32_t* list, double* rest) {
    index_t count = 0, i = begin;
    double4 sum = {};
    const auto keep = [&](index_t row, bool reached) {
        list[count] = static_cast<std::int32_t>(row - begin);
        count += reached;
    };
    for (; i + 4 <= end; i += 4) {
        const std::int32_t* a = s.nearest + i;
        const double4 square = load<double4>(s.square + i), least = {limit[a[0]], limit[a[1]], limit[a[2]], limit[a[3]]};
        const long4 reached = square > least;
        const double4 mass = s.points.weight ? load<double4>(s.points.weight + i) * s.weight_scale : splat4(1.0);
        sum += where(~reached, mass * square);
        const std::uint64_t mask = bits(reached);
        for (int p = 0; p < 4; ++p) keep(i + p, (mask >> p) & 1);
    }
    for (; i < end; ++i) {
        const bool reached = s.square[i] > limit[s.nearest[i]];
        if (!reached) sum[i % 4] += s.points.mass(i) * s.weight_scale * s.square[i];
        keep(i, reached);
    }
    *rest = lanes_added(sum);
    return count;
}

// OUT nearer: one bit for each row that the distance is less than the square of. Adds w min(both) to `sum`.
template <class T>
static inline std::uint64_t compare(const Rows<T>& r, const double* distance, double4& sum) {
    std::uint64_t nearer = 0;
    for (int p = 0; p < r.padded; p += 4) {
        const double4 now = load<double4>(r.square + p), then = load<double4>(distance + p);
        const long4 less = then < now;
        sum += load<double4>(r.mass + p) * (less ? then : now);
        nearer |= bits(less) << p;
    }
    return r.count < kWord ? nearer & ((std::uint64_t{1} << r.count) - 1) : nearer;
}

template <class T, int Group>
static inline void weigh_group(const SeedState<T>& s, const Rows<T>& r, const double* candidates, int first, double4* total,
                               std::uint64_t* nearer) {
    alignas(32) double distance[Group][kWord];
    squares<T, Group>(s, r, candidates + first * s.stride, distance);
    for (int c = 0; c < Group; ++c) nearer[first + c] = compare(r, distance[c], total[first + c]);
}

// What the sum of w md^2 over the rows (of the list, or all from `begin` on where it is null) would be
// with each candidate as the next seed: OUT total. OUT nearer, cleared by the caller: for each candidate
// (`plane` words apart) a bit for every row of the task, set where the candidate would be nearer.
template <class T>
static void weigh(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* candidates, int n,
                  double* total, std::uint64_t* nearer, index_t plane) {
    double4 sums[kMaxCandidates] = {};
    Rows<T> r;
    for (index_t at = 0; at < count; at += kWord) {
        gather(s, list, count, begin, at, r);
        std::uint64_t words[kMaxCandidates];
        int c = 0;
        for (; c + 3 <= n && n - c != 4; c += 3) weigh_group<T, 3>(s, r, candidates, c, sums, words);
        for (; c + 2 <= n; c += 2) weigh_group<T, 2>(s, r, candidates, c, sums, words);
        if (c < n) weigh_group<T, 1>(s, r, candidates, c, sums, words);
        for (c = 0; c < n; ++c) {
            if (!list) nearer[c * plane + at / kWord] = words[c];
            else for (std::uint64_t m = words[c]; m; m &= m - 1) {
                const index_t row = list[at + __builtin_ctzll(m)];
                nearer[c * plane + row / kWord] |= std::uint64_t{1} << (row % kWord);
            }
        }
    }
    for (int c = 0; c < n; ++c) total[c] = lanes_added(sums[c]);
}

// Makes seed `id` the nearest of those rows that it is nearer to. Returns their sum of w md^2.
template <class T>
static double lower(const SeedState<T>& s, const std::int32_t* list, index_t count, index_t begin, const double* center, std::int32_t id) {
    double4 sum = {};
    Rows<T> r;
    for (index_t at = 0; at < count; at += kWord) {
        gather(s, list, count, begin, at, r);
        alignas(32) double distance[1][kWord];
        squares<T, 1>(s, r, center, distance);
        for (std::uint64_t m = compare(r, distance[0], sum); m; m &= m - 1) {
            const int p = __builtin_ctzll(m);
            s.square[r.index[p]] = distance[0][p];
            s.nearest[r.index[p]] = id;
        }
    }
    return lanes_added(sum);
}

template <class T>
static double greatest(const SeedState<T>& s, index_t begin, index_t end) {
    double most[4] = {};
    for (index_t i = begin; i < end; ++i) most[i % 4] = s.square[i] > most[i % 4] ? s.square[i] : most[i % 4];
    const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    return a > b ? a : b;
}

}  // namespace seedbed::SEEDBED_ISA
