#include "gaussian.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "symmetric.hpp"

namespace seedbed {
namespace {

using Coefficients = std::array<double, 8>;  // from the constant upwards

double polynomial(const Coefficients& c, double x) {
    double value = c[7];
    for (int i = 6; i >= 0; --i) value = value * x + c[i];
    return value;
}

// M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988).
constexpr Coefficients kCentreTop = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                     3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Coefficients kCentreBottom = {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                                        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
                                        5.2264952788528545610e3};
constexpr Coefficients kSideTop = {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                                   3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients kSideBottom = {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
                                      1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
                                      1.05075007164441684324e-9};
constexpr Coefficients kTailTop = {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                                   2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients kTailBottom = {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
                                      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
                                      2.04426310338993978564e-15};

// -log(x) for positive normal x, from the series of the inverse hyperbolic tangent.
double minus_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = static_cast<int>(bits >> 52) - 1023;
    double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);  // in [1, 2)
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    const double s = (mantissa - 1.0) / (mantissa + 1.0), square = s * s;  // square < 0.0295
    double series = 0.0;
    for (int odd = 23; odd >= 3; odd -= 2) series = (series + 1.0 / odd) * square;
    constexpr double kLog2High = 0x1.62e42fefa38p-1, kLog2Low = 0x1.ef35793c7673p-45;  // exact times any exponent
    return -(exponent * kLog2High + (2.0 * s + (2.0 * s * series + exponent * kLog2Low)));
}

double tail(double below) {  // quantile of a probability in (0, 0.075], without its sign
    const double r = std::sqrt(minus_log(below));
    if (r <= 5.0) return polynomial(kSideTop, r - 1.6) / polynomial(kSideBottom, r - 1.6);
    return polynomial(kTailTop, r - 5.0) / polynomial(kTailBottom, r - 5.0);
}

// Smallest and largest eigenvalue of a symmetric matrix.
std::array<double, 2> extremes(std::vector<double> a, index_t d) {
    std::vector<double> values, unused(d, 0.0);
    eigen_along(a.data(), d, values, unused.data());
    return {values.front(), values.back()};
}

void sample_covariance(const double* points, index_t d, double* out) {
    std::vector<double> mean(d, 0.0), row(d);
    for (index_t i = 0; i <= d; ++i)
        for (index_t j = 0; j < d; ++j) mean[j] += points[i * d + j];
    for (double& m : mean) m /= static_cast<double>(d + 1);
    std::fill(out, out + d * d, 0.0);
    for (index_t i = 0; i <= d; ++i) {
        for (index_t j = 0; j < d; ++j) row[j] = points[i * d + j] - mean[j];
        for (index_t j = 0; j < d; ++j)
            for (index_t l = 0; l < d; ++l) out[j * d + l] += row[j] * row[l];
    }
    for (index_t j = 0; j < d * d; ++j) out[j] /= static_cast<double>(d);
}

}  // namespace

void normals(double* u, index_t n) {
    constexpr double kHalfStep = 0x1p-54;
    for (index_t i = 0; i < n; ++i) {
        const double q = u[i] - 0.5 + kHalfStep;  // exact, as are the two below
        if (std::fabs(q) <= 0.425) {
            const double r = 0.180625 - q * q;
            u[i] = q * polynomial(kCentreTop, r) / polynomial(kCentreBottom, r);
        } else {
            u[i] = q < 0.0 ? -tail(u[i] + kHalfStep) : tail(1.0 - u[i] - kHalfStep);
        }
    }
}

void draw_covariances(const double* points, index_t k, index_t d, double eccentricity, double* covariances) {
    for (index_t component = 0; component < k; ++component) {
        double* out = covariances + component * d * d;
        sample_covariance(points + component * (d + 1) * d, d, out);
        const auto [least, largest] = extremes(std::vector<double>(out, out + d * d), d);
        const double allowed = eccentricity * eccentricity;
        if (largest - least <= allowed * largest) continue;
        const double shrink = allowed * largest / (largest - least), shift = largest * (1.0 - shrink);
        for (index_t j = 0; j < d * d; ++j) out[j] *= shrink;
        for (index_t j = 0; j < d; ++j) out[j * d + j] += shift;
    }
}

void place_points(double* z, const std::int32_t* component, const double* means, const std::vector<double>& lower,
                  index_t n, index_t d) {
    // Column by column, so that the inner loop has no sum to reorder and runs in vector registers.
    std::vector<double> columns(lower.size()), x(d);
    const index_t k = static_cast<index_t>(lower.size()) / (d * d);
    for (index_t c = 0; c < k; ++c)
        for (index_t i = 0; i < d; ++i)
            for (index_t j = 0; j < d; ++j) columns[(c * d + j) * d + i] = lower[(c * d + i) * d + j];
    for (index_t r = 0; r < n; ++r) {
        double* row = z + r * d;
        const double* l = &columns[component[r] * d * d];
        std::copy_n(means + component[r] * d, d, x.data());
        for (index_t j = 0; j < d; ++j) {
            const double zj = row[j];
            for (index_t i = j; i < d; ++i) x[i] += l[j * d + i] * zj;
        }
        std::copy(x.begin(), x.end(), row);
    }
}

}  // namespace seedbed
