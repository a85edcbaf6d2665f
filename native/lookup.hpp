// What bounds need beside distances: a small table read by vectors of indices.
#pragma once

#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

inline constexpr float kDown = 1.0f - 0x1p-21f;  // rounds a positive bound inwards

// table[index[l]] in every lane; tables of up to 16 entries (padded to 16) stay in registers. Larger ones are gathered by one
// instruction: with a loop over the lanes the indices would go through memory even where it is not taken.
class Lookup {
public:
    Lookup(const float* table, std::int32_t size) : table_(table), size_(size) {
#if defined(__AVX512F__)
        if (size <= 16) low_ = load<vfloat>(table);
#elif defined(__AVX2__)
        if (size <= 16) low_ = load<vfloat>(table), high_ = load<vfloat>(table + 8);
#endif
    }
    [[gnu::always_inline]] inline vfloat operator()(vint index) const {
#if defined(__AVX512F__)
        const auto at = reinterpret_cast<__m512i>(index);
        return size_ <= 16 ? _mm512_permutexvar_ps(at, low_) : _mm512_i32gather_ps(at, table_, 4);
#elif defined(__AVX2__)
        const auto at = reinterpret_cast<__m256i>(index);
        if (size_ <= 8) return _mm256_permutevar8x32_ps(low_, at);
        if (size_ > 16) return _mm256_i32gather_ps(table_, at, 4);
        const vfloat low = _mm256_permutevar8x32_ps(low_, at), high = _mm256_permutevar8x32_ps(high_, at);
        return index > 7 ? high : low;
#else
        vfloat out;
        for (int l = 0; l < kLanes; ++l) out[l] = table_[index[l]];
        return out;
#endif
    }

private:
    const float* table_;
    std::int32_t size_;
    vfloat low_ = {}, high_ = {};
};

}  // namespace seedbed::SEEDBED_ISA
