// Rows into blocks: up to 32 rows become kBlock columns per attribute, shifted, scaled into [-1, 1] and
// rounded to single precision, so that kernels can treat 32 points at once with unit-stride loads.
#pragma once

#include "kernels.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

static inline float8 framed(const float* x, const float* shift, double inverse_unit) {
    return (load<float8>(x) - load<float8>(shift)) * static_cast<float>(inverse_unit);
}

static inline float8 framed(const double* x, const double* shift, double inverse_unit) {
    const double8 t = (load<double8>(x) - load<double8>(shift)) * inverse_unit;
    return __builtin_convertvector(t, float8);
}

// Eight attributes of a row from j on; never reads past `limit` (the end of the data).
template <class T>
static inline float8 framed_tail(const T* row, index_t j, index_t d, const T* shift, double inverse_unit) {
    T x[8] = {}, s[8] = {};
    for (index_t a = j; a < d; ++a) x[a - j] = row[a], s[a - j] = shift[a];
    return framed(x, s, inverse_unit);
}

// OUT block: d x kBlock. Absent rows (count < kBlock) repeat the last one.
template <class T>
static inline void pack_rows(const Step<T>& step, const T* const* rows, float* block) {
    const index_t d = step.points.d;
    const T* limit = step.points.x + step.points.n * d;
    for (int g = 0; g < kBlock; g += 8) {
        for (index_t j = 0; j < d; j += 8) {
            float8 r[8];
            const bool whole = j + 8 <= d;
            for (int p = 0; p < 8; ++p) {
                const T* row = rows[g + p];
                // Reading into the next row is harmless (those lanes are not stored), past the data it is not.
                // The shift is padded to a multiple of eight.
                if (whole || row + j + 8 <= limit) [[likely]]
                    r[p] = framed(row + j, step.shift + j, step.inverse_unit);
                else
                    r[p] = framed_tail(row, j, d, step.shift, step.inverse_unit);
            }
            transpose(r);
            const index_t columns = d - j < 8 ? d - j : 8;
            for (index_t a = 0; a < columns; ++a) store(block + (j + a) * kBlock + g, r[a]);
        }
    }
}

template <class T>
static inline void pack_range(const Step<T>& step, index_t begin, index_t end, float* block) {
    const T* rows[kBlock];
    for (int p = 0; p < kBlock; ++p) rows[p] = step.points.row(begin + p < end ? begin + p : end - 1);
    pack_rows(step, rows, block);
}

}  // namespace seedbed::SEEDBED_ISA
