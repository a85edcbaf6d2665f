// The divisive partition under the sanitizers: every axis, threshold and type on data of all sorts, twice in
// different orders and with different numbers of threads, and what the parts must add up to.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "leading.hpp"
#include "partition.hpp"

using namespace seedbed;

namespace {

template <class T>
struct Case {
    std::vector<T> x;
    std::vector<double> weight;
    index_t n, d, k;
};

template <class T>
Case<T> make_case(unsigned seed, bool lattice, bool weighted) {
    std::mt19937_64 random(seed);
    Case<T> c;
    c.n = 1 + static_cast<index_t>(random() % 400);
    c.d = seed % 7 == 0 ? 129 + static_cast<index_t>(random() % 9) : 1 + static_cast<index_t>(random() % 21);
    c.k = 1 + static_cast<index_t>(random() % static_cast<unsigned long>(std::min<index_t>(c.n, 30)));
    std::uniform_real_distribution<double> uniform(-5.0, 20.0);
    for (index_t i = 0; i < c.n * c.d; ++i) c.x.push_back(static_cast<T>(lattice ? std::floor(uniform(random) / 8) : uniform(random)));
    if (weighted)
        for (index_t i = 0; i < c.n; ++i) c.weight.push_back(static_cast<double>(random() % 4) * 0.7 + (i == 0));
    return c;
}

template <class T>
Points<T> points_of(const Case<T>& c) {
    return {c.x.data(), c.weight.empty() ? nullptr : c.weight.data(), c.n, c.d};
}

// The same rows and weights in another order.
template <class T>
Case<T> shuffled(const Case<T>& c, unsigned seed) {
    std::vector<index_t> order(c.n);
    std::iota(order.begin(), order.end(), index_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    Case<T> out{{}, {}, c.n, c.d, c.k};
    for (const index_t i : order) {
        out.x.insert(out.x.end(), c.x.begin() + i * c.d, c.x.begin() + (i + 1) * c.d);
        if (!c.weight.empty()) out.weight.push_back(c.weight[i]);
    }
    return out;
}

template <class V>
bool same_bytes(const std::vector<V>& a, const std::vector<V>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(V)) == 0);
}

template <class T>
void check_equal(const Partition<T>& a, const Partition<T>& b) {
    CHECK(a.k == b.k);
    CHECK(same_bytes(a.centers, b.centers));
    CHECK(same_bytes(a.errors, b.errors));
    CHECK(same_bytes(a.axes, b.axes));
    CHECK(a.sizes == b.sizes);
    CHECK(a.splits.size() == b.splits.size());
    for (std::size_t s = 0; s < a.splits.size(); ++s) {
        CHECK(a.splits[s].cluster == b.splits[s].cluster && a.splits[s].attribute == b.splits[s].attribute);
        CHECK(a.splits[s].threshold == b.splits[s].threshold && a.splits[s].sse == b.splits[s].sse);
    }
}

// Sizes add up, no part is empty, centres lie in the box, and the mean of the centres is that of the rows.
template <class T>
void check_sums(const Case<T>& c, const Partition<T>& p) {
    index_t rows = 0;
    for (index_t i = 0; i < c.n; ++i) rows += c.weight.empty() || c.weight[i] > 0;
    CHECK(std::accumulate(p.sizes.begin(), p.sizes.end(), index_t{0}) == rows);
    CHECK(*std::min_element(p.sizes.begin(), p.sizes.end()) > 0);
    CHECK(p.k <= c.k && static_cast<index_t>(p.splits.size()) == p.k - 1);
    if (p.k < c.k) CHECK(*std::max_element(p.errors.begin(), p.errors.end()) == 0.0);
    for (index_t j = 0; j < c.d; ++j) {
        double least = INFINITY, greatest = -INFINITY, sum = 0.0, of_centers = 0.0;
        for (index_t i = 0; i < c.n; ++i) {
            if (!c.weight.empty() && !(c.weight[i] > 0)) continue;
            least = std::min<double>(least, c.x[i * c.d + j]), greatest = std::max<double>(greatest, c.x[i * c.d + j]);
            sum += c.x[i * c.d + j];
        }
        for (index_t m = 0; m < p.k; ++m) {
            CHECK(p.centers[m * c.d + j] >= least && p.centers[m * c.d + j] <= greatest);
            of_centers += static_cast<double>(p.sizes[m]) * p.centers[m * c.d + j];
        }
        if (c.weight.empty()) CHECK(std::abs(sum - of_centers) <= 1e-5 * (1 + 25.0 * static_cast<double>(c.n)));
    }
}

template <class T>
void check_all() {
    for (unsigned seed = 0; seed < 36; ++seed) {
        const Case<T> c = make_case<T>(seed, seed % 3 == 1, seed % 2 == 1), other = shuffled(c, seed);
        for (const Axis axis : {Axis::attribute, Axis::principal})
            for (const Threshold threshold : {Threshold::mean, Threshold::otsu, Threshold::exact}) {
                PartitionOptions options{c.k, axis, threshold, 64, 1, {}};
                const Partition<T> p = partition(points_of(c), options);
                check_sums(c, p);
                options.n_threads = 3;
                check_equal(p, partition(points_of(other), options));
            }
    }
}

// Enough rows for several pieces and for threads to start.
void check_threads() {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    Case<double> c{{}, {}, 30011, 6, 5};
    for (index_t i = 0; i < c.n * c.d; ++i) c.x.push_back(normal(random));
    for (const Axis axis : {Axis::attribute, Axis::principal})
        for (const Threshold threshold : {Threshold::mean, Threshold::otsu, Threshold::exact}) {
            PartitionOptions options{c.k, axis, threshold, 256, 1, {}};
            const Partition<double> p = partition(points_of(c), options);
            for (const int n_threads : {2, 5}) {
                options.n_threads = n_threads;
                check_equal(p, partition(points_of(c), options));
            }
        }
}

void check_six_points() {
    const Case<double> c{{0, 1, 2, 10, 11, 12}, {}, 6, 1, 3};
    for (const Axis axis : {Axis::attribute, Axis::principal}) {
        const Partition<double> p = partition(points_of(c), {c.k, axis, Threshold::mean, 256, 1, {}});
        CHECK((p.centers == std::vector<double>{0.5, 11, 2}));
        CHECK(p.splits[0].threshold == 6 && p.splits[0].sse == 154);
    }
}

void check_leading() {
    const std::vector<double> matrix = {4, 1, 0, 1, 3, 1, 0, 1, 2};
    const auto apply = [&](const double* v, double* out) {
        for (int j = 0; j < 3; ++j) out[j] = leading_detail::dot(&matrix[3 * j], v, 3);
    };
    const Leading found = leading_eigenvector({1, 0.3, -0.7}, apply, 1e-14, 50);
    CHECK(std::abs(found.value - (3 + std::sqrt(3.0))) < 1e-13);
    std::vector<double> image(3);
    apply(found.vector.data(), image.data());
    for (int j = 0; j < 3; ++j) CHECK(std::abs(image[j] - found.value * found.vector[j]) < 1e-13);
    CHECK(leading_eigenvector({1, 0.3, -0.7}, apply, 1e-14, 1).residual > 1e-2);  // one step is not enough
    const auto nothing = [](const double*, double* out) { std::fill_n(out, 3, 0.0); };
    CHECK(leading_eigenvector({1, 1, 1}, nothing, 1e-12, 50).value == 0.0);
}

void check_refusals() {
    const std::vector<double> wide = {-1.7e308, 1.7e308}, none = {0, 0};
    bool refused = false;
    try {
        partition(Points<double>{wide.data(), nullptr, 2, 1}, {2, Axis::attribute, Threshold::mean, 256, 1, {}});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
    refused = false;
    try {
        partition(Points<double>{wide.data(), none.data(), 2, 1}, {2, Axis::attribute, Threshold::mean, 256, 1, {}});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

}  // namespace

int main() {
    check_six_points();
    check_leading();
    check_refusals();
    check_threads();
    check_all<double>();
    check_all<float>();
    return 0;
}
