// Vectors of single precision in the compiler's own extension, as wide as the instruction set allows.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seedbed::SEEDBED_ISA {

#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
#elif defined(__AVX__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

typedef float vfloat __attribute__((vector_size(kLanes * 4)));
typedef std::int32_t vint __attribute__((vector_size(kLanes * 4)));
typedef float float8 __attribute__((vector_size(32)));
typedef double double8 __attribute__((vector_size(64)));
typedef double double4 __attribute__((vector_size(32)));

template <class V, class S>
static inline V load(const S* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

template <class V, class S>
static inline void store(S* p, V v) {
    std::memcpy(p, &v, sizeof v);
}

static inline vfloat splat(float v) { return v - vfloat{}; }
static inline vint splat_int(std::int32_t v) { return v - vint{}; }
static inline vfloat vmin(vfloat a, vfloat b) { return a < b ? a : b; }
static inline vfloat vmax(vfloat a, vfloat b) { return a > b ? a : b; }

// One bit per lane of a comparison's result.
static inline std::uint32_t bits(vint mask) {
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask));
#elif defined(__AVX__)
    return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#elif defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
    std::uint32_t result = 0;
    for (int i = 0; i < kLanes; ++i) result |= static_cast<std::uint32_t>(mask[i] != 0) << i;
    return result;
#endif
}

static inline void transpose(float8 (&r)[8]) {
    float8 t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    float8 u[8];
    for (int i = 0; i < 8; i += 4) {
        for (int j = 0; j < 2; ++j) {
            u[i + 2 * j] = __builtin_shufflevector(t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            u[i + 2 * j + 1] = __builtin_shufflevector(t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int i = 0; i < 4; ++i) {
        r[i] = __builtin_shufflevector(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = __builtin_shufflevector(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

}  // namespace seedbed::SEEDBED_ISA
