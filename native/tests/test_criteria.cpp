// The contingency table by each of its routes (dense, looked up, hashed, sparse) against an ordered map.
#include "criteria.hpp"

#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using namespace seedbed;

template <class T>
void compare_with_map(const std::vector<T>& a, const std::vector<T>& b) {
    std::map<std::pair<T, T>, std::int64_t> cells;
    std::map<T, std::int64_t> rows, columns;
    for (std::size_t i = 0; i < a.size(); ++i) ++cells[{a[i], b[i]}], ++rows[a[i]], ++columns[b[i]];

    const Contingency table = contingency(a.data(), b.data(), static_cast<index_t>(a.size()));
    CHECK(table.counts.size() == cells.size() && table.rows.size() == cells.size() && table.columns.size() == cells.size());
    CHECK(table.classes.size() == rows.size() && table.row_margins.size() == rows.size());
    CHECK(table.clusters.size() == columns.size() && table.column_margins.size() == columns.size());
    std::size_t i = 0;
    for (const auto& [pair, count] : cells) {
        CHECK(table.classes[table.rows[i]] == pair.first);
        CHECK(table.clusters[table.columns[i]] == pair.second);
        CHECK(table.counts[i++] == count);
    }
    i = 0;
    for (const auto& [label, count] : rows) CHECK(table.classes[i] == label && table.row_margins[i++] == count);
    i = 0;
    for (const auto& [label, count] : columns) CHECK(table.clusters[i] == label && table.column_margins[i++] == count);
}

template <class T>
std::vector<T> draw(std::mt19937_64& random, std::size_t n, T low, T high) {
    std::uniform_int_distribution<T> label(low, high);
    std::vector<T> out(n);
    for (T& v : out) v = label(random);
    return out;
}

// Few distinct labels scattered over the whole range of the type.
template <class T>
std::vector<T> scattered(std::mt19937_64& random, std::size_t n, int distinct) {
    using limits = std::numeric_limits<T>;
    std::vector<T> labels = draw<T>(random, distinct, limits::min(), limits::max());
    labels.front() = limits::min();
    labels.back() = limits::max();
    std::vector<T> out(n);
    for (T& v : out) v = labels[random() % labels.size()];
    return out;
}

template <class T>
void test_all_routes() {
    std::mt19937_64 random(7);
    for (const std::size_t n : {1, 2, 3, 17, 1000, 5000}) {
        compare_with_map(draw<T>(random, n, -3, 8), draw<T>(random, n, 100, 105));                // dense
        compare_with_map(draw<T>(random, n, 0, 3000), draw<T>(random, n, -3000, 0));              // looked up, sparse
        compare_with_map(scattered<T>(random, n, 5), scattered<T>(random, n, 9));                 // hashed, dense
        compare_with_map(scattered<T>(random, n, 3000), draw<T>(random, n, 0, 1));                // hash table grows
        compare_with_map(scattered<T>(random, n, 3000), scattered<T>(random, n, 3000));           // hashed, sparse
        compare_with_map(std::vector<T>(n, T{5}), std::vector<T>(n, std::numeric_limits<T>::min()));  // one cell
    }
}

void test_no_points() {
    const std::vector<std::int32_t> none;
    const Contingency table = contingency(none.data(), none.data(), 0);
    CHECK(table.counts.empty() && table.classes.empty() && table.column_margins.empty());
}

void test_sum_of_largest() {
    const std::vector<std::int64_t> counts = {3, 1, 4, 1, 5, 9}, groups = {0, 2, 2, 0, 3, 0};
    CHECK(sum_of_largest(counts.data(), groups.data(), 6, 5) == 9 + 0 + 4 + 5 + 0);
    CHECK(sum_of_largest(counts.data(), groups.data(), 0, 0) == 0);
}

void test_pairs() {
    const std::vector<std::int64_t> small = {0, 1, 2, 5};
    CHECK(pairs(small.data(), 4) == 0 + 0 + 1 + 10);
    CHECK(pairs(small.data(), 0) == 0);
    const std::vector<std::int64_t> huge = {std::int64_t{1} << 62, std::int64_t{1} << 40};
    const uint128_t expected = (static_cast<uint128_t>(1) << 123) - (static_cast<uint128_t>(1) << 61) +
                               (static_cast<uint128_t>(1) << 79) - (static_cast<uint128_t>(1) << 39);
    CHECK(pairs(huge.data(), 2) == expected);
}

}  // namespace

int main() {
    test_all_routes<std::int32_t>();
    test_all_routes<std::int64_t>();
    test_no_points();
    test_sum_of_largest();
    test_pairs();
    return 0;
}
