// Memory that was freed is used again, by one user at a time, and only where it fits.
#include <cstring>
#include <set>
#include <thread>

#include "check.hpp"
#include "pool.hpp"
#include "scratch.hpp"

using namespace seedbed;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

#if defined(__linux__)
void freed_blocks_serve_again() {
    void* first = nullptr;
    {
        const auto block = make_scratch<char>(4 * kMiB);
        first = block.get();
        block[4 * kMiB - 1] = 'x';
    }
    const auto larger = make_scratch<char>(4 * kMiB + 1), smaller = make_scratch<char>(3 * kMiB);  // 3/4: too small to be worth a block of 4
    CHECK(larger.get() != first && smaller.get() != first);
    const auto nearly = make_scratch<char>(4 * kMiB - kMiB / 2);
    CHECK(nearly.get() == first);
    nearly[4 * kMiB - 1] = 'y';  // the whole block is there
}

void large_blocks_go_back() {
    SpareMemory spare;
    std::size_t bytes = SpareMemory::kLargest + kLargePage;
    spare.give(map_memory(bytes), bytes);
    CHECK(spare.take(bytes) == nullptr);
}

void no_more_are_kept_than_there_are_slots() {
    SpareMemory spare;
    for (std::size_t i = 0; i <= SpareMemory::kBlocks; ++i) spare.give(map_memory(kLargePage), kLargePage);
    std::set<void*> taken;
    std::size_t bytes = kLargePage;
    while (void* block = spare.take(bytes)) CHECK(bytes == kLargePage && taken.insert(block).second);
    CHECK(taken.size() == SpareMemory::kBlocks);
    for (void* block : taken) munmap(block, kLargePage);
}
#endif

// Blocks of several threads never overlap: each finds what it wrote.
void users_have_blocks_to_themselves() {
    parallel_for(400, 4, [](std::int64_t task, int) {
        const std::size_t n = (2 + task % 3) * kMiB / sizeof(std::int64_t);
        const auto block = make_scratch<std::int64_t>(n);
        for (std::size_t i = 0; i < n; i += 512) block[i] = task;
        std::this_thread::yield();
        for (std::size_t i = 0; i < n; i += 512) CHECK(block[i] == task);
    });
}

}  // namespace

int main() {
#if defined(__linux__)
    freed_blocks_serve_again();
    large_blocks_go_back();
    no_more_are_kept_than_there_are_slots();
#endif
    users_have_blocks_to_themselves();
}
