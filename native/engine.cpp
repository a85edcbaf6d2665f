#include "engine.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "aligned.hpp"
#include "centers.hpp"
#include "direct_means.hpp"
#include "fixed_sum.hpp"
#include "pool.hpp"
#include "tree.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;
constexpr index_t kShared = 4;          // runs from which a coarse copy of the data, shared by all, pays at once
constexpr index_t kBytesPerPoint = 24;  // that a run alone may take for labels, bounds and copy

// Asks the watcher at most every 20 ms, from the calling thread only; every worker sees the answer.
class Interrupter {
public:
    explicit Interrupter(const Watch& watch) : watch_(watch) {}
    void check(bool caller) {
        if (caller && watch_.interrupted) {
            const auto now = Clock::now();
            if (now - last_ > std::chrono::milliseconds(20)) {
                last_ = now;
                if (watch_.interrupted()) stop_.store(true);
            }
        }
        if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
    }

private:
    const Watch& watch_;
    Clock::time_point last_ = Clock::now();
    std::atomic<bool> stop_{false};
};

// What was freed would otherwise be kept at hand, and the copy is too large for it.
void give_back_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

template <class T>
double sum_of_squares_in_units(const Dataset<T>& data, const T* centers, const std::int32_t* labels, int n_threads) {
    const index_t n = data.points.n, tasks = (n + kTask - 1) / kTask;
    std::vector<double> parts(tasks);
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        parts[t] = exact<T>().sse(data.points, centers, labels, data.inverse_unit(), t * kTask, std::min(n, (t + 1) * kTask));
    });
    double sum = 0.0;
    for (const double part : parts) sum += part;
    return sum;
}

// Measured (docs/development/engine.md): groups of centres pay once there are several of them and a
// distance costs more than the bookkeeping.
Algorithm choose_algorithm(Algorithm asked, index_t k, index_t d) {
    if (asked != Algorithm::automatic) return asked;
    return k >= 64 && d >= 16 ? Algorithm::yinyang : Algorithm::hamerly;
}

// Differences of values, and the sums of those, must be finite.
void require_room(double largest) {
    const double most = std::ldexp(1.0, kLargestExponent);
    if (largest <= most) return;
    char text[200];
    std::snprintf(text, sizeof text, "X (times the weights, where they are more than one) ranges over %.3g about its middle, more than %.3g: "
                  "sums and differences would overflow; divide X by a power of ten", largest, most);
    throw std::invalid_argument(text);
}

// One run: the loop and its memory.
template <class T>
class Loop {
public:
    // A run `alone` may add what it finds useful to the data set.
    Loop(Dataset<T>& data, const T* start, index_t k, const Options& options, bool alone, Interrupter& interrupter, const Watch& watch)
        : data_(data), n_(data.points.n), d_(data.points.d), options_(options), alone_(alone), interrupter_(interrupter), watch_(watch),
          sums_(new_sums(k)),
          labels_(n_, -1), framed_sums_(k * d_, 0.0), masses_(k, 0.0) {
        algorithm_ = choose_algorithm(options.algorithm, k, d_);
        prepare(start, k);
        if (data_.frame.grain > kUnevenWeights) direct_.emplace(data_);
    }

    Run<T> go(bool caller) {
        caller_ = caller;
        const double started = thread_cpu_seconds();
        Run<T> out;
        out.algorithm = algorithm_;
        double previous = 0.0;
        for (int t = 0;; ++t) {
            if (t >= (room_for_both() ? kPackAfter : kLeaveAfter) && failed_share_ > kManyFail) pack_alone();
            Iteration it = assign();
            it.sse = current_sse();
            if (!direct_ && too_uneven(it.sse)) {
                add_directly();
                it.sse = current_sse();
            }
            if (t == 0) out.initial_sse = it.sse;
            const bool settled = handle_empty(it);
            out.n_iter = t + 1;
            record(out, it);
            if (watch_.ended && watch_.ended(t, it, centers_->now.data(), centers_->k())) {
                out.reason = Reason::callback;
                if (!settled) update(), assign();  // labels of the relocated centres
                break;
            }
            if (settled && t > 0 && it.changed == 0) { out.reason = Reason::labels; break; }
            if (settled && options_.stop == Stop::sse && t > 0 && previous - it.sse <= options_.tol * it.sse) {
                out.reason = Reason::sse;
                break;
            }
            previous = it.sse;
            const double shift = update();
            const bool still = options_.stop == Stop::centers && settled && shift <= options_.tol * data_.frame.variance;
            if (still || t + 1 == options_.max_iter) {
                out.reason = still ? Reason::centers : Reason::max_iter;
                Iteration closing = assign();  // labels of the centres that are returned
                out.distances += closing.distances;
                break;
            }
        }
        finish(out);
        out.cpu_seconds = thread_cpu_seconds() - started + helper_cpu_;
        return out;
    }

private:
    // Memory for an assignment from scratch with k centres.
    void prepare(const T* start, index_t k) {
        using Form = typename Centers<T>::Form;
        const Form form = algorithm_ == Algorithm::yinyang ? Form::grouped : algorithm_ == Algorithm::elkan ? Form::per_center : Form::plain;
        centers_ = std::make_unique<Centers<T>>(data_, start, k, form);
        if (bounded() && bounds_fit() && !slack_) slack_ = make_scratch<float>(n_);
        lower_.reset();
        if (centers_->groups) lower_ = make_scratch<float>(n_ * centers_->groups->bounds_per_point());
        if (algorithm_ == Algorithm::tree) walk_ = std::make_unique<TreeWalk<T>>(data_, *data_.tree, k);
        first_ = true;
        without_bounds_ = !bounds_fit() || may_leave_bounds();  // the first move is large: bounds would not survive it
        make_workers(k);
    }

    bool bounded() const { return algorithm_ == Algorithm::hamerly || algorithm_ == Algorithm::yinyang || algorithm_ == Algorithm::elkan; }

    // Whether a run alone may take memory for a coarse copy, and for bounds beside it.
    bool copy_fits() const { return d_ >= kWorthCopy && (1 + (d_ + 1) / 2) * 4 <= kBytesPerPoint; }
    bool room_for_both() const { return !alone_ || (2 + (d_ + 1) / 2) * 4 <= kBytesPerPoint; }
    bool bounds_fit() const { return algorithm_ != Algorithm::hamerly || !data_.coarse || (room_for_both() && data_.coarse->rows); }

    // The coarse copy costs about an iteration: it is made for runs that have gone on for some and whose bounds
    // decide too little.
    void pack_alone() {
        if (!alone_ || n_ < kFewRows || data_.coarse || !copy_fits() || centers_->k() < 2 || algorithm_ != Algorithm::hamerly || options_.algorithm != Algorithm::automatic) return;
        if (!room_for_both()) {
            slack_.reset();
            give_back_memory();
        }
        data_.pack(room_for_both() ? Packing::rows : Packing::blocks, n_threads_);
        if (data_.coarse) centers_->take_form();
        if (bounds_fit() && !slack_) slack_ = make_scratch<float>(n_);
        without_bounds_ = !bounds_fit();
        first_ = true;
        make_workers(centers_->k());
    }

    // What a row costs in nanoseconds, about: one that fails its bound (whole cache lines, packing, scattered
    // results), and one of many in order, which are integers already where there is a coarse copy.
    struct RowCost {
        double gathered, in_order;
    };
    RowCost row_cost() const {
        const double d = static_cast<double>(d_), k = static_cast<double>(centers_->k());
        const bool coarse = data_.coarse.has_value();
        const double row = d * (coarse ? 2 : sizeof(T)), rate = is_far(row) ? (coarse ? 20.0 : 12.0) : 50.0;  // bytes per nanosecond
        const double pack = (coarse ? 0.06 : 0.25) * d, work = coarse ? k * d / 60 + 0.07 * k : k * d / 32 + 0.1 * k;
        const double gathered = (std::floor(row / 64) + 1.5) * 64 / rate + pack + 1.15 * work + (coarse ? 2 : 4);
        return {gathered, row / rate + (coarse && data_.coarse->blocks ? 0.0 : pack) + work + 1};
    }

    // Checking bounds pays while few points fail; where many do, rows are scored without until the centres move
    // half as much as they did then. Only what `auto` chose is left again.
    void weigh_bounds() {
        const RowCost cost = row_cost();
        constexpr double check = 1.0, set = 1.0;  // of a bound
        if (check + std::min(failed_share_ * cost.gathered, cost.in_order + set) < cost.in_order) return;
        without_bounds_ = true;
        calm_ = centers_->largest_move() / 2;
    }

    bool may_leave_bounds() const { return options_.algorithm == Algorithm::automatic && algorithm_ == Algorithm::hamerly && data_.coarse; }

    bool is_far(double bytes_per_row) const { return bytes_per_row * static_cast<double>(n_) > 8e6; }

    std::unique_ptr<FixedSums> new_sums(index_t k) const { return std::make_unique<FixedSums>(k, d_, data_.points.weight != nullptr); }

    void make_workers(index_t k) {
        n_threads_ = n_ * k * d_ >= kWorthThreads ? std::max(1, options_.n_threads) : 1;
        workers_.clear();
        blocks_.clear();
        words_.clear();
        deltas_.clear();
        for (int w = 0; w < n_threads_; ++w) {
            const index_t words = data_.coarse ? ((d_ + 1) / 2 + 3) * kBlock : 0;
            blocks_.emplace_back(static_cast<std::size_t>(d_ * kBlock + (centers_->groups ? kBatch * (d_ + centers_->groups->view().n) : 0)));
            words_.emplace_back(words);
            if (n_threads_ > 1) deltas_.push_back(new_sums(k));
            workers_.push_back(Worker{n_threads_ > 1 ? deltas_.back()->sheet() : sums_->sheet(), blocks_.back().data(), blocks_.back().data() + d_ * kBlock, words_.back().data()});
        }
        workers_[0].may_spare = n_threads_ == 1 && !data_.sums.empty();
    }

    Step<T> step() {
        Step<T> s = data_.step();
        s.centers = centers_->now.data();
        s.screen = centers_->screen();
        if (centers_->coarse && centers_->coarse->usable() && !walk_) s.coarse = centers_->coarse->view(n_, data_.frame.unit);
        s.labels = labels_.data();
        s.slack = slack_.get();
        s.lower = lower_.get();
        if (centers_->groups) s.groups = centers_->groups->view();
        const RowCost cost = row_cost();
        s.gather_cost = cost.gathered / cost.in_order;
        s.far = is_far(static_cast<double>(d_) * sizeof(T));
        s.quarter_gaps = centers_->quarter_gaps.data();
        s.drift_high = centers_->drift_high.data();
        s.drift_low = centers_->drift_low.data();
        return s;
    }

    Iteration assign() {
        if (without_bounds_ && bounded() && centers_->largest_move() < calm_) without_bounds_ = false, first_ = true;
        const bool checking = bounded() && !first_ && !without_bounds_;
        if (checking) centers_->add_drift();
        if (algorithm_ == Algorithm::tie_pde) centers_->find_gaps();
        for (Worker& w : workers_) w.changed = w.distances = w.failed = 0;
        if (walk_) walk_tree();
        else visit_rows();
        Iteration it{};
        std::int64_t failed = 0;
        for (Worker& w : workers_) it.changed += w.changed, it.distances += w.distances, failed += w.failed;
        failed_share_ = static_cast<double>(failed) / static_cast<double>(n_);
        if (checking && may_leave_bounds()) weigh_bounds();
        for (auto& delta : deltas_) delta->drain(*sums_);
        if (const std::int32_t spared = std::exchange(workers_[0].spared, -1); spared >= 0) sums_->set_to_rest(spared, data_.sums);
        if (first_ && without_bounds_ && bounds_fit()) calm_ = std::numeric_limits<double>::infinity();  // from the next move on
        first_ = false;
        refresh_sums();
        return it;
    }

    void walk_tree() {
        interrupter_.check(caller_);
        sums_->clear();
        walk_->assign(step(), workers_, n_threads_);
    }

    void visit_rows() {
        const Step<T> s = step();
        const auto kernel = pick();
        const index_t tasks = (n_ + kTask - 1) / kTask;
        helper_cpu_ += parallel_for(tasks, n_threads_, [&](index_t t, int w) {
            interrupter_.check(caller_ && w == 0);
            kernel(s, workers_[w], t * kTask, std::min(n_, (t + 1) * kTask));
        });
    }

    // Labels in the caller's order; the tree keeps its own until they are asked for.
    std::vector<std::int32_t>& labels() {
        if (walk_) walk_->write_labels(labels_.data());
        return labels_;
    }

    auto pick() const {
        const Kernels<T>& table = kernels<T>();
        switch (algorithm_) {
            case Algorithm::hamerly: return without_bounds_ ? table.lloyd : first_ ? table.hamerly_first : table.hamerly;
            case Algorithm::tie_pde: return table.tie_pde;
            case Algorithm::elkan: return first_ ? table.elkan_first : table.elkan;
            case Algorithm::yinyang: return first_ ? table.yinyang_first : table.yinyang;
            default: return table.lloyd;
        }
    }

    void refresh_sums() {
        for (index_t c = 0; c < centers_->k(); ++c) {
            if (!sums_->take_changed(c)) continue;
            changed_[c] = 1;
            const int128_t* total = sums_->total(c);
            for (index_t j = 0; j < d_; ++j) framed_sums_[c * d_ + j] = from_fixed(total[j], data_.frame.grid[j] * data_.frame.unit);
            masses_[c] = sums_->mass(c, data_.frame.weight_grid);
        }
        if (direct_) add_directly();
    }

    // Whether exact sums may put the means so far off that the error of the labels notices.
    bool too_uneven(double sse) const {
        const double share = data_.frame.grain * 0x1p40;  // of the root mean square
        return sse > 0.0 && share * share * data_.frame.total_mass > sse;
    }

    // From here on means and masses are those of the rows, added one by one.
    void add_directly() {
        if (!direct_) direct_.emplace(data_);
        direct_->take(labels().data(), centers_->k());
        for (index_t c = 0; c < centers_->k(); ++c) masses_[c] = direct_->mass(c);
        std::fill(changed_.begin(), changed_.end(), 1);
    }

    T mean(index_t c, index_t j) const {
        if (direct_) return direct_->mean(c, j);
        return static_cast<T>(static_cast<double>(data_.frame.shift[j]) + framed_sums_[c * d_ + j] / masses_[c] * data_.frame.unit);
    }

    // Error of the labels about the centres they were assigned to, from the sums; from the data where
    // the difference of large numbers would lose digits.
    double current_sse() {
        if (direct_) return direct_sse();
        double sse = data_.frame.total_square;
        for (index_t c = 0; c < centers_->k(); ++c) {
            double cross = 0.0, square = 0.0;
            for (index_t j = 0; j < d_; ++j) {
                const double v = (static_cast<double>(centers_->now[c * d_ + j]) - static_cast<double>(data_.frame.shift[j])) * data_.inverse_unit();
                cross += v * framed_sums_[c * d_ + j];
                square += v * v;
            }
            sse += masses_[c] * square - 2 * cross;
        }
        if (!(sse > 1e-6 * data_.frame.total_square)) sse = direct_sse();
        return sse;
    }

    double direct_sse() {
        return sum_of_squares_in_units(data_, centers_->now.data(), labels().data(), n_threads_);
    }

    // False when this iteration's labels were altered, so that it cannot be the last.
    bool handle_empty(Iteration& it) {
        std::vector<index_t> empty;
        for (index_t c = 0; c < centers_->k(); ++c)
            if (!(masses_[c] > 0.0)) empty.push_back(c);
        if (empty.empty() || options_.empty == Empty::keep) return true;
        if (options_.empty == Empty::error)
            throw EmptyCluster("cluster " + std::to_string(empty.front()) + " became empty");
        if (options_.empty == Empty::drop) drop(empty);
        else it.relocated = relocate(empty);
        return false;
    }

    // Each empty cluster takes the point with the largest w d^2 whose cluster keeps some mass.
    std::int64_t relocate(const std::vector<index_t>& empty) {
        labels();
        std::vector<double> far(n_);
        for (index_t i = 0; i < n_; ++i)
            far[i] = data_.points.mass(i) * exact<T>().square(data_.points.row(i), &centers_->now[labels_[i] * d_], d_, data_.inverse_unit());
        for (const index_t c : empty) {
            index_t chosen = -1;
            for (index_t i = 0; i < n_; ++i)
                if (far[i] > 0.0 && (chosen < 0 || far[i] > far[chosen]) && masses_[labels_[i]] > data_.points.mass(i)) chosen = i;
            if (chosen < 0) throw TooFewDistinct(count_occupied());
            const Step<T> s = step();
            kernels<T>().move_row(s, sums_->sheet(), chosen, labels_[chosen], static_cast<std::int32_t>(c));
            labels_[chosen] = static_cast<std::int32_t>(c);
            if (walk_) walk_->set_label(chosen, labels_[chosen]);
            far[chosen] = 0.0;
            forget(chosen);
            refresh_sums();
        }
        return static_cast<std::int64_t>(empty.size());
    }

    index_t count_occupied() const {
        return std::count_if(masses_.begin(), masses_.end(), [](double m) { return m > 0.0; });
    }

    void forget(index_t i) {
        constexpr float nothing = -std::numeric_limits<float>::infinity();
        if (slack_) slack_[i] = nothing;
        if (centers_->groups) std::fill_n(lower_.get() + i * centers_->groups->bounds_per_point(), centers_->groups->bounds_per_point(), nothing);
    }

    // Removes the empty clusters and starts the next assignment from scratch.
    void drop(const std::vector<index_t>& empty) {
        const index_t k = centers_->k(), left = k - static_cast<index_t>(empty.size());
        std::vector<T> kept;
        for (index_t c = 0; c < k; ++c)
            if (masses_[c] > 0.0) kept.insert(kept.end(), &centers_->now[c * d_], &centers_->now[c * d_] + d_);
        prepare(kept.data(), left);
        sums_ = new_sums(left);
        std::fill(labels_.begin(), labels_.end(), -1);
        framed_sums_.assign(left * d_, 0.0);
        masses_.assign(left, 0.0);
        changed_.assign(left, 0);
        make_workers(left);
        assign();
    }

    double update() {
        next_ = centers_->now;
        for (index_t c = 0; c < centers_->k(); ++c) {
            if (!changed_[c] || !(masses_[c] > 0.0)) continue;
            for (index_t j = 0; j < d_; ++j) next_[c * d_ + j] = mean(c, j);
        }
        const double shift = centers_->move(next_, changed_);
        std::fill(changed_.begin(), changed_.end(), 0);
        return shift;
    }

    void record(Run<T>& out, const Iteration& it) {
        out.distances += it.distances;
        out.relocated += it.relocated;
        if (options_.history) {
            out.history.push_back(it);
            out.history.back().sse *= data_.frame.unit * data_.frame.unit;
        }
    }

    void finish(Run<T>& out) {
        const double square = data_.frame.unit * data_.frame.unit;
        out.sse = options_.closing_sse ? direct_sse() * square : std::numeric_limits<double>::quiet_NaN();
        out.initial_sse *= square;
        out.k = centers_->k();
        out.centers = std::move(centers_->now);
        out.labels = std::move(labels());
    }

    static constexpr index_t kWorthThreads = index_t{1} << 21;  // multiply-adds per assignment
    static constexpr double kUnevenWeights = 0x1p-40;  // grain from which masses are in doubt, too
    static constexpr int kPackAfter = 3;       // iterations
    static constexpr int kLeaveAfter = 5;      // iterations, where bounds must go to make room
    static constexpr double kManyFail = 0.15;  // share of points whose bound does not decide
    static constexpr index_t kWorthCopy = 5;   // attributes
    static constexpr index_t kFewRows = 2048;  // below which a copy costs more than it saves
    Dataset<T>& data_;
    index_t n_, d_;
    Options options_;
    bool alone_;
    Interrupter& interrupter_;
    const Watch& watch_;
    std::unique_ptr<Centers<T>> centers_;
    std::unique_ptr<FixedSums> sums_;
    std::vector<std::int32_t> labels_;
    std::unique_ptr<TreeWalk<T>> walk_;
    Scratch<float> slack_, lower_;
    std::optional<DirectMeans<T>> direct_;  // instead of exact sums, once those say too little
    std::vector<double> framed_sums_;  // k x d, in units
    std::vector<double> masses_;       // k
    std::vector<char> changed_ = std::vector<char>(masses_.size(), 0);
    std::vector<T> next_;
    std::vector<AlignedVector<float>> blocks_;
    std::vector<std::vector<std::int32_t>> words_;
    std::vector<std::unique_ptr<FixedSums>> deltas_;
    std::vector<Worker> workers_;
    Algorithm algorithm_ = Algorithm::lloyd;
    int n_threads_ = 1;
    bool first_ = true;
    bool without_bounds_ = false;  // for now
    double failed_share_ = 0.0;    // in the last assignment
    double calm_ = -1.0;           // moves below which bounds are tried again
    bool caller_ = true;
    double helper_cpu_ = 0.0;
};

// Whether run a is better than run b: less error, then the earlier one.
template <class T>
bool better(const std::vector<Run<T>>& runs, index_t a, index_t b) {
    return runs[a].sse < runs[b].sse || (runs[a].sse == runs[b].sse && a < b);
}

}  // namespace

bool reads_coarse(Algorithm asked, index_t k, index_t d) {
    const Algorithm algorithm = choose_algorithm(asked, k, d);
    return k > 1 && (algorithm == Algorithm::lloyd || algorithm == Algorithm::hamerly);
}

template <class T>
std::vector<Run<T>> run_many(Dataset<T>& data, const T* centers, index_t n_runs, index_t k, const Options& options,
                             bool keep_labels, const Watch& watch) {
    require_room(data.frame.largest);
    if (!data.measured()) data.measure(options.n_threads);
    if (options.algorithm == Algorithm::tree) data.plant();
    Interrupter interrupter(watch);
    std::vector<Run<T>> runs(n_runs);
    const bool across = n_runs > 1;  // threads over runs; one run alone may use them inside
    Options inner = options;
    if (across) inner.n_threads = 1;
    if (n_runs >= kShared && reads_coarse(options.algorithm, k, data.points.d)) {
        data.pack(data.points.d >= kWorthBoth ? Packing::both : Packing::rows, options.n_threads);
        if (!data.points.weight) data.add_rows();
    }
    const bool alone = !across && !data.coarse;
    index_t best = -1;
    std::mutex mutex;
    const Watch silent{};
    parallel_for(n_runs, across ? options.n_threads : 1, [&](index_t r, int w) {
        interrupter.check(w == 0);
        Loop<T> loop(data, centers + r * k * data.points.d, k, inner, alone, interrupter, w == 0 ? watch : silent);
        Run<T> result = loop.go(w == 0);
        const std::lock_guard lock(mutex);
        runs[r] = std::move(result);
        if (keep_labels) return;
        const index_t loser = best < 0 ? -1 : (better(runs, r, best) ? best : r);
        if (loser != r) best = r;
        if (loser >= 0) std::vector<std::int32_t>().swap(runs[loser].labels);
    });
    return runs;
}

template <class T>
double sum_of_squares(const Dataset<T>& data, const T* centers, const std::int32_t* labels, int n_threads) {
    return sum_of_squares_in_units(data, centers, labels, n_threads) * data.frame.unit * data.frame.unit;
}

template <class T>
void assign(const Dataset<T>& data, const T* centers, index_t k, int n_threads, std::int32_t* labels) {
    const Centers<T> prepared(data, centers, k);
    Step<T> step = data.step();
    step.centers = centers;
    step.screen = prepared.screen();
    step.labels = labels;
    const index_t n = data.points.n;
    n_threads = std::max(1, n_threads);
    std::vector<AlignedVector<float>> blocks;
    for (int w = 0; w < n_threads; ++w) blocks.emplace_back(static_cast<std::size_t>(data.points.d) * kBlock);
    parallel_for((n + kTask - 1) / kTask, n_threads, [&](index_t t, int w) {
        Worker worker{SumSheet{}, blocks[w].data(), nullptr, nullptr};
        kernels<T>().label(step, worker, t * kTask, std::min(n, (t + 1) * kTask));
    });
}

#define SEEDBED_INSTANTIATE(T)                                                                                       \
    template std::vector<Run<T>> run_many<T>(Dataset<T>&, const T*, index_t, index_t, const Options&, bool, const Watch&); \
    template double sum_of_squares<T>(const Dataset<T>&, const T*, const std::int32_t*, int);                          \
    template void assign<T>(const Dataset<T>&, const T*, index_t, int, std::int32_t*);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
