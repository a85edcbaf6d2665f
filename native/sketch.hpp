// A copy of the data in bytes, one per attribute. Integer distances between sketches are exact, and no
// row is farther from its sketch than a known error, so they tell cheaply which rows a candidate cannot
// be nearer to, and often which candidate is the best.
#pragma once

#include "min_distance.hpp"
#include "seed_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

// What is sketched together: four attributes of as many rows as a vector of double precision holds.
#if defined(__AVX512BW__)
typedef double8 strip;
static inline strip make_strip(const double4 (&rows)[2]) { return __builtin_shufflevector(rows[0], rows[1], 0, 1, 2, 3, 4, 5, 6, 7); }
static inline strip make_strip(double4 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3); }
static inline double4 row_of(strip v, int p) { return p == 0 ? __builtin_shufflevector(v, v, 0, 1, 2, 3) : __builtin_shufflevector(v, v, 4, 5, 6, 7); }
#else
typedef double4 strip;
static inline strip make_strip(const double4 (&rows)[1]) { return rows[0]; }
static inline strip make_strip(double4 v) { return v; }
static inline double4 row_of(strip v, int) { return v; }
#endif
inline constexpr int kAbreast = sizeof(strip) / sizeof(double4);  // rows of a strip
inline constexpr int kStrips = 4 / kAbreast;                      // in four rows

// The lowest bytes of four attributes of four rows: OUT two words, one for each pair of attributes, that hold the pair of
// every row in turn.
static inline void pack_bytes(const strip (&rows)[kStrips], std::uint64_t (&words)[2]) {
#if defined(__AVX512BW__)
    const __m128i low = _mm512_cvtepi64_epi8(reinterpret_cast<__m512i>(rows[0])), high = _mm512_cvtepi64_epi8(reinterpret_cast<__m512i>(rows[1]));
    const __m128i by_pair = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const __m128i packed = _mm_shuffle_epi8(_mm_unpacklo_epi64(low, high), by_pair);
    words[0] = static_cast<std::uint64_t>(packed[0]);
    words[1] = static_cast<std::uint64_t>(packed[1]);
#else
    long4 packed = {};
#pragma GCC unroll 4
    for (int p = 0; p < 4; ++p) packed |= (reinterpret_cast<long4>(rows[p]) & 255) << (16 * p);
    packed <<= long4{0, 8, 0, 8};
    words[0] = static_cast<std::uint64_t>(packed[0] | packed[1]);
    words[1] = static_cast<std::uint64_t>(packed[2] | packed[3]);
#endif
}

// Sketches rows [begin, end), begin at a block's start: OUT bytes, zeros after the last row of a block. `middle` is
// padded by zeros to a multiple of four. Returns the greatest squared distance of a row to its sketch, in steps.
template <class T>
static double make_sketch(const Points<T>& points, const double* middle, double steps_per_value, index_t begin, index_t end, std::uint8_t* bytes) {
    constexpr index_t kPair = 2 * kSketchBlock;     // bytes from one pair of attributes to the next
    constexpr double kRound = 6755399441055744.0 + 128;  // 1.5 * 2^52: adding it leaves the integer in the lowest byte
    const index_t d = points.d, pairs = (d + 1) / 2, stop = (end + kSketchBlock - 1) / kSketchBlock * kSketchBlock;
    const Tail<T> tail(points);
    double4 most = {};
    for (index_t i = begin; i < stop; i += 4) {
        const index_t count = end - i < 0 ? 0 : end - i;  // of rows that there are, if fewer than four
        const std::uint64_t present = count < 4 ? (std::uint64_t{1} << (16 * count)) - 1 : ~std::uint64_t{0};
        const T* x[4];
        for (int p = 0; p < 4; ++p) x[p] = points.row(p < count ? i + p : end - 1);
        std::uint8_t* out = bytes + i / kSketchBlock * kPair * pairs + i % kSketchBlock * 2;
        strip square[kStrips] = {};
        for (index_t j = 0; j < d; j += 4, out += 2 * kPair) {
            const strip origin = make_strip(load<double4>(middle + j));
            strip rounded[kStrips];
#pragma GCC unroll 4
            for (int s = 0; s < kStrips; ++s) {
                double4 rows[kAbreast];
#pragma GCC unroll 2
                for (int p = 0; p < kAbreast; ++p) {
                    const T* row = x[s * kAbreast + p];
                    rows[p] = j < tail.first ? four(row + j) : tail.of(row);
                }
                const strip steps = (make_strip(rows) - origin) * steps_per_value;  // within ±127
                rounded[s] = steps + kRound;
                const strip error = steps - (rounded[s] - kRound);
                square[s] += error * error;
            }
            std::uint64_t words[2];
            pack_bytes(rounded, words);
            store(out, words[0] & present);
            if (j + 2 < d) store(out + kPair, words[1] & present);
        }
        double4 sum[4];
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) sum[p] = row_of(square[p / kAbreast], p % kAbreast);
        const double4 sums = add_lanes(sum[0], sum[1], sum[2], sum[3]);
        most = sums > most ? sums : most;
    }
    const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    return a > b ? a : b;
}

// Looked at together are as many rows as a vector of single precision holds, two attributes of each.
typedef std::int16_t shorts __attribute__((vector_size(sizeof(vint))));
typedef std::uint8_t bytes_of_pairs __attribute__((vector_size(sizeof(vint) / 2)));
#if defined(__AVX512BW__)
using Mask = __mmask16;
static inline std::uint64_t bits_of(Mask mask) { return mask; }
#else
using Mask = vint;
static inline std::uint64_t bits_of(Mask mask) { return bits(mask); }
#endif

static inline shorts widened(bytes_of_pairs bytes) {
#if defined(__AVX512BW__)
    return reinterpret_cast<shorts>(_mm512_cvtepu8_epi16(reinterpret_cast<__m256i>(bytes)));
#elif defined(__AVX2__)
    return reinterpret_cast<shorts>(_mm256_cvtepu8_epi16(reinterpret_cast<__m128i>(bytes)));
#else
    return __builtin_convertvector(bytes, shorts);
#endif
}

// Squares of neighbours added in pairs.
static inline vint squares_in_pairs(shorts t) { return multiply_pairs(reinterpret_cast<vint>(t), reinterpret_cast<vint>(t)); }

static inline Mask where_less(vfloat a, vfloat b) {
#if defined(__AVX512BW__)
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
#else
    return a < b;
#endif
}

// With AVX-512 an instruction each, where GCC 12 would keep and then add, or compare and keep.
static inline vfloat added_where(Mask mask, vfloat sum, vfloat v) {
#if defined(__AVX512BW__)
    return _mm512_mask_add_ps(sum, mask, sum, v);
#else
    return sum + reinterpret_cast<vfloat>(reinterpret_cast<vint>(v) & mask);
#endif
}

// kLanes values times a factor, in single precision.
static inline vfloat singles(const double* values, double factor) {
#if defined(__AVX512BW__)
    const __m256 low = _mm512_cvtpd_ps(load<double8>(values) * factor), high = _mm512_cvtpd_ps(load<double8>(values + 8) * factor);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#elif defined(__AVX__)
    return join(__builtin_convertvector(load<double4>(values) * factor, float4), __builtin_convertvector(load<double4>(values + 4) * factor, float4));
#else
    return __builtin_convertvector(load<double4>(values) * factor, float4);
#endif
}

// Rows of a block: md^2 and weight in single precision (unread where all weights are one), and the square in
// steps below which a candidate may be nearer, rounded up.
struct SketchRows {
    vfloat square, bound, mass;
};

template <bool WithWeights>
static inline SketchRows read_rows(const Sketch& sketch, const Weighted& rows, index_t begin, index_t end) {
    constexpr float kUp = 1.0f + 0x1p-20f;
    const vfloat square = singles(rows.square + begin, sketch.steps_per_distance * sketch.steps_per_distance);
    const vfloat reach = vsqrt(square) * kUp + static_cast<float>(sketch.error) * kUp;
    vfloat mass = 1.0f - vfloat{};
    if (WithWeights && begin + kLanes <= end) {
        mass = singles(rows.weight + begin, rows.scale);
    } else if (WithWeights) {
        for (index_t p = 0; p < kLanes; ++p) mass[p] = begin + p < end ? static_cast<float>(rows.weight[begin + p] * rows.scale) : 0.0f;
    }
    return {square, reach * reach, mass};
}

struct RoughSums {
    vfloat gain, square, mass;
    index_t rows;  // in place of the mass where all weights are one
};

inline constexpr int kSets = kSketchBlock / kLanes;  // of rows in a block

// Group candidates (`pairs` apart, two attributes in each int) against the rows of a block. IN/OUT bits: of a word, in which
// the block's rows begin at `place`.
template <int Group, bool WithWeights>
static inline void compare_block(const Sketch& sketch, const std::uint8_t* block, const SketchRows (&r)[kSets],
                                                        const std::int32_t* candidates, RoughSums* sums, std::uint64_t* bits, index_t place) {
    vint sum[Group][kSets] = {};
    for (index_t j = 0; j < sketch.pairs; ++j, block += 2 * kSketchBlock) {
        shorts x[kSets];
#pragma GCC unroll 4
        for (int s = 0; s < kSets; ++s) x[s] = widened(load<bytes_of_pairs>(block + s * 2 * kLanes)) * std::int16_t{kFine};
#pragma GCC unroll 6
        for (int c = 0; c < Group; ++c) {
            const shorts candidate = reinterpret_cast<shorts>(candidates[c * sketch.pairs + j] - vint{});
#pragma GCC unroll 4
            for (int s = 0; s < kSets; ++s) sum[c][s] += squares_in_pairs(x[s] - candidate);
        }
    }
#pragma GCC unroll 6
    for (int c = 0; c < Group; ++c) {
#pragma GCC unroll 4
        for (int s = 0; s < kSets; ++s) {
            const vfloat square = __builtin_convertvector(sum[c][s], vfloat), gain = vmax(r[s].square - square, vfloat{});
            const Mask maybe = where_less(square, r[s].bound);
            sums[c].gain += WithWeights ? gain * r[s].mass : gain;
            sums[c].square = added_where(maybe, sums[c].square, WithWeights ? square * r[s].mass : square);
            if (WithWeights) sums[c].mass = added_where(maybe, sums[c].mass, r[s].mass);
            bits[c] |= bits_of(maybe) << (place + kLanes * s);
        }
    }
}

template <int Group, bool WithWeights>
static void compare_group(const Sketch& sketch, const Weighted& rows, const std::int32_t* candidates, index_t begin, index_t end,
                          std::uint64_t* bits, index_t plane, Rough* out) {
    RoughSums sums[Group] = {};
    for (index_t b = begin; b < end; b += kWord) {
        const index_t count = end - b < kWord ? end - b : kWord;
        std::uint64_t found[Group] = {};
        for (index_t place = 0; place < count; place += kSketchBlock) {
            SketchRows r[kSets];
            for (int s = 0; s < kSets; ++s) r[s] = read_rows<WithWeights>(sketch, rows, b + place + s * kLanes, end);
            compare_block<Group, WithWeights>(sketch, sketch.bytes + (b + place) * 2 * sketch.pairs, r, candidates, sums, found, place);
        }
        const std::uint64_t present = ~std::uint64_t{0} >> (kWord - count);
        for (int c = 0; c < Group; ++c) {
            const std::uint64_t word = bits[c * plane + (b - begin) / kWord] = found[c] & present;
            sums[c].rows += __builtin_popcountll(word);
        }
    }
    const auto add = [](vfloat v) {
        double sum = 0.0;
        for (int l = 0; l < kLanes; ++l) sum += static_cast<double>(v[l]);
        return sum;
    };
    for (int c = 0; c < Group; ++c)
        out[c] = {add(sums[c].gain), add(sums[c].square), WithWeights ? add(sums[c].mass) : static_cast<double>(sums[c].rows)};
}

template <bool WithWeights>
inline constexpr decltype(&compare_group<1, false>) kCompare[] = {compare_group<1, WithWeights>, compare_group<2, WithWeights>,
                                                                  compare_group<3, WithWeights>, compare_group<4, WithWeights>,
                                                                  compare_group<5, WithWeights>, compare_group<6, WithWeights>};

// For each of n candidates: OUT bits (`plane` words apart), one for each row of [begin, end) that it may be
// nearer to and none past the end, and OUT out, what can be said about its gain.
static void compare(const Sketch& sketch, const Weighted& rows, const std::int32_t* candidates, index_t n, index_t begin, index_t end,
                    std::uint64_t* bits, index_t plane, Rough* out) {
    for (index_t c = 0; c < n; c += 6) {
        const index_t group = n - c < 6 ? n - c : 6;
        (rows.weight ? kCompare<true> : kCompare<false>)[group - 1](sketch, rows, candidates + c * sketch.pairs, begin, end, bits + c * plane, plane, out + c);
    }
}

}  // namespace seedbed::SEEDBED_ISA
