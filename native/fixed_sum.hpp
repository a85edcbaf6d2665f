// Sums that do not depend on their order. A value is scaled by a power of two into [-2^50, 2^50] and
// split into two integers (its integer part and 42 more bits); integers add exactly, so any order, any
// number of threads, any algorithm and any mixture of adding and removing gives the same bits. This is
// what makes incremental cluster sums free of drift and every result reproducible.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "aligned.hpp"

namespace seedbed {

using int128_t = __int128;

inline constexpr double kMagic = 6755399441055744.0;   // 1.5 * 2^52: adding it rounds to an integer
inline constexpr double kLowScale = 4398046511104.0;   // 2^42
inline constexpr int kLowBits = 42;
inline constexpr std::int64_t kMaxPending = 4096;      // 2^50 * 2^12 < 2^63

// The power of two that takes values of magnitude <= bound into [-2^50, 2^50].
static inline double grid_for(double bound) {
    if (!(bound > 0.0)) return 1.0;
    int exponent = 0;
    std::frexp(bound, &exponent);  // bound <= 2^exponent
    return std::ldexp(1.0, std::min(50 - exponent, 1000));
}

static inline std::int64_t rounded(double v) {  // |v| <= 2^51
    return __builtin_bit_cast(std::int64_t, v + kMagic) - __builtin_bit_cast(std::int64_t, kMagic);
}

// v * grid as an integer in units of 2^-42.
static inline int128_t to_fixed(double v, double grid) {
    const double t = v * grid;
    const std::int64_t high = rounded(t);
    const std::int64_t low = rounded((t - static_cast<double>(high)) * kLowScale);
    return (static_cast<int128_t>(high) << kLowBits) + low;
}

static inline double from_fixed(int128_t v, double grid) {
    return (static_cast<double>(v) / kLowScale) / grid;
}

// K x D exact sums as kernels see them. A row is added to the two 64-bit sheets (vectorised over
// attributes) after `announce`; before a sheet's row could overflow it is folded into the 128-bit total.
struct SumSheet {
    std::int64_t d;
    std::int64_t* high;     // IN/OUT, k x d, and three more that stay zeros
    std::int64_t* low;      // IN/OUT, the same
    int128_t* total;        // IN/OUT, k x d
    std::int64_t* pending;  // IN/OUT, k: rows in the sheets since the last fold
    int128_t* mass;         // IN/OUT, k; null where every row has mass one
    std::int64_t* count;    // IN/OUT, k
    char* changed;          // OUT, k
};

static inline void fold(const SumSheet& s, std::int64_t c) {
    if (s.pending[c] == 0) return;
    for (std::int64_t j = c * s.d; j < (c + 1) * s.d; ++j) {
        s.total[j] += (static_cast<int128_t>(s.high[j]) << kLowBits) + s.low[j];
        s.high[j] = s.low[j] = 0;
    }
    s.pending[c] = 0;
}

// One row is about to be added to (sign +1) or taken from (-1) cluster c.
[[gnu::always_inline]] static inline void announce(const SumSheet& s, std::int64_t c, int sign) {
    if (s.pending[c] == kMaxPending) fold(s, c);
    ++s.pending[c];
    s.count[c] += sign;
    s.changed[c] = 1;
}

// Owns a sheet. Unless `weighted`, every row has mass one and the masses are the counts.
class FixedSums {
public:
    FixedSums(std::int64_t k, std::int64_t d, bool weighted)
        : k_(k), d_(d), high_(k * d + 3), low_(k * d + 3), pending_(k), count_(k), total_(k * d), mass_(weighted ? k : 0), changed_(k) {}

    SumSheet sheet() {
        return {d_, high_.data(), low_.data(), total_.data(), pending_.data(), mass_.empty() ? nullptr : mass_.data(), count_.data(), changed_.data()};
    }
    std::int64_t count(std::int64_t c) const { return count_[c]; }
    double mass(std::int64_t c, double weight_grid) const {
        return mass_.empty() ? static_cast<double>(count_[c]) : from_fixed(mass_[c], weight_grid);
    }
    const int128_t* total(std::int64_t c) {
        fold(sheet(), c);
        return total_.data() + c * d_;
    }

    // Whether cluster c was touched since the last call.
    bool take_changed(std::int64_t c) { return std::exchange(changed_[c], char{0}) != 0; }

    // Adds the sums of many rows at once.
    void add(std::int64_t c, const int128_t* totals, int128_t mass, std::int64_t count) {
        int128_t* row = total_.data() + c * d_;
        for (std::int64_t j = 0; j < d_; ++j) row[j] += totals[j];
        if (!mass_.empty()) mass_[c] += mass;
        count_[c] += count;
        changed_[c] = 1;
    }

    // Gives cluster c what the others leave of `all` (IN, d).
    void set_to_rest(std::int64_t c, const std::vector<int128_t>& all) {
        fold(sheet(), c);
        int128_t* row = total_.data() + c * d_;
        std::copy(all.begin(), all.end(), row);
        for (std::int64_t other = 0; other < k_; ++other) {
            if (other == c) continue;
            const int128_t* theirs = total(other);
            for (std::int64_t j = 0; j < d_; ++j) row[j] -= theirs[j];
        }
        changed_[c] = 1;
    }

    // Moves everything into `into` and leaves this empty.
    void drain(FixedSums& into) {
        for (std::int64_t c = 0; c < k_; ++c) {
            if (!take_changed(c)) continue;
            into.add(c, total(c), mass_.empty() ? int128_t{0} : std::exchange(mass_[c], 0), std::exchange(count_[c], 0));
            std::fill_n(total_.data() + c * d_, d_, int128_t{0});
        }
    }

    void clear() {
        for (auto* sheet : {&high_, &low_}) std::fill(sheet->begin(), sheet->end(), 0);
        for (auto* numbers : {&pending_, &count_}) std::fill(numbers->begin(), numbers->end(), 0);
        for (auto* sheet : {&total_, &mass_}) std::fill(sheet->begin(), sheet->end(), int128_t{0});
        std::fill(changed_.begin(), changed_.end(), char{1});
    }

private:
    std::int64_t k_, d_;
    AlignedVector<std::int64_t> high_, low_;
    std::vector<std::int64_t> pending_, count_;
    std::vector<int128_t> total_, mass_;
    std::vector<char> changed_;
};

}  // namespace seedbed
