// The native part of MixSim against closed formulas: overlap, normals, covariances, factorisation, eigenvalues.
#include "overlap.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "gaussian.hpp"
#include "symmetric.hpp"

namespace {

using namespace seedbed;

double phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

std::vector<double> uniforms(std::mt19937_64& random, std::size_t n) {
    std::vector<double> u(n);
    for (double& v : u) v = static_cast<double>(random() >> 11) * 0x1p-53;
    return u;
}

std::vector<double> covariances(std::mt19937_64& random, index_t k, index_t d, double eccentricity) {
    std::vector<double> points = uniforms(random, k * (d + 1) * d), out(k * d * d);
    normals(points.data(), static_cast<index_t>(points.size()));
    draw_covariances(points.data(), k, d, eccentricity, out.data());
    return out;
}

void test_equal_covariances() {
    for (const index_t d : {1, 2, 5, 64}) {
        for (const double apart : {0.01, 1.0, 6.0}) {
            std::vector<double> means(2 * d, 0.0), identity(2 * d * d, 0.0), map(4);
            means[d] = apart;
            for (index_t i = 0; i < d; ++i) identity[i * d + i] = identity[(d + i) * d + i] = 1.0;
            const OverlapModel model(means.data(), identity.data(), 2, d);
            const std::vector<double> weights = {0.3, 0.7}, scale = {4.0, 4.0};
            model.map(weights.data(), scale.data(), false, map.data());
            const double odds = std::log(0.7 / 0.3), distance = apart / 2.0;
            CHECK(std::fabs(map[1] - phi(odds / distance - distance / 2.0)) < 1e-10);
            CHECK(std::fabs(map[2] - phi(-odds / distance - distance / 2.0)) < 1e-10);
            CHECK(map[0] == 1.0 && map[3] == 1.0);
            model.map(weights.data(), scale.data(), true, map.data());
            CHECK(map[1] == 1.0 && map[2] == 0.0);
        }
    }
}

void test_random_mixtures_are_probabilities() {
    std::mt19937_64 random(3);
    for (const index_t d : {1, 2, 3, 9, 40}) {
        const index_t k = 4;
        const std::vector<double> means = uniforms(random, k * d), sigma = covariances(random, k, d, 0.99);
        const OverlapModel model(means.data(), sigma.data(), k, d);
        const std::vector<double> weights(k, 0.25);
        for (const double c : {1e-6, 0.1, 1.0, 1e6}) {
            std::vector<double> scale(k, c), map(k * k);
            model.map(weights.data(), scale.data(), false, map.data());
            for (const double v : map) CHECK(v >= 0.0 && v <= 1.0);
        }
    }
}

void test_not_positive_definite() {
    const std::vector<double> means = {0.0, 0.0, 1.0, 1.0}, sigma = {1, 0, 0, 1, 1, 2, 2, 1};
    bool thrown = false;
    try {
        const OverlapModel model(means.data(), sigma.data(), 2, 2);
    } catch (const NotPositiveDefinite& error) {
        thrown = error.component == 1;
    }
    CHECK(thrown);
}

void test_normals() {
    std::vector<double> u;
    for (double p = 0x1p-53; p < 0.5; p *= 1.37) u.push_back(std::floor(p * 0x1p53) * 0x1p-53);
    std::vector<double> z = u, mirrored;
    for (const double v : u) mirrored.push_back(1.0 - v - 0x1p-53);
    normals(z.data(), static_cast<index_t>(z.size()));
    normals(mirrored.data(), static_cast<index_t>(mirrored.size()));
    for (std::size_t i = 0; i < u.size(); ++i) {
        CHECK(std::fabs(phi(z[i]) - (u[i] + 0x1p-54)) < 1e-14 * (u[i] + 0x1p-54) * (1.0 + z[i] * z[i]));
        CHECK(z[i] == -mirrored[i]);
    }
    double ends[] = {0.0, 1.0 - 0x1p-53};
    normals(ends, 2);
    CHECK(std::isfinite(ends[0]) && ends[0] == -ends[1] && ends[0] < -8.0);
}

void test_eccentricity_is_met() {
    std::mt19937_64 random(5);
    for (const index_t d : {2, 7, 32}) {
        std::vector<double> sigma = covariances(random, 1, d, 0.6), values, along(d, 0.0);
        eigen_along(sigma.data(), d, values, along.data());
        CHECK(values.front() > 0.0);
        CHECK(std::fabs(std::sqrt(1.0 - values.front() / values.back()) - 0.6) < 1e-12);
    }
}

// Both eigenvalue routes: M'M and the singular values of M see the same numbers.
void test_eigenvalue_routes_agree() {
    std::mt19937_64 random(9);
    for (const index_t d : {1, 2, 3, 10, 30}) {
        std::vector<double> m = uniforms(random, d * d), vector = uniforms(random, d), square(d * d, 0.0), along(d, 0.0);
        for (index_t i = 0; i < d; ++i) m[i * d + i] += 2.0;
        for (index_t r = 0; r < d; ++r)  // rows of m are the columns of M, so M M' has entries sum_l m[l, r] m[l, s]
            for (index_t s = 0; s < d; ++s)
                for (index_t l = 0; l < d; ++l) square[r * d + s] += m[l * d + r] * m[l * d + s];
        std::vector<double> values, singular, squares;
        along = vector;
        eigen_along(square.data(), d, values, along.data());
        squares_along_left(m, vector.data(), d, singular, squares);
        double total = 0.0, expected = 0.0;
        for (index_t l = 0; l < d; ++l) {
            bool found = false;
            for (index_t n = 0; n < d; ++n)
                found |= std::fabs(singular[n] - values[l]) < 1e-11 * values.back() &&
                         std::fabs(squares[n] - along[l] * along[l]) < 1e-8;
            CHECK(found);
            total += squares[l];
            expected += vector[l] * vector[l];
        }
        CHECK(std::fabs(total - expected) < 1e-11 * expected);
    }
}

}  // namespace

int main() {
    test_equal_covariances();
    test_random_mixtures_are_probabilities();
    test_not_positive_definite();
    test_normals();
    test_eccentricity_is_met();
    test_eigenvalue_routes_agree();
    return 0;
}
