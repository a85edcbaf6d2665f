// Asking memory for what will be read soon.
//
// GCC takes a function that does nothing else for one without effect, and drops calls of it that are not inlined at once
// (GCC 12 did so in coarse.hpp and parts.cpp). Hence always_inline, here and in every function of which this is all.
#pragma once

namespace seedbed {

// Every cache line of [begin, end).
template <class V>
[[gnu::always_inline]] static inline void prefetch(const V* begin, const V* end) {
    for (const V* at = begin; at < end; at += 64 / sizeof(V)) __builtin_prefetch(at);
    __builtin_prefetch(end - 1);
}

}  // namespace seedbed
