// Memory that was freed is used again, by one user at a time, where it fits.
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
    }
    const auto smaller = make_scratch<char>(3 * kMiB);
    CHECK(smaller.get() == first);
    smaller[4 * kMiB - 1] = 'x';  // the whole block is there
    CHECK(make_scratch<char>(3 * kMiB).get() != first);
}

void* block_of(SpareMemory& spare, std::size_t bytes) {
    void* block = map_memory(bytes);
    spare.give(block, bytes);
    return block;
}

void the_smallest_that_fits_is_taken() {
    SpareMemory spare;
    block_of(spare, 8 * kMiB);
    void* const middle = block_of(spare, 6 * kMiB);
    void* const small = block_of(spare, 4 * kMiB);
    std::size_t bytes = 5 * kMiB;
    CHECK(spare.take(bytes) == middle && bytes == 6 * kMiB);
    bytes = 2 * kMiB;
    CHECK(spare.take(bytes) == small && bytes == 4 * kMiB);
    spare.give(small, 4 * kMiB);
    bytes = 9 * kMiB;  // new memory is wanted, so that what does not fit goes back
    CHECK(spare.take(bytes) == nullptr && bytes == 9 * kMiB);
    bytes = 2 * kMiB;
    CHECK(spare.take(bytes) == nullptr);
    munmap(middle, 6 * kMiB);
}

void large_blocks_go_back() {
    SpareMemory spare;
    std::size_t bytes = SpareMemory::kLargest + kLargePage;
    block_of(spare, bytes);
    CHECK(spare.take(bytes) == nullptr);
}

void no_more_are_kept_than_there_are_slots() {
    SpareMemory spare;
    for (std::size_t i = 0; i <= SpareMemory::kBlocks; ++i) block_of(spare, kLargePage);
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
    the_smallest_that_fits_is_taken();
    large_blocks_go_back();
    no_more_are_kept_than_there_are_slots();
#endif
    users_have_blocks_to_themselves();
}
