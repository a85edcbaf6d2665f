#include "seeding.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
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

// The sketch of the data, where there are rounds enough to make it pay, and the candidates' part of it.
template <class T>
class Sieve {
public:
    Sieve(const Dataset<T>& data, index_t k, index_t trials)
        : data_(data), first_(2 * trials), wanted_(k >= kWorthRounds && data.points.d >= 16 && data.points.d <= 16384) {}

    void prepare(const SeedState<T>& state, index_t n_seeds, const std::vector<index_t>& candidates, int n_threads) {
        judge();
        active_ = wanted_ && n_seeds >= first_;
        if (!active_) return;
        if (bytes_.empty()) make(state, n_threads);
        tested_.assign(n_threads, 0);
        kept_.assign(n_threads, 0);
        candidates_.clear();
        for (const index_t row : candidates) {
            const std::uint8_t* bytes = bytes_.data() + row * sketch_.stride;
            candidates_.insert(candidates_.end(), bytes, bytes + sketch_.stride);
        }
        n_ = static_cast<int>(candidates.size());
    }

    // As the kernel `sieve`, where the sketch is in use.
    index_t pass(const SeedState<T>& state, index_t begin, std::int32_t* list, index_t count, double* rest, int worker) {
        if (!active_) return count;
        const index_t kept = seeding<T>().sieve(state, sketch_, candidates_.data(), n_, begin, list, count, rest);
        tested_[worker] += count;
        kept_[worker] += kept;
        return kept;
    }

private:
    static constexpr index_t kWorthRounds = 32;

    // Given up for good once it lets most rows pass: the data are too fine for bytes.
    void judge() {
        if (!active_) return;
        const auto sum = [](const std::vector<index_t>& v) { return std::accumulate(v.begin(), v.end(), index_t{0}); };
        if (10 * sum(kept_) > 8 * sum(tested_)) wanted_ = false;
    }

    void make(const SeedState<T>& state, int n_threads) {
        const Points<T>& p = data_.points;
        sketch_.stride = (p.d + 15) / 16 * 16;
        bytes_.resize(p.n * sketch_.stride);
        const index_t tasks = (p.n + kTask - 1) / kTask;
        std::vector<double> errors(tasks);
        const double steps = 127.0 * data_.inverse_unit();
        parallel_for(tasks, n_threads, [&](index_t t, int) {
            errors[t] = seeding<T>().make_sketch(p, data_.frame.shift.data(), steps, t * kTask, std::min(p.n, (t + 1) * kTask), bytes_.data(),
                                               sketch_.stride);
        });
        constexpr double kUp = 1.0 + 1e-9;  // more than the rounding of everything compared
        sketch_.bytes = bytes_.data();
        sketch_.error = 2.0 * std::sqrt(*std::max_element(errors.begin(), errors.end())) * kUp;
        sketch_.steps_per_distance = steps / state.inverse_unit * kUp;
    }

    const Dataset<T>& data_;
    index_t first_;  // number of seeds from which most rows can be expected not to pass
    bool wanted_, active_ = false;
    int n_ = 0;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::int16_t> candidates_;
    Sketch sketch_{};
    std::vector<index_t> tested_, kept_;  // per worker, in this round
};

// Seeds chosen so far and how far every row is from its nearest one. Rows are treated in tasks of fixed
// size whose sums are added in order, so nothing depends on the number of threads.
template <class T>
class Seeder {
public:
    Seeder(const Dataset<T>& data, index_t k, index_t trials, int n_threads, const std::function<bool()>& interrupted)
        : points_(data.points), tasks_((points_.n + kTask - 1) / kTask), interrupted_(interrupted), square_(points_.n),
          nearest_(points_.n, 0), totals_(tasks_), cumulative_(tasks_), sieve_(data, k, trials) {
        const index_t d = points_.d, work = points_.n * (trials * d + kOverhead);
        n_threads_ = static_cast<int>(std::clamp<index_t>(work >= kWorthThreads ? n_threads : 1, 1, tasks_));
        lists_.assign(n_threads_, std::vector<std::int32_t>(kTask + 4));
        counts_.assign(n_threads_, 0);
        state_.points = points_;
        state_.inverse_unit = std::abs(std::log2(data.frame.unit)) <= kPlainExponent ? 1.0 : data.inverse_unit();
        state_.weight_scale = points_.weight ? data.frame.weight_grid * 0x1p-50 : 1.0;
        state_.stride = (d + 3) / 4 * 4;
        state_.square = square_.data();
        state_.nearest = nearest_.data();
        rows_.reserve(k);
    }

    const std::vector<index_t>& rows() const { return rows_; }
    double unit() const { return 1.0 / state_.inverse_unit; }  // of distances
    double weight_scale() const { return state_.weight_scale; }
    double potential() const { return cumulative_.back(); }    // sum of w md^2, weights at most 1
    std::int64_t distances() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

    // The row at which the running sum of weights first exceeds u times their total.
    index_t draw_by_weight(double u) {
        if (!points_.weight) return std::min(points_.n - 1, static_cast<index_t>(u * static_cast<double>(points_.n)));
        std::fill(square_.begin(), square_.end(), 1.0);
        for (index_t t = 0; t < tasks_; ++t) {
            totals_[t] = 0.0;
            for (index_t i = t * kTask; i < end_of(t); ++i) totals_[t] += mass(i);
        }
        accumulate();
        return draw(u);
    }

    // The row at which the running sum of w md^2 first exceeds u times its total: never one of no mass.
    index_t draw(double u) {
        const double target = u * potential();
        const index_t above = std::upper_bound(cumulative_.begin(), cumulative_.end(), target) - cumulative_.begin();
        const index_t t = std::min(above, tasks_ - 1);
        catch_up(t, 0);
        double sum = t > 0 ? cumulative_[t - 1] : 0.0;
        index_t last = -1;
        for (index_t i = t * kTask; i < end_of(t); ++i) {
            const double mass = this->mass(i) * square_[i];
            if (!(mass > 0.0)) continue;
            last = i;
            sum += mass;
            if (sum > target) break;
        }
        return last;
    }

    // The row farthest from its nearest seed; `square` is how far.
    index_t farthest(double& square) const {
        const index_t t = std::max_element(greatest_.begin(), greatest_.end()) - greatest_.begin();
        square = greatest_[t];
        return std::find(square_.begin() + t * kTask, square_.begin() + end_of(t), square) - square_.begin();
    }

    void track_farthest() { greatest_.resize(tasks_); }

    // Adds a seed and brings every row up to date.
    void add(index_t row) {
        check_interrupted();
        const std::vector<double> center = coordinates_of({row});
        const std::int32_t id = static_cast<std::int32_t>(rows_.size());
        if (id == 0) std::fill(square_.begin(), square_.end(), std::numeric_limits<double>::infinity());
        else prepare({row});
        parallel_for(tasks_, n_threads_, [&](index_t t, int w) {
            const Reach r = id == 0 ? Reach{nullptr, end_of(t) - t * kTask, 0.0} : reach(t, w);
            totals_[t] = r.rest + seeding<T>().lower(state_, r.list, r.count, t * kTask, center.data(), id);
            counts_[w] += r.count;
            if (!greatest_.empty()) greatest_[t] = seeding<T>().greatest(state_, t * kTask, end_of(t));
        });
        rows_.push_back(row);
        accumulate();
    }

    // Adds the candidate that leaves the least sum of w md^2, the first among equals. The rows it is
    // nearer to are flagged, and brought up to date when their task is visited next.
    void add_best(const std::vector<index_t>& candidates) {
        check_interrupted();
        const index_t n = static_cast<index_t>(candidates.size());
        const std::vector<double> coordinates = coordinates_of(candidates);
        std::vector<double> parts(tasks_ * n);
        prepare(candidates);
        nearer_.resize(tasks_ * kWords * n);
        parallel_for(tasks_, n_threads_, [&](index_t t, int w) {
            catch_up(t, w);
            const Reach r = reach(t, w);
            for (index_t c = 0; c < n; ++c) std::fill_n(nearer_of(c, t), kWords, std::uint64_t{0});
            for (index_t c = 0; c < n; c += kMaxCandidates)
                seeding<T>().weigh(state_, r.list, r.count, t * kTask, &coordinates[c * state_.stride],
                                 static_cast<int>(std::min<index_t>(kMaxCandidates, n - c)), &parts[t * n + c], nearer_of(c, t),
                                 tasks_ * kWords);
            for (index_t c = 0; c < n; ++c) parts[t * n + c] += r.rest;
            counts_[w] += r.count * n;
        });
        std::vector<double> sums(n, 0.0);
        for (index_t t = 0; t < tasks_; ++t)
            for (index_t c = 0; c < n; ++c) sums[c] += parts[t * n + c];
        const index_t best = std::min_element(sums.begin(), sums.end()) - sums.begin();
        for (index_t t = 0; t < tasks_; ++t) totals_[t] = parts[t * n + best];
        pending_ = {coordinates_of({candidates[best]}), static_cast<std::int32_t>(rows_.size()),
                    best, std::vector<char>(tasks_, 1)};
        rows_.push_back(candidates[best]);
        accumulate();
    }

private:
    static constexpr index_t kWords = kTask / kWord;            // per task
    static constexpr index_t kOverhead = 8;                     // per row, in multiply-adds
    static constexpr index_t kWorthThreads = index_t{1} << 20;  // multiply-adds per seed
    static constexpr double kPlainExponent = 128;               // squares of raw differences are safe within 2^±128

    struct Reach {  // rows of a task that candidates may be nearer to; all of them where the list is null
        const std::int32_t* list;
        index_t count;
        double rest;  // sum of w md^2 of the other rows
    };
    struct Pending {  // a seed that tasks have yet to take into account
        std::vector<double> center;
        std::int32_t id = 0;
        index_t candidate = 0;
        std::vector<char> tasks;
    };

    index_t end_of(index_t t) const { return std::min(points_.n, (t + 1) * kTask); }
    std::uint64_t* nearer_of(index_t candidate, index_t t) { return nearer_.data() + (candidate * tasks_ + t) * kWords; }
    double mass(index_t i) const { return points_.mass(i) * state_.weight_scale; }

    void accumulate() { std::partial_sum(totals_.begin(), totals_.end(), cumulative_.begin()); }

    Reach reach(index_t t, int w) {
        const index_t begin = t * kTask, end = end_of(t);
        double rest = 0.0;
        std::int32_t* list = lists_[w].data();
        index_t count = seeding<T>().within_reach(state_, limit_.data(), begin, end, list, &rest);
        count = sieve_.pass(state_, begin, list, count, &rest, w);
        if (4 * count >= 3 * (end - begin)) return {nullptr, end - begin, 0.0};  // reading on is faster than skipping
        return {list, count, rest};
    }

    void prepare(const std::vector<index_t>& candidates) {
        find_limits(candidates);
        sieve_.prepare(state_, rows_.size(), candidates, n_threads_);
    }

    void catch_up(index_t t, int w) {
        if (pending_.tasks.empty() || !pending_.tasks[t]) return;
        std::int32_t* list = lists_[w].data();
        index_t count = 0;
        const std::uint64_t* nearer = nearer_of(pending_.candidate, t);
        for (index_t word = 0; word < kWords; ++word)
            for (std::uint64_t m = nearer[word]; m; m &= m - 1)
                list[count++] = static_cast<std::int32_t>(word * kWord + std::countr_zero(m));
        seeding<T>().lower(state_, list, count, t * kTask, pending_.center.data(), pending_.id);
        counts_[w] += count;
        pending_.tasks[t] = 0;
    }

    // A row whose nearest seed is a cannot gain from candidates that are at least twice as far from a as
    // the row is; the limits are lowered by more than the rounding of the squares compared.
    void find_limits(const std::vector<index_t>& candidates) {
        const double safe = 0.25 * (1.0 - static_cast<double>(points_.d + 8) * 0x1p-50);
        limit_.clear();
        for (const index_t seed : rows_) {
            double least = std::numeric_limits<double>::infinity();
            for (const index_t row : candidates)
                least = std::min(least, exact<T>().square(points_.row(seed), points_.row(row), points_.d, state_.inverse_unit));
            limit_.push_back(least * safe);
        }
    }

    std::vector<double> coordinates_of(const std::vector<index_t>& rows) const {
        std::vector<double> out(rows.size() * state_.stride, 0.0);
        for (std::size_t r = 0; r < rows.size(); ++r) std::copy_n(points_.row(rows[r]), points_.d, &out[r * state_.stride]);
        return out;
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
    SeedState<T> state_{};
    std::vector<index_t> rows_;
    std::vector<double> square_;
    std::vector<std::int32_t> nearest_;
    std::vector<std::uint64_t> nearer_;  // per candidate and row, a bit: whether it is nearer
    std::vector<double> totals_;      // sum of w md^2 of each task
    std::vector<double> cumulative_;  // up to and including each task
    std::vector<double> greatest_;    // md^2 of each task, where tracked
    std::vector<double> limit_;       // per seed
    Pending pending_;
    Sieve<T> sieve_;
    std::vector<std::vector<std::int32_t>> lists_;  // per worker
    std::vector<std::int64_t> counts_;              // per worker
};

}  // namespace

template <class T>
Chosen draw_seeds(const Dataset<T>& data, index_t k, const double* uniforms, index_t trials, int n_threads,
                  const std::function<bool()>& interrupted) {
    Seeder<T> seeder(data, k, trials, n_threads, interrupted);
    Chosen out;
    std::vector<index_t> candidates(trials);
    for (index_t r = 0; r < k; ++r) {
        const double* u = uniforms + r * trials;
        if (r == 0) {
            seeder.add(seeder.draw_by_weight(u[0]));
        } else {
            for (index_t c = 0; c < trials; ++c) candidates[c] = seeder.draw(u[c]);
            if (trials == 1) seeder.add(candidates[0]);
            else seeder.add_best(candidates);
        }
        out.potential.push_back(seeder.potential() * seeder.unit() * seeder.unit() / seeder.weight_scale());
        if (!(seeder.potential() > 0.0)) break;
    }
    out.rows = seeder.rows();
    out.distances = seeder.distances();
    return out;
}

template <class T>
Chosen farthest_seeds(const Dataset<T>& data, index_t k, index_t first, int n_threads, const std::function<bool()>& interrupted) {
    Seeder<T> seeder(data, k, 1, n_threads, interrupted);
    seeder.track_farthest();
    Chosen out;
    double square = 0.0;
    for (index_t row = first; static_cast<index_t>(seeder.rows().size()) < k; row = seeder.farthest(square)) {
        if (!seeder.rows().empty() && !(square > 0.0)) break;
        out.distance.push_back(std::sqrt(square) * seeder.unit());
        seeder.add(row);
    }
    out.rows = seeder.rows();
    out.distances = seeder.distances();
    return out;
}

template <class T>
std::vector<T> label_means(const Dataset<T>& data, const std::int32_t* labels, index_t k) {
    const index_t n = data.points.n, d = data.points.d;
    FixedSums sums(k, d);
    const Step<T> step = data.step();
    for (index_t i = 0; i < n; ++i) {
        if (labels[i] < 0 || labels[i] >= k) throw std::invalid_argument("label out of range");
        kernels<T>().move_row(step, sums.sheet(), i, -1, labels[i]);
    }
    std::vector<T> means(k * d);
    for (index_t c = 0; c < k; ++c) {
        if (sums.count(c) == 0) throw std::invalid_argument("label without a row");
        const double mass = from_fixed(sums.mass(c), data.frame.weight_grid);
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

// An open-addressed table of rows that is never more than half full.
template <class T>
std::vector<index_t> distinct_rows(const Points<T>& points, index_t limit) {
    const index_t d = points.d;
    std::vector<index_t> found;
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(std::min(limit, points.n)) * 2 + 1);
    std::vector<index_t> table(size, -1);
    for (index_t i = 0; i < points.n && static_cast<index_t>(found.size()) < limit; ++i) {
        const T* row = points.row(i);
        std::size_t slot = hash_of(row, d) & (size - 1);
        while (table[slot] >= 0 && !std::equal(row, row + d, points.row(table[slot]))) slot = (slot + 1) & (size - 1);
        if (table[slot] >= 0) continue;
        table[slot] = i;
        found.push_back(i);
    }
    return found;
}

#define SEEDBED_INSTANTIATE(T)                                                                                             \
    template std::vector<index_t> distinct_rows<T>(const Points<T>&, index_t);                                             \
    template Chosen draw_seeds<T>(const Dataset<T>&, index_t, const double*, index_t, int, const std::function<bool()>&);  \
    template Chosen farthest_seeds<T>(const Dataset<T>&, index_t, index_t, int, const std::function<bool()>&);            \
    template std::vector<T> label_means<T>(const Dataset<T>&, const std::int32_t*, index_t);                               \
    template index_t longest_row<T>(const Dataset<T>&);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
