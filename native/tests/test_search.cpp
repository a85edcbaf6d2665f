// Nearest centres, swaps and Hartigan's moves against the same written plainly here, for the sanitizers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "hartigan.hpp"
#include "nearest.hpp"
#include "swap.hpp"

using namespace seedbed;

namespace {

template <class T>
struct Case {
    std::vector<T> x;
    std::vector<double> weight;
    std::vector<T> centers;
    std::vector<double> uniforms;
    index_t n, d, k;

    Points<T> points() const {
        Points<T> p;
        p.x = x.data();
        p.weight = weight.empty() ? nullptr : weight.data();
        p.n = n;
        p.d = d;
        return p;
    }
    double mass(index_t i) const { return weight.empty() ? 1.0 : weight[i]; }
};

constexpr index_t kSteps = 12;

// Values with few bits: squares and sums of them are exact.
template <class T>
Case<T> make_case(unsigned seed, bool weighted) {
    std::mt19937_64 random(seed);
    Case<T> c;
    c.n = 2 + static_cast<index_t>(random() % (seed % 4 == 0 ? 9000 : 300));
    c.d = 1 + static_cast<index_t>(random() % 7);
    c.k = 1 + static_cast<index_t>(random() % static_cast<unsigned long>(std::min<index_t>(c.n - 1, 9)));
    for (index_t i = 0; i < c.n * c.d; ++i) c.x.push_back(static_cast<T>(random() % 32));
    if (weighted)
        for (index_t i = 0; i < c.n; ++i) c.weight.push_back(static_cast<double>(1 + random() % 4));
    c.centers.assign(c.x.begin(), c.x.begin() + c.k * c.d);
    for (index_t i = 0; i < 3 * kSteps; ++i) c.uniforms.push_back(std::ldexp(static_cast<double>(random() >> 11), -53));
    return c;
}

template <class T>
double square(const Case<T>& c, index_t i, const double* center) {
    double sum = 0.0;
    for (index_t j = 0; j < c.d; ++j) sum += (static_cast<double>(c.x[i * c.d + j]) - center[j]) * (static_cast<double>(c.x[i * c.d + j]) - center[j]);
    return sum;
}

template <class T>
std::vector<double> widened(const std::vector<T>& v) {
    return std::vector<double>(v.begin(), v.end());
}

template <class T>
double cost(const Case<T>& c, const std::vector<double>& centers) {
    double sum = 0.0;
    for (index_t i = 0; i < c.n; ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t at = 0; at < centers.size(); at += c.d) least = std::min(least, square(c, i, &centers[at]));
        sum += c.mass(i) * least;
    }
    return sum;
}

template <class T>
std::vector<double> means_of(const Case<T>& c, const std::vector<std::int32_t>& labels, index_t k, std::vector<double>& mass) {
    std::vector<double> means(k * c.d, 0.0);
    mass.assign(k, 0.0);
    for (index_t i = 0; i < c.n; ++i) {
        mass[labels[i]] += c.mass(i);
        for (index_t j = 0; j < c.d; ++j) means[labels[i] * c.d + j] += c.mass(i) * static_cast<double>(c.x[i * c.d + j]);
    }
    for (index_t a = 0; a < k; ++a)
        for (index_t j = 0; j < c.d; ++j) means[a * c.d + j] /= mass[a] > 0 ? mass[a] : 1.0;
    return means;
}

template <class T>
void test_nearest(const Case<T>& c, const Dataset<T>& data) {
    const TwoNearest two = two_nearest(data, c.centers.data(), c.k, 2);
    std::vector<std::int32_t> labels(c.n);
    std::vector<double> squares(c.n);
    nearest(data, c.centers.data(), c.k, 2, labels.data(), squares.data());
    CHECK(labels == two.first && squares == two.square);
    const std::vector<double> centers = widened(c.centers);
    for (index_t i = 0; i < c.n; ++i) {
        std::vector<double> all;
        for (index_t a = 0; a < c.k; ++a) all.push_back(square(c, i, &centers[a * c.d]));
        CHECK(two.first[i] == std::min_element(all.begin(), all.end()) - all.begin());
        std::nth_element(all.begin(), all.begin() + std::min<index_t>(1, c.k - 1), all.end());
        CHECK(c.k == 1 ? two.second[i] == -1 : two.next_square[i] == all[1]);
    }
}

// The nearest of all is the nearest of some, lowered by the others: by either way.
template <class T>
void test_lowering(const Case<T>& c, const Dataset<T>& data) {
    std::vector<T> far = c.x;  // new centres far from all rows but a few: pruned
    for (index_t i = 0; i < (c.n - c.k) * c.d; ++i) far[c.k * c.d + i] = static_cast<T>(static_cast<double>(far[c.k * c.d + i]) + (i / c.d % 64 == 0 ? 0 : 4000));
    for (const std::vector<T>& all : {c.x, far}) {
        std::vector<std::int32_t> labels(c.n), expected(c.n);
        std::vector<double> squares(c.n), least(c.n);
        nearest(data, all.data(), c.k, 1, labels.data(), squares.data());
        nearest(data, all.data(), c.n, 1, expected.data(), least.data());
        lower_nearest(data, all.data(), c.k, &all[c.k * c.d], c.n - c.k, 3, labels.data(), squares.data());
        CHECK(labels == expected && squares == least);
    }
}

// Groups that are far apart, and new centres so many that rows are compared only with those of their own group.
template <class T>
void test_lowering_in_groups(index_t groups) {
    constexpr index_t n = 1500, d = 8, m = 600;
    std::mt19937_64 random(static_cast<unsigned>(groups));
    std::vector<T> x;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < d; ++j) x.push_back(static_cast<T>(random() % 8 + static_cast<std::uint64_t>(i % groups) * 4000));
    Points<T> points;
    points.x = x.data();
    points.n = n;
    points.d = d;
    const Dataset<T> data(points, 1);
    std::vector<std::int32_t> expected(n);
    std::vector<double> least(n);
    nearest(data, x.data(), groups + m, 1, expected.data(), least.data());
    for (const int n_threads : {1, 3}) {
        std::vector<std::int32_t> labels(n);
        std::vector<double> squares(n);
        nearest(data, x.data(), groups, 1, labels.data(), squares.data());
        lower_nearest(data, x.data(), groups, &x[groups * d], m, n_threads, labels.data(), squares.data());
        CHECK(labels == expected && squares == least);
    }
}

template <class T>
void test_swaps(const Case<T>& c, const Dataset<T>& data) {
    for (const index_t swaps : {1, 2, 3}) {
        const Swapped<T> one = swap_search(data, c.centers.data(), c.k, c.uniforms.data(), kSteps, swaps, 1, {});
        const Swapped<T> three = swap_search(data, c.centers.data(), c.k, c.uniforms.data(), kSteps, swaps, 3, {});
        CHECK(one.centers == three.centers && one.cost == three.cost && one.rows == three.rows);
        CHECK(one.cost.front() == cost(c, widened(c.centers)));
        CHECK(one.cost.back() == cost(c, widened(one.centers)));
        CHECK(std::is_sorted(one.cost.rbegin(), one.cost.rend()));
        for (index_t a = 0; a < c.k; ++a) {
            const T* kept = one.rows[a] < 0 ? &c.centers[a * c.d] : &c.x[one.rows[a] * c.d];
            CHECK(std::equal(kept, kept + c.d, &one.centers[a * c.d]));
        }
    }
}

// Every way to leave one out, and the error about the means that follow.
template <class T>
void test_mean_swap(const Case<T>& c, const Dataset<T>& data) {
    const index_t row = c.n - 1;
    std::vector<T> all = c.centers;
    all.insert(all.end(), &c.x[row * c.d], &c.x[row * c.d] + c.d);
    const std::vector<double> wide = widened(all);
    double least = std::numeric_limits<double>::infinity();
    for (index_t out = 0; out <= c.k; ++out) {
        std::vector<std::int32_t> labels(c.n, -1);
        for (index_t i = 0; i < c.n; ++i)
            for (std::int32_t a = 0; a <= c.k; ++a)
                if (a != out && (labels[i] < 0 || square(c, i, &wide[a * c.d]) < square(c, i, &wide[labels[i] * c.d]))) labels[i] = a;
        std::vector<double> mass;
        const std::vector<double> means = means_of(c, labels, c.k + 1, mass);
        double error = 0.0;
        for (index_t i = 0; i < c.n; ++i) error += c.mass(i) * square(c, i, &means[labels[i] * c.d]);
        least = std::min(least, error);
    }
    std::vector<T> means = c.centers;
    best_mean_swap(data, row, c.k, 2, means.data());
    CHECK(cost(c, widened(means)) <= least * (1 + 1e-5) + 1e-9);
}

template <class T>
void test_hartigan(Case<T> c) {
    if (!c.weight.empty()) c.weight[c.n / 2] = 0.0;
    const Dataset<T> data(c.points(), 1);
    std::vector<std::int32_t> labels(c.n);
    std::vector<double> squares(c.n), mass;
    nearest(data, c.centers.data(), c.k, 1, labels.data(), squares.data());
    means_of(c, labels, c.k, mass);
    const std::vector<double> before = mass;
    const Refined<T> one = hartigan(data, c.centers.data(), c.k, labels.data(), 1000, 1, {});
    const Refined<T> three = hartigan(data, c.centers.data(), c.k, labels.data(), 1000, 3, {});
    CHECK(one.labels == three.labels && one.centers == three.centers);
    CHECK(one.passes.back().moved == 0);
    for (std::size_t p = 1; p < one.passes.size(); ++p) CHECK(one.passes[p].sse <= one.passes[p - 1].sse);
    const std::vector<double> means = means_of(c, one.labels, c.k, mass);
    double error = 0.0;
    for (index_t i = 0; i < c.n; ++i) {
        const index_t a = one.labels[i];
        const double w = c.mass(i), own = square(c, i, &means[a * c.d]);
        error += w * own;
        if (w == 0.0 || mass[a] <= w) continue;
        for (index_t b = 0; b < c.k; ++b)
            if (b != a && mass[b] > 0.0) CHECK(mass[b] / (mass[b] + w) * square(c, i, &means[b * c.d]) >= mass[a] / (mass[a] - w) * own - 1e-6);
    }
    CHECK(std::abs(error - one.passes.back().sse) <= 1e-9 * error + 1e-9);
    for (index_t a = 0; a < c.k; ++a) CHECK((before[a] > 0.0) == (mass[a] > 0.0));
    CHECK(hartigan(data, c.centers.data(), c.k, labels.data(), 1, 1, {}).passes.size() == 1);
}

template <class T>
void test_all(unsigned seed, bool weighted) {
    const Case<T> c = make_case<T>(seed, weighted);
    const Dataset<T> data(c.points(), 1);
    test_nearest(c, data);
    if (c.n <= 300) test_lowering(c, data);
    test_swaps(c, data);
    test_mean_swap(c, data);
    test_hartigan(c);
}

}  // namespace

int main() {
    for (const index_t groups : {1, 5, 12}) {
        test_lowering_in_groups<float>(groups);
        test_lowering_in_groups<double>(groups);
    }
    for (unsigned seed = 1; seed <= 16; ++seed)
        for (const bool weighted : {false, true}) {
            test_all<float>(seed, weighted);
            test_all<double>(seed, weighted);
        }
}
