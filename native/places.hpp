// Lists of the places of bits, made without branches: which points fail, move or stay open is hard to predict.
#pragma once

#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

#if !defined(__AVX512F__)
// For every pattern of eight bits, the places of those that are set, in order.
struct Places {
    std::uint8_t at[256][8];
    constexpr Places() : at{} {
        for (int pattern = 0; pattern < 256; ++pattern)
            for (int bit = 0, n = 0; bit < 8; ++bit)
                if (pattern >> bit & 1) at[pattern][n++] = static_cast<std::uint8_t>(bit);
    }
};
inline constexpr Places kPlaces;

static inline int8 places_of(std::uint32_t pattern) {
#if defined(__AVX2__)  // GCC 12 converts byte by byte
    return reinterpret_cast<int8>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPlaces.at[pattern]))));
#else
    return __builtin_convertvector(load<byte8>(kPlaces.at[pattern]), int8);
#endif
}

// values[places[l]] in every lane.
static inline int8 pick(const std::int32_t* values, int8 places) {
#if defined(__AVX2__)
    return reinterpret_cast<int8>(_mm256_permutevar8x32_epi32(load<__m256i>(values), reinterpret_cast<__m256i>(places)));
#else
    int8 out;
    for (int l = 0; l < 8; ++l) out[l] = values[places[l]];
    return out;
#endif
}
#endif

// OUT places: `first` + l for every lane l that has a bit; up to a vector more is written. Returns how many there are.
[[gnu::always_inline]] static inline int list_places(std::uint32_t mask, std::int32_t first, std::int32_t* places) {
#if defined(__AVX512F__)
    store(places, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), reinterpret_cast<__m512i>(kLaneNumbers + first)));
    return __builtin_popcount(mask);
#else
    int count = 0;
    for (int l = 0; l < kLanes; l += 8, mask >>= 8) {
        store(places + count, places_of(mask & 0xff) + (first + l));
        count += __builtin_popcount(mask & 0xff);
    }
    return count;
#endif
}

// OUT picked: the values of the same lanes.
[[gnu::always_inline]] static inline void list_values(std::uint32_t mask, const std::int32_t* values, std::int32_t* picked) {
#if defined(__AVX512F__)
    store(picked, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), load<__m512i>(values)));
#else
    int count = 0;
    for (int l = 0; l < kLanes; l += 8, mask >>= 8) {
        store(picked + count, pick(values + l, places_of(mask & 0xff)));
        count += __builtin_popcount(mask & 0xff);
    }
#endif
}

}  // namespace seedbed::SEEDBED_ISA
