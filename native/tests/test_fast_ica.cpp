// What FastICA has to know of all rows, under the sanitizers: against the same sums in the standard library's
// arithmetic, and the same bits with any number of threads.
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

// Rows seen from an origin along axes, by plain loops.
struct Example {
    index_t n, d, r;
    std::vector<double> x, weight, origin, axes;
    double mass = 0.0;

    Example(index_t rows, index_t attributes, index_t components, unsigned seed, bool weighted) : n(rows), d(attributes), r(components) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        x.resize(n * d), origin.resize(d), axes.resize(r * d);
        for (auto* v : {&x, &origin, &axes})
            for (double& value : *v) value = normal(random);
        for (index_t i = 0; weighted && i < n; ++i) weight.push_back(0.5 + std::abs(normal(random)));
        for (index_t i = 0; i < n; ++i) mass += weighted ? weight[i] : 1.0;
    }

    Seen seen() const { return {{x.data(), weight.empty() ? nullptr : weight.data(), n, d}, origin.data(), 1.0 / mass}; }
    double share(index_t i) const { return (weight.empty() ? 1.0 : weight[i]) / mass; }
    double offset(index_t i, index_t j) const { return x[i * d + j] - origin[j]; }
    double along(index_t i, index_t c) const {
        double y = 0.0;
        for (index_t j = 0; j < d; ++j) y += axes[c * d + j] * offset(i, j);
        return y;
    }
};

void check_moments(const Example& e) {
    std::vector<double> second, fourth;
    for (index_t j = 0; j < e.d; ++j)
        for (index_t k = 0; k <= j; ++k) {
            second.push_back(0.0);
            for (index_t i = 0; i < e.n; ++i) second.back() += e.share(i) * e.offset(i, j) * e.offset(i, k);
        }
    for (index_t a = 0; a < e.r; ++a)
        for (index_t b = a; b < e.r; ++b)
            for (index_t c = b; c < e.r; ++c)
                for (index_t f = c; f < e.r; ++f) {
                    fourth.push_back(0.0);
                    for (index_t i = 0; i < e.n; ++i) fourth.back() += e.share(i) * e.along(i, a) * e.along(i, b) * e.along(i, c) * e.along(i, f);
                }
    const auto close = [](const std::vector<double>& found, const std::vector<double>& expected) {
        CHECK(found.size() == expected.size());
        for (std::size_t s = 0; s < found.size(); ++s) CHECK(std::abs(found[s] - expected[s]) <= 1e-9 * (1.0 + std::abs(expected[s])));
    };
    close(second_moments(e.seen(), 1), second);
    close(fourth_moments(e.seen(), e.axes.data(), e.r, 1), fourth);
    CHECK(fourth_moments(e.seen(), e.axes.data(), e.r, 1) == fourth_moments(e.seen(), e.axes.data(), e.r, 3));

    const index_t tiles = (e.n + kTileRows - 1) / kTileRows;
    std::vector<double> values(tiles * e.r * kTileRows), share(tiles * kTileRows);
    whiten(e.seen(), e.axes.data(), e.r, 2, values.data(), share.data());
    for (index_t i = 0; i < tiles * kTileRows; ++i) {
        CHECK(i < e.n ? std::abs(share[i] - e.share(i)) < 1e-15 : share[i] == 0.0);
        for (index_t c = 0; c < e.r; ++c) {
            const double value = values[(i / kTileRows * e.r + c) * kTileRows + i % kTileRows];
            CHECK(std::abs(value - (i < e.n ? e.along(i, c) : 0.0)) < 1e-10);
        }
    }
    const std::vector<double> eye = [&] {
        std::vector<double> out(e.r * e.r);
        for (index_t c = 0; c < e.r; ++c) out[c * e.r + c] = 1.0;
        return out;
    }();
    const std::vector<double> cubes = contrast({values.data(), share.data(), tiles, e.r}, eye.data(), Curve::cube, 1);
    for (index_t c = 0; c < e.r; ++c) {
        double expected = 0.0, slope = 0.0;
        for (index_t i = 0; i < e.n; ++i) expected += e.share(i) * std::pow(e.along(i, c), 4), slope += 3 * e.share(i) * std::pow(e.along(i, c), 2);
        CHECK(std::abs(cubes[c * (e.r + 1) + c] - expected) < 1e-9 * (1 + expected));
        CHECK(std::abs(cubes[c * (e.r + 1) + e.r] - slope) < 1e-9 * (1 + slope));
    }
}

void check_leading(const Example& e, bool absolute, double limit) {
    const std::vector<double> ceiling(e.r, limit);
    const std::vector<Leading> found = leading_rows(e.seen(), {e.axes.data(), e.r, ceiling.data(), absolute, 1e-12}, 2);
    for (index_t c = 0; c < e.r; ++c) {
        double best = -HUGE_VAL;
        std::vector<double> cosines(e.n);
        for (index_t i = 0; i < e.n; ++i) {
            double length = 0.0;
            for (index_t j = 0; j < e.d; ++j) length += e.offset(i, j) * e.offset(i, j);
            const double cosine = e.along(i, c) / (length > 0.0 ? std::sqrt(length) : 1.0);
            cosines[i] = absolute ? std::abs(cosine) : cosine;
            if (cosines[i] < limit) best = std::max(best, cosines[i]);
        }
        CHECK(found[c].cosine == best || std::abs(found[c].cosine - best) < 1e-12);
        CHECK(found[c].rows.empty() == std::isinf(best));
        for (const index_t row : found[c].rows) CHECK(std::abs(cosines[row] - best) < 2e-12);
    }
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 40; ++seed) check_step(1 + seed * seed % 400, 1 + seed % 9, seed);
    for (unsigned seed = 0; seed < 16; ++seed) {
        const Example e(1 + seed * 37, 1 + seed % 7, 1 + seed % 5, seed, seed % 2 == 0);
        check_moments(e);
        for (const double limit : {HUGE_VAL, 0.3, -1e9}) check_leading(e, seed % 3 == 0, limit);
    }
    check_moments(Example(9000, 3, 2, 1, true));
    check_leading(Example(9000, 3, 2, 1, false), false, HUGE_VAL);
}
