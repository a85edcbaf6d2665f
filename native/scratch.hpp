// Memory for work on all rows: uninitialised, and in large pages where the system lends them. A fault for every 4 KiB
// would cost as much as a pass over the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace seedbed {

inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

// For arrays of less than a large page memory comes as it does for any other.
struct ScratchDeleter {
    std::size_t alignment = 0;
    void operator()(void* memory) const { ::operator delete(memory, std::align_val_t{alignment}); }
};

template <class T>
using Scratch = std::unique_ptr<T[], ScratchDeleter>;

// Whole large pages only are asked for, so no more memory is used than with small ones.
template <class T>
Scratch<T> make_scratch(std::size_t n) {
    static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
    const std::size_t bytes = n * sizeof(T), alignment = bytes >= kLargePage ? kLargePage : std::size_t{64};
    void* memory = ::operator new(bytes, std::align_val_t{alignment});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == kLargePage) (void)madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);  // advice: refusing it is no error
#endif
    return Scratch<T>(static_cast<T*>(memory), ScratchDeleter{alignment});
}

}  // namespace seedbed
