// Sorted cells and their pictures against an ordered map, under the sanitizers.
#include "pyramid.hpp"

#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"

using namespace seedbed;

namespace {

// What lies in each cell: the sum of its rows, then their weight.
using Picture = std::map<std::vector<int>, std::vector<double>>;

void check_pictures(index_t n, index_t d, int bits, int values, index_t n_keys, bool weighted) {
    std::mt19937_64 random(static_cast<unsigned>(n + d + values));
    std::vector<std::uint16_t> rows(n * d);
    std::vector<double> weight(n);
    for (std::uint16_t& v : rows) v = static_cast<std::uint16_t>(random() % static_cast<unsigned>(values));
    for (double& w : weight) w = static_cast<double>(1 + random() % 8);
    std::vector<index_t> keys;
    for (index_t a = 0; a < n_keys; ++a) keys.push_back(d - 1 - a);

    const Cells cells = sort_cells(rows.data(), n, d, bits, keys.data(), n_keys, weighted ? weight.data() : nullptr);
    const index_t count = static_cast<index_t>(cells.mass.size());
    for (int level = 0; level <= bits; ++level) {
        Picture expected, found;
        for (index_t i = 0; i < n; ++i) {
            std::vector<int> cell;
            for (index_t j = 0; j < d; ++j)
                if (level == 0 || j >= d - n_keys) cell.push_back(rows[i * d + j] >> level);
            std::vector<double>& sum = expected.emplace(cell, std::vector<double>(d + 1)).first->second;
            const double mass = weighted ? weight[i] : 1.0;
            for (index_t j = 0; j < d; ++j) sum[j] += mass * rows[i * d + j];
            sum[d] += mass;
        }
        std::vector<double> means(count * d), masses(count);
        const index_t size = make_picture(cells.positions.data(), cells.mass.data(), cells.joins.data(), count, d, level, means.data(), masses.data());
        CHECK(size == static_cast<index_t>(expected.size()));
        for (index_t i = 0; i < size; ++i) {
            std::vector<int> cell;
            for (index_t j = 0; j < d; ++j)
                if (level == 0 || j >= d - n_keys) cell.push_back(static_cast<int>(means[i * d + j]) >> level);
            const auto at = expected.find(cell);
            CHECK(at != expected.end());
            CHECK(masses[i] == at->second[d]);
            for (index_t j = 0; j < d; ++j) CHECK(std::abs(means[i * d + j] * masses[i] - at->second[j]) < 1e-9 * (1.0 + at->second[j]));
            expected.erase(at);
        }
        CHECK(expected.empty());
    }
}

}  // namespace

int main() {
    for (const bool weighted : {false, true}) {
        check_pictures(1, 1, 1, 2, 1, weighted);
        check_pictures(3000, 1, 16, 65536, 1, weighted);
        check_pictures(3000, 2, 5, 32, 2, weighted);
        check_pictures(2000, 3, 8, 256, 3, weighted);
        check_pictures(2000, 12, 8, 256, 12, weighted);
        check_pictures(2000, 12, 16, 3, 12, weighted);
        check_pictures(1500, 14, 16, 65536, 12, weighted);
        check_pictures(1500, 5, 4, 16, 2, weighted);
        check_pictures(700, 3, 8, 1, 3, weighted);
    }
}
