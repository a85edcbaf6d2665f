#include "hartigan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine.hpp"
#include "fixed_sum.hpp"
#include "pool.hpp"

namespace seedbed {
namespace {

constexpr double kSafe = 1e-9;  // share by which bounds are widened, far more than rounding needs

// How far a row is from its own mean and from any other, at most and at least, as long as means have
// moved no farther than was subtracted or added on reading.
struct Bounds {
    double own;    // less how far the own mean had moved
    double other;  // plus how far the means had moved
};

template <class T>
class Refinement {
public:
    Refinement(const Dataset<T>& data, const T* centers, index_t k, const std::int32_t* labels, int n_threads)
        : data_(data), n_(data.points.n), d_(data.points.d), k_(k), inverse_unit_(data.inverse_unit()), step_(data.step()),
          centers_(centers, centers + k * d_), labels_(labels, labels + n_), sums_(k, d_, data.points.weight != nullptr), means_(k * d_), masses_(k), gaps_(k * k),
          drift_(k), bounds_(n_), row_(d_), before_(d_) {
        data.add_rows(labels, k, sums_);
        for (index_t c = 0; c < k_; ++c) find_mean(c);
        find_gaps();
        find_bounds(n_threads);
    }

    Pass pass(const std::function<bool()>& interrupted) {
        Pass done{0.0, 0, std::exchange(first_distances_, 0)};
        for (index_t i = 0; i < n_; ++i) {
            if (i % kTask == 0 && interrupted && interrupted()) throw Interrupted();
            if (!may_move(i)) continue;
            visit(i, done);
        }
        done.sse = std::max(0.0, error_) * data_.frame.unit * data_.frame.unit;
        if (done.moved > 0) find_gaps();
        return done;
    }

    void finish(Refined<T>& out) {
        out.labels = std::move(labels_);
        for (index_t c = 0; c < k_; ++c)
            for (index_t j = 0; j < d_ && masses_[c] > 0.0; ++j)
                centers_[c * d_ + j] = static_cast<T>(static_cast<double>(data_.frame.shift[j]) + means_[c * d_ + j] * data_.frame.unit);
        out.centers = std::move(centers_);
    }

private:
    double* mean(index_t c) { return &means_[c * d_]; }
    double distance(const double* row, index_t c) const { return std::sqrt(exact<double>().square(row, &means_[c * d_], d_, 1.0)); }

    // From exact sums, so that means do not drift however many rows come and go.
    void find_mean(index_t c) {
        masses_[c] = sums_.mass(c, data_.frame.weight_grid);
        if (!(masses_[c] > 0.0)) return;
        const int128_t* total = sums_.total(c);
        for (index_t j = 0; j < d_; ++j) mean(c)[j] = from_fixed(total[j], data_.frame.grid[j]) * inverse_unit_ / masses_[c];
    }

    void find_gaps() {
        lightest_ = std::numeric_limits<double>::infinity();
        for (index_t a = 0; a < k_; ++a) {
            if (masses_[a] > 0.0) lightest_ = std::min(lightest_, masses_[a]);
            for (index_t b = 0; b < k_; ++b) gaps_[a * k_ + b] = distance(mean(a), b);
        }
        drift_at_gaps_ = drift_;
    }

    // Distances between means, at least.
    double gap(index_t a, index_t b) const {
        return gaps_[a * k_ + b] * (1 - kSafe) - (drift_[a] - drift_at_gaps_[a]) - (drift_[b] - drift_at_gaps_[b]);
    }

    void load(index_t i, double* row) const {
        const T* x = data_.points.row(i);
        for (index_t j = 0; j < d_; ++j) row[j] = (static_cast<double>(x[j]) - static_cast<double>(data_.frame.shift[j])) * inverse_unit_;
    }

    // Every row's bounds, and the error, before anything moves.
    void find_bounds(int n_threads) {
        const index_t tasks = (n_ + kTask - 1) / kTask;
        std::vector<double> errors(tasks, 0.0);
        std::vector<std::int64_t> counts(tasks, 0);
        parallel_for(tasks, n_threads, [&](index_t t, int) {
            std::vector<double> row(d_);
            for (index_t i = t * kTask; i < std::min(n_, (t + 1) * kTask); ++i) {
                load(i, row.data());
                const index_t a = labels_[i];
                const double own = distance(row.data(), a);
                double other = std::numeric_limits<double>::infinity();
                for (index_t b = 0; b < k_; ++b) {
                    if (b == a || !(masses_[b] > 0.0) || gap(a, b) - own >= other) continue;
                    other = std::min(other, distance(row.data(), b));
                    ++counts[t];
                }
                bounds_[i] = {own, other};
                errors[t] += data_.points.mass(i) * own * own;
                ++counts[t];
            }
        });
        for (index_t t = 0; t < tasks; ++t) error_ += errors[t], first_distances_ += counts[t];
    }

    // False where no other mean can be near enough, however the clusters have changed.
    bool may_move(index_t i) const {
        const index_t a = labels_[i];
        const double w = data_.points.mass(i), left = masses_[a] - w;
        if (!(w > 0.0) || !(left > 0.0) || sums_.count(a) == 1) return false;
        const double own = bounds_[i].own + drift_[a], other = bounds_[i].other - total_drift_;
        const double share = lightest_ / (lightest_ + w);  // the least that a joining row is counted by
        return !(other > 0.0 && share * other * other > masses_[a] / left * own * own * (1 + kSafe));
    }

    void visit(index_t i, Pass& done) {
        const std::int32_t a = labels_[i];
        const double w = data_.points.mass(i), left = masses_[a] - w;
        load(i, row_.data());
        const double own = distance(row_.data(), a), leaving = masses_[a] / left * own * own;
        // How far distances may be off: a move must gain more than that.
        const double delta = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(d_));
        double least = leaving * (1 - 1e-12) - 4 * masses_[a] / left * delta * (own + delta);
        double other = std::numeric_limits<double>::infinity();
        std::int32_t best = a;
        ++done.distances;
        for (index_t b = 0; b < k_; ++b) {
            if (b == a || !(masses_[b] > 0.0)) continue;
            const double share = masses_[b] / (masses_[b] + w), reach = gap(a, b) - own;
            if (reach > 0.0 && reach >= other && share * reach * reach >= least) continue;
            const double away = distance(row_.data(), b);
            ++done.distances;
            other = std::min(other, away);
            if (share * away * away < least) least = share * away * away, best = static_cast<std::int32_t>(b);
        }
        bounds_[i] = {own - drift_[a], other + total_drift_};
        if (best == a) return;
        error_ -= w * (leaving - least);
        ++done.moved;
        move(i, a, best);
    }

    void move(index_t i, std::int32_t from, std::int32_t to) {
        kernels<T>().move_row(step_, sums_.sheet(), i, from, to);
        labels_[i] = to;
        double farthest = 0.0;
        for (const std::int32_t c : {from, to}) {
            std::copy_n(mean(c), d_, before_.begin());
            find_mean(c);
            const double moved = distance(before_.data(), c) * (1 + kSafe);
            drift_[c] += moved;
            farthest = std::max(farthest, moved);
        }
        total_drift_ += farthest;
        lightest_ = std::min(lightest_, masses_[from]);
        // Where the row stands now is looked up when it is next visited.
        bounds_[i] = {std::numeric_limits<double>::infinity(), 0.0};
    }

    const Dataset<T>& data_;
    index_t n_, d_, k_;
    double inverse_unit_;
    Step<T> step_;
    std::vector<T> centers_;
    std::vector<std::int32_t> labels_;
    FixedSums sums_;
    std::vector<double> means_;           // k x d, in the frame
    std::vector<double> masses_;          // k
    std::vector<double> gaps_;            // k x k: distances between means when last computed
    std::vector<double> drift_;           // k: how far each mean has moved in all, at most
    std::vector<double> drift_at_gaps_;   // k: when gaps were computed
    std::vector<Bounds> bounds_;          // n
    std::vector<double> row_, before_;    // d, in the frame
    double total_drift_ = 0.0;            // sum over moves of the farther of the two means' moves
    double lightest_ = 0.0;               // at most the mass of the lightest cluster that has any
    double error_ = 0.0;                  // in units
    std::int64_t first_distances_ = 0;
};

}  // namespace

template <class T>
Refined<T> hartigan(const Dataset<T>& data, const T* centers, index_t k, const std::int32_t* labels, index_t max_passes, int n_threads,
                    const std::function<bool()>& interrupted) {
    Refinement<T> refinement(data, centers, k, labels, n_threads);
    Refined<T> out;
    while (static_cast<index_t>(out.passes.size()) < max_passes) {
        out.passes.push_back(refinement.pass(interrupted));
        if (out.passes.back().moved == 0) break;
    }
    refinement.finish(out);
    return out;
}

#define SEEDBED_INSTANTIATE(T)                                                                                              \
    template Refined<T> hartigan<T>(const Dataset<T>&, const T*, index_t, const std::int32_t*, index_t, int, const std::function<bool()>&);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
