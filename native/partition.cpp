#include "partition.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "engine.hpp"
#include "kernels.hpp"
#include "leading.hpp"
#include "partition_kernels.hpp"
#include "pool.hpp"
#include "threshold.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr index_t kDense = 128;               // attributes up to which the covariance is kept as a matrix
constexpr index_t kWorthThreads = 1 << 17;    // values in a cluster from which threads pay
constexpr double kAxisTolerance = 1e-12;      // residual of a principal axis that is aimed at
constexpr double kAxisAccepted = 1e-8;        // and the one that is good enough after kAxisSteps
constexpr int kAxisSteps = 200;
constexpr double kCancelled = 0x1p-10;        // error / second moment below which digits were lost
constexpr double kNarrow = 0x1p-24;           // mean square below which the grid of moments is too coarse
constexpr double kLight = 0x1p-24;            // mass (the heaviest row's is one) below which that of masses is
constexpr double kBlurred = 0x1p-12;          // mean squared error below which that of products is
constexpr double kTraceTolerance = 1e-9;      // of a covariance matrix against the error
constexpr int kMomentBits = 80, kProductBits = 67;

double scaled(double v, int exponent) { return std::ldexp(v, exponent); }

double of_integer(int128_t v, int bits) { return scaled(from_fixed(v, 1.0), kLowBits - bits); }

// The power of two above v, as an exponent whose inverse is finite too.
int exponent_above(double v) {
    int exponent = 0;
    std::frexp(v, &exponent);
    return v > 0.0 ? std::max(exponent, -1000) : -1000;
}

// The coordinates in which a cluster's sums are kept; children begin with their parent's.
struct View {
    std::vector<double> pivot, scale;  // padded(d)
    std::vector<int> exponent;         // d: scale = 2^-exponent
    int unit = 0;                      // the largest exponent
    int mass_exponent = 0;             // masses are taken times 2^-mass_exponent

    template <class T>
    View(const std::vector<T>& least, const std::vector<T>& greatest, const std::vector<double>& about, int mass_exponent)
        : pivot(about), scale(about.size()), exponent(about.size()), mass_exponent(mass_exponent) {
        for (std::size_t j = 0; j < about.size(); ++j) {
            const double half = std::max(static_cast<double>(greatest[j]) - about[j], about[j] - static_cast<double>(least[j]));
            exponent[j] = exponent_above(half);
            scale[j] = scaled(1.0, -exponent[j]);
        }
        unit = *std::max_element(exponent.begin(), exponent.end());
        pivot.resize(padded(static_cast<index_t>(about.size())), 0.0);
        scale.resize(pivot.size(), 0.0);
    }

    // About the means of a part of what another view shows.
    View(const View& other, const std::vector<double>& means)
        : pivot(means), scale(other.scale), exponent(other.exponent), unit(other.unit + 1), mass_exponent(other.mass_exponent) {
        for (int& e : exponent) ++e;
        for (double& s : scale) s /= 2;
        pivot.resize(scale.size(), 0.0);
    }

    double mass_scale() const { return scaled(1.0, -mass_exponent); }
    Lens lens() const { return {pivot.data(), scale.data(), mass_scale()}; }
    int error_exponent() const { return 2 * unit + mass_exponent; }  // errors are kept in this power of two
    // Takes a square of attribute j to units of 4^unit.
    int square_exponent(index_t j) const { return 2 * (exponent[j] - unit); }
};

struct Cluster {
    index_t begin = 0, end = 0;        // in the permutation of rows
    std::shared_ptr<const View> view;
    bool own_view = false;             // made for this very cluster
    std::vector<int128_t> sums;        // 2 padded(d), in 2^-80: of w t, then of w t^2
    int128_t mass = 0;
    double sse = 0.0;                  // in 2^view->error_exponent()

    index_t size() const { return end - begin; }
};

// Whether a's error is greater than b's, whatever their units: no error is too small to beat none.
bool worse(const Cluster& a, const Cluster& b) {
    if (!(b.sse > 0.0)) return a.sse > 0.0;
    return exceeds(scaled(a.sse, a.view->error_exponent() - b.view->error_exponent()), b.sse);
}

// An axis to split along: y = sum of coefficient * t in the view, measured in 2^unit from `origin`.
struct Direction {
    index_t attribute = -1;
    std::vector<double> coefficient;  // padded(d); empty for an attribute
    std::vector<double> axis;         // d, of length one; empty for an attribute
    std::shared_ptr<const View> view;
    double origin = 0.0;              // of y, in the data's coordinates
    int unit = 0;
    double residual = 0.0;
};

template <class T>
class Divider {
public:
    Divider(const Points<T>& points, const PartitionOptions& options)
        : points_(points), d_(points.d), width_(padded(d_)), options_(options) {
        order_.reserve(points.n);
        for (index_t i = 0; i < points.n; ++i)
            if (points.mass(i) > 0.0) order_.push_back(i);
        if (order_.empty()) throw std::invalid_argument("no row has a positive weight");
        spare_ = std::make_unique_for_overwrite<index_t[]>(order_.size());
        y_ = std::make_unique_for_overwrite<double[]>(order_.size());
        make_root();
    }

    Partition<T> go() {
        while (static_cast<index_t>(clusters_.size()) < options_.k) {
            give_way();
            const index_t c = worst();
            if (!(clusters_[c].sse > 0.0)) break;
            split(c);
        }
        return finish();
    }

private:
    // Asks at most every 20 ms whether to give up.
    void give_way() {
        const auto now = Clock::now();
        if (!options_.interrupted || now - last_asked_ < std::chrono::milliseconds(20)) return;
        last_asked_ = now;
        if (options_.interrupted()) throw Interrupted();
    }

    int threads_for(index_t n) const { return n * d_ >= kWorthThreads ? std::max(1, options_.n_threads) : 1; }

    // Calls body(first, count, task, worker) for pieces of a cluster; pieces have a fixed size.
    template <class Body>
    void in_pieces(const Cluster& c, const Body& body) const {
        parallel_for(n_pieces(c), threads_for(c.size()), [&](index_t t, int w) {
            const index_t first = c.begin + t * kExactRows;
            body(first, std::min(kExactRows, c.end - first), t, w);
        });
    }
    static index_t n_pieces(const Cluster& c) { return (c.size() + kExactRows - 1) / kExactRows; }

    RowList<T> rows(index_t first, index_t count) const { return {points_, order_.data() + first, count}; }

    void make_root() {
        Cluster root;
        root.end = static_cast<index_t>(order_.size());
        find_range(root, least_, greatest_);
        std::vector<double> middle(d_);
        for (index_t j = 0; j < d_; ++j) {
            middle[j] = static_cast<double>(least_[j]) / 2 + static_cast<double>(greatest_[j]) / 2;
            if (!std::isfinite(static_cast<double>(greatest_[j]) - static_cast<double>(least_[j])))
                throw std::invalid_argument("the range of column " + std::to_string(j) + " is too wide for double precision");
        }
        root.view = std::make_shared<const View>(least_, greatest_, middle, mass_exponent(root));
        measure(root);
        settle(root);
        clusters_.push_back(std::move(root));
    }

    void find_range(const Cluster& c, std::vector<T>& least, std::vector<T>& greatest) const {
        const T* any = points_.row(order_[c.begin]);
        const int workers = threads_for(c.size());
        std::vector<std::vector<T>> low(workers, std::vector<T>(any, any + d_)), high = low;
        in_pieces(c, [&](index_t first, index_t count, index_t, int w) {
            exact<T>().partition->row_range(rows(first, count), low[w].data(), high[w].data());
        });
        for (int w = 1; w < workers; ++w)
            for (index_t j = 0; j < d_; ++j) {
                low[0][j] = std::min(low[0][j], low[w][j]);
                high[0][j] = std::max(high[0][j], high[w][j]);
            }
        least = std::move(low[0]);
        greatest = std::move(high[0]);
    }

    // Calls add(rows, high, low) for pieces of a cluster and returns the exact sums, in 2^-80.
    template <class Add>
    std::vector<int128_t> sum_exactly(const Cluster& c, index_t n_sums, const Add& add) const {
        const int workers = threads_for(c.size());
        std::vector<std::vector<int128_t>> totals(workers, std::vector<int128_t>(n_sums));
        std::vector<std::vector<double>> parts(workers, std::vector<double>(2 * n_sums));
        in_pieces(c, [&](index_t first, index_t count, index_t, int w) {
            double *high = parts[w].data(), *low = high + n_sums;
            std::fill_n(high, 2 * n_sums, 0.0);
            add(rows(first, count), high, low);
            for (index_t s = 0; s < n_sums; ++s)
                totals[w][s] += static_cast<int128_t>(static_cast<std::int64_t>(high[s] * 0x1p40)) * (int128_t{1} << 40) +
                                static_cast<std::int64_t>(low[s] * 0x1p80);
        });
        for (int w = 1; w < workers; ++w)
            for (index_t s = 0; s < n_sums; ++s) totals[0][s] += totals[w][s];
        return std::move(totals[0]);
    }

    // The power of two above the heaviest row, 0 for unit weights.
    int mass_exponent(const Cluster& c) const {
        if (!points_.weight) return 0;
        double heaviest = 0.0;
        for (index_t i = c.begin; i < c.end; ++i) heaviest = std::max(heaviest, points_.weight[order_[i]]);
        return exponent_above(heaviest);
    }

    int128_t fixed_mass(const Cluster& c) const {
        if (!points_.weight) return c.size() * to_fixed(1.0, threshold_detail::kGrid);
        const double scale = c.view->mass_scale();
        int128_t mass = 0;
        for (index_t i = c.begin; i < c.end; ++i) mass += to_fixed(points_.weight[order_[i]] * scale, threshold_detail::kGrid);
        return mass;
    }

    void measure(Cluster& c) const {
        const Lens lens = c.view->lens();
        c.mass = fixed_mass(c);
        c.sums = sum_exactly(c, 2 * width_, [&](const RowList<T>& rows, double* high, double* low) {
            exact<T>().partition->add_moments(rows, lens, high, low);
        });
    }

    // The cluster's error from its sums; where they are too far from its own mean, or too coarse for its
    // size or mass, they are taken again about the mean. Equal rows give exactly zero then.
    void settle(Cluster& c) const {
        c.sse = 0.0;
        if (c.size() < 2) return;
        double raw = 0.0;
        for (index_t j = 0; j < d_; ++j) {
            raw += scaled(of_integer(c.sums[width_ + j], kMomentBits), c.view->square_exponent(j));
            c.sse += scatter(c, j);
        }
        if (c.own_view || (c.sse >= kCancelled * raw && raw >= kNarrow * mass(c) && mass(c) >= kLight)) return;
        c.view = own_view(c);
        c.own_view = true;
        measure(c);
        settle(c);
    }

    double mass(const Cluster& c) const { return from_fixed(c.mass, threshold_detail::kGrid); }

    // Squared error of one attribute, in units of the view.
    double scatter(const Cluster& c, index_t j) const {
        const double first = of_integer(c.sums[j], kMomentBits), second = of_integer(c.sums[width_ + j], kMomentBits);
        return scaled(std::max(0.0, c.mass > 0 ? second - first * (first / mass(c)) : 0.0), c.view->square_exponent(j));
    }

    double mean(const Cluster& c, index_t j) const {
        const double off = c.mass > 0 ? scaled(of_integer(c.sums[j], kMomentBits) / mass(c), c.view->exponent[j]) : 0.0;
        const double mean = std::clamp(c.view->pivot[j] + off, static_cast<double>(least_[j]), static_cast<double>(greatest_[j]));
        return mean + 0.0;  // -0 becomes 0: which of them a range begins with depends on the order of rows
    }

    std::vector<double> means(const Cluster& c) const {
        std::vector<double> out(d_);
        for (index_t j = 0; j < d_; ++j) out[j] = mean(c, j);
        return out;
    }

    // The means, and exactly the row where all rows are equal.
    std::vector<double> center(const Cluster& c) const {
        std::vector<double> out = means(c);
        if (c.sse > 0.0) return out;
        std::vector<T> least, greatest;
        find_range(c, least, greatest);
        for (index_t j = 0; j < d_; ++j)
            if (least[j] == greatest[j]) out[j] = static_cast<double>(least[j]) + 0.0;  // -0 becomes 0
        return out;
    }

    // About the mean, as wide as the cluster itself; attributes that do not vary become exactly zero.
    std::shared_ptr<const View> own_view(const Cluster& c) const {
        std::vector<T> least, greatest;
        find_range(c, least, greatest);
        std::vector<double> about = means(c);
        for (index_t j = 0; j < d_; ++j)
            about[j] = std::clamp(about[j], static_cast<double>(least[j]), static_cast<double>(greatest[j]));
        return std::make_shared<const View>(least, greatest, about, mass_exponent(c));
    }

    index_t worst() const {
        index_t best = 0;
        for (index_t c = 1; c < static_cast<index_t>(clusters_.size()); ++c)
            if (worse(clusters_[c], clusters_[best])) best = c;
        return best;
    }

    index_t widest_attribute(const Cluster& c) const {
        index_t best = 0;
        double most = scatter(c, 0);
        for (index_t j = 1; j < d_; ++j)
            if (const double s = scatter(c, j); exceeds(s, most)) most = s, best = j;
        return best;
    }

    Direction attribute_direction(const Cluster& c) const {
        Direction out;
        out.attribute = widest_attribute(c);
        out.origin = mean(c, out.attribute);
        out.unit = c.view->exponent[out.attribute];
        return out;
    }

    Direction principal_direction(const Cluster& c) {
        Direction out;
        out.view = c.sse < kBlurred * mass(c) ? own_view(c) : std::make_shared<const View>(*c.view, means(c));
        out.unit = out.view->unit;
        Leading found = leading_eigenvector(irregular_start(c), covariance(c, out.view), kAxisTolerance, kAxisSteps);
        out.residual = found.residual;
        out.axis = std::move(found.vector);
        if (found.residual > kAxisAccepted) {  // stagnation: the widest attribute instead; the residual tells
            out.axis.assign(d_, 0.0);
            out.axis[widest_attribute(c)] = 1.0;
        }
        turn_positive(out.axis);
        out.coefficient = in_view(out.axis, *out.view);
        for (index_t j = 0; j < d_; ++j) out.origin += out.axis[j] * out.view->pivot[j];
        return out;
    }

    // Standard deviations times irregular numbers in [-1, 1], and the widest attribute in full: no
    // regular pattern among the attributes is orthogonal to it.
    std::vector<double> irregular_start(const Cluster& c) const {
        std::vector<double> start(d_);
        const index_t widest = widest_attribute(c);
        for (index_t j = 0; j < d_; ++j) {
            double whole;
            const double irregular = 2 * std::modf(static_cast<double>(j + 1) * 0.6180339887498949, &whole) - 1;
            start[j] = std::sqrt(scatter(c, j) / c.sse) * (j == widest ? 1.0 : irregular);
        }
        return start;
    }

    // The largest component becomes positive; of components that are equal but for rounding, the first.
    static void turn_positive(std::vector<double>& axis) {
        std::size_t largest = 0;
        for (std::size_t j = 1; j < axis.size(); ++j)
            if (std::abs(axis[j]) > std::abs(axis[largest]) * (1 + kAxisAccepted)) largest = j;
        if (axis[largest] < 0)
            for (double& a : axis) a = -a;
    }

    // A vector in the data's coordinates (in 2^unit) as coefficients of what a lens shows, padded.
    std::vector<double> in_view(const std::vector<double>& v, const View& view) const {
        std::vector<double> out(width_, 0.0);
        for (index_t j = 0; j < d_; ++j) out[j] = scaled(v[j], view.exponent[j] - view.unit);
        return out;
    }

    using Action = std::function<void(const double*, double*)>;

    // The covariance of a cluster, with a trace of about one, as an action on vectors: a matrix where
    // there are few attributes, unless light rows are lost in it beside heavy ones. The mean of the
    // view's coordinates is zero but for the rounding of its pivot, whose square does not matter.
    Action covariance(const Cluster& c, const std::shared_ptr<const View>& view) {
        const double expected = scaled(c.sse, c.view->error_exponent() - view->error_exponent());
        const int trace_exponent = exponent_above(expected);
        std::vector<double> matrix;
        if (d_ <= kDense) matrix = covariance_matrix(c, *view, trace_exponent);
        double trace = 0.0;
        for (std::size_t j = 0; j < matrix.size(); j += static_cast<std::size_t>(d_) + 1) trace += matrix[j];
        if (!(std::abs(trace / scaled(expected, -trace_exponent) - 1) <= kTraceTolerance))
            return [this, &c, view, trace_exponent](const double* v, double* out) { act(c, *view, trace_exponent, v, out); };
        return [this, matrix = std::move(matrix)](const double* v, double* out) {
            for (index_t j = 0; j < d_; ++j) out[j] = leading_detail::dot(&matrix[j * d_], v, static_cast<std::size_t>(d_));
        };
    }

    void act(const Cluster& c, const View& view, int trace_exponent, const double* v, double* out) {
        give_way();
        const std::vector<double> coefficient = in_view({v, v + d_}, view);
        double bound = 0.0;  // |coefficient . t| <= the sum of |coefficient|, because |t| <= 1
        for (const double a : coefficient) bound += std::abs(a);
        const int shrink = -exponent_above(bound * (1 + 0x1p-20));
        const Lens lens = view.lens();
        const auto sums = sum_exactly(c, width_, [&](const RowList<T>& rows, double* high, double* low) {
            exact<T>().partition->add_image(rows, lens, coefficient.data(), scaled(1.0, shrink), high, low);
        });
        for (index_t j = 0; j < d_; ++j) out[j] = scaled(of_integer(sums[j], kMomentBits), view.exponent[j] - view.unit - shrink - trace_exponent);
    }

    std::vector<double> covariance_matrix(const Cluster& c, const View& view, int trace_exponent) const {
        const index_t n_totals = d_ * (d_ + 1) / 2;
        const int workers = threads_for(c.size());
        std::vector<std::vector<int128_t>> totals(workers, std::vector<int128_t>(n_totals));
        std::vector<std::vector<double>> scratch(workers, std::vector<double>(2 * kProductRows * width_));
        const Lens lens = view.lens();
        in_pieces(c, [&](index_t first, index_t count, index_t, int w) {
            exact<T>().partition->add_products(rows(first, count), lens, totals[w].data(), scratch[w].data());
        });
        for (int w = 1; w < workers; ++w)
            for (index_t s = 0; s < n_totals; ++s) totals[0][s] += totals[w][s];
        std::vector<double> matrix(d_ * d_);
        for (index_t j = 0; j < d_; ++j)
            for (index_t k = 0; k <= j; ++k) {
                const double sum = of_integer(totals[0][j * (j + 1) / 2 + k], kProductBits);
                matrix[j * d_ + k] = matrix[k * d_ + j] = scaled(sum, view.exponent[j] + view.exponent[k] - 2 * view.unit - trace_exponent);
            }
        return matrix;
    }

    // Fills in y_ for the rows of a cluster and finds its range.
    Values project(const Cluster& c, const Direction& along) {
        std::vector<double> least(n_pieces(c)), greatest(n_pieces(c));
        const double scale = scaled(1.0, -along.unit);
        in_pieces(c, [&](index_t first, index_t count, index_t t, int) {
            double* y = &y_[first];
            if (along.attribute < 0) exact<T>().partition->project(rows(first, count), along.view->lens(), along.coefficient.data(), y);
            else
                for (index_t i = 0; i < count; ++i)
                    y[i] = (static_cast<double>(points_.row(order_[first + i])[along.attribute]) - along.origin) * scale;
            const auto [low, high] = std::minmax_element(y, y + count);
            least[t] = *low, greatest[t] = *high;
        });
        return {&y_[c.begin], order_.data() + c.begin, points_.weight, c.view->mass_scale(), c.size(),
                *std::min_element(least.begin(), least.end()), *std::max_element(greatest.begin(), greatest.end())};
    }

    Cut choose_cut(const Values& values) const {
        if (options_.threshold == Threshold::otsu) return otsu_cut(values, options_.bins);
        if (options_.threshold == Threshold::exact) return exact_cut(values);
        return cut_at(values, 0.0);  // y is measured from the mean
    }

    // Moves the rows with y <= limit to the front, both parts in their old order; returns how many.
    index_t separate(const Cluster& c, double limit) {
        std::vector<index_t> left(n_pieces(c)), right(n_pieces(c));
        in_pieces(c, [&](index_t first, index_t count, index_t t, int) {
            left[t] = std::count_if(&y_[first], &y_[first] + count, [&](double y) { return y <= limit; });
            right[t] = count - left[t];
        });
        const index_t n_left = std::accumulate(left.begin(), left.end(), index_t{0});
        std::exclusive_scan(left.begin(), left.end(), left.begin(), c.begin);
        std::exclusive_scan(right.begin(), right.end(), right.begin(), c.begin + n_left);
        in_pieces(c, [&](index_t first, index_t count, index_t t, int) {
            index_t at[2] = {right[t], left[t]};
            for (index_t i = first; i < first + count; ++i) spare_[at[y_[i] <= limit]++] = order_[i];
        });
        in_pieces(c, [&](index_t first, index_t count, index_t, int) { std::copy_n(&spare_[first], count, &order_[first]); });
        return n_left;
    }

    void split(index_t number) {
        const Cluster whole = std::move(clusters_[number]);
        const Direction along = options_.axis == Axis::attribute ? attribute_direction(whole) : principal_direction(whole);
        const Values values = project(whole, along);
        if (!(values.least < values.greatest)) throw std::logic_error("a cluster with some error has no extent along its axis");
        const Cut cut = choose_cut(values);
        const index_t n_left = separate(whole, cut.limit);
        Cluster left = whole, right = whole;
        left.own_view = right.own_view = false;
        left.end = right.begin = whole.begin + n_left;
        // Sums are exact: measure the smaller part, and the larger is the difference.
        Cluster& small = left.size() <= right.size() ? left : right;
        Cluster& large = left.size() <= right.size() ? right : left;
        measure(small);
        for (std::size_t s = 0; s < large.sums.size(); ++s) large.sums[s] -= small.sums[s];
        large.mass -= small.mass;
        settle(left);
        settle(right);
        splits_.push_back({number, along.attribute, along.origin + scaled(cut.threshold, along.unit),
                           scaled(whole.sse, whole.view->error_exponent()), left.size(), right.size(), along.residual});
        axes_.insert(axes_.end(), along.axis.begin(), along.axis.end());
        clusters_[number] = std::move(left);
        clusters_.push_back(std::move(right));
    }

    Partition<T> finish() {
        Partition<T> out;
        out.k = static_cast<index_t>(clusters_.size());
        for (const Cluster& c : clusters_) {
            for (const double m : center(c)) out.centers.push_back(static_cast<T>(m));
            out.sizes.push_back(c.size());
            out.errors.push_back(scaled(c.sse, c.view->error_exponent()));
        }
        out.splits = std::move(splits_);
        out.axes = std::move(axes_);
        return out;
    }

    Points<T> points_;
    index_t d_, width_;
    const PartitionOptions& options_;
    std::vector<index_t> order_;         // rows of positive weight, cluster by cluster
    std::unique_ptr<index_t[]> spare_;   // room for reordering
    std::unique_ptr<double[]> y_;        // beside order_: positions along the latest axis
    std::vector<T> least_, greatest_;    // of all rows
    std::vector<Cluster> clusters_;
    std::vector<Split> splits_;
    std::vector<double> axes_;
    Clock::time_point last_asked_ = Clock::now();
};

}  // namespace

template <class T>
Partition<T> partition(const Points<T>& points, const PartitionOptions& options) {
    return Divider<T>(points, options).go();
}

template Partition<float> partition<float>(const Points<float>&, const PartitionOptions&);
template Partition<double> partition<double>(const Points<double>&, const PartitionOptions&);

}  // namespace seedbed
