// The sketch of a data set in bytes (sketch.hpp): whether it pays, in which steps it is made, and how far it may be wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "dataset.hpp"
#include "scratch.hpp"
#include "seed_kernels.hpp"

namespace seedbed {

template <class T>
inline const SeedKernels<T>& seeding() {
    return *exact<T>().seeding;
}

inline index_t padded(index_t n) { return (n + kSketchBlock - 1) / kSketchBlock * kSketchBlock; }

// The sketch of the data, which starts share.
template <class T>
class Sketcher {
public:
    // Whether there can be one, and whether it pays for so many starts of k seeds: where there are starts or rounds enough,
    // fewer where few bytes are written, and fewer still where candidates are to be told apart.
    static bool possible(const Points<T>& points, index_t k) { return k >= 2 && points.d <= kMaxAttributes; }
    static bool pays(const Points<T>& points, index_t k, index_t trials, index_t starts) {
        const index_t rounds = points.d > kFewBytes ? 16 : trials < 2 ? 12 : 3;
        return starts >= kManyStarts || k >= rounds;
    }

    explicit Sketcher(const Dataset<T>& data) : points_(data.points) {
        sketch_.pairs = (points_.d + 1) / 2;
        bytes_ = make_scratch<std::uint8_t>(padded(points_.n) * 2 * sketch_.pairs);
        sketch_.bytes = bytes_.get();
        errors_.resize((points_.n + kTask - 1) / kTask);
        span_range(data.frame);
    }

    bool made() const { return made_; }
    const Sketch& get() const { return sketch_; }

    void make(index_t t) {
        const index_t end = std::min(points_.n, (t + 1) * kTask);
        errors_[t] = seeding<T>().make_sketch(points_, middle_.data(), steps_per_value_, t * kTask, end, bytes_.get());
    }

    // After the tasks of all rows are made; squares of distances are times `inverse_unit` squared.
    void finish(double inverse_unit) {
        const double row = std::sqrt(*std::max_element(errors_.begin(), errors_.end())) * kFine;
        const double candidate = std::sqrt(static_cast<double>(points_.d)) / 2;
        sketch_.error = (row + candidate) * (1.0 + 1e-9);
        sketch_.steps_per_distance = kFine * steps_per_value_ / inverse_unit;
        made_ = true;
    }

    // OUT out: candidates as the kernel reads them, two attributes in one int.
    void write(const std::vector<index_t>& rows, std::vector<std::int32_t>& out) const {
        const auto steps = [&](index_t row, index_t j) {
            if (j == points_.d) return 128 * kFine;
            const double v = static_cast<double>(points_.row(row)[j]) - middle_[j];
            return static_cast<int>(std::lrint(kFine * (v * steps_per_value_ + 128.0)));
        };
        out.clear();
        for (const index_t row : rows)
            for (index_t j = 0; j < points_.d; j += 2) out.push_back(steps(row, j) | steps(row, j + 1) << 16);
    }

    // How far the gain of the rows, in steps, may be from what the sketch says: every d^2 is off by
    // 2 e d + e^2 at most (their sum by Cauchy and Schwarz), and by the rounding of single precision.
    double error_of(const Rough& r) const {
        return 1.001 * (2.0 * sketch_.error * std::sqrt(r.mass * r.square) + sketch_.error * sketch_.error * r.mass) +
               1e-4 * (r.gain + r.square);
    }

private:
    static constexpr index_t kManyStarts = 3;
    static constexpr index_t kFewBytes = 10;  // beside the input, on top of eight for distances
    static constexpr index_t kMaxAttributes = 512;  // so that sums of squares fit an int
    static constexpr double kSteps = 127.0;  // in half the range of the widest attribute

    // Bytes about the middle of every attribute, in steps as fine as the widest one allows.
    void span_range(const Frame<T>& frame) {
        middle_.assign((points_.d + 3) / 4 * 4, 0.0);
        double half = frame.unit / 8;  // a range is never less, unless it vanishes beside the least of units
        for (index_t j = 0; j < points_.d; ++j) {
            const double least = static_cast<double>(frame.least[j]), greatest = static_cast<double>(frame.greatest[j]);
            middle_[j] = least / 2 + greatest / 2;
            half = std::max({half, greatest - middle_[j], middle_[j] - least});
        }
        steps_per_value_ = kSteps / half;
    }

    Points<T> points_;
    std::vector<double> middle_;  // d, padded to a multiple of four
    double steps_per_value_ = 0.0;
    Scratch<std::uint8_t> bytes_;
    std::vector<double> errors_;  // per task
    Sketch sketch_{};
    bool made_ = false;
};

// The sketch that a data set keeps from its second seeding on, since more are likely to follow. Threads may seed the same
// data at once: a sketch on the shelf is complete and never written to again.
template <class T>
class SketchShelf {
public:
    // For so many starts: the one on the shelf, a new one where it pays, or none.
    std::shared_ptr<Sketcher<T>> get(const Dataset<T>& data, index_t k, index_t trials, index_t starts) {
        const std::lock_guard lock(mutex_);
        const bool again = std::exchange(used_, true);
        if (useless_ || !Sketcher<T>::possible(data.points, k)) return nullptr;
        if (kept_ || (!again && !Sketcher<T>::pays(data.points, k, trials, starts))) return kept_;
        wanted_ = again;
        return std::make_shared<Sketcher<T>>(data);
    }

    // After a start that took this one, and found it of use or not.
    void put(const std::shared_ptr<Sketcher<T>>& sketch, bool of_use) {
        const std::lock_guard lock(mutex_);
        if (!of_use) useless_ = true;
        else if (wanted_ && !kept_) kept_ = sketch;
    }

private:
    std::mutex mutex_;
    std::shared_ptr<Sketcher<T>> kept_;
    bool used_ = false, wanted_ = false, useless_ = false;
};

}  // namespace seedbed
