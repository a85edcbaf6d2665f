// What passes between fast_ica.cpp and its kernels, which exist once per instruction set (kernels.hpp). A tile
// is kTileRows rows, attribute by attribute.
#pragma once

#include "fast_ica.hpp"

namespace seedbed {

// What each kernel does is said where it is defined (tiles.hpp, contrast.hpp).
struct TileKernels {
    void (*center)(const Seen& rows, index_t begin, index_t count, double* tile, double* share);
    void (*rotate)(const double* tile, index_t d, const double* axes, index_t r, double* out);
    void (*add_pairs)(const double* tile, const double* share, index_t d, double* sums);
    void (*add_quartics)(const double* tile, const double* share, index_t r, double* pairs, double* sums);
    void (*find_cosines)(const double* tile, index_t d, const Directions& directions, index_t count, double* out);
    void (*add_contrast)(const Tiles& tiles, const double* rotation, index_t begin, index_t end, double* sums);
    void (*add_cubes)(const Tiles& tiles, const double* rotation, index_t begin, index_t end, double* sums);
};

}  // namespace seedbed
