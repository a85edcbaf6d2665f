// The centres of one iteration as 16-bit integers, and how far scores can be from the truth (coarse.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "dataset.hpp"
#include "kernels.hpp"

namespace seedbed {

// With y, z a row and a centre about the origin in units of the integers and y', z' their integers, a score is
// y'.z' - |z|^2 / 2. The difference of two scores is off by at most |y - y'| |z'a - z'b| + |y| (|za - z'a| + |zb - z'b|).
// The distance between y' and z' is off by at most |y - y'| + |z - z'|.
template <class T>
class CoarseCenters {
public:
    CoarseCenters(const CoarseCopy& copy, index_t k, index_t d)
        : copy_(copy), k_(k), d_(d), pairs_((d + 1) / 2), panels_(k * pairs_), offset_(k), whole_(k * d), rounding_(k), excess_(k), fits_(k) {}

    // Centre c, which is `place` in a group of `width`.
    void refresh(index_t c, const T* center, index_t place, index_t width) {
        std::int32_t* panel = panels_.data() + (c - place) * pairs_ + place;
        double square = 0.0, whole_square = 0.0, rounding = 0.0, reach = 0.0;
        for (index_t j = 0; j < d_; ++j) {
            const double z = (static_cast<double>(center[j]) - copy_.origin[j]) * copy_.scale, whole = std::nearbyint(z);
            square += z * z;
            whole_square += whole * whole;
            rounding += (z - whole) * (z - whole);
            reach = std::max(reach, std::abs(whole));
            whole_[c * d_ + j] = whole;
        }
        fits_[c] = reach <= 32767.0 && whole_square <= kMaxCenter;  // false for NaN too
        if (!fits_[c]) return;
        for (index_t p = 0; p < pairs_; ++p) {
            const auto half = [&](index_t j) { return j < d_ ? static_cast<std::uint32_t>(static_cast<std::int32_t>(whole_[c * d_ + j])) : 0u; };
            panel[p * width] = static_cast<std::int32_t>((half(2 * p) & 0xffffu) | half(2 * p + 1) << 16);
        }
        offset_[c] = static_cast<std::int32_t>(-std::nearbyint(square / 2));
        rounding_[c] = std::sqrt(rounding);
        excess_[c] = std::abs(square - whole_square);
    }

    // Once every centre is in place.
    void set_margins() {
        usable_ = k_ > 1 && std::all_of(fits_.begin(), fits_.end(), [](char fits) { return fits != 0; });
        if (!usable_) return;
        const double point = 0.5 * std::sqrt(static_cast<double>(d_)), center = *std::max_element(rounding_.begin(), rounding_.end());
        const double error = point * spread() + 2 * (copy_.reach + point) * center;
        usable_ = error < 0x1p24;
        if (!usable_) return;
        error_ = static_cast<std::int32_t>(std::ceil(error * (1 + 1e-6))) + 2;
        half_error_ = static_cast<float>((*std::max_element(excess_.begin(), excess_.end()) / 2 + 2) * (1 + 1e-6));
        distance_error_ = static_cast<float>(2 * (point + center) * (1 + 1e-6));
    }

    bool usable() const { return usable_; }

    Coarse view(double frame_unit) const {
        return {copy_.rows.get(), copy_.blocked, panels_.data(), offset_.data(), pairs_, error_, half_error_, distance_error_,
                static_cast<float>(1.0 / (copy_.scale * frame_unit))};
    }

private:
    static constexpr double kMaxCenter = 7.1e8;  // 2 (sqrt(7e8 7.1e8) + 7.1e8 / 2) < 2^31: no score and no difference overflows

    // At least the greatest distance between two centres.
    double spread() const {
        std::vector<double> mean(d_);
        for (index_t c = 0; c < k_; ++c)
            for (index_t j = 0; j < d_; ++j) mean[j] += whole_[c * d_ + j] / static_cast<double>(k_);
        double most = 0.0;
        for (index_t c = 0; c < k_; ++c) {
            double square = 0.0;
            for (index_t j = 0; j < d_; ++j) square += (whole_[c * d_ + j] - mean[j]) * (whole_[c * d_ + j] - mean[j]);
            most = std::max(most, square);
        }
        return 2 * std::sqrt(most);
    }

    const CoarseCopy& copy_;
    index_t k_, d_, pairs_;
    std::vector<std::int32_t> panels_, offset_;
    std::vector<double> whole_;              // k x d
    std::vector<double> rounding_, excess_;  // k: |z - z'|, ||z|^2 - |z'|^2|
    std::vector<char> fits_;
    bool usable_ = false;
    std::int32_t error_ = 0;
    float half_error_ = 0, distance_error_ = 0;
};

}  // namespace seedbed
