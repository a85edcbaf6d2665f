#include "overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "symmetric.hpp"

namespace seedbed {
namespace {

constexpr int kLanes = 8;
using Lanes = std::array<double, kLanes>;

// The nodes u of the trapezoidal rule, refined by halving: level 0 has the step 0.2, every further level the
// midpoints of all before. Only sinh u and cosh u are needed.
constexpr int kLevels = 7;
constexpr double kFirstStep = 0.2, kFarthest = 80.0;

struct Nodes {
    std::vector<double> sinh, cosh;  // padded to whole blocks
};

const std::array<Nodes, kLevels>& node_levels() {
    static const std::array<Nodes, kLevels> levels = [] {
        std::array<Nodes, kLevels> made;
        double step = kFirstStep, start = 0.0;
        for (Nodes& nodes : made) {
            const auto count = static_cast<std::size_t>(kFarthest / step) / kLanes * kLanes;
            for (std::size_t i = 0; i < count; ++i) {
                const double u = start + static_cast<double>(i) * step;
                nodes.sinh.push_back(std::sinh(u));
                nodes.cosh.push_back(std::cosh(u));
            }
            if (start > 0.0) step /= 2.0;
            start = step / 2.0;
        }
        return made;
    }();
    return levels;
}

// G of one pair for given weights and scales.
struct Exponent {
    std::vector<double> a, q;
    double multiplicity = 1.0;
    double tilt = 0.0;  // factor of t: 1/2 sum log lambda + log(pi_j / pi_i)
    double least = 0.0, largest = 0.0;  // among a

    // The real saddle of e^G / (t (1 - t)), where the path crosses the axis, and its width. A rough saddle will do:
    // the integral is the same for every crossing in (0, 1).
    std::pair<double, double> saddle() const {
        double low = 0.0, high = 1.0, t = 0.5;
        for (int iteration = 0; iteration < 200; ++iteration) {
            double slope = tilt - 1.0 / t + 1.0 / (1.0 - t), curvature = 1.0 / (t * t) + 1.0 / ((1.0 - t) * (1.0 - t));
            for (std::size_t l = 0; l < a.size(); ++l) {
                const double f = 1.0 + t * a[l], g = a[l] / f;
                slope -= 0.5 * (multiplicity * g + q[l] * (1.0 - 2.0 * t - a[l] * t * t) / (f * f));
                curvature += 0.5 * multiplicity * g * g + q[l] * (1.0 + a[l]) / (f * f * f);
            }
            const double width = 1.0 / std::sqrt(curvature), next = t - slope / curvature;
            if (std::fabs(next - t) <= 0.01 * width) return {t, width};
            (slope > 0.0 ? high : low) = t;
            t = next > low && next < high ? next : 0.5 * (low + high);
        }
        throw std::runtime_error("the saddle of an overlap integral was not found");
    }

    // Slope of G far from the origin, whose sign says to which side the path should bend. Terms with small a only
    // get there beyond the reach of the path.
    double far_slope(double width) const {
        double slope = tilt;
        for (std::size_t l = 0; l < a.size(); ++l)
            if (std::fabs(a[l]) * (0.5 + 20.0 * width) > 0.05) slope += 0.5 * q[l] / a[l];
        return slope;
    }

    // G at the points x + iy of the upper half plane (y >= 0). The logarithm of the product of the factors 1 + t a is
    // made continuous by counting how often the product passes the negative axis: each factor turns it by less than
    // half a turn, to the side of the sign of a.
    void evaluate(const Lanes& x, const Lanes& y, Lanes& real, Lanes& imag) const {
        Lanes pr, pi{}, turns{}, sr{}, si{}, log_norm{};
        pr.fill(1.0);
        const std::size_t chunk = safe_factors(x, y);
        for (std::size_t begin = 0; begin < a.size(); begin += chunk) {
            for (std::size_t l = begin; l < std::min(begin + chunk, a.size()); ++l) {
                const double al = a[l], ql = q[l], side = al > 0.0 ? 1.0 : -1.0;
                for (int n = 0; n < kLanes; ++n) {
                    const double fr = 1.0 + x[n] * al, fi = y[n] * al, share = ql / (fr * fr + fi * fi);
                    sr[n] += fr * share;
                    si[n] -= fi * share;
                    const double re = pr[n] * fr - pi[n] * fi, im = pr[n] * fi + pi[n] * fr;
                    const double before = side * pi[n], after = side * im;
                    turns[n] += before >= 0.0 && after < 0.0 ? side : 0.0;
                    pr[n] = re;
                    pi[n] = im;
                }
            }
            for (int n = 0; n < kLanes; ++n) {
                const double square = pr[n] * pr[n] + pi[n] * pi[n], norm = std::sqrt(square);
                log_norm[n] += 0.5 * std::log(square);
                pr[n] /= norm;
                pi[n] /= norm;
            }
        }
        for (int n = 0; n < kLanes; ++n) {
            const double angle = std::atan2(pi[n], pr[n]) + 2.0 * std::numbers::pi * turns[n];
            const double kr = x[n] * (1.0 - x[n]) + y[n] * y[n], ki = y[n] * (1.0 - 2.0 * x[n]);  // t (1 - t)
            real[n] = -0.5 * multiplicity * log_norm[n] + x[n] * tilt - 0.5 * (kr * sr[n] - ki * si[n]);
            imag[n] = -0.5 * multiplicity * angle + y[n] * tilt - 0.5 * (kr * si[n] + ki * sr[n]);
        }
    }

private:
    // How many factors can be multiplied, and the product squared, before a double overflows or vanishes.
    std::size_t safe_factors(const Lanes& x, const Lanes& y) const {
        double radius = 0.0;
        for (int n = 0; n < kLanes; ++n) radius = std::max(radius, std::fabs(x[n]) + y[n]);
        const double large = 1.0 + radius * std::max(-least, largest);
        const double small = 0.1 * std::min(1.0, 1.0 + least);  // Re t < 1 or |Im t| is large
        const double decades = std::max(std::log10(large), -std::log10(small));
        return std::max<std::size_t>(1, static_cast<std::size_t>(120.0 / decades));
    }
};

// t(u) = centre + width (i sinh u + bend (cosh u - 1)), u >= 0: the upper half of the path.
struct Path {
    double centre, width, bend;
};

// Sums of the integrands over the nodes of one level, divided by e^{G(centre)}.
struct Sums {
    double forward = 0.0, backward = 0.0;  // 1/t and 1/(1 - t)
    double absolute = 0.0;                 // of the larger modulus of the two
    double reach = 0.0;                    // nodes used
    bool faded = false;                    // the integrand vanished before the nodes ended
};

Sums sum_level(const Exponent& g, const Path& path, int level, double at_centre) {
    constexpr double kNegligible = 1e-18, kHuge = 600.0;
    const Nodes& nodes = node_levels()[level];
    Sums sums;
    for (std::size_t begin = 0; begin < nodes.sinh.size() && !sums.faded; begin += kLanes) {
        Lanes x, y, real, imag;
        for (int n = 0; n < kLanes; ++n) {
            x[n] = path.centre + path.width * path.bend * (nodes.cosh[begin + n] - 1.0);
            y[n] = path.width * nodes.sinh[begin + n];
        }
        g.evaluate(x, y, real, imag);
        double largest = 0.0;
        for (int n = 0; n < kLanes; ++n) {
            // e^{G - G(centre)} dt/du; a path that climbs is of no use, and its modulus must not overflow.
            const double size = std::exp(std::min(real[n] - at_centre, kHuge));
            const double er = size * std::cos(imag[n]), ei = size * std::sin(imag[n]);
            const double dr = path.width * path.bend * nodes.sinh[begin + n], di = path.width * nodes.cosh[begin + n];
            const double vr = er * dr - ei * di, vi = er * di + ei * dr;
            const double here = x[n] * x[n] + y[n] * y[n], there = (1.0 - x[n]) * (1.0 - x[n]) + y[n] * y[n];
            const double weight = level == 0 && begin == 0 && n == 0 ? 0.5 : 1.0;
            sums.forward += weight * (vi * x[n] - vr * y[n]) / here;
            sums.backward += weight * (vi * (1.0 - x[n]) + vr * y[n]) / there;
            const double modulus = std::sqrt((vr * vr + vi * vi) / std::min(here, there));
            sums.absolute += weight * modulus;
            largest = std::max(largest, modulus);
        }
        sums.reach += kLanes;
        sums.faded = largest <= kNegligible * sums.absolute;
    }
    return sums;
}

// The path and its sums at level 0. A straight path is taken where the integrand fades soon. Elsewhere it oscillates
// (few dimensions), and the path bends as far as it can without climbing.
std::pair<Path, Sums> choose_path(const Exponent& g, double centre, double width, double at_centre) {
    constexpr double kSoon = 40.0, kClimb = 1.5;
    std::array<std::pair<Path, Sums>, 4> tried;
    tried[0].first = {centre, width, 0.0};
    tried[0].second = sum_level(g, tried[0].first, 0, at_centre);
    if (tried[0].second.faded && tried[0].second.reach <= kSoon) return tried[0];
    const double side = g.far_slope(width) > 0.0 ? -1.0 : 1.0;
    constexpr std::array<double, 4> kBends = {0.0, 0.1, 0.25, 0.5};
    double least = tried[0].second.faded ? tried[0].second.absolute : std::numeric_limits<double>::infinity();
    for (int i = 1; i < 4; ++i) {
        tried[i].first = {centre, width, side * kBends[i]};
        tried[i].second = sum_level(g, tried[i].first, 0, at_centre);
        if (tried[i].second.faded) least = std::min(least, tried[i].second.absolute);
    }
    for (int i = 3; i >= 0; --i)
        if (tried[i].second.faded && tried[i].second.absolute <= kClimb * least) return tried[i];
    throw std::runtime_error("no path was found for an overlap integral");
}

// w(j|i) and w(i|j).
std::pair<double, double> integrate(const Exponent& g, double log_ratio) {
    const auto [centre, width] = g.saddle();
    Lanes x, y{}, real, imag;
    x.fill(centre);
    g.evaluate(x, y, real, imag);
    const double at_centre = real[0];
    auto [path, sums] = choose_path(g, centre, width, at_centre);
    double step = kFirstStep, forward = step * sums.forward, backward = step * sums.backward;
    // The error is squared when the step is halved, so a difference of 1e-8 leaves much less.
    constexpr double kAgreed = 1e-8;
    for (int level = 1; level < kLevels; ++level) {
        const Sums more = sum_level(g, path, level, at_centre);
        if (!more.faded) break;
        sums.forward += more.forward;
        sums.backward += more.backward;
        sums.absolute += more.absolute;
        step /= 2.0;
        const double difference =
            std::max(std::fabs(step * sums.forward - forward), std::fabs(step * sums.backward - backward));
        forward = step * sums.forward;
        backward = step * sums.backward;
        if (difference <= kAgreed * step * sums.absolute) {
            // Rounding may leave a probability outside [0, 1] by some 1e-16.
            const auto chance = [](double value) { return std::clamp(value / std::numbers::pi, 0.0, 1.0); };
            return {chance(std::exp(at_centre) * forward), chance(std::exp(at_centre - log_ratio) * backward)};
        }
    }
    throw std::runtime_error("an overlap integral did not converge");
}

bool is_scalar(const double* covariance, index_t d) {
    for (index_t i = 0; i < d; ++i)
        for (index_t j = 0; j < d; ++j)
            if (covariance[i * d + j] != (i == j ? covariance[0] : 0.0)) return false;
    return true;
}

double sum_of_squares(const std::vector<double>& x) {
    double sum = 0.0;
    for (const double v : x) sum += v * v;
    return sum;
}

// L_j^{-1} L_i, lower triangular.
std::vector<double> relative_factor(const double* li, const double* lj, index_t d) {
    std::vector<double> m(d * d, 0.0);
    for (index_t r = 0; r < d; ++r) {
        double* row = &m[r * d];
        std::copy_n(li + r * d, r + 1, row);
        for (index_t s = 0; s < r; ++s) {
            const double factor = lj[r * d + s];
            const double* above = &m[s * d];
            for (index_t c = 0; c <= s; ++c) row[c] -= factor * above[c];
        }
        for (index_t c = 0; c <= r; ++c) row[c] /= lj[r * d + r];
    }
    return m;
}

// M'M for lower triangular M.
std::vector<double> gram(const std::vector<double>& m, index_t d) {
    std::vector<double> out(d * d, 0.0);
    for (index_t r = 0; r < d; ++r) {
        const double* row = &m[r * d];
        for (index_t i = 0; i <= r; ++i) {
            const double factor = row[i];
            double* line = &out[i * d];
            for (index_t j = 0; j <= r; ++j) line[j] += factor * row[j];
        }
    }
    return out;
}

}  // namespace

std::vector<double> lower_factors(const double* covariances, index_t k, index_t d) {
    std::vector<double> lower(covariances, covariances + k * d * d);
    for (index_t i = 0; i < k; ++i)
        if (!cholesky(&lower[i * d * d], d)) throw NotPositiveDefinite(i);
    return lower;
}

OverlapModel::Pair OverlapModel::compare(const double* li, const double* lj, const std::vector<double>& apart, index_t d) {
    Pair pair{{}, {}, 1.0, 0.0};
    const std::vector<double> m = relative_factor(li, lj, d);
    std::vector<double> square = gram(m, d), along = apart;
    solve_lower(li, along.data(), d);
    eigen_along(square.data(), d, pair.lambda, along.data());
    // The eigenvalues of M'M are off by some 1e-16 of the largest: enough to spoil the small ones when they are many
    // orders apart. Then the singular values of M are worth their time.
    constexpr double kWide = 1e5;
    if (pair.lambda.front() * kWide >= pair.lambda.back()) {
        for (index_t l = 0; l < d; ++l) pair.q.push_back(pair.lambda[l] * along[l] * along[l]);
        return pair;
    }
    std::vector<double> columns(d * d), standard = apart;
    for (index_t r = 0; r < d; ++r)
        for (index_t c = 0; c < d; ++c) columns[c * d + r] = m[r * d + c];
    solve_lower(lj, standard.data(), d);
    squares_along_left(std::move(columns), standard.data(), d, pair.lambda, pair.q);
    return pair;
}

OverlapModel::OverlapModel(const double* means, const double* covariances, index_t k, index_t d) : k_(k), d_(d) {
    const std::vector<double> lower = lower_factors(covariances, k, d);
    std::vector<double> log_root(k, 0.0), apart(d);
    std::vector<bool> scalar(k);
    for (index_t i = 0; i < k; ++i) {
        for (index_t l = 0; l < d; ++l) log_root[i] += std::log(lower[(i * d + l) * d + l]);
        scalar[i] = is_scalar(covariances + i * d * d, d);
    }
    for (index_t i = 0; i < k; ++i) {
        const double *si = covariances + i * d * d, *li = &lower[i * d * d];
        for (index_t j = i + 1; j < k; ++j) {
            const double *sj = covariances + j * d * d, *lj = &lower[j * d * d];
            for (index_t l = 0; l < d; ++l) apart[l] = means[i * d + l] - means[j * d + l];
            const bool equal = std::equal(si, si + d * d, sj);
            if (equal || (scalar[i] && scalar[j])) {  // one eigenvalue, d times
                solve_lower(lj, apart.data(), d);
                pairs_.push_back({{equal ? 1.0 : si[0] / sj[0]}, {sum_of_squares(apart)}, static_cast<double>(d), 0.0});
            } else {
                pairs_.push_back(compare(li, lj, apart, d));
            }
            pairs_.back().half_log_det = log_root[i] - log_root[j];
        }
    }
}

void OverlapModel::map(const double* weights, const double* scale, bool limit, double* out) const {
    Exponent g;
    auto pair = pairs_.begin();
    for (index_t i = 0; i < k_; ++i) {
        out[i * k_ + i] = 1.0;
        for (index_t j = i + 1; j < k_; ++j, ++pair) {
            const double ratio = scale[i] / scale[j], log_ratio = std::log(weights[j]) - std::log(weights[i]);
            g.multiplicity = pair->multiplicity;
            g.tilt = pair->half_log_det + 0.5 * static_cast<double>(d_) * std::log(ratio) + log_ratio;
            g.a.clear();
            g.q.clear();
            for (std::size_t l = 0; l < pair->lambda.size(); ++l) {
                g.a.push_back(pair->lambda[l] * ratio - 1.0);
                g.q.push_back(limit ? 0.0 : pair->q[l] / scale[j]);
            }
            g.least = *std::min_element(g.a.begin(), g.a.end());
            g.largest = *std::max_element(g.a.begin(), g.a.end());
            const double spread = std::max(-g.least, g.largest) + *std::max_element(g.q.begin(), g.q.end());
            std::pair<double, double> both;
            if (spread == 0.0)  // the same component twice: all points go to the heavier one
                both = log_ratio == 0.0 ? std::pair{0.5, 0.5} : std::pair{log_ratio > 0.0 ? 1.0 : 0.0, log_ratio < 0.0 ? 1.0 : 0.0};
            else
                both = integrate(g, log_ratio);
            out[i * k_ + j] = both.first;
            out[j * k_ + i] = both.second;
        }
    }
}

}  // namespace seedbed
