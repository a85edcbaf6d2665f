// Gaussian random numbers, covariances and points from uniform ones, in plain IEEE arithmetic and square roots only:
// the same uniforms give the same bits on every machine (libm's logarithm, for one, does not).
#pragma once

#include <vector>

#include "points.hpp"

namespace seedbed {

// The standard normal quantile of u + 2^-54, for u a multiple of 2^-53 in [0, 1). Strictly increasing in exact
// arithmetic, symmetric about u = 1/2, relative error about 1e-16 (Wichura 1988, algorithm AS 241).
void normals(double* u,  // IN uniforms, OUT normals, n
             index_t n);

// Sample covariances (divisor d) of d + 1 standard normal points, one for each component. Where the eccentricity
// sqrt(1 - smallest / largest eigenvalue) is above the limit, eigenvalues are moved towards the largest, linearly,
// until it is at the limit; as the map is linear no eigenvectors are needed.
void draw_covariances(const double* points,  // IN, k x (d + 1) x d
                      index_t k, index_t d,
                      double eccentricity,
                      double* covariances);  // OUT, k x d x d

// Points of a mixture, in place: row r becomes mean + L z, with z the row and L the factor of its component.
void place_points(double* z,                         // IN/OUT, n x d
                  const std::int32_t* component,     // IN, n, in 0..k-1
                  const double* means,               // IN, k x d
                  const std::vector<double>& lower,  // IN, k x d x d, lower triangular
                  index_t n, index_t d);

}  // namespace seedbed
