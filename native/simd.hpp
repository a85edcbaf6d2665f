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
typedef float float4 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));
typedef std::uint8_t byte8 __attribute__((vector_size(8)));
typedef std::int32_t int4 __attribute__((vector_size(16)));
typedef std::int32_t int8 __attribute__((vector_size(32)));
typedef std::int64_t long4 __attribute__((vector_size(32)));
#if defined(__AVX512F__)
typedef double double8 __attribute__((vector_size(64)));
#endif

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

// Four values in double precision.
static inline double4 four(const double* p) { return load<double4>(p); }
static inline double4 four(const float* p) { return __builtin_convertvector(load<float4>(p), double4); }

static inline vfloat splat(float v) { return v - vfloat{}; }
#if defined(__AVX512F__)
inline constexpr vint kLaneNumbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#endif
static inline vint splat_int(std::int32_t v) { return v - vint{}; }

// The lesser and the greater in every lane; the second where they are not ordered.
#if defined(__AVX512F__)  // GCC 12 would compare into a mask and blend by it
static inline vfloat vmin(vfloat a, vfloat b) { return _mm512_min_ps(a, b); }
static inline vfloat vmax(vfloat a, vfloat b) { return _mm512_max_ps(a, b); }
#else
static inline vfloat vmin(vfloat a, vfloat b) { return a < b ? a : b; }
static inline vfloat vmax(vfloat a, vfloat b) { return a > b ? a : b; }
#endif

static inline vfloat vsqrt(vfloat v) {
#if defined(__AVX512F__)
    return _mm512_sqrt_ps(v);
#elif defined(__AVX__)
    return reinterpret_cast<vfloat>(_mm256_sqrt_ps(reinterpret_cast<__m256>(v)));
#elif defined(__SSE2__)
    return reinterpret_cast<vfloat>(_mm_sqrt_ps(reinterpret_cast<__m128>(v)));
#else
    for (int l = 0; l < kLanes; ++l) v[l] = __builtin_sqrtf(v[l]);
    return v;
#endif
}

// Sums of the products of both 16-bit halves, lane by lane.
static inline vint multiply_pairs(vint a, vint b) {
#if defined(__AVX512BW__)
    return reinterpret_cast<vint>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<vint>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<vint>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    const auto low = [](vint v) { return (v << 16) >> 16; };
    return low(a) * low(b) + (a >> 16) * (b >> 16);
#endif
}

// The least lane.
static inline float vleast(vfloat v) {
#if defined(__AVX512F__)
    const float8 wide = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7), rest = __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    const float8 m8 = wide < rest ? wide : rest;
#elif defined(__AVX__)
    const float8 m8 = v;
#endif
#if defined(__AVX__)
    const float4 low = __builtin_shufflevector(m8, m8, 0, 1, 2, 3), high = __builtin_shufflevector(m8, m8, 4, 5, 6, 7);
    const float4 m4 = low < high ? low : high;
#else
    const float4 m4 = v;
#endif
    const float4 swapped = __builtin_shufflevector(m4, m4, 2, 3, 0, 1);
    const float4 m2 = m4 < swapped ? m4 : swapped;
    return m2[0] < m2[1] ? m2[0] : m2[1];
}

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

// A bit for every lane where a is not greater than b, and where they differ. With AVX-512 a comparison gives such bits by itself.
#if defined(__AVX512F__)
static inline std::uint32_t bits_unless_greater(vfloat a, vfloat b) { return _mm512_cmp_ps_mask(a, b, _CMP_NGT_UQ); }
static inline std::uint32_t bits_where_different(vint a, vint b) {
    return _mm512_cmpneq_epi32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
}
#else
static inline std::uint32_t bits_unless_greater(vfloat a, vfloat b) { return bits(~(a > b)); }
static inline std::uint32_t bits_where_different(vint a, vint b) { return bits(a != b); }
#endif

static inline float8 join(float4 low, float4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }

// Rows that are turned together, kTurned in four vectors: a vector has four attributes of kAcross rows, p, p + 4 and so on.
#if defined(__AVX512F__)
typedef vfloat turned;
static inline turned join(float8 low, float8 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
static inline turned join(const float4 (&rows)[4]) { return join(join(rows[0], rows[1]), join(rows[2], rows[3])); }
#else
typedef float8 turned;
static inline turned join(const float4 (&rows)[2]) { return join(rows[0], rows[1]); }
#endif
inline constexpr int kTurned = sizeof(turned) / sizeof(float), kAcross = kTurned / 4;

// Such vectors become four attributes of kTurned rows in order.
static inline void transpose(turned (&r)[4]) {
#if defined(__AVX512F__)
    const __m512i x[4] = {reinterpret_cast<__m512i>(r[0]), reinterpret_cast<__m512i>(r[1]), reinterpret_cast<__m512i>(r[2]), reinterpret_cast<__m512i>(r[3])};
    const __m512i a = _mm512_unpacklo_epi32(x[0], x[1]), b = _mm512_unpackhi_epi32(x[0], x[1]);
    const __m512i c = _mm512_unpacklo_epi32(x[2], x[3]), d = _mm512_unpackhi_epi32(x[2], x[3]);
    r[0] = reinterpret_cast<turned>(_mm512_unpacklo_epi64(a, c));
    r[1] = reinterpret_cast<turned>(_mm512_unpackhi_epi64(a, c));
    r[2] = reinterpret_cast<turned>(_mm512_unpacklo_epi64(b, d));
    r[3] = reinterpret_cast<turned>(_mm512_unpackhi_epi64(b, d));
#else
    const float8 a = __builtin_shufflevector(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const float8 b = __builtin_shufflevector(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const float8 c = __builtin_shufflevector(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const float8 d = __builtin_shufflevector(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
#endif
}

}  // namespace seedbed::SEEDBED_ISA
