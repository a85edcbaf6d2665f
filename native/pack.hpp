// Rows into blocks: 32 rows become kBlock columns per attribute, shifted, scaled into [-1, 1] and rounded
// to single precision, so that kernels can treat 32 points at once with unit-stride loads.
#pragma once

#include "kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

static inline float8 join(float4 low, float4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }

// Four attributes of two rows in the frame.
static inline float8 framed(const float* a, const float* b, const float* shift, double inverse_unit) {
    const float4 s = load<float4>(shift);
    return (join(load<float4>(a), load<float4>(b)) - join(s, s)) * static_cast<float>(inverse_unit);
}

static inline float8 framed(const double* a, const double* b, const double* shift, double inverse_unit) {
    const double4 s = load<double4>(shift);
    const double4 x = (load<double4>(a) - s) * inverse_unit, y = (load<double4>(b) - s) * inverse_unit;
    return join(__builtin_convertvector(x, float4), __builtin_convertvector(y, float4));
}

// The same for the last attributes of rows at the end of the data, where whole vectors would overrun.
template <class T>
static inline float8 framed_tail(const T* a, const T* b, index_t count, const T* shift, double inverse_unit) {
    T x[4] = {}, y[4] = {};
    for (index_t j = 0; j < count; ++j) x[j] = a[j], y[j] = b[j];
    return framed(x, y, shift, inverse_unit);
}

#if defined(__AVX512F__)
// Four attributes of rows a, b, c and d in the frame.
static inline vfloat framed(const float* a, const float* b, const float* c, const float* d, const float* shift, double inverse_unit) {
    const __m128 s = load<__m128>(shift);
    __m512 x = _mm512_insertf32x4(_mm512_castps128_ps512(load<__m128>(a)), load<__m128>(b), 1);
    x = _mm512_insertf32x4(_mm512_insertf32x4(x, load<__m128>(c), 2), load<__m128>(d), 3);
    return (x - _mm512_broadcast_f32x4(s)) * static_cast<float>(inverse_unit);
}

static inline vfloat framed(const double* a, const double* b, const double* c, const double* d, const double* shift, double inverse_unit) {
    const __m512d s = _mm512_broadcast_f64x4(load<__m256d>(shift));
    const __m512d ab = _mm512_insertf64x4(_mm512_castpd256_pd512(load<__m256d>(a)), load<__m256d>(b), 1);
    const __m512d cd = _mm512_insertf64x4(_mm512_castpd256_pd512(load<__m256d>(c)), load<__m256d>(d), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((ab - s) * inverse_unit)), _mm512_cvtpd_ps((cd - s) * inverse_unit), 1);
}

// The same rows as pack_rows_as<true>, sixteen at a time.
template <class T>
static inline void pack_rows_wide(const Step<T>& step, const T* const* rows, float* block) {
    const index_t d = step.points.d;
    for (int g = 0; g < kBlock; g += 16)
        for (index_t j = 0; j < d; j += 4) {
            const index_t columns = d - j < 4 ? d - j : 4;
            __m512i r[4];
            for (int p = 0; p < 4; ++p) {
                const T* const* row = rows + g + p;
                r[p] = reinterpret_cast<__m512i>(framed(row[0] + j, row[4] + j, row[8] + j, row[12] + j, step.shift + j, step.inverse_unit));
            }
            const __m512i a = _mm512_unpacklo_epi32(r[0], r[1]), b = _mm512_unpacklo_epi32(r[2], r[3]);
            const __m512i c = _mm512_unpackhi_epi32(r[0], r[1]), e = _mm512_unpackhi_epi32(r[2], r[3]);
            float* out = block + j * kBlock + g;
            store(out, _mm512_unpacklo_epi64(a, b));
            if (columns > 1) store(out + kBlock, _mm512_unpackhi_epi64(a, b));
            if (columns > 2) store(out + 2 * kBlock, _mm512_unpacklo_epi64(c, e));
            if (columns > 3) store(out + 3 * kBlock, _mm512_unpackhi_epi64(c, e));
        }
}
#endif

// OUT block: d x kBlock. With Whole, four values can be read from any attribute of any row (reading into
// the next row is harmless: those lanes are not stored). The shift is padded to a multiple of four.
template <bool Whole, class T>
static inline void pack_rows_as(const Step<T>& step, const T* const* rows, float* block) {
    const index_t d = step.points.d;
    for (int g = 0; g < kBlock; g += 8) {
        for (index_t j = 0; j < d; j += 4) {
            const index_t columns = d - j < 4 ? d - j : 4;
            float8 r[4];
            for (int p = 0; p < 4; ++p) {
                const T* a = rows[g + p] + j;
                const T* b = rows[g + p + 4] + j;
                r[p] = Whole ? framed(a, b, step.shift + j, step.inverse_unit)
                             : framed_tail(a, b, columns, step.shift + j, step.inverse_unit);
            }
            transpose(r);
            float* out = block + j * kBlock + g;
            store(out, r[0]);
            if (columns > 1) store(out + kBlock, r[1]);
            if (columns > 2) store(out + 2 * kBlock, r[2]);
            if (columns > 3) store(out + 3 * kBlock, r[3]);
        }
    }
}

// Rows in increasing order; absent rows repeat the last.
template <class T>
static inline void pack_rows(const Step<T>& step, const T* const* rows, float* block) {
    const index_t d = step.points.d;
    if (d % 4 == 0 || rows[kBlock - 1] + (d + 3) / 4 * 4 <= step.points.x + step.points.n * d)
#if defined(__AVX512F__)
        pack_rows_wide(step, rows, block);
#else
        pack_rows_as<true>(step, rows, block);
#endif
    else
        pack_rows_as<false>(step, rows, block);
}

template <class T>
static inline void pack_range(const Step<T>& step, index_t begin, index_t end, float* block) {
    const T* rows[kBlock];
    for (int p = 0; p < kBlock; ++p) rows[p] = step.points.row(begin + p < end ? begin + p : end - 1);
    pack_rows(step, rows, block);
}

}  // namespace seedbed::SEEDBED_ISA
