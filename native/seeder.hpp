// Seeds drawn one after another, and every row's squared distance to the nearest of them: what k-means++, its greedy form
// and maximin share.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "engine.hpp"
#include "pool.hpp"
#include "scratch.hpp"
#include "sketcher.hpp"

namespace seedbed {

inline constexpr double kPlainExponent = 128;  // squares of raw differences are safe within 2^±128

// Seeds chosen so far and how far every row is from its nearest one. Rows are treated in tasks of fixed
// size whose sums are added in order, so nothing depends on the number of threads.
template <class T>
class Seeder {
public:
    Seeder(const Dataset<T>& data, Sketcher<T>* sketcher, index_t k, index_t trials, int n_threads, const std::function<bool()>& interrupted)
        : points_(data.points), tasks_((points_.n + kTask - 1) / kTask), interrupted_(interrupted), sketcher_(sketcher),
          square_(make_scratch<double>(padded(points_.n))), words_((points_.n + kWord - 1) / kWord), totals_(tasks_), cumulative_(tasks_) {
        n_threads_ = static_cast<int>(std::clamp<index_t>(pays_inside(points_, trials) ? n_threads : 1, 1, tasks_));
        for (int w = 0; w < n_threads_; ++w) lists_.emplace_back(std::min(points_.n, kTask) + 1);
        counts_.assign(n_threads_, 0);
        state_.points = points_;
        state_.inverse_unit = std::abs(std::log2(data.frame.unit)) <= kPlainExponent ? 1.0 : data.inverse_unit();
        state_.weight_scale = points_.weight ? data.frame.weight_grid * 0x1p-50 : 1.0;
        state_.stride = (points_.d + 3) / 4 * 4;
        total_mass_ = data.frame.total_mass * state_.weight_scale;
        state_.square = square_.get();
        state_.words = words_.data();
        std::fill(square_.get() + points_.n, square_.get() + padded(points_.n), 0.0);
        rows_.reserve(k);
    }

    // Whether the work of a round is worth several threads.
    static bool pays_inside(const Points<T>& points, index_t trials) { return points.n * (trials * points.d + kOverhead) >= kWorthThreads; }

    const std::vector<index_t>& rows() const { return rows_; }
    bool sketching() const { return sketching_; }              // or the sketch was of no use
    double unit() const { return 1.0 / state_.inverse_unit; }  // of distances
    double weight_scale() const { return state_.weight_scale; }
    double potential() const { return cumulative_.back(); }    // sum of w md^2, weights at most 1
    std::int64_t distances() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }
    void track_farthest() { greatest_.resize(tasks_); }

    // The row at which the running sum of weights first exceeds u times their total.
    index_t draw_by_weight(double u) {
        if (!points_.weight) return std::min(points_.n - 1, static_cast<index_t>(u * static_cast<double>(points_.n)));
        std::fill_n(square_.get(), points_.n, 1.0);
        for (index_t t = 0; t < tasks_; ++t) totals_[t] = seeding<T>().total(state_, t * kTask, end_of(t));
        std::partial_sum(totals_.begin(), totals_.end(), cumulative_.begin());
        return draw(u);
    }

    // The row at which the running sum of w md^2 first exceeds u times its total: never one of no mass.
    index_t draw(double u) const {
        const double target = u * potential();
        const index_t above = std::upper_bound(cumulative_.begin(), cumulative_.end(), target) - cumulative_.begin();
        const index_t t = std::min(above, tasks_ - 1);
        double sum = t > 0 ? cumulative_[t - 1] : 0.0;
        index_t last = -1;
        for (index_t word = t * kTask; word < end_of(t); word += kWord) {
            const double mass = words_[word / kWord];
            if (!(mass > 0.0)) continue;
            last = word;  // the one to look into, should rounding keep the sum from ever exceeding the target
            if (sum + mass > target) break;
            sum += mass;
        }
        return draw_within(last, target, sum);
    }

    // The row farthest from its nearest seed; `square` is how far.
    index_t farthest(double& square) const {
        const index_t t = std::max_element(greatest_.begin(), greatest_.end()) - greatest_.begin();
        square = greatest_[t];
        return std::find(&square_[t * kTask], &square_[end_of(t)], square) - square_.get();
    }

    // The first seed of a start: every row's distance to it, and the sketch on the way if it is wanted and not made.
    void start(index_t row) {
        std::fill(counts_.begin(), counts_.end(), 0);
        sketching_ = sketcher_ != nullptr;
        add_first(row);
    }

    // Adds the candidate that lowers the sum of w md^2 most, the first among equals.
    void add_best(std::vector<index_t>& candidates) {
        check_interrupted();
        drop_repeats(candidates);
        find_coordinates(candidates);
        if (sketching_) compare(candidates);
        else reach(candidates);
        index_t best = std::find(contends_.begin(), contends_.end(), 1) - contends_.begin();
        const bool decided = std::count(contends_.begin(), contends_.end(), 1) == 1;
        if (!decided) best = weigh();
        const bool marked = !decided || sketching_;
        const double* limits = sketching_ ? nullptr : &limits_[best * static_cast<index_t>(rows_.size())];
        parallel_for(tasks_, n_threads_, [&](index_t t, int w) {
            lower(t, w, marked ? bits_of(best, t) : nullptr, limits, &coordinates_[best * state_.stride]);
        });
        added(candidates[best]);
        if (coarse_) stop_sketching();
    }

private:
    static constexpr index_t kWords = kTask / kWord;            // per task
    static constexpr index_t kSpan = 512;                       // rows weighed against all contenders in turn
    static constexpr std::size_t kFirstJudged = 4;              // seeds from which a sketch should rule out most rows
    static constexpr index_t kOverhead = 8;                     // per row, in multiply-adds
    static constexpr index_t kWorthThreads = index_t{1} << 20;  // multiply-adds per seed
    static constexpr index_t kInOrder = 4, kScattered = 34;     // per row in order, per row of a list, in attributes

    index_t end_of(index_t t) const { return std::min(points_.n, (t + 1) * kTask); }
    index_t words_of(index_t t) const { return (end_of(t) - t * kTask + kWord - 1) / kWord; }
    std::uint64_t* bits_of(index_t candidate, index_t t) { return bits_.data() + (candidate * tasks_ + t) * kWords; }

    // The same among 64 rows, after others of that sum.
    index_t draw_within(index_t begin, double target, double sum) const {
        index_t last = -1;
        for (index_t i = begin; i < std::min(points_.n, begin + kWord); ++i) {
            const double mass = points_.mass(i) * state_.weight_scale * square_[i];
            if (!(mass > 0.0)) continue;
            last = i;
            sum += mass;
            if (sum > target) break;
        }
        return last;
    }

    // Brings the task's rows (those with a bit, or those in reach) up to date with the next seed; all of them where
    // most are meant, which is quicker and changes no other.
    void lower(index_t t, int w, const std::uint64_t* bits, const double* limit, const double* center) {
        const index_t begin = t * kTask, end = end_of(t);
        std::int32_t* list = lists_[w].data();
        index_t count = bits ? count_bits(bits, words_of(t)) : seeding<T>().list_reachable(state_, limit, begin, end, list);
        if (count == 0) return;
        if (count * (points_.d + kScattered) > (end - begin) * (points_.d + kInOrder)) return lower_all(t, w, center);
        if (bits) count = seeding<T>().list_marked(bits, words_of(t), list);
        seeding<T>().lower(state_, list, count, begin, center, static_cast<std::int32_t>(rows_.size()));
        counts_[w] += count;
        lowered(t, seeding<T>().total(state_, begin, end));
    }

    void lower_all(index_t t, int w, const double* center) {
        counts_[w] += end_of(t) - t * kTask;
        lowered(t, seeding<T>().lower_all(state_, t * kTask, end_of(t), center, static_cast<std::int32_t>(rows_.size())));
    }

    // The task's squares for the first seed.
    void measure(index_t t, int w, const double* center) {
        counts_[w] += end_of(t) - t * kTask;
        if (state_.nearest) std::fill(&nearest_[t * kTask], &nearest_[end_of(t)], 0);
        lowered(t, seeding<T>().measure(state_, t * kTask, end_of(t), center));
    }

    void lowered(index_t t, double total) {
        totals_[t] = total;
        if (!greatest_.empty()) greatest_[t] = seeding<T>().greatest(state_, t * kTask, end_of(t));
    }

    static index_t count_bits(const std::uint64_t* bits, index_t words) {
        return std::accumulate(bits, bits + words, index_t{0}, [](index_t sum, std::uint64_t word) { return sum + std::popcount(word); });
    }

    void added(index_t row) {
        rows_.push_back(row);
        std::partial_sum(totals_.begin(), totals_.end(), cumulative_.begin());
    }

    static void drop_repeats(std::vector<index_t>& rows) {
        auto end = rows.begin();
        for (auto row = rows.begin(); row != rows.end(); ++row)
            if (std::find(rows.begin(), end, *row) == end) *end++ = *row;
        rows.erase(end, rows.end());
    }

    // Marks the rows that each candidate may be nearer to; which candidates may be the best.
    void compare(const std::vector<index_t>& candidates) {
        const index_t n = static_cast<index_t>(candidates.size());
        sketcher_->write(candidates, candidate_bytes_);
        rough_.resize(tasks_ * n);
        bits_.resize(n * tasks_ * kWords);
        const Weighted rows{square_.get(), points_.weight, state_.weight_scale};
        parallel_for(tasks_, n_threads_, [&](index_t t, int) {
            seeding<T>().compare(sketcher_->get(), rows, candidate_bytes_.data(), n, t * kTask, end_of(t), bits_of(0, t), tasks_ * kWords, &rough_[t * n]);
        });
        rough_sums_.assign(n, Rough{});
        for (index_t t = 0; t < tasks_; ++t)
            for (index_t c = 0; c < n; ++c) {
                rough_sums_[c].gain += rough_[t * n + c].gain;
                rough_sums_[c].square += rough_[t * n + c].square;
                rough_sums_[c].mass += rough_[t * n + c].mass;
            }
        judge();
        double least = 0.0;  // that the best gains for certain
        for (const Rough& r : rough_sums_) least = std::max(least, r.gain - sketcher_->error_of(r));
        contends_.resize(n);
        for (index_t c = 0; c < n; ++c) contends_[c] = rough_sums_[c].gain + sketcher_->error_of(rough_sums_[c]) >= least;
    }

    // A sketch that lets most rows pass is of no use: its steps are large beside the distances.
    void judge() {
        const auto fewest = std::min_element(rough_sums_.begin(), rough_sums_.end(), [](const Rough& a, const Rough& b) { return a.mass < b.mass; });
        coarse_ = rows_.size() >= kFirstJudged && fewest->mass > 0.75 * total_mass_;
    }

    // Which seed is nearest is kept only where there is no sketch to say which rows a candidate may be nearer to.
    void add_first(index_t row) {
        rows_.clear();
        if (!sketching_ && !nearest_) nearest_ = make_scratch<std::int32_t>(points_.n);
        state_.nearest = sketching_ ? nullptr : nearest_.get();
        const bool make = sketching_ && !sketcher_->made();
        find_coordinates({row});
        parallel_for(tasks_, n_threads_, [&](index_t t, int w) {
            measure(t, w, coordinates_.data());
            if (make) sketcher_->make(t);
        });
        if (make) sketcher_->finish(state_.inverse_unit);
        added(row);
    }

    // The seeds so far are added again, without the sketch: distances stay the same bits, and nearest seeds are known.
    void stop_sketching() {
        sketching_ = coarse_ = false;
        const std::vector<index_t> seeds = rows_;
        add_first(seeds[0]);
        for (std::size_t s = 1; s < seeds.size(); ++s) {
            std::vector<index_t> only{seeds[s]};
            add_best(only);
        }
    }

    // Every candidate against the rows that any of them could be nearer to.
    void weigh_all(index_t t, int w, double* gains) {
        const index_t n = static_cast<index_t>(contends_.size());
        std::int32_t* list = lists_[w].data();
        for (index_t c = 0; c < n; ++c) std::fill_n(bits_of(c, t), words_of(t), std::uint64_t{0});
        const index_t count = seeding<T>().list_reachable(state_, least_limits_.data(), t * kTask, end_of(t), list);
        seeding<T>().weigh(state_, list, count, t * kTask, coordinates_.data(), n, gains, bits_of(0, t), tasks_ * kWords);
        counts_[w] += count * n;
    }

    // Every contender against the rows it is marked for, few rows at a time: they stay in cache.
    void weigh_marked(index_t t, int w, double* gains) {
        const index_t n = static_cast<index_t>(contends_.size());
        std::int32_t* list = lists_[w].data();
        for (index_t begin = t * kTask; begin < end_of(t); begin += kSpan)
            for (index_t c = 0; c < n; ++c) {
                if (!contends_[c]) continue;
                const index_t first = (begin - t * kTask) / kWord, words = std::min(kSpan / kWord, words_of(t) - first);
                std::uint64_t* bits = bits_of(c, t) + first;
                const index_t count = seeding<T>().list_marked(bits, words, list);
                std::fill_n(bits, words, std::uint64_t{0});
                seeding<T>().weigh(state_, list, count, begin, &coordinates_[c * state_.stride], 1, gains + c, bits, 0);
                counts_[w] += count;
            }
    }

    // The best of the contenders, by exact gains; marks exactly the rows that each is nearer to.
    index_t weigh() {
        const index_t n = static_cast<index_t>(contends_.size());
        bits_.resize(n * tasks_ * kWords);
        gains_.assign(tasks_ * n, 0.0);
        parallel_for(tasks_, n_threads_, [&](index_t t, int w) {
            if (sketching_) weigh_marked(t, w, &gains_[t * n]);
            else weigh_all(t, w, &gains_[t * n]);
        });
        for (index_t t = 1; t < tasks_; ++t)
            for (index_t c = 0; c < n; ++c) gains_[c] += gains_[t * n + c];
        index_t best = -1;
        for (index_t c = 0; c < n; ++c)
            if (contends_[c] && (best < 0 || gains_[c] > gains_[best])) best = c;
        return best;
    }

    // A row whose nearest seed is a cannot gain from a candidate that is at least twice as far from a as
    // the row is; the limits are lowered by more than the rounding of the squares compared.
    void reach(const std::vector<index_t>& candidates) {
        const double safe = 0.25 * (1.0 - static_cast<double>(points_.d + 8) * 0x1p-50);
        contends_.assign(candidates.size(), 1);
        limits_.clear();
        least_limits_.assign(rows_.size(), std::numeric_limits<double>::infinity());
        for (const index_t row : candidates)
            for (std::size_t a = 0; a < rows_.size(); ++a) {
                limits_.push_back(safe * exact<T>().square(points_.row(rows_[a]), points_.row(row), points_.d, state_.inverse_unit));
                least_limits_[a] = std::min(least_limits_[a], limits_.back());
            }
    }

    void find_coordinates(const std::vector<index_t>& rows) {
        coordinates_.assign(rows.size() * state_.stride, 0.0);
        for (std::size_t r = 0; r < rows.size(); ++r) std::copy_n(points_.row(rows[r]), points_.d, &coordinates_[r * state_.stride]);
    }

    void check_interrupted() {
        const auto now = std::chrono::steady_clock::now();
        if (now - asked_ < std::chrono::milliseconds(20)) return;
        asked_ = now;
        if (interrupted_ && interrupted_()) throw Interrupted();
    }

    Points<T> points_;
    index_t tasks_;
    const std::function<bool()>& interrupted_;
    std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
    int n_threads_ = 1;
    Sketcher<T>* sketcher_;  // or null where none is wanted
    bool sketching_ = false, coarse_ = false;
    double total_mass_;
    SeedState<T> state_{};
    std::vector<index_t> rows_;
    Scratch<double> square_;
    Scratch<std::int32_t> nearest_;    // made where it is needed
    std::vector<double> words_;        // sum of w md^2 of each kWord rows
    std::vector<double> totals_;       // of each task
    std::vector<double> cumulative_;   // up to and including each task
    std::vector<double> greatest_;     // md^2 of each task, where tracked
    std::vector<std::vector<std::int32_t>> lists_;  // per worker
    std::vector<std::int64_t> counts_;              // per worker
    // Of the candidates of a round:
    std::vector<double> coordinates_;  // `stride` apart
    std::vector<char> contends_;       // whether each may be the best
    std::vector<std::uint64_t> bits_;  // per candidate and row: whether the candidate is, or may be, nearer
    std::vector<double> gains_;        // per task and candidate; in the end those of all tasks first
    std::vector<double> limits_;       // per candidate and seed
    std::vector<double> least_limits_; // per seed
    std::vector<std::int32_t> candidate_bytes_;
    std::vector<Rough> rough_, rough_sums_;
};

}  // namespace seedbed
