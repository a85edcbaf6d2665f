// Rows into blocks: 32 rows become kBlock columns per attribute, shifted, scaled into [-1, 1] and rounded
// to single precision, so that kernels can treat 32 points at once with unit-stride loads.
#pragma once

#include "kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

// Four attributes of kAcross rows in the frame.
static inline turned framed(const float* const (&x)[kAcross], const float* shift, double inverse_unit) {
    float4 rows[kAcross], origin[kAcross];
    for (int q = 0; q < kAcross; ++q) rows[q] = load<float4>(x[q]), origin[q] = load<float4>(shift);
    return (join(rows) - join(origin)) * static_cast<float>(inverse_unit);
}

static inline turned framed(const double* const (&x)[kAcross], const double* shift, double inverse_unit) {
#if defined(__AVX512F__)  // two rows at a time
    const auto two = [=](const double* a, const double* b) {
        const __m512d rows = _mm512_insertf64x4(_mm512_castpd256_pd512(load<__m256d>(a)), load<__m256d>(b), 1);
        return _mm512_cvtpd_ps((rows - _mm512_broadcast_f64x4(load<__m256d>(shift))) * inverse_unit);
    };
    return join(reinterpret_cast<float8>(two(x[0], x[1])), reinterpret_cast<float8>(two(x[2], x[3])));
#else
    float4 rows[kAcross];
    for (int q = 0; q < kAcross; ++q) rows[q] = __builtin_convertvector((load<double4>(x[q]) - load<double4>(shift)) * inverse_unit, float4);
    return join(rows);
#endif
}

// The same for the last attributes of rows at the end of the data, where whole vectors would overrun.
template <class T>
static inline turned framed_tail(const T* const (&x)[kAcross], index_t count, const T* shift, double inverse_unit) {
    T last[kAcross][4] = {};
    const T* rows[kAcross];
    for (int q = 0; q < kAcross; ++q) {
        for (index_t j = 0; j < count; ++j) last[q][j] = x[q][j];
        rows[q] = last[q];
    }
    return framed(rows, shift, inverse_unit);
}

// OUT block: d x kBlock. With Whole, four values can be read from any attribute of any row (reading into
// the next row is harmless: those lanes are not stored). The shift is padded to a multiple of four.
template <bool Whole, class T>
static inline void pack_rows_as(const Step<T>& step, const T* const* rows, float* block) {
    const index_t d = step.points.d;
    for (int g = 0; g < kBlock; g += kTurned) {
        for (index_t j = 0; j < d; j += 4) {
            const index_t columns = d - j < 4 ? d - j : 4;
            turned r[4];
            for (int p = 0; p < 4; ++p) {
                const T* x[kAcross];
                for (int q = 0; q < kAcross; ++q) x[q] = rows[g + p + 4 * q] + j;
                r[p] = Whole ? framed(x, step.shift + j, step.inverse_unit) : framed_tail(x, columns, step.shift + j, step.inverse_unit);
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
        pack_rows_as<true>(step, rows, block);
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
