#include "partition.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "engine.hpp"
#include "exact_cut.hpp"
#include "kernels.hpp"
#include "leading.hpp"
#include "partition_kernels.hpp"
#include "partition_sums.hpp"
#include "partition_view.hpp"
#include "pool.hpp"
#include "threshold.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr index_t kDense = 128;               // attributes up to which the covariance is kept as a matrix
constexpr index_t kWorthThreads = 1 << 17;    // values in a cluster from which threads pay
constexpr index_t kWorthKeeping = 4;          // rows per attribute from which products are smaller than the rows
constexpr index_t kTogether = 512;            // rows that are looked at again while a cache still has them
constexpr index_t kSample = 512;              // rows by which the cut and the smaller side are guessed
constexpr double kAxisTolerance = 1e-12;      // residual of a principal axis that is aimed at
constexpr double kAxisAccepted = 1e-8;        // and the one that is good enough after kAxisSteps
constexpr int kAxisSteps = 200;
constexpr double kCancelled = 0x1p-10;        // error / second moment below which digits were lost
constexpr double kNarrow = 0x1p-24;           // mean square below which the grid of moments is too coarse
constexpr double kLight = 0x1p-24;            // mass (the heaviest row's is one) below which that of masses is
constexpr double kBlurred = 0x1p-12;          // mean squared error below which that of products is
constexpr double kTraceTolerance = 1e-9;      // of a covariance matrix against the error

template <class T>
class Divider {
public:
    Divider(const Points<T>& points, const PartitionOptions& options, const Frame<T>* frame)
        : points_(points), d_(points.d), width_(padded(d_)), options_(options) {
        if (points.n > static_cast<index_t>(std::numeric_limits<row_t>::max())) throw std::invalid_argument("more than 4294967295 rows");
        order_ = std::make_unique_for_overwrite<row_t[]>(points.n);
        for (index_t i = 0; i < points.n; ++i) {
            order_[n_rows_] = static_cast<row_t>(i);
            n_rows_ += points.mass(i) > 0.0;
        }
        if (n_rows_ == 0) throw std::invalid_argument("no row has a positive weight");
        spare_ = std::make_unique_for_overwrite<row_t[]>(n_rows_);
        if (options.threshold != Threshold::mean) y_ = std::make_unique_for_overwrite<double[]>(n_rows_);
        make_root(frame);
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

    RowList<T> rows(index_t first, index_t count) const { return {points_, &order_[first], count}; }

    // Calls body(begin, count) for some rows at a time, few enough for a cache to keep them.
    template <class Body>
    static void in_caches(index_t count, const Body& body) {
        for (index_t begin = 0; begin < count; begin += kTogether) body(begin, std::min(kTogether, count - begin));
    }

    void make_root(const Frame<T>* frame) {
        Cluster root;
        root.end = n_rows_;
        if (frame && n_rows_ == points_.n) least_ = frame->least, greatest_ = frame->greatest;
        else find_range(root, least_, greatest_);
        std::vector<double> middle(d_);
        for (index_t j = 0; j < d_; ++j) {
            middle[j] = static_cast<double>(least_[j]) / 2 + static_cast<double>(greatest_[j]) / 2;
            if (!std::isfinite(static_cast<double>(greatest_[j]) - static_cast<double>(least_[j])))
                throw std::invalid_argument("the range of column " + std::to_string(j) + " is too wide for double precision");
        }
        root.view = std::make_shared<const View>(least_, greatest_, middle, mass_exponent(root));
        measure(root, options_.axis == Axis::principal && d_ <= kDense && options_.k > 1);
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
        std::vector<Pending> pending(threads_for(c.size()), Pending(n_sums));
        in_pieces(c, [&](index_t first, index_t count, index_t, int w) {
            add(rows(first, count), pending[w].high(), pending[w].low());
            pending[w].fold();
        });
        for (std::size_t w = 1; w < pending.size(); ++w) add_to(pending[0].totals, pending[w].totals);
        return std::move(pending[0].totals);
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

    void measure(Cluster& c, bool with_products) const {
        const Lens lens = c.view->lens();
        std::vector<Tally<T>> tallies(threads_for(c.size()), Tally<T>(d_, with_products));
        in_pieces(c, [&](index_t first, index_t count, index_t, int w) {
            in_caches(count, [&](index_t begin, index_t n) { tallies[w].add(rows(first + begin, n), lens); });
            tallies[w].fold();
        });
        take_sums(c, tallies);
    }

    void take_sums(Cluster& c, std::vector<Tally<T>>& tallies) const {
        for (std::size_t w = 1; w < tallies.size(); ++w) tallies[0].include(tallies[w]);
        c.sums = tallies[0].take_moments();
        c.products = tallies[0].take_products();
        c.mass = fixed_mass(c);
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
        measure(c, false);
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

    bool blurred(const Cluster& c) const { return c.sse < kBlurred * mass(c); }

    Direction principal_direction(Cluster& c) {
        Direction out;
        out.view = blurred(c) ? own_view(c) : std::make_shared<const View>(*c.view, means(c));
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
    // there are few attributes, unless light rows are lost in it beside heavy ones. `about_mean` is a view
    // whose coordinates have a mean of zero but for the rounding of its pivot, whose square does not matter.
    Action covariance(Cluster& c, const std::shared_ptr<const View>& about_mean) {
        const View& view = blurred(c) ? *about_mean : *c.view;
        const auto error_in = [&](const View& v) { return scaled(c.sse, c.view->error_exponent() - v.error_exponent()); };
        const int trace_exponent = exponent_above(error_in(view));
        std::vector<double> matrix;
        if (d_ <= kDense) matrix = covariance_matrix(c, view, trace_exponent);
        double trace = 0.0;
        for (std::size_t j = 0; j < matrix.size(); j += static_cast<std::size_t>(d_) + 1) trace += matrix[j];
        if (!(std::abs(trace / scaled(error_in(view), -trace_exponent) - 1) <= kTraceTolerance))
            return [this, &c, about_mean, exponent = exponent_above(error_in(*about_mean))](const double* v, double* out) {
                act(c, *about_mean, exponent, v, out);
            };
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

    // From the cluster's products in its own coordinates, which are kept for its children, or in others about
    // its mean. Squares of the mean are at most 1 / kCancelled times what remains when they are taken off.
    std::vector<double> covariance_matrix(Cluster& c, const View& view, int trace_exponent) const {
        std::vector<int128_t> about_mean;
        std::vector<double> first(d_), mean(d_);
        if (&view == c.view.get()) {
            if (c.products.empty()) c.products = products(c, view);
            for (index_t j = 0; j < d_; ++j) first[j] = of_integer(c.sums[j], kMomentBits), mean[j] = first[j] / mass(c);
        } else {
            about_mean = products(c, view);
        }
        const std::vector<int128_t>& totals = &view == c.view.get() ? c.products : about_mean;
        std::vector<double> matrix(d_ * d_);
        for (index_t j = 0; j < d_; ++j)
            for (index_t k = 0; k <= j; ++k) {
                const double sum = of_integer(totals[j * (j + 1) / 2 + k], kProductBits) - first[j] * mean[k];
                matrix[j * d_ + k] = matrix[k * d_ + j] = scaled(sum, view.exponent[j] + view.exponent[k] - 2 * view.unit - trace_exponent);
            }
        return matrix;
    }

    std::vector<int128_t> products(const Cluster& c, const View& view) const {
        const int workers = threads_for(c.size());
        std::vector<std::vector<int128_t>> totals(workers, std::vector<int128_t>(d_ * (d_ + 1) / 2));
        std::vector<std::vector<double>> scratch(workers, std::vector<double>(kProductRows * width_));
        const Lens lens = view.lens();
        in_pieces(c, [&](index_t first, index_t count, index_t, int w) {
            exact<T>().partition->add_products(rows(first, count), lens, totals[w].data(), scratch[w].data());
        });
        for (int w = 1; w < workers; ++w) add_to(totals[0], totals[w]);
        return std::move(totals[0]);
    }

    // OUT y: where rows lie along an axis.
    void place(const Direction& along, const RowList<T>& rows, double* y) const {
        if (along.attribute < 0) return exact<T>().partition->project(rows, along.view->lens(), along.coefficient.data(), y);
        const double scale = scaled(1.0, -along.unit);
        for (index_t i = 0; i < rows.n; ++i) y[i] = (static_cast<double>(points_.row(rows.index[i])[along.attribute]) - along.origin) * scale;
    }

    // Of the limit, and of the side of it that has fewer rows.
    struct Guess {
        double limit = 0.0;  // the mean
        bool left_is_smaller = true;
    };

    // From some rows; they are not worth the trouble in a small cluster.
    Guess guess(const Cluster& c, const Direction& along) const {
        Guess out;
        const index_t stride = c.size() / kSample;
        if (stride < 4) return out;
        row_t some[kSample];
        double y[kSample];
        for (index_t i = 0; i < kSample; ++i) some[i] = order_[c.begin + i * stride];
        place(along, {points_, some, kSample}, y);
        const auto [least, greatest] = std::minmax_element(y, y + kSample);
        if (options_.threshold != Threshold::mean && *least < *greatest)
            out.limit = best_cut({y, some, points_.weight, c.view->mass_scale(), kSample, *least, *greatest}).limit;
        out.left_is_smaller = 2 * std::count_if(y, y + kSample, [&](double v) { return v <= out.limit; }) <= kSample;
        return out;
    }

    // A cluster's rows on the two sides of a limit, and the sums of one side.
    struct Sifted {
        std::vector<index_t> left;     // how many rows of each piece go left; they are first in its part of spare_
        Extremes extremes;
        std::vector<Tally<T>> tallies; // of the side that was measured
        bool measured_left, with_products;

        index_t n_left() const { return std::accumulate(left.begin(), left.end(), index_t{0}); }
    };

    // Looks at every row once: finds its place along the axis, puts it on its side, and adds up those of one
    // side while they are at hand. Either side will do: sums are exact, and those of the other are the
    // difference.
    Sifted sift(const Cluster& c, const Direction& along, const Guess& guess, bool with_products) const {
        const int workers = threads_for(c.size());
        Sifted out{std::vector<index_t>(n_pieces(c)), {}, std::vector<Tally<T>>(workers, Tally<T>(d_, with_products)),
                   guess.left_is_smaller, with_products};
        std::vector<Extremes> extremes(workers);
        const Lens lens = c.view->lens();
        in_pieces(c, [&](index_t first, index_t count, index_t t, int w) {
            Sides sides{&spare_[first], 0, count};
            in_caches(count, [&](index_t begin, index_t n) {
                const RowList<T> some = rows(first + begin, n);
                double unkept[kTogether];
                double* y = y_ ? &y_[first + begin] : unkept;
                place(along, some, y);
                const Sides before = sides;
                exact<T>().partition->sift(some.index, y, n, guess.limit, sides, extremes[w]);
                if (out.measured_left) out.tallies[w].add({points_, sides.room + before.left, sides.left - before.left}, lens);
                else out.tallies[w].add({points_, sides.room + sides.right, before.right - sides.right}, lens);
            });
            out.tallies[w].fold();
            out.left[t] = sides.left;
        });
        for (const Extremes& e : extremes) out.extremes.include(e);
        return out;
    }

    // Sifts again at another limit; only the rows between the two are looked at again.
    void sift_again(const Cluster& c, const Direction& along, double from, double to, Sifted& found) const {
        std::vector<Tally<T>> moved(found.tallies.size(), Tally<T>(d_, found.with_products));
        const double low = std::min(from, to), high = std::max(from, to);
        const Lens lens = c.view->lens();
        in_pieces(c, [&](index_t first, index_t count, index_t t, int w) {
            Sides sides{&spare_[first], 0, count};
            in_caches(count, [&](index_t begin, index_t n) {
                const RowList<T> some = rows(first + begin, n);
                double again[kTogether];
                if (!y_) place(along, some, again);
                const double* y = y_ ? &y_[first + begin] : again;
                Extremes unused;
                exact<T>().partition->sift(some.index, y, n, to, sides, unused);
                row_t between[kTogether];
                index_t n_between = 0;
                for (index_t i = 0; i < n; ++i) between[n_between] = some.index[i], n_between += (y[i] > low) & (y[i] <= high);
                moved[w].add({points_, between, n_between}, lens);
            });
            moved[w].fold();
            found.left[t] = sides.left;
        });
        for (const Tally<T>& m : moved) found.tallies[0].include(m, (to > from) == found.measured_left ? 1 : -1);
    }

    // Moves the rows of spare_ back, those that go left to the front, both sides in their old order.
    void rearrange(const Cluster& c, const Sifted& found) {
        std::vector<index_t> left(n_pieces(c)), right(n_pieces(c));
        std::exclusive_scan(found.left.begin(), found.left.end(), left.begin(), c.begin);
        const index_t n_left = found.n_left();
        for (index_t t = 0; t < n_pieces(c); ++t) right[t] = c.begin + n_left + (t * kExactRows - (left[t] - c.begin));
        in_pieces(c, [&](index_t first, index_t count, index_t t, int) {
            const row_t* from = &spare_[first];
            std::copy_n(from, found.left[t], &order_[left[t]]);
            std::reverse_copy(from + found.left[t], from + count, &order_[right[t]]);
        });
    }

    Cut best_cut(const Values& values) const { return options_.threshold == Threshold::otsu ? otsu_cut(values, options_.bins) : exact_cut(values); }

    Cut choose_cut(const Cluster& c, const Extremes& e) const {
        if (!(e.least < e.greatest)) throw std::logic_error("a cluster with some error has no extent along its axis");
        if (options_.threshold == Threshold::mean) return cut_at(0.0, e.least, e.greatest);  // y is measured from the mean
        return best_cut({&y_[c.begin], &order_[c.begin], points_.weight, c.view->mass_scale(), c.size(), e.least, e.greatest});
    }

    void split(index_t number) {
        Cluster whole = std::move(clusters_[number]);
        const Direction along = options_.axis == Axis::attribute ? attribute_direction(whole) : principal_direction(whole);
        const bool last = static_cast<index_t>(clusters_.size()) + 1 == options_.k;
        const bool with_products = !whole.products.empty() && !last && whole.size() >= kWorthKeeping * d_;
        const Guess first = guess(whole, along);
        Sifted found = sift(whole, along, first, with_products);
        const Cut cut = choose_cut(whole, found.extremes);
        if (found.extremes.last_left > cut.limit || found.extremes.first_right <= cut.limit) sift_again(whole, along, first.limit, cut.limit, found);
        rearrange(whole, found);
        if (!with_products) whole.products.clear();
        Cluster left = whole, right = whole;
        left.own_view = right.own_view = false;
        left.end = right.begin = whole.begin + found.n_left();
        Cluster& measured = found.measured_left ? left : right;
        Cluster& other = found.measured_left ? right : left;
        take_sums(measured, found.tallies);
        add_to(other.sums, measured.sums, -1);
        add_to(other.products, measured.products, -1);
        other.mass -= measured.mass;
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
    index_t n_rows_ = 0;                 // of positive weight
    std::unique_ptr<row_t[]> order_;     // these, cluster by cluster
    std::unique_ptr<row_t[]> spare_;     // room for reordering
    std::unique_ptr<double[]> y_;        // beside order_: positions along the latest axis; none for cuts at the mean
    std::vector<T> least_, greatest_;    // of all rows
    std::vector<Cluster> clusters_;
    std::vector<Split> splits_;
    std::vector<double> axes_;
    Clock::time_point last_asked_ = Clock::now();
};

}  // namespace

template <class T>
Partition<T> partition(const Points<T>& points, const PartitionOptions& options, const Frame<T>* frame) {
    return Divider<T>(points, options, frame).go();
}

template Partition<float> partition<float>(const Points<float>&, const PartitionOptions&, const Frame<float>*);
template Partition<double> partition<double>(const Points<double>&, const PartitionOptions&, const Frame<double>*);

}  // namespace seedbed
