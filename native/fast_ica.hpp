// One step of symmetric FastICA with the contrast log cosh (Hyvärinen 1999): what has to be summed over
// all rows. The same bits for any number of threads.
#pragma once

#include <vector>

#include "points.hpp"

namespace seedbed {

inline constexpr int kTileRows = 32;

// Whitened rows, kTileRows at a time and attribute by attribute; the last tile is filled up with rows of
// zeros that have no share.
struct Tiles {
    const double* values;  // IN, n x r x kTileRows
    const double* share;   // IN, n x kTileRows: weights that add up to one
    index_t n;             // tiles
    index_t r;             // attributes, and components
};

// For each component c, z a row and g = tanh(rotation_c . z): the sum of share g z, and after it (column
// r) that of share (1 - g^2). r x (r + 1).
std::vector<double> contrast(const Tiles& tiles, const double* rotation, int n_threads);

}  // namespace seedbed
