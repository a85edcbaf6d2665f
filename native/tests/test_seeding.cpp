// Seeding by every route (plain, greedy, farthest; pruned, sketched, scaled, weighted; several threads)
// against the same methods written plainly here, for the sanitizers.
#include "seeding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

using namespace seedbed;

namespace {

constexpr index_t kBlockOfRows = 64;

template <class T>
struct Case {
    std::vector<T> x;
    std::vector<double> weight;
    std::vector<double> uniforms;
    index_t n, d, k, trials;
    double scale;

    Points<T> points() const {
        Points<T> p;
        p.x = x.data();
        p.weight = weight.empty() ? nullptr : weight.data();
        p.n = n;
        p.d = d;
        return p;
    }
};

// Values with few bits, so that the squares and sums below are exact whatever their order.
template <class T>
Case<T> make_case(unsigned seed, bool weighted) {
    std::mt19937_64 random(seed);
    Case<T> c;
    const bool many = seed % 3 == 0;  // enough seeds and attributes for the sketch
    c.n = many ? 4000 + static_cast<index_t>(random() % 400) : 1 + static_cast<index_t>(random() % 5000);
    if (seed % 4 == 0) c.n = c.n / kBlockOfRows * kBlockOfRows + 36;  // whole groups of rows, but not whole words
    c.d = (many ? 16 : 1) + static_cast<index_t>(random() % 21);
    c.k = std::min<index_t>(c.n, many ? 40 : 1 + static_cast<index_t>(random() % 12));
    c.trials = 1 + static_cast<index_t>(random() % 5);
    if (seed % 7 == 0) c.trials = 29;
    c.scale = seed % 5 == 0 && sizeof(T) == 8 ? std::ldexp(1.0, 300) : 1.0;
    for (index_t i = 0; i < c.n * c.d; ++i) c.x.push_back(static_cast<T>(c.scale * static_cast<double>(random() % 64)));
    if (seed % 6 == 0) std::fill_n(&c.x[c.n / 3 * c.d], c.d, static_cast<T>(c.scale * 0x1p20));  // far out: a sketch is too coarse for the others
    if (weighted)
        for (index_t i = 0; i < c.n; ++i) c.weight.push_back(static_cast<double>(1 + random() % 4));
    for (index_t i = 0; i < c.k * c.trials; ++i) c.uniforms.push_back(std::ldexp(static_cast<double>(random() >> 11), -53));
    return c;
}

template <class T>
double square(const Case<T>& c, index_t a, index_t b) {
    double sum = 0.0;
    for (index_t j = 0; j < c.d; ++j) {
        const double t = (static_cast<double>(c.x[a * c.d + j]) - static_cast<double>(c.x[b * c.d + j])) / c.scale;
        sum += t * t;
    }
    return sum;
}

index_t draw(const std::vector<double>& mass, double u) {
    double total = 0.0, sum = 0.0;
    for (const double m : mass) total += m;
    index_t last = -1;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        if (mass[i] == 0.0) continue;
        last = static_cast<index_t>(i);
        sum += mass[i];
        if (sum > u * total) break;
    }
    return last;
}

template <class T>
std::vector<index_t> draw_plainly(const Case<T>& c) {
    const auto weight = [&](index_t i) { return c.weight.empty() ? 1.0 : c.weight[i]; };
    std::vector<double> nearest(c.n, std::numeric_limits<double>::infinity()), mass(c.n);
    for (index_t i = 0; i < c.n; ++i) mass[i] = weight(i);
    std::vector<index_t> rows{draw(mass, c.uniforms[0])};
    for (index_t r = 1;; ++r) {
        double potential = 0.0;
        for (index_t i = 0; i < c.n; ++i) {
            nearest[i] = std::min(nearest[i], square(c, i, rows.back()));
            mass[i] = weight(i) * nearest[i];
            potential += mass[i];
        }
        if (r == c.k || potential == 0.0) return rows;
        index_t best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (index_t t = 0; t < c.trials; ++t) {
            const index_t row = draw(mass, c.uniforms[r * c.trials + t]);
            double sum = 0.0;
            for (index_t i = 0; i < c.n; ++i) sum += weight(i) * std::min(nearest[i], square(c, i, row));
            if (sum < least) least = sum, best = row;
        }
        rows.push_back(best);
    }
}

template <class T>
std::vector<index_t> farthest_plainly(const Case<T>& c, index_t first) {
    std::vector<double> nearest(c.n, std::numeric_limits<double>::infinity());
    std::vector<index_t> rows{first};
    while (static_cast<index_t>(rows.size()) < c.k) {
        for (index_t i = 0; i < c.n; ++i) nearest[i] = std::min(nearest[i], square(c, i, rows.back()));
        const auto most = std::max_element(nearest.begin(), nearest.end());
        if (*most == 0.0) break;
        rows.push_back(most - nearest.begin());
    }
    return rows;
}

// Every row after the last seed, one by one.
template <class T>
std::vector<index_t> spread_plainly(const Case<T>& c, std::vector<index_t> seeds) {
    const std::size_t k = seeds.size();
    for (index_t i = seeds.back() + 1; i < c.n; ++i) {
        double closest = std::numeric_limits<double>::infinity();
        std::vector<double> gap(k, closest), to(k);
        std::size_t a = 0, b = 1, q = 0;
        for (std::size_t s = 0; s < k; ++s) {
            to[s] = square(c, i, seeds[s]);
            if (to[s] < to[q]) q = s;
            for (std::size_t t = 0; t < k; ++t) {
                if (t == s) continue;
                const double between = square(c, seeds[s], seeds[t]);
                gap[s] = std::min(gap[s], between);
                if (between < closest) closest = between, a = s, b = t;
            }
        }
        double second = std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s < k; ++s)
            if (s != q) second = std::min(second, to[s]);
        if (to[q] > closest) seeds[to[b] < to[a] ? b : a] = i;
        else if (second > gap[q]) seeds[q] = i;
    }
    return seeds;
}

template <class T>
void compare_spread(const Case<T>& c, const Dataset<T>& data) {
    const std::vector<index_t> first = distinct_rows(data.points, std::min<index_t>(c.k, 9));
    if (first.size() >= 2) CHECK(spread_seeds(data, first, {}).rows == spread_plainly(c, first));
}

// Starts that are drawn together, or again from a data set that keeps a sketch by then, are those that are drawn alone.
template <class T>
void compare_starts(const Case<T>& c) {
    constexpr index_t kStarts = 3;
    std::vector<double> uniforms;
    std::mt19937_64 random(static_cast<unsigned>(c.n));
    for (index_t i = 0; i < kStarts * c.k * c.trials; ++i) uniforms.push_back(std::ldexp(static_cast<double>(random() >> 11), -53));
    const auto draw = [&](Dataset<T>& data, index_t s) { return draw_seeds(data, c.k, &uniforms[s * c.k * c.trials], c.trials, 1, {}); };
    Dataset<T> kept(c.points(), 1);
    draw(kept, 0);
    for (const int n_threads : {1, 3}) {
        Dataset<T> fresh(c.points(), 1);
        const std::vector<Chosen> together = draw_starts(fresh, c.k, uniforms.data(), kStarts, c.trials, n_threads, {});
        for (index_t s = 0; s < kStarts; ++s) {
            Dataset<T> unused(c.points(), 1);
            const Chosen alone = draw(unused, s), again = draw(kept, s);
            CHECK(together[s].rows == alone.rows && again.rows == alone.rows);
            CHECK(together[s].potential == alone.potential && again.potential == alone.potential);
        }
    }
}

template <class T>
void compare(unsigned seed, bool weighted) {
    const Case<T> c = make_case<T>(seed, weighted);
    Dataset<T> data(c.points(), 1);
    const std::vector<index_t> drawn = draw_plainly(c), far = farthest_plainly(c, c.n / 2);
    for (const int n_threads : {1, 3}) {
        CHECK(draw_seeds(data, c.k, c.uniforms.data(), c.trials, n_threads, {}).rows == drawn);
        CHECK(farthest_seeds(data, c.k, c.n / 2, n_threads, {}).rows == far);
    }
    std::vector<std::int32_t> labels(c.n);
    for (index_t i = 0; i < c.n; ++i) labels[i] = static_cast<std::int32_t>(i % c.k);
    CHECK(static_cast<index_t>(label_means(data, labels.data(), c.k).size()) == c.k * c.d);
    CHECK(longest_row(data) < c.n);
    compare_spread(c, data);
    compare_starts(c);
}

void test_distinct_rows() {
    const std::vector<double> x{1, 2, 1, 2, 0.0, 0, -0.0, 0, 3, 4};
    Points<double> p;
    p.x = x.data();
    p.n = 5;
    p.d = 2;
    CHECK((distinct_rows(p, 5) == std::vector<index_t>{0, 2, 4}));
    CHECK((distinct_rows(p, 2) == std::vector<index_t>{0, 2}));
    CHECK((distinct_rows(p, 1) == std::vector<index_t>{0}));
    const std::vector<index_t> among{1, 0, 3, 4, 2};
    CHECK((distinct_rows(p, 5, among.data(), 5) == std::vector<index_t>{0, 2, 3}));
    CHECK((distinct_rows(p, 2, among.data(), 5) == std::vector<index_t>{0, 2}));
    CHECK(distinct_rows(p, 2, among.data(), 0).empty());
}

}  // namespace

int main() {
    for (unsigned seed = 1; seed <= 12; ++seed)
        for (const bool weighted : {false, true}) {
            compare<float>(seed, weighted);
            compare<double>(seed, weighted);
        }
    test_distinct_rows();
}
