// The centres of one iteration as 16-bit integers, and how far scores can be from the truth (coarse.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "dataset.hpp"
#include "fixed_sum.hpp"
#include "kernels.hpp"

namespace seedbed {

// Let y, z be a row and a centre about the origin in units of the integers, y', z' their integers, p >= |y - y'|,
// q >= |z - z'| and d = |y' - z'|. A score is y'.z' - |z'|^2 / 2, so the difference of two scores is half that of d^2. It
// is off by at most p |z'a - z'b| + q (|y - z'a| + |y - z'b|) + q^2 <= (p + q) (da + db) + 2pq + q^2: if the lead over the
// second nearest exceeds twice (p + q) db and the rest, so does that over any other. A distance is off by p + q.
template <class T>
class CoarseCenters {
public:
    CoarseCenters(const CoarseCopy& copy, index_t k, index_t d)
        : copy_(copy), k_(k), d_(d), pairs_((d + 1) / 2), panels_(k * pairs_), offset_(k), whole_(d), rounding_(k), fits_(k) {}

    // Centre c, which is `place` in a group of `width`.
    void refresh(index_t c, const T* center, index_t place, index_t width) {
        std::int32_t* panel = panels_.data() + (c - place) * pairs_ + place;
        double square = 0.0, rounding = 0.0, reach = 0.0;
        for (index_t j = 0; j < d_; ++j) {
            const double z = (static_cast<double>(center[j]) - copy_.origin[j]) * copy_.scale, whole = (z + kMagic) - kMagic;
            square += whole * whole;
            rounding += (z - whole) * (z - whole);
            reach = std::max(reach, std::abs(whole));
            whole_[j] = whole;
        }
        fits_[c] = reach <= 32767.0 && square <= kMaxCenter;  // false for NaN too
        if (!fits_[c]) return;
        for (index_t p = 0; p < pairs_; ++p) {
            const auto half = [&](index_t j) { return j < d_ ? static_cast<std::uint32_t>(static_cast<std::int32_t>(whole_[j])) : 0u; };
            panel[p * width] = static_cast<std::int32_t>((half(2 * p) & 0xffffu) | half(2 * p + 1) << 16);
        }
        offset_[c] = static_cast<std::int32_t>(-std::nearbyint(square / 2));
        rounding_[c] = std::sqrt(rounding);
    }

    // Once every centre is in place.
    void set_margins() {
        usable_ = k_ > 1 && std::all_of(fits_.begin(), fits_.end(), [](char fits) { return fits != 0; });
        if (!usable_) return;
        const double point = 0.5 * std::sqrt(static_cast<double>(d_)), center = *std::max_element(rounding_.begin(), rounding_.end());
        const double both = (point + center) * (1 + 1e-4);
        lead_slope_ = static_cast<float>(8 * both * both);  // twice `both` times a distance, squared: 8 both^2 times half of its square
        lead_error_ = static_cast<float>((2 * point * center + center * center + 4) * (1 + 1e-4));
        distance_error_ = static_cast<float>(2 * both);
    }

    bool usable() const { return usable_; }

    // For n rows.
    Coarse view(index_t n, double frame_unit) const {
        const index_t bytes = pairs_ * static_cast<index_t>(sizeof(std::int32_t));  // of a row
        const bool far = bytes >= kWideRow && n * bytes > kSecondCache;
        return {copy_.rows.get(), copy_.blocks.get(), copy_.half.get(), panels_.data(), offset_.data(), pairs_, far, lead_slope_, lead_error_, distance_error_,
                static_cast<float>(1.0 / (copy_.scale * frame_unit))};
    }

private:
    static constexpr index_t kSecondCache = index_t{1} << 19, kWideRow = 32;  // bytes; narrower rows share cache lines
    static constexpr double kMaxCenter = 7.1e8;  // 2 (sqrt(7e8 7.1e8) + 7.1e8 / 2) < 2^31: no score and no difference overflows

    const CoarseCopy& copy_;
    index_t k_, d_, pairs_;
    std::vector<std::int32_t> panels_, offset_;
    std::vector<double> whole_;     // d, scratch
    std::vector<double> rounding_;  // k: |z - z'|
    std::vector<char> fits_;
    bool usable_ = false;
    float lead_slope_ = 0, lead_error_ = 0, distance_error_ = 0;
};

}  // namespace seedbed
