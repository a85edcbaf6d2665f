// What symmetric FastICA (Hyvärinen 1999) has to know of all rows: their second moments, the rows whitened and a
// step over these, or their fourth moments, which are all that steps with the cube need; and in the end the rows
// that point along the components. The same bits for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "points.hpp"

namespace seedbed {

inline constexpr int kTileRows = 32;

// Rows seen from an origin.
struct Seen {
    Points<double> points;
    const double* origin;  // IN, d
    double inverse_mass;   // one over the sum of all weights
};

// The mean of t_j t_k, t = x - origin, for j >= k in that order.
std::vector<double> second_moments(const Seen& rows, int n_threads);

// The mean of z_i z_j z_k z_l, z = axes t, for i <= j <= k <= l in lexicographic order; axes (IN) are r x d.
std::vector<double> fourth_moments(const Seen& rows, const double* axes, index_t r, int n_threads);

// Whitened rows, kTileRows at a time and attribute by attribute; the last tile is filled up with rows of
// zeros that have no share.
struct Tiles {
    const double* values;  // IN, n x r x kTileRows
    const double* share;   // IN, n x kTileRows: weights that add up to one
    index_t n;             // tiles
    index_t r;             // attributes, and components
};

// Rows as coordinates along axes (IN, r x d): OUT values and share of tiles.
void whiten(const Seen& rows, const double* axes, index_t r, int n_threads, double* values, double* share);

enum class Curve { tanh, cube };  // the derivatives of log cosh, and of a quarter of the fourth power

// For each component c, z a row and g the curve at rotation_c . z: the sum of share g z, and after it (column
// r) that of share g'. r x (r + 1).
std::vector<double> contrast(const Tiles& tiles, const double* rotation, Curve curve, int n_threads);

// Which way rows are looked for.
struct Directions {
    const double* axes;      // IN, r x d, of length one
    index_t r;
    const double* ceiling;   // IN, r: only cosines below it count
    bool absolute;           // whether rows may point the opposite way
    double tie;              // cosines closer than this are equal
};

// The greatest cosine between rows and a direction (zero for a row at the origin) and the rows that have it, in
// order; none, and minus infinity, where no cosine counts.
struct Leading {
    double cosine;
    std::vector<index_t> rows;
};

std::vector<Leading> leading_rows(const Seen& rows, const Directions& directions, int n_threads);

}  // namespace seedbed
