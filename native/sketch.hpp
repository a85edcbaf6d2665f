// A copy of the data in bytes, one per attribute, to tell cheaply which rows a candidate cannot be nearer
// to: integer distances between sketches are exact, and no row is farther from its sketch than a known
// error, so a row whose sketch is farther from the candidate's than md plus both errors can be left out.
#pragma once

#include "seed_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

typedef std::uint8_t byte16 __attribute__((vector_size(16)));
typedef std::int16_t short16 __attribute__((vector_size(32)));
typedef std::int32_t int4 __attribute__((vector_size(16)));
typedef std::int32_t int8 __attribute__((vector_size(32)));

// Products of neighbours added in pairs.
static inline int8 squares_in_pairs(short16 t) {
#if defined(__AVX2__)
    return reinterpret_cast<int8>(_mm256_madd_epi16(reinterpret_cast<__m256i>(t), reinterpret_cast<__m256i>(t)));
#else
    int8 out;
    for (int l = 0; l < 8; ++l) out[l] = t[2 * l] * t[2 * l] + t[2 * l + 1] * t[2 * l + 1];
    return out;
#endif
}

// Sketches rows [begin, end): OUT bytes. Returns the greatest squared distance of a row to its sketch, in steps.
template <class T>
static double make_sketch(const Points<T>& points, const T* shift, double steps_per_unit, index_t begin, index_t end, std::uint8_t* bytes,
                          index_t stride) {
    double most = 0.0;
    for (index_t i = begin; i < end; ++i) {
        const T* x = points.row(i);
        std::uint8_t* out = bytes + i * stride;
        double square = 0.0;
        for (index_t j = 0; j < points.d; ++j) {
            const double v = (static_cast<double>(x[j]) - static_cast<double>(shift[j])) * steps_per_unit;  // within ±127
            const int q = static_cast<int>(v + 128.5);
            const double error = v + 128.0 - q;
            out[j] = static_cast<std::uint8_t>(q);
            square += error * error;
        }
        for (index_t j = points.d; j < stride; ++j) out[j] = 0;
        most = square > most ? square : most;
    }
    return most;
}

// Four sums of eight lanes each into one vector.
static inline int4 add_lanes(int8 a0, int8 a1, int8 a2, int8 a3) {
    const auto half = [](int8 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7); };
    const int4 b0 = half(a0), b1 = half(a1), b2 = half(a2), b3 = half(a3);
    const int4 low = __builtin_shufflevector(b0, b1, 0, 4, 2, 6) + __builtin_shufflevector(b0, b1, 1, 5, 3, 7);
    const int4 high = __builtin_shufflevector(b2, b3, 0, 4, 2, 6) + __builtin_shufflevector(b2, b3, 1, 5, 3, 7);
    return __builtin_shufflevector(low, high, 0, 1, 4, 5) + __builtin_shufflevector(low, high, 2, 3, 6, 7);
}

// Least squared distance, in steps, of four sketches to Group candidates and to what `least` has.
template <int Group>
[[gnu::always_inline]] static inline int4 least_of_group(const std::uint8_t* const (&x)[4], const std::int16_t* candidates, index_t stride,
                                                         int4 least) {
    int8 sum[4][Group] = {};
    for (index_t j = 0; j < stride; j += 16) {
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) {
            const short16 row = __builtin_convertvector(load<byte16>(x[p] + j), short16);
#pragma GCC unroll 4
            for (int c = 0; c < Group; ++c) sum[p][c] += squares_in_pairs(row - load<short16>(candidates + c * stride + j));
        }
    }
    for (int c = 0; c < Group; ++c) {
        const int4 total = add_lanes(sum[0][c], sum[1][c], sum[2][c], sum[3][c]);
        least = total < least ? total : least;
    }
    return least;
}

static inline int4 least_square(const std::uint8_t* const (&x)[4], const std::int16_t* candidates, int n, index_t stride) {
    int4 least = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    int c = 0;
    for (; c + 3 <= n && n - c != 4; c += 3) least = least_of_group<3>(x, candidates + c * stride, stride, least);
    for (; c + 2 <= n; c += 2) least = least_of_group<2>(x, candidates + c * stride, stride, least);
    if (c < n) least = least_of_group<1>(x, candidates + c * stride, stride, least);
    return least;
}

// Leaves on the list the rows that one of the candidates may be nearer to; adds w md^2 of the others to
// `rest`. Returns the new length of the list.
template <class T>
static index_t sieve(const SeedState<T>& s, const Sketch& sketch, const std::int16_t* candidates, int n, index_t begin, std::int32_t* list,
                     index_t count, double* rest) {
    index_t kept = 0;
    for (index_t at = 0; at < count; at += 4) {
        index_t row[4];
        const std::uint8_t* x[4];
        double bound[4];
        for (int p = 0; p < 4; ++p) {
            row[p] = begin + list[at + p < count ? at + p : count - 1];
            x[p] = sketch.bytes + row[p] * sketch.stride;
        }
        for (int p = 0; p < 4; ++p) {
            const double reach = __builtin_sqrt(s.square[row[p]]) * sketch.steps_per_distance + sketch.error;
            bound[p] = reach * reach;
        }
        const int4 least = least_square(x, candidates, n, sketch.stride);
        for (int p = 0; p < 4 && at + p < count; ++p) {
            const bool keep = static_cast<double>(least[p]) < bound[p];
            if (!keep) *rest += s.points.mass(row[p]) * s.weight_scale * s.square[row[p]];
            list[kept] = list[at + p];
            kept += keep;
        }
    }
    return kept;
}

}  // namespace seedbed::SEEDBED_ISA
