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

struct Grid {
    std::vector<std::uint16_t> rows;  // n x d
    std::vector<double> weight;
    index_t n, d, n_keys;  // the last attributes are keys
    bool weighted;
};

// Which cell of a level a row or the mean of some rows lies in.
template <class V>
std::vector<int> cell_of(const Grid& grid, const V* row, int level) {
    std::vector<int> cell;
    for (index_t j = level == 0 ? 0 : grid.d - grid.n_keys; j < grid.d; ++j) cell.push_back(static_cast<int>(row[j]) >> level);
    return cell;
}

Picture picture_of(const Grid& grid, int level) {
    Picture out;
    for (index_t i = 0; i < grid.n; ++i) {
        const std::uint16_t* row = &grid.rows[i * grid.d];
        std::vector<double>& sum = out.emplace(cell_of(grid, row, level), std::vector<double>(grid.d + 1)).first->second;
        const double mass = grid.weighted ? grid.weight[i] : 1.0;
        for (index_t j = 0; j < grid.d; ++j) sum[j] += mass * row[j];
        sum[grid.d] += mass;
    }
    return out;
}

void check_picture(const Grid& grid, const Cells& cells, int level) {
    Picture expected = picture_of(grid, level);
    const index_t d = grid.d;
    std::vector<double> means(cells.n * d), masses(cells.n);
    std::vector<std::uint8_t> joins(cells.n);
    const index_t size =
        make_picture(cells.means.get(), cells.mass.get(), cells.joins.get(), cells.n, d, level, means.data(), masses.data(), joins.data());
    CHECK(size == static_cast<index_t>(expected.size()));
    for (index_t i = 0; i < size; ++i) {
        CHECK(joins[i] > level);
        const auto at = expected.find(cell_of(grid, &means[i * d], level));
        CHECK(at != expected.end());
        CHECK(masses[i] == at->second[d]);
        for (index_t j = 0; j < d; ++j) CHECK(std::abs(means[i * d + j] * masses[i] - at->second[j]) < 1e-9 * (1.0 + at->second[j]));
        expected.erase(at);
    }
    CHECK(expected.empty());
}

void check_pictures(index_t n, index_t d, int bits, int values, index_t n_keys, bool weighted) {
    std::mt19937_64 random(static_cast<unsigned>(n + d + values));
    Grid grid{std::vector<std::uint16_t>(n * d), std::vector<double>(n), n, d, n_keys, weighted};
    for (std::uint16_t& v : grid.rows) v = static_cast<std::uint16_t>(random() % static_cast<unsigned>(values));
    for (double& w : grid.weight) w = static_cast<double>(1 + random() % 8);
    std::vector<index_t> keys;
    for (index_t a = 0; a < n_keys; ++a) keys.push_back(d - 1 - a);
    const double all = static_cast<double>(n);
    for (const Wanted& wanted : {Wanted{1, all}, Wanted{20, 0.5 * all}, Wanted{n / 2, 0.1 * all}, Wanted{2 * n, 0.0}}) {
        const Cells cells = sort_cells(grid.rows.data(), n, d, bits, keys.data(), n_keys, weighted ? grid.weight.data() : nullptr, wanted);
        CHECK(cells.level >= 0 && cells.level <= bits);
        for (int level = 0; level < cells.level; ++level) CHECK(static_cast<double>(picture_of(grid, level).size()) > wanted.most);
        if (cells.level > 0) CHECK(cells.n >= wanted.least);
        for (int level = cells.level; level <= bits; ++level) check_picture(grid, cells, level);
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
