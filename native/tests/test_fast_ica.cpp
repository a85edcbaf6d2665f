// A step of FastICA under the sanitizers: against the same sums in the standard library's arithmetic, and
// the same bits with any number of threads.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "check.hpp"
#include "fast_ica.hpp"

using namespace seedbed;

namespace {

void check_step(index_t n, index_t r, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(n * r * kTileRows), share(n * kTileRows), rotation(r * r);
    for (auto* v : {&values, &rotation})
        for (double& x : *v) x = normal(random);
    for (double& s : share) s = std::abs(normal(random)) / static_cast<double>(share.size());
    const Tiles tiles{values.data(), share.data(), n, r};
    const std::vector<double> found = contrast(tiles, rotation.data(), Curve::tanh, 1);

    std::vector<double> expected(r * (r + 1));
    for (index_t i = 0; i < n * kTileRows; ++i)
        for (index_t c = 0; c < r; ++c) {
            const auto z = [&](index_t k) { return values[(i / kTileRows * r + k) * kTileRows + i % kTileRows]; };
            double y = 0.0;
            for (index_t k = 0; k < r; ++k) y += rotation[c * r + k] * z(k);
            const double curve = std::tanh(y);
            for (index_t k = 0; k < r; ++k) expected[c * (r + 1) + k] += share[i] * curve * z(k);
            expected[c * (r + 1) + r] += share[i] * (1 - curve * curve);
        }
    for (std::size_t s = 0; s < expected.size(); ++s) CHECK(std::abs(found[s] - expected[s]) < 1e-12);
    const std::vector<double> again = contrast(tiles, rotation.data(), Curve::tanh, 3);
    CHECK(std::memcmp(found.data(), again.data(), found.size() * sizeof(double)) == 0);
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 40; ++seed) check_step(1 + seed * seed % 400, 1 + seed % 9, seed);
}
