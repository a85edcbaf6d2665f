// A copy of the data in bytes, one per attribute. Integer distances between sketches are exact, and no
// row is farther from its sketch than a known error, so they tell cheaply which rows a candidate cannot
// be nearer to, and often which candidate is the best.
#pragma once

#include "min_distance.hpp"
#include "seed_kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

typedef std::uint8_t byte16 __attribute__((vector_size(16)));
typedef std::uint8_t byte32 __attribute__((vector_size(32)));
typedef std::int16_t short16 __attribute__((vector_size(32)));

// Sketches rows [begin, end), begin at a block's start: OUT bytes. Returns the greatest squared distance
// of a row to its sketch, in steps.
template <class T>
static double make_sketch(const Points<T>& points, const T* shift, double steps_per_unit, index_t begin, index_t end, std::uint8_t* bytes) {
    constexpr index_t kPair = 2 * kSketchBlock;     // bytes from one pair of attributes to the next
    constexpr double kRound = 6755399441055744.0 + 128;  // 1.5 * 2^52: adding it leaves the integer in the lowest byte
    const index_t d = points.d, pairs = (d + 1) / 2;
    const Tail<T> tail(points);
    double most = 0.0;
    for (index_t i = begin; i < end; ++i) {
        const T* x = points.row(i);
        std::uint8_t* out = bytes + i / kSketchBlock * kPair * pairs + i % kSketchBlock * 2;
        double4 square = {};
        for (index_t j = 0; j < d; j += 4, out += 2 * kPair) {
            const double4 steps = ((j < tail.first ? four(x + j) : tail.of(x)) - four(shift + j)) * steps_per_unit;  // within ±127
            const double4 rounded = steps + kRound;
            const double4 error = steps - (rounded - kRound);
            square += error * error;
            const byte32 b = reinterpret_cast<byte32>(rounded);
            const short16 lanes = reinterpret_cast<short16>(__builtin_shufflevector(
                b, b, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
            store(out, lanes[0]);
            if (j + 2 < d) store(out + kPair, lanes[8]);
        }
        const double sum = lanes_added(square);
        most = sum > most ? sum : most;
    }
    return most;
}

// Squares of neighbours added in pairs.
static inline int8 squares_in_pairs(short16 t) {
#if defined(__AVX2__)
    return reinterpret_cast<int8>(_mm256_madd_epi16(reinterpret_cast<__m256i>(t), reinterpret_cast<__m256i>(t)));
#else
    int8 out;
    for (int l = 0; l < 8; ++l) out[l] = t[2 * l] * t[2 * l] + t[2 * l + 1] * t[2 * l + 1];
    return out;
#endif
}

static inline std::uint64_t bits_of(int8 mask) {
#if defined(__AVX__)
    return static_cast<std::uint64_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#else
    std::uint64_t out = 0;
    for (int l = 0; l < 8; ++l) out |= static_cast<std::uint64_t>(mask[l] & 1) << l;
    return out;
#endif
}

static inline float8 square_roots(float8 v) {
#if defined(__AVX__)
    return reinterpret_cast<float8>(_mm256_sqrt_ps(reinterpret_cast<__m256>(v)));
#else
    for (int l = 0; l < 8; ++l) v[l] = __builtin_sqrtf(v[l]);
    return v;
#endif
}

static inline float8 keep_where(int8 mask, float8 v) { return reinterpret_cast<float8>(reinterpret_cast<int8>(v) & mask); }

static inline float8 singles(double4 a, double4 b) {
    return __builtin_shufflevector(__builtin_convertvector(a, float4), __builtin_convertvector(b, float4), 0, 1, 2, 3, 4, 5, 6, 7);
}

// Half a block's rows: md^2 and weight in single precision, and the square in steps below which a
// candidate may be nearer, rounded up.
struct SketchRows {
    float8 square, bound, mass;
};

static inline SketchRows read_rows(const Sketch& sketch, const Weighted& rows, index_t begin, index_t end) {
    const double to_steps = sketch.steps_per_distance * sketch.steps_per_distance;
    constexpr float kUp = 1.0f + 0x1p-20f;
    const float8 square = singles(load<double4>(rows.square + begin) * to_steps, load<double4>(rows.square + begin + 4) * to_steps);
    const float8 reach = square_roots(square) * kUp + static_cast<float>(sketch.error) * kUp;
    float8 mass = 1.0f - float8{};
    if (rows.weight && begin + 8 <= end) {
        mass = singles(load<double4>(rows.weight + begin) * rows.scale, load<double4>(rows.weight + begin + 4) * rows.scale);
    } else if (rows.weight) {
        for (index_t p = 0; p < 8; ++p) mass[p] = begin + p < end ? static_cast<float>(rows.weight[begin + p] * rows.scale) : 0.0f;
    }
    return {square, reach * reach, mass};
}

struct RoughSums {
    float8 gain, square, mass;
};

// Group candidates (`pairs` apart, two attributes in each int) against the 16 rows of a block.
template <int Group>
static inline void compare_block(const Sketch& sketch, const std::uint8_t* block, const SketchRows (&r)[2], const std::int32_t* candidates,
                                 RoughSums* sums, std::uint64_t* bits) {
    int8 sum[Group][2] = {};
    for (index_t j = 0; j < sketch.pairs; ++j, block += 2 * kSketchBlock) {
        const short16 x0 = __builtin_convertvector(load<byte16>(block), short16) * std::int16_t{kFine};
        const short16 x1 = __builtin_convertvector(load<byte16>(block + 16), short16) * std::int16_t{kFine};
#pragma GCC unroll 6
        for (int c = 0; c < Group; ++c) {
            const short16 candidate = reinterpret_cast<short16>(candidates[c * sketch.pairs + j] - int8{});
            sum[c][0] += squares_in_pairs(x0 - candidate);
            sum[c][1] += squares_in_pairs(x1 - candidate);
        }
    }
#pragma GCC unroll 6
    for (int c = 0; c < Group; ++c) {
        bits[c] = 0;
#pragma GCC unroll 2
        for (int h = 0; h < 2; ++h) {
            const float8 square = __builtin_convertvector(sum[c][h], float8);
            const int8 maybe = square < r[h].bound;
            sums[c].gain += keep_where(square < r[h].square, (r[h].square - square) * r[h].mass);
            sums[c].square += keep_where(maybe, square * r[h].mass);
            sums[c].mass += keep_where(maybe, r[h].mass);
            bits[c] |= bits_of(maybe) << (8 * h);
        }
    }
}

template <int Group>
static void compare_group(const Sketch& sketch, const Weighted& rows, const std::int32_t* candidates, index_t begin, index_t end,
                          std::uint64_t* bits, index_t plane, Rough* out) {
    RoughSums sums[Group] = {};
    for (index_t b = begin; b < end; b += kSketchBlock) {
        const SketchRows r[2] = {read_rows(sketch, rows, b, end), read_rows(sketch, rows, b + 8, end)};
        std::uint64_t found[Group];
        compare_block<Group>(sketch, sketch.bytes + b * 2 * sketch.pairs, r, candidates, sums, found);
        const std::uint64_t present = end - b < kSketchBlock ? (std::uint64_t{1} << (end - b)) - 1 : ~std::uint64_t{0};
        const index_t word = (b - begin) / kWord, place = (b - begin) % kWord;
        for (int c = 0; c < Group; ++c)
            bits[c * plane + word] = (place == 0 ? 0 : bits[c * plane + word]) | (found[c] & present) << place;
    }
    const auto add = [](float8 v) {
        double sum = 0.0;
        for (int l = 0; l < 8; ++l) sum += static_cast<double>(v[l]);
        return sum;
    };
    for (int c = 0; c < Group; ++c) out[c] = {add(sums[c].gain), add(sums[c].square), add(sums[c].mass)};
}

// For each of n candidates: OUT bits (`plane` words apart), one for each row of [begin, end) that it may be
// nearer to and none past the end, and OUT out, what can be said about its gain.
static void compare(const Sketch& sketch, const Weighted& rows, const std::int32_t* candidates, index_t n, index_t begin, index_t end,
                    std::uint64_t* bits, index_t plane, Rough* out) {
    constexpr decltype(&compare_group<1>) kernels[] = {compare_group<1>, compare_group<2>, compare_group<3>,
                                                       compare_group<4>, compare_group<5>, compare_group<6>};
    for (index_t c = 0; c < n; c += 6) {
        const index_t group = n - c < 6 ? n - c : 6;
        kernels[group - 1](sketch, rows, candidates + c * sketch.pairs, begin, end, bits + c * plane, plane, out + c);
    }
}

}  // namespace seedbed::SEEDBED_ISA
