// Exact overlap of Gaussian components: the chance that a point of one is handed to another.
//
// For components i and j with proportions pi, e^{G(t)} = E_i[(pi_j f_j / pi_i f_i)^t] is the Chernoff coefficient.
// With the eigenvalues lambda of Sigma_j^{-1} Sigma_i, a = lambda - 1 and q = lambda times the squared component of the
// standardised difference of means,
//     G(t) = -1/2 sum log(1 + t a) + t (1/2 sum log lambda + log(pi_j / pi_i)) - t (1 - t) / 2 sum q / (1 + t a),
// and both directions of the overlap are integrals of e^G over one path that crosses the real axis in (0, 1):
//     w(j|i) = 1/(2 pi i) INT e^G / t dt,       w(i|j) = (pi_i / pi_j) 1/(2 pi i) INT e^G / (1 - t) dt.
// Nothing is divided by a: equal, nearly equal and very different covariances are one case.
#pragma once

#include <stdexcept>
#include <vector>

#include "points.hpp"

namespace seedbed {

struct NotPositiveDefinite : std::invalid_argument {
    explicit NotPositiveDefinite(index_t which)
        : std::invalid_argument("a covariance is not positive definite"), component(which) {}
    index_t component;
};

// Cholesky factors of all covariances, k x d x d; throws NotPositiveDefinite.
std::vector<double> lower_factors(const double* covariances,  // IN, k x d x d, symmetric
                                  index_t k, index_t d);

class OverlapModel {
public:
    OverlapModel(const double* means,        // IN, k x d
                 const double* covariances,  // IN, k x d x d, symmetric
                 index_t k, index_t d);

    index_t k() const { return k_; }

    // out[i, j] = w(j|i), and 1 on the diagonal, when component k's covariance is multiplied by scale[k]; in the limit
    // of one common and infinite factor where `limit` is set. Absolute error below 1e-10.
    void map(const double* weights,  // IN, k, positive
             const double* scale,    // IN, k, positive
             bool limit,
             double* out) const;  // OUT, k x k

private:
    struct Pair {  // what does not depend on weights and scales
        std::vector<double> lambda, q;
        double multiplicity;   // each eigenvalue counts so often
        double half_log_det;   // 1/2 log |Sigma_i| / |Sigma_j|
    };

    static Pair compare(const double* li, const double* lj, const std::vector<double>& apart, index_t d);

    index_t k_, d_;
    std::vector<Pair> pairs_;  // (0,1), (0,2), ..., (1,2), ...
};

}  // namespace seedbed
