// Pictures of rows on a grid, each coarser than the one before by a factor of two (Lu's pyramid). The rows are
// sorted once by the bits of their positions, the highest of all attributes first: the cells of every picture are
// then runs of neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "points.hpp"

namespace seedbed {

// Occupied cells of the finest picture, in that order.
struct Cells {
    std::vector<std::uint16_t> positions;  // n x d
    std::vector<double> mass;              // n: the weight of the rows in it
    std::vector<std::uint8_t> joins;       // n: the level from which a cell is one with the cell before it
};

// Positions on the grid (IN, n x d, below 2^bits), a row each, and their weights (IN, n, or null for one each).
// Which cells are one in coarser pictures is decided by the attributes listed as keys (IN); in the finest picture
// rows are one where all attributes are equal.
Cells sort_cells(const std::uint16_t* positions, index_t n, index_t d, int bits, const index_t* keys, index_t n_keys, const double* weight);

inline constexpr std::uint8_t kNeverJoins = 255;

// The picture of a level: cells that differ in no more than the lowest `level` bits are one. IN positions (n x d),
// mass and joins, those of `Cells`; OUT means, a row for each, the weighted means of their positions, and masses.
// Returns how many there are.
index_t make_picture(const std::uint16_t* positions, const double* mass, const std::uint8_t* joins, index_t n, index_t d, int level,
                     double* means, double* masses);

}  // namespace seedbed
