#include "seeding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>

#include "engine.hpp"
#include "fixed_sum.hpp"
#include "pool.hpp"
#include "seeder.hpp"

namespace seedbed {
namespace {

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

constexpr index_t kInterval = index_t{1} << 18;  // rows scanned between two looks at the interrupter

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
    const auto sketcher = data.shelf->get(data, k, trials, 1);
    Seeder<T> seeder(data, sketcher.get(), k, trials, n_threads, interrupted);
    Chosen out = draw_start(seeder, k, uniforms, trials, given);
    if (sketcher) data.shelf->put(sketcher, seeder.sketching());
    return out;
}

template <class T>
std::vector<Chosen> draw_starts(const Dataset<T>& data, index_t k, const double* uniforms, index_t starts, index_t trials, int n_threads,
                                const std::function<bool()>& interrupted) {
    const bool across = starts > 1 && !Seeder<T>::pays_inside(data.points, trials);
    const int workers = across ? static_cast<int>(std::clamp<index_t>(n_threads, 1, starts)) : 1;
    const std::function<bool()> never;
    const auto sketcher = data.shelf->get(data, k, trials, starts);
    std::vector<std::unique_ptr<Seeder<T>>> seeders;
    for (int w = 0; w < workers; ++w)
        seeders.push_back(std::make_unique<Seeder<T>>(data, sketcher.get(), k, trials, across ? 1 : n_threads, w == 0 ? interrupted : never));
    std::vector<Chosen> out(starts);
    const auto draw = [&](index_t s, int w) { out[s] = draw_start(*seeders[w], k, uniforms + s * k * trials, trials, {}); };
    draw(0, 0);  // and the sketch on the way
    if (sketcher) data.shelf->put(sketcher, seeders[0]->sketching());
    parallel_for(starts - 1, workers, [&](index_t s, int w) { draw(s + 1, w); });
    return out;
}

template <class T>
Chosen farthest_seeds(const Dataset<T>& data, index_t k, index_t first, int n_threads, const std::function<bool()>& interrupted) {
    const auto sketcher = data.shelf->get(data, k, 1, 1);
    Seeder<T> seeder(data, sketcher.get(), k, 1, n_threads, interrupted);
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
    if (sketcher) data.shelf->put(sketcher, seeder.sketching());
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
    const index_t d = data.points.d;
    FixedSums sums(k, d, data.points.weight != nullptr);
    data.add_rows(labels, k, sums);
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
