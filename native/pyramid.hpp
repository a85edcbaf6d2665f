// Pictures of rows on a grid, each coarser than the one before by a factor of two (Lu's pyramid). Rows of the same cell of
// the finest picture that is needed are added up; these cells are sorted by the bits of their positions, the highest of
// all attributes first, so that the cells of every coarser picture are runs of neighbours.
#pragma once

#include <cstdint>

#include "points.hpp"
#include "scratch.hpp"

namespace seedbed {

// Occupied cells of a picture, in that order.
struct Cells {
    int level;                    // of the picture: rows that differ in no more of their lowest bits are one
    index_t n;
    Scratch<double> means;        // n x d: the weighted mean position of the rows in it
    Scratch<double> mass;         // n: their weight
    Scratch<std::uint8_t> joins;  // n: the level from which a cell is one with the cell before it
};

// The finest picture that is wanted has at most `most` cells or, if that one has fewer than `least`, is the coarsest of those
// that have as many.
struct Wanted {
    index_t least;
    double most;
};

// Positions on the grid (IN, n x d, below 2^bits), a row each, and their weights (IN, n, or null for one each). Rows
// are one cell of a level where the attributes listed as keys (IN) differ in no more than that many of the lowest bits;
// of level 0, where all attributes are equal. Returns the cells of the finest picture wanted.
Cells sort_cells(const std::uint16_t* positions, index_t n, index_t d, int bits, const index_t* keys, index_t n_keys, const double* weight,
                 const Wanted& wanted);

inline constexpr std::uint8_t kNeverJoins = 255;

// The picture of a level coarser than that of the cells: cells that differ in no more than the lowest `level` bits are
// one. IN cells (n x d), mass and joins, those of `Cells`; OUT means, masses and left, the same of the picture. Returns
// how many cells it has.
index_t make_picture(const double* cells, const double* mass, const std::uint8_t* joins, index_t n, index_t d, int level, double* means,
                     double* masses, std::uint8_t* left);

}  // namespace seedbed
