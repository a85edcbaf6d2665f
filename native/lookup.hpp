// What bounds need beside distances: a small table read by vectors of indices, and square roots.
#pragma once

#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr float kDown = 1.0f - 0x1p-21f;  // rounds a positive bound inwards

// table[index[l]] in every lane; tables of up to 16 entries (padded to 16) stay in registers.
class Lookup {
public:
    Lookup(const float* table, std::int32_t size) : table_(table), size_(size) {
#if defined(__AVX512F__)
        if (size <= 16) low_ = load<vfloat>(table);
#elif defined(__AVX2__)
        if (size <= 16) low_ = load<vfloat>(table), high_ = load<vfloat>(table + 8);
#endif
    }
    inline vfloat operator()(vint index) const {
#if defined(__AVX512F__)
        if (size_ <= 16) return _mm512_permutexvar_ps(reinterpret_cast<__m512i>(index), low_);
#elif defined(__AVX2__)
        if (size_ <= 8) return _mm256_permutevar8x32_ps(low_, reinterpret_cast<__m256i>(index));
        if (size_ <= 16) {
            const vfloat low = _mm256_permutevar8x32_ps(low_, reinterpret_cast<__m256i>(index));
            const vfloat high = _mm256_permutevar8x32_ps(high_, reinterpret_cast<__m256i>(index));
            return index > 7 ? high : low;
        }
#endif
        vfloat out;
        for (int l = 0; l < kLanes; ++l) out[l] = table_[index[l]];
        return out;
    }

private:
    const float* table_;
    std::int32_t size_;
    vfloat low_ = {}, high_ = {};
};

static inline vfloat vsqrt(vfloat v) {
#if defined(__AVX512F__)
    return _mm512_sqrt_ps(v);
#else
    vfloat r;
    for (int l = 0; l < kLanes; ++l) r[l] = __builtin_sqrtf(v[l]);
    return r;
#endif
}

}  // namespace seedbed::SEEDBED_ISA
