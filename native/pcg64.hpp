// The uniform numbers of NumPy's default generator, PCG64 (O'Neill 2014: a 128-bit linear congruence, the halves of its state
// xored and rotated), without the generator's objects: making those takes longer than seeding a thousand rows.
#pragma once

#include <bit>
#include <cstdint>

namespace seedbed {

class Pcg64 {
public:
    // From the four words that NumPy's SeedSequence gives for it, high halves first.
    explicit Pcg64(const std::uint64_t* words) : increment_(join(words[2], words[3]) << 1 | 1) {
        step();
        state_ += join(words[0], words[1]);
        step();
    }

    // The next multiple of 2^-53 in [0, 1).
    double uniform() {
        step();
        const auto high = static_cast<std::uint64_t>(state_ >> 64), low = static_cast<std::uint64_t>(state_);
        return static_cast<double>(std::rotr(high ^ low, static_cast<int>(high >> 58)) >> 11) * 0x1p-53;
    }

private:
    using State = unsigned __int128;
    static constexpr State join(std::uint64_t high, std::uint64_t low) { return static_cast<State>(high) << 64 | low; }
    void step() { state_ = state_ * join(0x2360ed051fc65da4, 0x4385df649fccf645) + increment_; }

    State state_ = 0, increment_;
};

}  // namespace seedbed
