// Attributes and groups against plain sums and an ordered map, under the sanitizers.
#include "attributes.hpp"

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

using namespace seedbed;

template <class T>
void test_attributes(index_t n, index_t d, bool weighted) {
    std::mt19937_64 random(static_cast<unsigned>(n + d));
    std::normal_distribution<double> normal;
    std::vector<T> x(n * d);
    std::vector<double> weight(n);
    for (T& v : x) v = static_cast<T>(100.0 + normal(random));
    for (double& w : weight) w = 0.5 + std::abs(normal(random));
    for (index_t i = 0; i < n; ++i) x[i * d] = T{7};  // a constant attribute

    const Points<T> points{x.data(), weighted ? weight.data() : nullptr, n, d};
    const Dataset<T> data(points, 2);
    const Attributes<T> found = describe_attributes(data, 2);
    for (index_t j = 0; j < d; ++j) {
        T least = x[j], greatest = x[j];
        long double mass = 0, sum = 0, square = 0;
        for (index_t i = 0; i < n; ++i) {
            least = std::min(least, x[i * d + j]), greatest = std::max(greatest, x[i * d + j]);
            mass += points.mass(i), sum += points.mass(i) * static_cast<long double>(x[i * d + j]);
        }
        for (index_t i = 0; i < n; ++i) {
            const long double offset = x[i * d + j] - sum / mass;
            square += points.mass(i) * offset * offset;
        }
        CHECK(found.least[j] == least && found.greatest[j] == greatest);
        CHECK(std::abs(found.mean[j] - static_cast<double>(sum / mass)) < 1e-12 * 100);
        CHECK(std::abs(found.deviation[j] - std::sqrt(static_cast<double>(square / mass))) < 1e-10);
    }
    CHECK(found.mean[0] == 7.0 && found.deviation[0] == 0.0);

    std::vector<index_t> all(d);
    for (index_t j = 0; j < d; ++j) all[j] = j;
    const Grid grid{65536.0, 0.0, 65535};
    const Scratch<std::uint16_t> positions = grid_positions(data, all.data(), d, grid, 2), alone = grid_positions(data, all.data(), d, grid, 1);
    CHECK(std::equal(positions.get(), positions.get() + n * d, alone.get()));
    for (index_t i = 0; i < n; ++i) CHECK(positions[i * d] == 0);
}

void test_groups(index_t n, index_t d, int bits, int values, int shift) {
    std::mt19937_64 random(static_cast<unsigned>(n + shift));
    std::vector<std::uint16_t> rows(n * d);
    for (std::uint16_t& v : rows) v = static_cast<std::uint16_t>(random() % values);
    const Groups groups = group_rows(rows.data(), n, d, bits, shift);
    std::map<std::vector<int>, std::int32_t> known;
    for (index_t i = 0; i < n; ++i) {
        std::vector<int> key;
        for (index_t j = 0; j < d; ++j) key.push_back(rows[i * d + j] >> shift);
        const auto [at, fresh] = known.emplace(key, static_cast<std::int32_t>(known.size()));
        CHECK(groups.labels[i] == at->second);
        if (fresh) CHECK(groups.first[at->second] == i);
    }
    CHECK(groups.first.size() == known.size());
    const index_t fewest = fewest_groups(rows.data(), n, d, bits, shift), all = static_cast<index_t>(known.size());
    CHECK(fewest <= all && fewest >= all - all / 10);
}

}  // namespace

int main() {
    for (const bool weighted : {false, true}) {
        test_attributes<float>(9000, 5, weighted);
        test_attributes<double>(9000, 3, weighted);
        test_attributes<double>(1, 1, weighted);
    }
    for (const int bits : {4, 16}) {
        test_groups(5000, 3, bits, 12, 0);
        test_groups(5000, 9, bits, 16, 2);
        test_groups(5000, 10, bits, 4, 0);
    }
    test_groups(5000, 3, 16, 65536, 0);
    test_groups(5000, 2, 16, 65536, 9);
    test_groups(33, 1, 16, 5, 16);
    test_groups(0, 1, 16, 5, 0);
}
