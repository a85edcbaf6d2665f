// Small symmetric matrices in plain IEEE arithmetic and square roots, so that the same bits come out on every
// machine: no BLAS or LAPACK, whose sums depend on the library and the processor. All matrices are row-major.
#pragma once

#include <vector>

#include "points.hpp"

namespace seedbed {

// Replaces the lower triangle of a symmetric matrix by its Cholesky factor and the upper one by zeros.
// False where the matrix is not positive definite (its content is then of no use).
bool cholesky(double* a,  // IN/OUT, d x d
              index_t d);

// y with L y = x, for lower triangular L.
void solve_lower(const double* l,  // IN, d x d
                 double* x,        // IN/OUT, d
                 index_t d);

// Eigenvalues of a symmetric matrix (Householder, then implicit QL), ascending, and the components of a vector
// along the eigenvectors. The eigenvectors themselves are never formed: O(d^2) beyond the reduction.
// Absolute error of the values: some units in the last place of the largest.
void eigen_along(double* a,                    // IN, d x d; destroyed
                 index_t d,
                 std::vector<double>& values,  // OUT, d
                 double* along);               // IN/OUT, d

// Squared singular values of a matrix (one-sided Jacobi) and the squared components of a vector along its left
// singular vectors. Slower than `eigen_along` of M'M, but small values keep their relative accuracy.
void squares_along_left(std::vector<double> columns,  // IN, d x d: row l is column l of the matrix
                        const double* vector,         // IN, d
                        index_t d,
                        std::vector<double>& values,   // OUT, d
                        std::vector<double>& squares);  // OUT, d

}  // namespace seedbed
