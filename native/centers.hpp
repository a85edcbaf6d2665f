// The centres of one iteration in every form that the kernels want, and how far they have moved.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "coarse_centers.hpp"
#include "dataset.hpp"
#include "kernels.hpp"

namespace seedbed {

// Centres in groups of neighbours: halved along their widest attribute until each fits a group.
template <class T>
class Groups {
public:
    Groups(const std::vector<T>& centers, index_t k, index_t d, bool per_center)
        : per_center_(per_center), d_(d), n_((k + kGroupWidth - 1) / kGroupWidth), member_(n_ * kGroupWidth, -1), slot_(k), size_(n_),
          rows_(k * d), panels_(n_ * kGroupWidth * d, kFar), drift_(per_center ? n_ * kGroupWidth : n_),
          high_(drift_.size()), low_(drift_.size()) {
        std::vector<std::int32_t> order(k);
        std::iota(order.begin(), order.end(), 0);
        split(centers, order.data(), order.data() + k, 0, n_);
    }

    void place(index_t c, index_t j, float v) {
        rows_[c * d_ + j] = v;
        panels_[(slot_[c] / kGroupWidth * d_ + j) * kGroupWidth + slot_[c] % kGroupWidth] = v;
    }

    void add_drift(const std::vector<double>& moved) {
        for (index_t g = 0; g < n_; ++g) {
            double most = 0.0;
            for (index_t l = g * kGroupWidth; l < (g + 1) * kGroupWidth; ++l) {
                if (member_[l] < 0) continue;
                most = std::max(most, moved[member_[l]]);
                if (per_center_) add(l, moved[member_[l]]);
            }
            if (!per_center_) add(g, most);
        }
    }

    index_t bounds_per_point() const { return static_cast<index_t>(drift_.size()); }
    Grouped view() const {
        return {static_cast<std::int32_t>(n_), panels_.data(), rows_.data(), member_.data(), slot_.data(), size_.data(), high_.data(), low_.data()};
    }

private:
    static constexpr float kFar = 1e15f;  // far outside the unit box, yet its square is finite

    void add(index_t at, double move) {
        drift_[at] += move;
        high_[at] = static_cast<float>(drift_[at] * (1 + 0x1p-22));
        low_[at] = static_cast<float>(drift_[at] * (1 - 0x1p-22));
    }

    void split(const std::vector<T>& centers, std::int32_t* begin, std::int32_t* end, index_t group, index_t groups) {
        if (groups == 1) {
            size_[group] = static_cast<std::int32_t>(end - begin);
            std::sort(begin, end);
            for (std::int32_t* c = begin; c < end; ++c) {
                slot_[*c] = static_cast<std::int32_t>(group * kGroupWidth + (c - begin));
                member_[slot_[*c]] = *c;
            }
            return;
        }
        const index_t j = widest(centers, begin, end), left = groups / 2;
        std::int32_t* middle = begin + (end - begin) * left / groups;
        std::sort(begin, end, [&](std::int32_t a, std::int32_t b) {
            const T x = centers[a * d_ + j], y = centers[b * d_ + j];
            return x < y || (x == y && a < b);
        });
        split(centers, begin, middle, group, left);
        split(centers, middle, end, group + left, groups - left);
    }

    index_t widest(const std::vector<T>& centers, const std::int32_t* begin, const std::int32_t* end) const {
        index_t best = 0;
        double most = -1.0;
        for (index_t j = 0; j < d_; ++j) {
            double low = centers[*begin * d_ + j], high = low;
            for (const std::int32_t* c = begin; c < end; ++c) {
                low = std::min(low, static_cast<double>(centers[*c * d_ + j]));
                high = std::max(high, static_cast<double>(centers[*c * d_ + j]));
            }
            if (high - low > most) most = high - low, best = j;
        }
        return best;
    }

    bool per_center_;
    index_t d_, n_;
    std::vector<std::int32_t> member_, slot_, size_;
    std::vector<float> rows_, panels_;
    std::vector<double> drift_;
    std::vector<float> high_, low_;
};

// The centres of one iteration in every form the kernels want.
template <class T>
class Centers {
public:
    enum class Form { plain, grouped, per_center };

    Centers(const Dataset<T>& data, const T* start, index_t k, Form form = Form::plain)
        : data_(data), k_(k), d_(data.points.d), drift_(k), now(start, start + k * d_), moved(k),
          drift_high(std::max<index_t>(k, 16)), drift_low(std::max<index_t>(k, 16)) {
        const index_t panels = (k + kMaxGroup - 1) / kMaxGroup, group = (k + panels - 1) / panels;
        screen_.group = static_cast<std::int32_t>(group);
        screen_.n_full = static_cast<std::int32_t>(k - panels * (group - 1));
        screen_.k = static_cast<std::int32_t>(k);
        screen_.d = d_;
        panels_.resize(k * d_);
        screen_.panels = panels_.data();
        if (form != Form::plain) groups.emplace(now, k, d_, form == Form::per_center);
        take_form();
    }

    // Fills in every form, integers too if the data have a coarse copy by now.
    void take_form() {
        if (!groups && data_.coarse && !coarse) coarse.emplace(*data_.coarse, k_, d_);
        for (index_t c = 0; c < k_; ++c) refresh(c);
        set_margins();
    }

    // Takes new positions; returns the sum of squared moves in units^2.
    double move(const std::vector<T>& next, const std::vector<char>& changed) {
        double total = 0.0;
        for (index_t c = 0; c < k_; ++c) {
            moved[c] = 0.0;
            if (!changed[c]) continue;
            const double square = exact<T>().square(&next[c * d_], &now[c * d_], d_, data_.inverse_unit());
            total += square;
            moved[c] = std::sqrt(square) * (1 + 0x1p-40);
            if (square > 0.0) {
                std::copy_n(&next[c * d_], d_, &now[c * d_]);
                refresh(c);
            }
        }
        set_margins();
        return total;
    }

    // Adds each cluster's own move and the largest move of any other centre to its drift.
    void add_drift() {
        index_t fastest = 0;
        double most = 0.0, second = 0.0;
        for (index_t c = 0; c < k_; ++c) {
            if (moved[c] > most) second = most, most = moved[c], fastest = c;
            else second = std::max(second, moved[c]);
        }
        for (index_t c = 0; c < k_; ++c) {
            drift_[c] += moved[c] + (c == fastest ? second : most);
            drift_high[c] = static_cast<float>(drift_[c] * (1 + 0x1p-22));
            drift_low[c] = static_cast<float>(drift_[c] * (1 - 0x1p-22));
        }
        if (groups) groups->add_drift(moved);
    }

    // A quarter of the squared distances between centres.
    void find_gaps() {
        quarter_gaps.resize(k_ * k_);
        for (index_t a = 0; a < k_; ++a)
            for (index_t b = a + 1; b < k_; ++b)
                quarter_gaps[a * k_ + b] = quarter_gaps[b * k_ + a] = exact<T>().square(&now[a * d_], &now[b * d_], d_, data_.inverse_unit()) / 4;
    }

    double largest_move() const { return *std::max_element(moved.begin(), moved.end()); }
    const Screen& screen() const { return screen_; }
    index_t k() const { return k_; }

private:
    const Dataset<T>& data_;
    index_t k_, d_;
    std::vector<float> panels_;
    std::vector<double> drift_;
    std::vector<double> reach_ = std::vector<double>(k_, 0.0);
    Screen screen_{};

    // Centres farther out than this (the data lie in [-1, 1]) are screened as if they were at this border,
    // so that squares stay finite and below those of padding; the margins leave such cases to exact arithmetic.
    static constexpr double kScreened = 1e9;

    void refresh(index_t c) {
        const index_t in_full = static_cast<index_t>(screen_.n_full) * screen_.group;
        const index_t width = c < in_full ? screen_.group : screen_.group - 1;
        const index_t place = c < in_full ? c % width : (c - in_full) % width;  // in its group
        float* panel = panels_.data() + (c - place) * d_ + place;
        double reach = 0.0;
        for (index_t j = 0; j < d_; ++j) {
            const double v = (static_cast<double>(now[c * d_ + j]) - static_cast<double>(data_.frame.shift[j])) * data_.inverse_unit();
            reach = std::max(reach, std::abs(v));
            const auto near = static_cast<float>(std::clamp(v, -kScreened, kScreened));
            panel[j * width] = near;
            if (groups) groups->place(c, j, near);
        }
        if (coarse) coarse->refresh(c, &now[c * d_], place, width);
        reach_[c] = reach;
    }

    // Rounding to single precision: each coordinate is off by 2^-24 of its size, each difference,
    // square and sum by 2^-24 of theirs. Both bounds are doubled to cover second-order terms.
    void set_margins() {
        const double reach = std::max(1.0, *std::max_element(reach_.begin(), reach_.end()));
        screen_.relative = static_cast<float>((static_cast<double>(d_) + 8) * 0x1p-24);
        const double share = reach <= kScreened ? 0x1p-23 : 1.0;  // clamped: off by as much as it lies outside
        screen_.absolute = static_cast<float>(std::sqrt(static_cast<double>(d_)) * (1 + reach) * share);
        if (coarse) coarse->set_margins();
    }

public:
    std::vector<T> now;  // k x d
    std::vector<double> moved;                    // k, how far each centre moved last, rounded up
    std::vector<float> drift_high, drift_low;     // k, padded to 16
    std::optional<Groups<T>> groups;
    std::optional<CoarseCenters<T>> coarse;
    std::vector<double> quarter_gaps;             // k x k, in units^2
};

}  // namespace seedbed
