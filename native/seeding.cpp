#include "seeding.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "engine.hpp"
#include "fixed_sum.hpp"
#include "pool.hpp"
#include "seed_kernels.hpp"

namespace seedbed {
namespace {

template <class T>
const SeedKernels<T>& seeding() {
    return *exact<T>().seeding;
}

template <class T>
std::uint64_t hash_of(const T* row, index_t d) {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (index_t j = 0; j < d; ++j) {
        const double value = static_cast<double>(row[j]) + 0.0;  // -0 and 0 are equal, so they hash alike
        h = (h ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

constexpr double kPlainExponent = 128;             // squares of raw differences are safe within 2^±128
constexpr index_t kInterval = index_t{1} << 18;  // rows scanned between two looks at the interrupter

index_t padded(index_t n) { return (n + kSketchBlock - 1) / kSketchBlock * kSketchBlock; }

// The sketch of the data, which the starts of one call share.
template <class T>
class Sketcher {
public:
    Sketcher(const Dataset<T>& data, index_t k, index_t trials) : data_(data) {
        const index_t d = data.points.d;
        // It pays where there are rounds enough, or candidates to tell apart, and is kept out of the way of memory
        // where both are few.
        if (k < 3 || d > kMaxAttributes || (k < kManyRounds && (trials < 2 || d > kFewBytes))) return;
        sketch_.pairs = (d + 1) / 2;
        bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(padded(data.points.n) * 2 * sketch_.pairs);
        sketch_.bytes = bytes_.get();
        errors_.resize((data.points.n + kTask - 1) / kTask);
        span_range();
    }

    bool wanted() const { return bytes_ != nullptr; }
    bool made() const { return made_; }
    const Sketch& get() const { return sketch_; }

    void make(index_t t) {
        const index_t end = std::min(data_.points.n, (t + 1) * kTask);
        errors_[t] = seeding<T>().make_sketch(data_.points, middle_.data(), steps_per_value_, t * kTask, end, bytes_.get());
    }

    // After the tasks of all rows are made; squares of distances are times `inverse_unit` squared.
    void finish(double inverse_unit) {
        const double row = std::sqrt(*std::max_element(errors_.begin(), errors_.end())) * kFine;
        const double candidate = std::sqrt(static_cast<double>(data_.points.d)) / 2;
        sketch_.error = (row + candidate) * (1.0 + 1e-9);
        sketch_.steps_per_distance = kFine * steps_per_value_ / inverse_unit;
        made_ = true;
    }

    // OUT out: candidates as the kernel reads them, two attributes in one int.
    void write(const std::vector<index_t>& rows, std::vector<std::int32_t>& out) const {
        const auto steps = [&](index_t row, index_t j) {
            if (j == data_.points.d) return 128 * kFine;
            const double v = static_cast<double>(data_.points.row(row)[j]) - middle_[j];
            return static_cast<int>(std::lrint(kFine * (v * steps_per_value_ + 128.0)));
        };
        out.clear();
        for (const index_t row : rows)
            for (index_t j = 0; j < data_.points.d; j += 2) out.push_back(steps(row, j) | steps(row, j + 1) << 16);
    }

    // How far the gain of the rows, in steps, may be from what the sketch says: every d^2 is off by
    // 2 e d + e^2 at most (their sum by Cauchy and Schwarz), and by the rounding of single precision.
    double error_of(const Rough& r) const {
        return 1.001 * (2.0 * sketch_.error * std::sqrt(r.mass * r.square) + sketch_.error * sketch_.error * r.mass) +
               1e-4 * (r.gain + r.square);
    }

private:
    static constexpr index_t kManyRounds = 32, kFewBytes = 10;
    static constexpr index_t kMaxAttributes = 512;  // so that sums of squares fit an int
    static constexpr double kSteps = 127.0;  // in half the range of the widest attribute

    // Bytes about the middle of every attribute, in steps as fine as the widest one allows.
    void span_range() {
        const Frame<T>& frame = data_.frame;
        middle_.assign((data_.points.d + 3) / 4 * 4, 0.0);
        double half = frame.unit / 8;  // a range is never less, unless it vanishes beside the least of units
        for (index_t j = 0; j < data_.points.d; ++j) {
            const double least = static_cast<double>(frame.least[j]), greatest = static_cast<double>(frame.greatest[j]);
            middle_[j] = least / 2 + greatest / 2;
            half = std::max({half, greatest - middle_[j], middle_[j] - least});
        }
        steps_per_value_ = kSteps / half;
    }

    const Dataset<T>& data_;
    std::vector<double> middle_;  // d, padded to a multiple of four
    double steps_per_value_ = 0.0;
    std::unique_ptr<std::uint8_t[]> bytes_;
    std::vector<double> errors_;  // per task
    Sketch sketch_{};
    bool made_ = false;
};

// Seeds chosen so far and how far every row is from its nearest one. Rows are treated in tasks of fixed
// size whose sums are added in order, so nothing depends on the number of threads.
template <class T>
class Seeder {
public:
    Seeder(const Dataset<T>& data, Sketcher<T>& sketcher, index_t k, index_t trials, int n_threads, const std::function<bool()>& interrupted)
        : points_(data.points), tasks_((points_.n + kTask - 1) / kTask), interrupted_(interrupted), sketcher_(sketcher),
          square_(std::make_unique_for_overwrite<double[]>(padded(points_.n))),
          nearest_(std::make_unique_for_overwrite<std::int32_t[]>(points_.n)), words_((points_.n + kWord - 1) / kWord), totals_(tasks_),
          cumulative_(tasks_) {
        n_threads_ = static_cast<int>(std::clamp<index_t>(pays_inside(points_, trials) ? n_threads : 1, 1, tasks_));
        for (int w = 0; w < n_threads_; ++w) lists_.emplace_back(std::min(points_.n, kTask) + 1);
        counts_.assign(n_threads_, 0);
        state_.points = points_;
        state_.inverse_unit = std::abs(std::log2(data.frame.unit)) <= kPlainExponent ? 1.0 : data.inverse_unit();
        state_.weight_scale = points_.weight ? data.frame.weight_grid * 0x1p-50 : 1.0;
        state_.stride = (points_.d + 3) / 4 * 4;
        total_mass_ = data.frame.total_mass * state_.weight_scale;
        state_.square = square_.get();
        state_.nearest = nearest_.get();
        state_.words = words_.data();
        std::fill(square_.get() + points_.n, square_.get() + padded(points_.n), 0.0);
        rows_.reserve(k);
    }

    // Whether the work of a round is worth several threads.
    static bool pays_inside(const Points<T>& points, index_t trials) { return points.n * (trials * points.d + kOverhead) >= kWorthThreads; }

    const std::vector<index_t>& rows() const { return rows_; }
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
        rows_.clear();
        std::fill(counts_.begin(), counts_.end(), 0);
        sketching_ = sketcher_.wanted();
        const bool make = sketching_ && !sketcher_.made();
        find_coordinates({row});
        parallel_for(tasks_, n_threads_, [&](index_t t, int w) {
            std::fill(&square_[t * kTask], &square_[end_of(t)], std::numeric_limits<double>::infinity());
            std::fill(&nearest_[t * kTask], &nearest_[end_of(t)], 0);
            lower_all(t, w, coordinates_.data());
            if (make) sketcher_.make(t);
        });
        if (make) sketcher_.finish(state_.inverse_unit);
        added(row);
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
        if (coarse_) sketching_ = false;
        added(candidates[best]);
    }

private:
    static constexpr index_t kWords = kTask / kWord;            // per task
    static constexpr index_t kSpan = 512;                       // rows weighed against all contenders in turn
    static constexpr std::size_t kFirstJudged = 4;              // seeds from which a sketch should rule out most rows
    static constexpr index_t kOverhead = 8;                     // per row, in multiply-adds
    static constexpr index_t kWorthThreads = index_t{1} << 20;  // multiply-adds per seed
    static constexpr index_t kInOrder = 4, kScattered = 28;     // per row in order, per row of a list, in attributes

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
        sketcher_.write(candidates, candidate_bytes_);
        rough_.resize(tasks_ * n);
        bits_.resize(n * tasks_ * kWords);
        const Weighted rows{square_.get(), points_.weight, state_.weight_scale};
        parallel_for(tasks_, n_threads_, [&](index_t t, int) {
            seeding<T>().compare(sketcher_.get(), rows, candidate_bytes_.data(), n, t * kTask, end_of(t), bits_of(0, t), tasks_ * kWords, &rough_[t * n]);
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
        for (const Rough& r : rough_sums_) least = std::max(least, r.gain - sketcher_.error_of(r));
        contends_.resize(n);
        for (index_t c = 0; c < n; ++c) contends_[c] = rough_sums_[c].gain + sketcher_.error_of(rough_sums_[c]) >= least;
    }

    // A sketch that lets most rows pass is of no use: its steps are large beside the distances.
    void judge() {
        const auto fewest = std::min_element(rough_sums_.begin(), rough_sums_.end(), [](const Rough& a, const Rough& b) { return a.mass < b.mass; });
        coarse_ = rows_.size() >= kFirstJudged && fewest->mass > 0.75 * total_mass_;
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
    Sketcher<T>& sketcher_;
    bool sketching_ = false, coarse_ = false;
    double total_mass_;
    SeedState<T> state_{};
    std::vector<index_t> rows_;
    std::unique_ptr<double[]> square_;
    std::unique_ptr<std::int32_t[]> nearest_;
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

template <class T>
Chosen draw_start(Seeder<T>& seeder, index_t k, const double* uniforms, index_t trials, const std::vector<index_t>& given) {
    Chosen out;
    std::vector<index_t> candidates;
    for (index_t r = 0; r < k; ++r) {
        const double* u = uniforms + r * trials;
        const bool known = r < static_cast<index_t>(given.size());
        if (r == 0) {
            seeder.start(known ? given[0] : seeder.draw_by_weight(u[0]));
        } else {
            candidates.clear();
            if (known) candidates.push_back(given[r]);
            else std::transform(u, u + trials, std::back_inserter(candidates), [&](double v) { return seeder.draw(v); });
            seeder.add_best(candidates);
        }
        out.potential.push_back(seeder.potential() * seeder.unit() * seeder.unit() / seeder.weight_scale());
        if (!(seeder.potential() > 0.0)) break;
    }
    out.rows = seeder.rows();
    out.distances = seeder.distances();
    return out;
}

}  // namespace

template <class T>
Chosen draw_seeds(const Dataset<T>& data, index_t k, const double* uniforms, index_t trials, int n_threads,
                  const std::function<bool()>& interrupted, const std::vector<index_t>& given) {
    for (const index_t row : given)
        if (row < 0 || row >= data.points.n) throw std::invalid_argument("no such row");
    Sketcher<T> sketcher(data, k, trials);
    Seeder<T> seeder(data, sketcher, k, trials, n_threads, interrupted);
    return draw_start(seeder, k, uniforms, trials, given);
}

template <class T>
std::vector<Chosen> draw_starts(const Dataset<T>& data, index_t k, const double* uniforms, index_t starts, index_t trials, int n_threads,
                                const std::function<bool()>& interrupted) {
    const bool across = starts > 1 && !Seeder<T>::pays_inside(data.points, trials);
    const int workers = across ? static_cast<int>(std::clamp<index_t>(n_threads, 1, starts)) : 1;
    const std::function<bool()> never;
    Sketcher<T> sketcher(data, k, trials);
    std::vector<std::unique_ptr<Seeder<T>>> seeders;
    for (int w = 0; w < workers; ++w)
        seeders.push_back(std::make_unique<Seeder<T>>(data, sketcher, k, trials, across ? 1 : n_threads, w == 0 ? interrupted : never));
    std::vector<Chosen> out(starts);
    const auto draw = [&](index_t s, int w) { out[s] = draw_start(*seeders[w], k, uniforms + s * k * trials, trials, {}); };
    draw(0, 0);  // and the sketch on the way
    parallel_for(starts - 1, workers, [&](index_t s, int w) { draw(s + 1, w); });
    return out;
}

template <class T>
Chosen farthest_seeds(const Dataset<T>& data, index_t k, index_t first, int n_threads, const std::function<bool()>& interrupted) {
    Sketcher<T> sketcher(data, k, 1);
    Seeder<T> seeder(data, sketcher, k, 1, n_threads, interrupted);
    seeder.track_farthest();
    seeder.start(first);
    Chosen out;
    out.distance.push_back(0.0);
    double square = 0.0;
    std::vector<index_t> candidates;
    while (static_cast<index_t>(seeder.rows().size()) < k) {
        candidates.assign(1, seeder.farthest(square));
        if (!(square > 0.0)) break;
        out.distance.push_back(std::sqrt(square) * seeder.unit());
        seeder.add_best(candidates);
    }
    out.rows = seeder.rows();
    out.distances = seeder.distances();
    return out;
}

namespace {

// Seeds that rows take the place of, and how far they are from each other.
template <class T>
class Spreader {
public:
    Spreader(const Dataset<T>& data, std::vector<index_t> rows)
        : points_(data.points), rows_(std::move(rows)), k_(static_cast<index_t>(rows_.size())), gaps_(k_ * k_), least_(k_) {
        state_.points = points_;
        state_.inverse_unit = std::abs(std::log2(data.frame.unit)) <= kPlainExponent ? 1.0 : data.inverse_unit();
        state_.stride = (points_.d + 3) / 4 * 4;
        centers_.resize(k_ * state_.stride);
        for (index_t c = 0; c < k_; ++c) put(c, rows_[c]);
        measure();
    }

    const std::vector<index_t>& rows() const { return rows_; }

    // The first row in [begin, end) that spreads the seeds takes its place among them; `end` where there is none.
    index_t replace(index_t begin, index_t end) {
        const Spreading found = seeding<T>().first_spreading(state_, {centers_.data(), k_, least_.data(), closest_}, begin, end);
        if (found.row == end) return end;
        put(found.square > closest_ ? nearer_of_closest(found.row) : found.nearest, found.row);
        measure();
        return found.row;
    }

private:
    double square(index_t row, index_t seed) const {
        return exact<T>().square(points_.row(row), points_.row(rows_[seed]), points_.d, state_.inverse_unit);
    }

    void put(index_t seed, index_t row) {
        rows_[seed] = row;
        std::copy_n(points_.row(row), points_.d, &centers_[seed * state_.stride]);
        for (index_t c = 0; c < k_; ++c) gaps_[seed * k_ + c] = gaps_[c * k_ + seed] = square(row, c);
        gaps_[seed * k_ + seed] = std::numeric_limits<double>::infinity();
    }

    void measure() {
        for (index_t c = 0; c < k_; ++c) least_[c] = *std::min_element(&gaps_[c * k_], &gaps_[c * k_] + k_);
        closest_ = *std::min_element(least_.begin(), least_.end());
    }

    // Of the first closest pair, the first of two equally near.
    index_t nearer_of_closest(index_t row) const {
        const index_t at = std::find(gaps_.begin(), gaps_.end(), closest_) - gaps_.begin();
        const index_t a = at / k_, b = at % k_;
        return square(row, b) < square(row, a) ? b : a;
    }

    Points<T> points_;
    std::vector<index_t> rows_;
    index_t k_;
    SeedState<T> state_{};
    std::vector<double> centers_, gaps_, least_;
    double closest_ = 0.0;
};

}  // namespace

template <class T>
Spread spread_seeds(const Dataset<T>& data, std::vector<index_t> rows, const std::function<bool()>& interrupted) {
    const index_t n = data.points.n;
    if (rows.size() < 2) throw std::invalid_argument("two seeds at least");
    if (std::any_of(rows.begin(), rows.end(), [n](index_t row) { return row < 0 || row >= n; })) throw std::invalid_argument("no such row");
    index_t next = rows.back() + 1;
    Spreader<T> spreader(data, std::move(rows));
    Spread out;
    for (index_t end = next; next < n;) {
        if (next == end) {
            if (interrupted && interrupted()) throw Interrupted();
            end = std::min(n, next + kInterval);
        }
        const index_t row = spreader.replace(next, end);
        out.replaced += row < end;
        next = std::min(end, row + 1);
    }
    out.rows = spreader.rows();
    return out;
}

template <class T>
std::vector<T> label_means(const Dataset<T>& data, const std::int32_t* labels, index_t k) {
    const index_t n = data.points.n, d = data.points.d;
    FixedSums sums(k, d, data.points.weight != nullptr);
    const Step<T> step = data.step();
    for (index_t i = 0; i < n; ++i) {
        if (labels[i] < 0 || labels[i] >= k) throw std::invalid_argument("label out of range");
        kernels<T>().move_row(step, sums.sheet(), i, -1, labels[i]);
    }
    std::vector<T> means(k * d);
    for (index_t c = 0; c < k; ++c) {
        if (sums.count(c) == 0) throw std::invalid_argument("label without a row");
        const double mass = sums.mass(c, data.frame.weight_grid);
        const int128_t* total = sums.total(c);
        for (index_t j = 0; j < d; ++j)
            means[c * d + j] = static_cast<T>(static_cast<double>(data.frame.shift[j]) + from_fixed(total[j], data.frame.grid[j]) / mass);
    }
    return means;
}

template <class T>
index_t longest_row(const Dataset<T>& data) {
    const Points<T>& p = data.points;
    double reach = data.frame.unit;  // at least the greatest |x - shift|
    for (index_t j = 0; j < p.d; ++j) reach = std::max(reach, std::abs(static_cast<double>(data.frame.shift[j])));
    const double inverse = std::ldexp(1.0, -std::clamp(std::ilogb(reach) + 2, -1000, 1000));
    const std::vector<T> origin(p.d, T{0});
    index_t longest = 0;
    double most = -1.0;
    for (index_t i = 0; i < p.n; ++i) {
        const double square = exact<T>().square(p.row(i), origin.data(), p.d, inverse);
        if (square > most) most = square, longest = i;
    }
    return longest;
}

namespace {

// With an open-addressed table of rows that is never more than half full; row_at(i) is the i-th of n rows.
template <class T, class RowAt>
std::vector<index_t> first_distinct(index_t n, index_t d, index_t limit, const RowAt& row_at) {
    std::vector<index_t> found;
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(std::min(limit, n)) * 2 + 1);
    std::vector<index_t> table(size, -1);
    for (index_t i = 0; i < n && static_cast<index_t>(found.size()) < limit; ++i) {
        const T* row = row_at(i);
        std::size_t slot = hash_of(row, d) & (size - 1);
        while (table[slot] >= 0 && !std::equal(row, row + d, row_at(table[slot]))) slot = (slot + 1) & (size - 1);
        if (table[slot] >= 0) continue;
        table[slot] = i;
        found.push_back(i);
    }
    return found;
}

}  // namespace

template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit) {
    return first_distinct<T>(points.n, points.d, limit, [&](index_t i) { return points.row(i); });
}

template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit, const index_t* among, index_t n) {
    if (std::any_of(among, among + n, [&](index_t row) { return row < 0 || row >= points.n; })) throw std::invalid_argument("no such row");
    return first_distinct<T>(n, points.d, limit, [&](index_t i) { return points.row(among[i]); });
}

#define SEEDBED_INSTANTIATE(T)                                                                                             \
    template std::vector<index_t> distinct_rows<T>(const Points<T>&, index_t);                                             \
    template std::vector<index_t> distinct_rows<T>(const Points<T>&, index_t, const index_t*, index_t);                    \
    template Chosen draw_seeds<T>(const Dataset<T>&, index_t, const double*, index_t, int, const std::function<bool()>&,   \
                                  const std::vector<index_t>&);                                                            \
    template std::vector<Chosen> draw_starts<T>(const Dataset<T>&, index_t, const double*, index_t, index_t, int,          \
                                                const std::function<bool()>&);                                            \
    template Chosen farthest_seeds<T>(const Dataset<T>&, index_t, index_t, int, const std::function<bool()>&);            \
    template std::vector<T> label_means<T>(const Dataset<T>&, const std::int32_t*, index_t);                               \
    template Spread spread_seeds<T>(const Dataset<T>&, std::vector<index_t>, const std::function<bool()>&);               \
    template index_t longest_row<T>(const Dataset<T>&);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
