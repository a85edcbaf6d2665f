#include "hartigan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine.hpp"
#include "fixed_sum.hpp"

namespace seedbed {
namespace {

constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

template <class T>
class Refinement {
public:
    Refinement(const Dataset<T>& data, const T* centers, index_t k, const std::int32_t* labels)
        : data_(data), n_(data.points.n), d_(data.points.d), k_(k), step_(data.step()), centers_(centers, centers + k * d_),
          labels_(labels, labels + n_), sums_(k, d_), means_(k * d_), masses_(k), gaps_(k * k), drift_(k), row_(d_) {
        for (index_t i = 0; i < n_; ++i) {
            if (labels_[i] < 0 || labels_[i] >= k) throw std::invalid_argument("label out of range");
            kernels<T>().move_row(step_, sums_.sheet(), i, -1, labels_[i]);
        }
        for (index_t c = 0; c < k_; ++c) find_mean(c);
    }

    Pass pass(const std::function<bool()>& interrupted) {
        Pass done{};
        find_gaps();
        for (index_t i = 0; i < n_; ++i) {
            if (i % kTask == 0 && interrupted && interrupted()) throw Interrupted();
            if (data_.points.mass(i) > 0.0) visit(i, done);
        }
        done.sse = error() * data_.frame.unit * data_.frame.unit;
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
    double square(index_t c) const { return exact<double>().square(row_.data(), &means_[c * d_], d_, 1.0); }

    // From exact sums, so that means do not drift however many rows come and go.
    void find_mean(index_t c) {
        masses_[c] = from_fixed(sums_.mass(c), data_.frame.weight_grid);
        if (!(masses_[c] > 0.0)) return;
        const int128_t* total = sums_.total(c);
        for (index_t j = 0; j < d_; ++j) mean(c)[j] = from_fixed(total[j], data_.frame.grid[j]) * data_.inverse_unit() / masses_[c];
    }

    void find_gaps() {
        for (index_t a = 0; a < k_; ++a)
            for (index_t b = 0; b < k_; ++b) gaps_[a * k_ + b] = std::sqrt(exact<double>().square(mean(a), mean(b), d_, 1.0));
        std::fill(drift_.begin(), drift_.end(), 0.0);
    }

    void load(index_t i) {
        const T* x = data_.points.row(i);
        for (index_t j = 0; j < d_; ++j) row_[j] = (static_cast<double>(x[j]) - static_cast<double>(data_.frame.shift[j])) * data_.inverse_unit();
    }

    void visit(index_t i, Pass& done) {
        const std::int32_t a = labels_[i];
        const double w = data_.points.mass(i), left = masses_[a] - w;
        if (sums_.count(a) == 1 || !(left > 0.0)) return;
        load(i);
        const double own = std::sqrt(square(a));
        ++done.distances;
        if (own == 0.0) return;
        const double delta = kRounding * std::sqrt(static_cast<double>(d_));  // how far a distance may be off
        const double leaving = masses_[a] / left * own * own;
        double least = leaving * (1 - 1e-12) - 4 * masses_[a] / left * delta * (own + delta);
        std::int32_t best = a;
        for (index_t b = 0; b < k_; ++b) {
            if (b == a || !(masses_[b] > 0.0)) continue;
            const double share = masses_[b] / (masses_[b] + w);
            // The means were at least this far apart when the pass began, and have moved since.
            const double reach = (gaps_[a * k_ + b] - drift_[a] - drift_[b]) * (1 - 1e-9) - own;
            if (reach > 0.0 && share * reach * reach >= least) continue;
            const double joining = share * square(b);
            ++done.distances;
            if (joining < least) least = joining, best = static_cast<std::int32_t>(b);
        }
        if (best != a) move(i, a, best), ++done.moved;
    }

    void move(index_t i, std::int32_t from, std::int32_t to) {
        kernels<T>().move_row(step_, sums_.sheet(), i, from, to);
        labels_[i] = to;
        for (const std::int32_t c : {from, to}) {
            const std::vector<double> before(mean(c), mean(c) + d_);
            find_mean(c);
            drift_[c] += std::sqrt(exact<double>().square(before.data(), mean(c), d_, 1.0));
        }
    }

    double error() {
        double sum = 0.0;
        for (index_t i = 0; i < n_; ++i) {
            load(i);
            sum += data_.points.mass(i) * square(labels_[i]);
        }
        return sum;
    }

    const Dataset<T>& data_;
    index_t n_, d_, k_;
    Step<T> step_;
    std::vector<T> centers_;
    std::vector<std::int32_t> labels_;
    FixedSums sums_;
    std::vector<double> means_;   // k x d, in the frame
    std::vector<double> masses_;  // k
    std::vector<double> gaps_;    // k x k: distances between means when the pass began
    std::vector<double> drift_;   // k: how far they have moved since, at most
    std::vector<double> row_;     // d, in the frame
};

}  // namespace

template <class T>
Refined<T> hartigan(const Dataset<T>& data, const T* centers, index_t k, const std::int32_t* labels, index_t max_passes,
                    const std::function<bool()>& interrupted) {
    Refinement<T> refinement(data, centers, k, labels);
    Refined<T> out;
    while (static_cast<index_t>(out.passes.size()) < max_passes) {
        out.passes.push_back(refinement.pass(interrupted));
        if (out.passes.back().moved == 0) break;
    }
    refinement.finish(out);
    return out;
}

template Refined<float> hartigan<float>(const Dataset<float>&, const float*, index_t, const std::int32_t*, index_t, const std::function<bool()>&);
template Refined<double> hartigan<double>(const Dataset<double>&, const double*, index_t, const std::int32_t*, index_t, const std::function<bool()>&);

}  // namespace seedbed
