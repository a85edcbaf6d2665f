#include "dataset.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fixed_sum.hpp"
#include "pool.hpp"
#include "tree.hpp"

namespace seedbed {
namespace {

index_t n_tasks(index_t n) { return (n + kTask - 1) / kTask; }

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

// The smallest power of two that is at least v.
double power_above(double v) {
    if (!(v > 0.0)) return 1.0;
    int exponent = 0;
    const double fraction = std::frexp(v, &exponent);
    return std::ldexp(1.0, std::clamp(fraction == 0.5 ? exponent - 1 : exponent, -1000, 1000));
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

index_t in_blocks(index_t n) { return (n + kBlock - 1) / kBlock * kBlock; }

// For a coarse copy. The last words may belong to no row and are read all the same: they are zeros.
Scratch<std::int32_t> words_for(index_t n, index_t last) {
    auto words = make_scratch<std::int32_t>(n);
    std::fill(words.get() + n - last, words.get() + n, 0);
    return words;
}

// From the rows.
void add_blocks(CoarseCopy& copy, index_t n, index_t pairs, int n_threads) {
    copy.blocks = words_for(in_blocks(n) * pairs, 0);
    parallel_for(n_tasks(n), n_threads, [&](index_t t, int) {
        for (index_t i = t * kTask; i < std::min(in_blocks(n), (t + 1) * kTask); ++i)
            for (index_t p = 0; p < pairs; ++p)
                copy.blocks[i / kBlock * kBlock * pairs + p * kBlock + i % kBlock] = i < n ? copy.rows[i * pairs + p] : 0;
    });
}

}  // namespace

template <class T>
Dataset<T>::Dataset(const Points<T>& given, int n_threads) : points(given) {
    const index_t d = points.d;
    const std::vector<T>&least = frame.least, &greatest = frame.greatest;
    find_range(points, n_threads, frame.least, frame.greatest);

    const double max_weight = points.weight ? *std::max_element(points.weight, points.weight + points.n) : 1.0;
    frame.weight_grid = grid_for(max_weight);
    weigh();

    frame.shift.assign((d + 3) / 4 * 4, T{0});  // padded for whole-vector loads
    frame.grid.assign(frame.shift.size(), 1.0);
    double widest = 0.0;
    for (index_t j = 0; j < d; ++j) {
        frame.shift[j] = shift_for(least[j], greatest[j]);
        const double half = std::max(static_cast<double>(greatest[j]) - static_cast<double>(frame.shift[j]),
                                     static_cast<double>(frame.shift[j]) - static_cast<double>(least[j]));
        frame.grid[j] = grid_for(half * max_weight);
        widest = std::max(widest, half);
    }
    frame.unit = power_above(widest);
}

template <class T>
Dataset<T>::Dataset(const Points<T>& some, const Dataset& whole, const index_t* rows) : points(some), frame(whole.frame) {
    weigh();
    if (!whole.coarse || !whole.coarse->rows) return;
    const CoarseCopy& from = *whole.coarse;
    const index_t pairs = (points.d + 1) / 2;
    CoarseCopy copy{from.origin, from.scale, words_for(points.n * pairs + 3, 3), nullptr, nullptr};
    for (index_t i = 0; i < points.n; ++i) std::copy_n(&from.rows[rows[i] * pairs], pairs, &copy.rows[i * pairs]);
    if (from.half) {
        copy.half = words_for(in_blocks(points.n), kBlock);
        for (index_t i = 0; i < points.n; ++i) copy.half[i] = from.half[rows[i]];
        add_blocks(copy, points.n, pairs, 1);
    }
    coarse.emplace(std::move(copy));
    packed_ = true;
}

template <class T>
void Dataset<T>::weigh() {
    int128_t mass = 0;
    for (index_t i = 0; points.weight && i < points.n; ++i) mass += to_fixed(points.weight[i], frame.weight_grid);
    frame.total_mass = points.weight ? from_fixed(mass, frame.weight_grid) : static_cast<double>(points.n);
}

// Second moments, in blocks of fixed size and order; only the stopping rules need them.
template <class T>
void Dataset<T>::measure(int n_threads) {
    const index_t tasks = n_tasks(points.n), d = points.d;
    const double inverse = inverse_unit();
    std::vector<double> squares(tasks), sums(tasks * d);
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        const index_t begin = t * kTask, end = std::min(points.n, begin + kTask);
        squares[t] = exact<T>().moments(points, frame.shift.data(), inverse, begin, end, &sums[t * d]);
    });
    double square = 0.0, spread = 0.0;
    mean_.resize(d);
    for (double s : squares) square += s;
    for (index_t j = 0; j < d; ++j) {
        double sum = 0.0;
        for (index_t t = 0; t < tasks; ++t) sum += sums[t * d + j];
        spread += sum * (sum / frame.total_mass);
        mean_[j] = static_cast<double>(frame.shift[j]) + sum / frame.total_mass * frame.unit;
    }
    frame.total_square = square;
    frame.variance = std::max(0.0, square - spread) / (frame.total_mass * static_cast<double>(d));
    measured_ = true;
}

// The greatest norm about the origin among a few hundred rows.
template <class T>
double Dataset<T>::sampled_reach(const std::vector<double>& origin) const {
    double most = 0.0;
    for (index_t i = 0; i < points.n; i += std::max<index_t>(1, points.n / 256)) {
        double square = 0.0;
        for (index_t j = 0; j < points.d; ++j) {
            const double v = (static_cast<double>(points.row(i)[j]) - origin[j]) * inverse_unit();
            square += v * v;
        }
        most = std::max(most, square);
    }
    return std::sqrt(most) * frame.unit;
}

// As fine as scores allow (coarse_centers.hpp): the scale is guessed from a sample, and where some row turns
// out to lie farther out, all are packed again.
template <class T>
void Dataset<T>::pack(Packing packing, int n_threads) {
    if (packed_) return;
    packed_ = true;
    if (!measured()) measure(n_threads);
    CoarseCopy copy;
    copy.origin = mean_;
    copy.origin.resize((points.d + 3) / 4 * 4);
    const index_t pairs = (points.d + 1) / 2;
    auto& words = packing == Packing::blocks ? copy.blocks : copy.rows;
    words = packing == Packing::blocks ? words_for(in_blocks(points.n) * pairs, kBlock * pairs) : words_for(points.n * pairs + 3, 3);
    if (packing == Packing::both) copy.half = words_for(in_blocks(points.n), kBlock);
    constexpr double aim = 26400.0, most = 7.0e8;
    std::vector<double> greatest(n_tasks(points.n));
    for (double reach = 1.25 * sampled_reach(copy.origin);;) {
        copy.scale = reach > 0.0 ? aim / reach : 1.0 / frame.unit;
        if (!std::isfinite(copy.scale) || !std::isfinite(1.0 / (copy.scale * frame.unit))) return;
        std::vector<double> scales(copy.origin.size());
        std::fill_n(scales.begin(), points.d, copy.scale);
        parallel_for(n_tasks(points.n), n_threads, [&](index_t t, int) {
            greatest[t] = kernels<T>().pack_coarse(points, copy.origin.data(), scales.data(), packing == Packing::blocks, t * kTask,
                                                   std::min(points.n, (t + 1) * kTask), words.get(), copy.half.get());
        });
        const double square = *std::max_element(greatest.begin(), greatest.end());
        if (square <= most) break;
        if (!std::isfinite(square)) return;
        reach = std::sqrt(square) / copy.scale;
    }
    if (packing == Packing::both) add_blocks(copy, points.n, pairs, n_threads);
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

template struct Dataset<float>;
template struct Dataset<double>;

}  // namespace seedbed
