// Every algorithm, thread count and data kind against plain Lloyd written here, for the sanitizers.
#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "check.hpp"
#include "engine.hpp"
#include "pool.hpp"

using namespace seedbed;

namespace {

template <class T>
struct Case {
    std::vector<T> x;
    std::vector<double> weight;
    std::vector<T> start;
    index_t n, d, k;
};

template <class T>
Case<T> make_case(unsigned seed, bool lattice, bool weighted) {
    std::mt19937_64 random(seed);
    Case<T> c;
    c.n = 1 + static_cast<index_t>(random() % 700);
    c.d = 1 + static_cast<index_t>(random() % 60);
    c.k = 1 + static_cast<index_t>(random() % static_cast<unsigned long>(std::min<index_t>(c.n, 40)));
    std::uniform_real_distribution<double> uniform(-5.0, 20.0);
    for (index_t i = 0; i < c.n * c.d; ++i) c.x.push_back(static_cast<T>(lattice ? std::floor(uniform(random) / 8) : uniform(random)));
    if (weighted)
        for (index_t i = 0; i < c.n; ++i) c.weight.push_back(static_cast<double>(random() % 4) + (i == 0));
    for (index_t i = 0; i < c.k; ++i) c.start.insert(c.start.end(), c.x.begin() + i * c.d, c.x.begin() + (i + 1) * c.d);
    return c;
}

template <class T>
Points<T> points_of(const Case<T>& c) {
    Points<T> p;
    p.x = c.x.data();
    p.n = c.n;
    p.d = c.d;
    p.weight = c.weight.empty() ? nullptr : c.weight.data();
    return p;
}

// Nearest centre by the naive double loop, lowest index among equals.
template <class T>
std::int32_t naive_nearest(const T* x, const std::vector<T>& centers, index_t k, index_t d, double* square) {
    std::int32_t best = 0;
    for (index_t c = 0; c < k; ++c) {
        double s = 0.0;
        for (index_t j = 0; j < d; ++j) s += (double(x[j]) - double(centers[c * d + j])) * (double(x[j]) - double(centers[c * d + j]));
        if (c == 0 || s < *square) *square = s, best = static_cast<std::int32_t>(c);
    }
    return best;
}

template <class T>
void check_run(const Case<T>& c, const Run<T>& r) {
    double sse = 0.0;
    for (index_t i = 0; i < c.n; ++i) {
        double least = 0.0, own = 0.0;
        naive_nearest(&c.x[i * c.d], r.centers, r.k, c.d, &least);
        for (index_t j = 0; j < c.d; ++j) {
            const double t = double(c.x[i * c.d + j]) - double(r.centers[r.labels[i] * c.d + j]);
            own += t * t;
        }
        CHECK(own <= least * (1 + 1e-12));
        sse += (c.weight.empty() ? 1.0 : c.weight[i]) * own;
    }
    CHECK(std::abs(sse - r.sse) <= 1e-10 * sse + 1e-300);
    for (std::size_t t = 1; t < r.history.size(); ++t)
        CHECK(r.history[t].sse <= r.history[t - 1].sse * (1 + 1e-10));
}

template <class T>
void test_algorithms(unsigned seed) {
    const Case<T> c = make_case<T>(seed, seed % 3 == 0, seed % 4 == 1);
    Options options;
    options.stop = Stop::labels;
    options.max_iter = 30;
    options.empty = Empty::keep;
    std::vector<Run<T>> first;
    for (const Algorithm a : {Algorithm::lloyd, Algorithm::tie_pde, Algorithm::hamerly, Algorithm::elkan, Algorithm::yinyang, Algorithm::tree,
                              Algorithm::automatic}) {
        options.algorithm = a;
        for (const int threads : {1, 3}) {
            options.n_threads = threads;
            for (const index_t n_runs : {1, 5}) {  // the same start again and again; five share an integer copy
                std::vector<T> starts;
                for (index_t r = 0; r < n_runs; ++r) starts.insert(starts.end(), c.start.begin(), c.start.end());
                Dataset<T> data(points_of(c), threads);
                std::vector<Run<T>> runs = run_many(data, starts.data(), n_runs, c.k, options, true, Watch{});
                if (first.empty()) {
                    check_run(c, runs[0]);
                    first = std::move(runs);
                    continue;
                }
                CHECK(runs.back().labels == first[0].labels);
                CHECK(runs.back().centers == first[0].centers);
                CHECK(runs.back().n_iter == first[0].n_iter);
            }
        }
    }
}

// Centres that start close together move so far that no point of a whole chunk passes its bound.
void test_every_bound_failing() {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    Case<double> c;
    c.n = 1100, c.d = 3, c.k = 20;
    for (index_t i = 0; i < c.n * c.d; ++i) c.x.push_back(uniform(random));
    for (index_t i = 0; i < c.k * c.d; ++i) c.start.push_back(0.5 + 1e-6 * uniform(random));
    Options options;
    options.stop = Stop::labels;
    options.max_iter = 4;
    options.empty = Empty::keep;
    Dataset<double> data(points_of(c), 1);
    const auto labels_by = [&](Algorithm a) {
        options.algorithm = a;
        return run_many(data, c.start.data(), 1, c.k, options, true, Watch{})[0].labels;
    };
    const auto lloyd = labels_by(Algorithm::lloyd);
    for (const Algorithm a : {Algorithm::hamerly, Algorithm::yinyang, Algorithm::elkan}) CHECK(labels_by(a) == lloyd);
}

// Rows beyond the caches, which are asked for before they are scanned: short ones a chunk ahead, long ones by chunk. They are in
// clusters that overlap, so that first whole chunks fail their bounds, then some points.
void test_far_rows(index_t n, index_t d) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    Case<double> c;
    c.n = n, c.d = d, c.k = 5;
    const double apart = 1.5 / std::sqrt(static_cast<double>(d));
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < d; ++j) c.x.push_back(apart * static_cast<double>((i + j) % c.k) + normal(random));
    for (index_t i = 0; i < c.k; ++i) c.start.insert(c.start.end(), c.x.begin() + i * c.k * d, c.x.begin() + (i * c.k + 1) * d);  // all of one cluster
    Options options;
    options.stop = Stop::labels;
    options.max_iter = 16;
    Dataset<double> data(points_of(c), 2);
    const auto labels_by = [&](Algorithm a, int n_threads) {
        options.algorithm = a;
        options.n_threads = n_threads;
        return run_many(data, c.start.data(), 1, c.k, options, true, Watch{})[0].labels;
    };
    const auto lloyd = labels_by(Algorithm::lloyd, 2);
    for (const int n_threads : {1, 3}) CHECK(labels_by(Algorithm::hamerly, n_threads) == lloyd);
}

void test_policies() {
    // Two of three centres start far away: one iteration leaves them empty.
    const std::vector<double> x = {0, 1, 2, 10, 11, 12}, start = {5, 1000, 2000};
    Points<double> p;
    p.x = x.data();
    p.n = 6;
    p.d = 1;
    Options options;
    options.stop = Stop::labels;
    const auto go = [&](Empty empty, Algorithm algorithm) {
        options.empty = empty;
        options.algorithm = algorithm;
        Dataset<double> data(p, 1);
        return std::move(run_many(data, start.data(), 1, 3, options, true, Watch{})[0]);
    };
    for (const Algorithm a : {Algorithm::lloyd, Algorithm::tie_pde, Algorithm::hamerly, Algorithm::elkan, Algorithm::yinyang, Algorithm::tree}) {
        CHECK(go(Empty::relocate, a).relocated == 2);
        CHECK(go(Empty::relocate, a).sse < 6.0);
        CHECK(go(Empty::drop, a).k == 1);
        CHECK(go(Empty::keep, a).centers[2] == 2000.0);
        bool thrown = false;
        try {
            go(Empty::error, a);
        } catch (const EmptyCluster&) {
            thrown = true;
        }
        CHECK(thrown);
    }
}

void test_pool() {
    std::vector<int> seen(1000);
    parallel_for(1000, 4, [&](std::int64_t t, int) { ++seen[t]; });
    for (const int s : seen) CHECK(s == 1);
    bool thrown = false;
    try {
        parallel_for(100, 4, [](std::int64_t t, int) {
            if (t == 7) throw std::runtime_error("seven");
        });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
}

// Jobs of several callers that follow each other at once and after pauses.
void test_pool_in_turns() {
    std::vector<std::thread> callers;
    std::atomic<int> wrong{0};
    for (int c = 0; c < 3; ++c)
        callers.emplace_back([&wrong] {
            for (int r = 0; r < 500; ++r) {
                std::vector<std::int64_t> sums(4);
                parallel_for(50, 4, [&](std::int64_t t, int slot) { sums[slot] += t; });
                if (sums[0] + sums[1] + sums[2] + sums[3] != 49 * 50 / 2) ++wrong;
                if (r % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(wrong == 0);
}

void test_interruption() {
    const Case<double> c = make_case<double>(5, false, false);
    Dataset<double> data(points_of(c), 1);
    Options options;
    options.stop = Stop::labels;
    Watch watch;
    watch.ended = [](int iteration, const Iteration&, const void*, index_t) { return iteration == 1; };
    const auto runs = run_many(data, c.start.data(), 1, c.k, options, true, watch);
    CHECK(runs[0].n_iter <= 2);
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 16; ++seed) {
        test_algorithms<float>(seed);
        test_algorithms<double>(seed);
    }
    test_every_bound_failing();
    test_far_rows(350'001, 3);
    test_far_rows(45'001, 24);
    test_policies();
    test_pool();
    test_pool_in_turns();
    test_interruption();
    return 0;
}
