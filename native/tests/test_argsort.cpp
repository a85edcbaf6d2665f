// Sorting and selecting against std::stable_sort, under the sanitizers.
#include "argsort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "check.hpp"

using namespace seedbed;

namespace {

template <class T>
void check_order(const std::vector<T>& keys) {
    const index_t n = static_cast<index_t>(keys.size());
    std::vector<index_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](index_t a, index_t b) { return keys[a] < keys[b]; });

    std::vector<index_t> places{n - 1, 0, n / 2, n / 2, n / 3};  // in no order, and one of them twice
    std::vector<index_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    for (int n_threads = 1; n_threads <= 3; ++n_threads) {
        std::vector<index_t> rows(n), some(places.size());
        std::vector<T> sorted(n);
        argsort(keys.data(), n, rows.data(), sorted.data(), n_threads);
        CHECK(rows == expected);
        for (index_t i = 0; i < n; ++i) {  // the zeros keep their signs
            CHECK(sorted[i] == keys[rows[i]]);
            CHECK(std::signbit(sorted[i]) == std::signbit(keys[rows[i]]));
        }
        select_rows(keys.data(), n, places.data(), static_cast<index_t>(places.size()), some.data(), n_threads);
        for (std::size_t i = 0; i < places.size(); ++i) CHECK(some[i] == expected[places[i]]);
        select_rows(keys.data(), n, all.data(), n, rows.data(), n_threads);
        CHECK(rows == expected);
    }
}

// n numbers made of a standard normal one and a random integer.
template <class T, class Make>
std::vector<T> made(index_t n, const Make& make) {
    std::mt19937_64 random(static_cast<unsigned>(n));
    std::normal_distribution<double> normal;
    std::vector<T> keys(n);
    for (T& key : keys) {
        const double g = normal(random);
        key = static_cast<T>(make(g, random()));
    }
    return keys;
}

template <class T>
void check_type() {
    using Limits = std::numeric_limits<T>;
    const T extreme[] = {T{0},          -T{0},         Limits::infinity(), -Limits::infinity(), Limits::max(),
                         Limits::lowest(), Limits::min(), -Limits::min(),     Limits::denorm_min(), -Limits::denorm_min()};
    for (const index_t n : {1, 2, 24, 25, 60, 500, 5000, 20000}) {
        check_order(made<T>(n, [](double g, std::uint64_t) { return g; }));
        check_order(made<T>(n, [](double g, std::uint64_t) { return std::exp(9.0 * g); }));
        check_order(made<T>(n, [](double g, std::uint64_t) { return std::round(2.0 * g); }));  // both zeros among them
        check_order(made<T>(n, [](double, std::uint64_t) { return 3.0; }));
        check_order(made<T>(n, [](double g, std::uint64_t r) { return r % 100 ? g : 1e30; }));
        check_order(made<T>(n, [](double g, std::uint64_t r) { return std::ldexp(g, -static_cast<int>(r % 1100)); }));
        check_order(made<T>(n, [&](double, std::uint64_t r) { return extreme[r % std::size(extreme)]; }));
        check_order(made<T>(n, [&](double g, std::uint64_t) { return g * static_cast<double>(Limits::denorm_min()) * 100.0; }));
        check_order(made<T>(n, [](double, std::uint64_t r) {  // any bits that are a number
            const double any = std::bit_cast<double>(r);
            return any != any || std::abs(any) > static_cast<double>(Limits::max()) ? 0.0 : any;
        }));
    }
}

template <class Call>
bool refuses(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void check_refusals() {
    std::vector<double> keys(10000, 1.0), sorted(keys.size());
    std::vector<index_t> rows(keys.size());
    const index_t n = static_cast<index_t>(keys.size());
    argsort(keys.data(), 0, rows.data(), sorted.data(), 1);  // nothing to do
    select_rows(keys.data(), n, rows.data(), 0, rows.data(), 1);
    for (const index_t place : {index_t{-1}, n}) CHECK(refuses([&] { select_rows(keys.data(), n, &place, 1, rows.data(), 1); }));
    keys[7777] = std::numeric_limits<double>::quiet_NaN();
    const index_t first = 0;
    for (int n_threads = 1; n_threads <= 2; ++n_threads) {
        CHECK(refuses([&] { argsort(keys.data(), n, rows.data(), sorted.data(), n_threads); }));
        CHECK(refuses([&] { select_rows(keys.data(), n, &first, 1, rows.data(), n_threads); }));
    }
}

}  // namespace

int main() {
    check_type<float>();
    check_type<double>();
    check_refusals();
}
