#include "dataset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fixed_sum.hpp"
#include "pool.hpp"
#include "sketcher.hpp"
#include "tree.hpp"

namespace seedbed {
namespace {

index_t n_tasks(index_t n) { return (n + kTask - 1) / kTask; }
index_t sample_step(index_t n) { return std::max<index_t>(1, n / 256); }

template <class T>
void find_range(const Points<T>& p, int n_threads, std::vector<T>& least, std::vector<T>& greatest) {
    const index_t tasks = n_tasks(p.n), d = p.d;
    std::vector<T> lows(tasks * d), highs(tasks * d);
    std::vector<char> finite(tasks);
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        const index_t begin = t * kTask, rows = std::min(kTask, p.n - begin);
        finite[t] = kernels<T>().column_range(p.row(begin), rows, d, &lows[t * d], &highs[t * d]);
    });
    if (std::find(finite.begin(), finite.end(), 0) != finite.end()) throw std::invalid_argument("not finite");
    least.assign(lows.begin(), lows.begin() + d);
    greatest.assign(highs.begin(), highs.begin() + d);
    for (index_t t = 1; t < tasks; ++t)
        for (index_t j = 0; j < d; ++j) {
            least[j] = std::min(least[j], lows[t * d + j]);
            greatest[j] = std::max(greatest[j], highs[t * d + j]);
        }
}

// The smallest power of two that is at least v, and whose inverse is a number in single precision for data in it.
template <class T>
double unit_for(double v) {
    if (!(v > 0.0)) return 1.0;
    constexpr int least = std::max(-kLargestExponent, std::numeric_limits<T>::min_exponent - 1);
    int exponent = 0;
    const double fraction = std::frexp(v, &exponent);
    return std::ldexp(1.0, std::clamp(fraction == 0.5 ? exponent - 1 : exponent, least, kLargestExponent));
}

template <class T>
double least_weight(const Points<T>& p) {
    double least = std::numeric_limits<double>::infinity();
    for (index_t i = 0; p.weight && i < p.n; ++i)
        if (p.weight[i] > 0.0) least = std::min(least, p.weight[i]);
    return p.weight ? least : 1.0;
}

// The middle of a range that lies far from zero, else zero. Either way x - shift is exact for every x of
// the range (Sterbenz: far from zero, middle / 2 <= x <= 2 middle), so a sum of rows is the sum of the
// very rows, and the centre of equal rows is that row.
template <class T>
T shift_for(T least, T greatest) {
    const double middle = static_cast<double>(least) / 2 + static_cast<double>(greatest) / 2;
    const double half = static_cast<double>(greatest) / 2 - static_cast<double>(least) / 2;
    return std::abs(middle) > 2.25 * half ? static_cast<T>(middle) : T{0};  // 2, and room for rounding to T
}

}  // namespace

template <class T>
Dataset<T>::Dataset(const Points<T>& given, int n_threads) : points(given), shelf(std::make_shared<SketchShelf<T>>()) {
    const index_t d = points.d;
    const std::vector<T>&least = frame.least, &greatest = frame.greatest;
    find_range(points, n_threads, frame.least, frame.greatest);

    const double max_weight = points.weight ? *std::max_element(points.weight, points.weight + points.n) : 1.0;
    frame.weight_grid = grid_for(max_weight);
    weigh();

    frame.shift.assign((d + 3) / 4 * 4, T{0});  // padded for whole-vector loads
    frame.grid.assign(frame.shift.size(), 1.0);
    double widest = 0.0, coarsest = std::numeric_limits<double>::infinity();
    for (index_t j = 0; j < d; ++j) {
        frame.shift[j] = shift_for(least[j], greatest[j]);
        const double half = std::max(static_cast<double>(greatest[j]) - static_cast<double>(frame.shift[j]),
                                     static_cast<double>(frame.shift[j]) - static_cast<double>(least[j]));
        frame.grid[j] = grid_for(half * max_weight);
        if (half > 0.0) coarsest = std::min(coarsest, frame.grid[j]);
        widest = std::max(widest, half);
    }
    frame.largest = widest * std::max(1.0, max_weight);
    frame.unit = unit_for<T>(widest);
    frame.grain = 0.5 / (kLowScale * coarsest) / frame.unit / least_weight(points);
}

template <class T>
Dataset<T>::Dataset(const Points<T>& given, const Frame<T>& known, const Moments& moments, std::optional<CoarseCopy> copy)
    : points(given), frame(known), coarse(std::move(copy)), shelf(std::make_shared<SketchShelf<T>>()), packed_(true) {
    weigh();
    settle(moments);
}

template <class T>
void Dataset<T>::weigh() {
    int128_t mass = 0;
    for (index_t i = 0; points.weight && i < points.n; ++i) mass += to_fixed(points.weight[i], frame.weight_grid);
    frame.total_mass = points.weight ? from_fixed(mass, frame.weight_grid) : static_cast<double>(points.n);
}

Moments::Moments(index_t n, index_t d) : squares(n_tasks(n)), sums(n_tasks(n) * d) {}

template <class T>
void take_moments(const Points<T>& points, const Frame<T>& frame, index_t task, Moments& moments) {
    const index_t begin = task * kTask, end = std::min(points.n, begin + kTask);
    moments.squares[task] = exact<T>().moments(points, frame.shift.data(), 1.0 / frame.unit, begin, end, &moments.sums[task * points.d]);
}

// Second moments, in blocks of fixed size and order; only the stopping rules need them.
template <class T>
void Dataset<T>::measure(int n_threads) {
    Moments moments(points.n, points.d);
    parallel_for(n_tasks(points.n), n_threads, [&](index_t t, int) { take_moments(points, frame, t, moments); });
    settle(moments);
}

template <class T>
void Dataset<T>::settle(const Moments& moments) {
    const index_t tasks = n_tasks(points.n), d = points.d;
    double square = 0.0, spread = 0.0;
    mean_.resize(d);
    for (double s : moments.squares) square += s;
    for (index_t j = 0; j < d; ++j) {
        double sum = 0.0;
        for (index_t t = 0; t < tasks; ++t) sum += moments.sums[t * d + j];
        spread += sum * (sum / frame.total_mass);
        mean_[j] = static_cast<double>(frame.shift[j]) + sum / frame.total_mass * frame.unit;
    }
    frame.total_square = square;
    frame.variance = std::max(0.0, square - spread) / (frame.total_mass * static_cast<double>(d));
    measured_ = true;
}

template <class T>
std::vector<double> Dataset<T>::middle() const {
    if (measured()) return mean_;
    std::vector<double> sums(points.d);
    index_t count = 0;
    for (index_t i = 0; i < points.n; i += sample_step(points.n), ++count)
        for (index_t j = 0; j < points.d; ++j) sums[j] += (static_cast<double>(points.row(i)[j]) - static_cast<double>(frame.shift[j])) * inverse_unit();
    for (index_t j = 0; j < points.d; ++j) sums[j] = static_cast<double>(frame.shift[j]) + sums[j] / static_cast<double>(count) * frame.unit;
    return sums;
}

template <class T>
double Dataset<T>::reach_about(const std::vector<double>& origin) const {
    double most = 0.0;
    for (index_t i = 0; i < points.n; i += sample_step(points.n)) {
        double square = 0.0;
        for (index_t j = 0; j < points.d; ++j) {
            const double v = (static_cast<double>(points.row(i)[j]) - origin[j]) * inverse_unit();
            square += v * v;
        }
        most = std::max(most, square);
    }
    return std::sqrt(most) * frame.unit;
}

template <class T>
void Dataset<T>::pack(Packing packing, int n_threads) {
    if (packed_) return;
    packed_ = true;
    if (!measured()) measure(n_threads);
    CoarseCopy copy(packing, points.n, points.d, middle());
    if (!copy.pack_all(points, CoarseCopy::kRoom * reach_about(copy.origin), frame.unit, n_threads)) return;
    copy.add_blocks(n_threads);
    coarse.emplace(std::move(copy));
}

template <class T>
void Dataset<T>::add_rows() {
    if (!sums.empty()) return;
    FixedSums all(1, points.d, false);
    const Step<T> s = step();
    for (index_t i = 0; i < points.n; ++i) kernels<T>().move_row(s, all.sheet(), i, -1, 0);
    sums.assign(all.total(0), all.total(0) + points.d);
}

template <class T>
void Dataset<T>::add_rows(const std::int32_t* labels, index_t k, FixedSums& into) const {
    if (std::any_of(labels, labels + points.n, [k](std::int32_t label) { return label < 0 || label >= k; }))
        throw std::invalid_argument("label out of range");
    kernels<T>().add_rows(step(), into.sheet(), labels, 0, points.n);
}

template <class T>
void Dataset<T>::plant() {
    if (!tree) tree = std::make_shared<const KdTree<T>>(*this);
}

template <class T>
Step<T> Dataset<T>::step() const {
    Step<T> s{};
    s.points = points;
    s.shift = frame.shift.data();
    s.grid = frame.grid.data();
    s.weight_grid = frame.weight_grid;
    s.inverse_unit = inverse_unit();
    return s;
}

template void take_moments<float>(const Points<float>&, const Frame<float>&, index_t, Moments&);
template void take_moments<double>(const Points<double>&, const Frame<double>&, index_t, Moments&);
template struct Dataset<float>;
template struct Dataset<double>;

}  // namespace seedbed
