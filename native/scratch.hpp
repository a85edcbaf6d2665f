// Memory for work on all rows: uninitialised and, where there is much of it, straight from the system, in large pages if
// it lends them: a fault for every 4 KiB would cost as much as a pass over the memory. What is freed goes back, but for
// a few blocks that are kept for whoever asks next, as malloc keeps some: the system clears every page it gives.
#pragma once

#include <array>
#include <atomic>
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

#if defined(__linux__)
// A multiple of kLargePage is where the memory begins; what is mapped around it to find one is given back.
inline void* map_memory(std::size_t bytes) {
    void* mapped = mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    char* memory = static_cast<char*>(mapped);
    const std::size_t before = (kLargePage - reinterpret_cast<std::uintptr_t>(memory) % kLargePage) % kLargePage;
    if (before > 0) munmap(memory, before);
    munmap(memory + before + bytes, kLargePage - before);
#if defined(MADV_HUGEPAGE)
    (void)madvise(memory + before, bytes, MADV_HUGEPAGE);  // advice: where it is refused, pages are small
#endif
    return memory + before;
}

// Freed blocks for the next who asks. New memory is mapped only when they are gone, so that a process holds no more than
// it needed at its peak. A block is in a slot or with its user, who gets it by an exchange: there is no lock that a forked
// child could find taken.
class SpareMemory {
public:
    static constexpr std::size_t kBlocks = 4, kLargest = std::size_t{8} << 20;  // bytes of a block that is kept

    // The smallest block of at least so many bytes; says in `bytes` how many they are. Where there is none, null, and the
    // others go back.
    void* take(std::size_t& bytes) {
        std::array<void*, kBlocks> found;
        for (std::size_t i = 0; i < kBlocks; ++i) found[i] = slots_[i].exchange(nullptr);
        void* best = nullptr;
        for (void* block : found)
            if (block && size_of(block) >= bytes && (!best || size_of(block) < size_of(best))) best = block;
        for (void* block : found) {
            if (!block || block == best) continue;
            if (best) give(block, size_of(block));
            else munmap(block, size_of(block));
        }
        if (best) bytes = size_of(best);
        return best;
    }

    void give(void* block, std::size_t bytes) {
        size_of(block) = bytes;
        for (std::size_t i = 0; bytes <= kLargest && i < kBlocks; ++i) {
            void* none = nullptr;
            if (slots_[i].compare_exchange_strong(none, block)) return;
        }
        munmap(block, bytes);
    }

private:
    static std::size_t& size_of(void* block) { return *static_cast<std::size_t*>(block); }  // a spare block begins with it
    std::array<std::atomic<void*>, kBlocks> slots_{};
};

inline SpareMemory spare_memory;
#endif

// Frees what make_scratch made: so many bytes were mapped, or none and they came from operator new.
struct ScratchDeleter {
    std::size_t mapped = 0;
    void operator()(void* memory) const {
#if defined(__linux__)
        if (mapped > 0) return spare_memory.give(memory, mapped);
#endif
        ::operator delete(memory);
    }
};

template <class T>
using Scratch = std::unique_ptr<T[], ScratchDeleter>;

template <class T>
Scratch<T> make_scratch(std::size_t n) {
    static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
#if defined(__linux__)
    constexpr std::size_t page = std::size_t{1} << 16;  // a multiple of the small pages of any machine
    if (n * sizeof(T) >= kLargePage) {
        std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
        void* spare = spare_memory.take(bytes);
        return Scratch<T>(static_cast<T*>(spare ? spare : map_memory(bytes)), ScratchDeleter{bytes});
    }
#endif
    return Scratch<T>(static_cast<T*>(::operator new(n * sizeof(T))), ScratchDeleter{});
}

}  // namespace seedbed
