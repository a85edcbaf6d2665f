// Asking memory for what will be read soon.
//
// GCC takes a function that does nothing else for one without effect, and drops calls of it that are not inlined at once
// (GCC 12 did so in coarse.hpp and parts.cpp). Hence always_inline, here and in every function of which this is all.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seedbed {

// Every cache line of [begin, end).
template <class V>
[[gnu::always_inline]] static inline void prefetch(const V* begin, const V* end) {
    for (const V* at = begin; at < end; at += 64 / sizeof(V)) __builtin_prefetch(at);
    __builtin_prefetch(end - 1);
}

// What lies `offset` values behind `base`, perhaps past the end, where no pointer may point.
template <class V>
[[gnu::always_inline]] static inline void prefetch_ahead(const V* base, std::ptrdiff_t offset) {
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(offset) * sizeof(V)));
}

}  // namespace seedbed
