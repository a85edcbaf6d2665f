// Parts of the rows against each of them as data of its own, under the sanitizers.
#include "parts.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"

using namespace seedbed;

namespace {

template <class T>
void check_parts(index_t n, index_t d, index_t k, index_t n_parts, bool weighted) {
    std::mt19937_64 random(static_cast<unsigned>(n + d + k));
    std::normal_distribution<double> normal;
    std::vector<T> x(n * d);
    std::vector<double> weight(n);
    for (T& v : x) v = static_cast<T>(normal(random));
    for (double& w : weight) w = 0.5 + std::abs(normal(random));
    if (n % 2 == 1) x[(n / 2) * d] *= 1e4;  // farther out than a sample would say: packed again
    std::vector<index_t> order(n), ends, starts;
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.pop_back();  // a row in no part
    for (index_t p = 0; p < n_parts; ++p) {
        const index_t begin = p * (n - 1) / n_parts;
        ends.push_back((p + 1) * (n - 1) / n_parts);
        for (index_t c = 0; c < k; ++c) starts.push_back(order[begin + c]);
        std::sort(order.begin() + begin, order.begin() + ends.back());
    }
    const Points<T> points{x.data(), weighted ? weight.data() : nullptr, n, d};
    const Dataset<T> data(points, 1);
    const Parts parts{order.data(), ends.data(), n_parts};
    const std::vector<T> found = cluster_parts(data, parts, starts.data(), k, 1e-6, 100, 3, {});
    CHECK(found == cluster_parts(data, parts, starts.data(), k, 1e-6, 100, 1, {}));
    for (const Packing packing : {Packing::rows, Packing::both, Packing::blocks}) {  // with an integer copy to take rows from, or none
        Dataset<T> packed(points, 1);
        packed.pack(packing, 1);
        CHECK(found == cluster_parts(packed, parts, starts.data(), k, 1e-6, 100, 2, {}));
    }

    for (index_t p = 0; p < n_parts; ++p) {
        std::vector<index_t> rows(order.begin() + (p > 0 ? ends[p - 1] : 0), order.begin() + ends[p]);
        std::vector<T> some, start;
        std::vector<double> mass;
        for (const index_t i : rows) some.insert(some.end(), points.row(i), points.row(i) + d), mass.push_back(weight[i]);
        for (index_t c = 0; c < k; ++c) start.insert(start.end(), points.row(starts[p * k + c]), points.row(starts[p * k + c]) + d);
        Dataset<T> part({some.data(), weighted ? mass.data() : nullptr, static_cast<index_t>(rows.size()), d}, 1);
        Options options;
        options.stop = Stop::sse;
        options.tol = 1e-6;
        options.max_iter = 100;
        const std::vector<Run<T>> runs = run_many(part, start.data(), 1, k, options, false, {});
        CHECK(std::equal(runs[0].centers.begin(), runs[0].centers.end(), found.begin() + p * k * d));
    }
}

}  // namespace

int main() {
    for (const bool weighted : {false, true}) {
        check_parts<double>(2000, 3, 4, 7, weighted);
        check_parts<float>(1500, 10, 5, 3, weighted);
        check_parts<double>(41, 1, 2, 10, weighted);
        check_parts<double>(3100, 50, 3, 2, weighted);
        check_parts<double>(9001, 6, 4, 2, weighted);
    }
}
