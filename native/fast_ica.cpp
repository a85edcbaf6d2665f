#include "fast_ica.hpp"

#include <algorithm>

#include "kernels.hpp"
#include "pool.hpp"

namespace seedbed {

std::vector<double> contrast(const Tiles& tiles, const double* rotation, int n_threads) {
    const index_t n_sums = tiles.r * (tiles.r + 1);
    // Tasks have a fixed size, so that sums have a fixed order, and together need less room than the tiles.
    const index_t size = std::max<index_t>(128, tiles.r), tasks = (tiles.n + size - 1) / size;
    std::vector<double> parts(tasks * n_sums * 4);  // four lanes per sum
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        exact<double>().add_contrast(tiles, rotation, t * size, std::min(tiles.n, (t + 1) * size), &parts[t * n_sums * 4]);
    });
    std::vector<double> sums(n_sums);
    for (index_t t = 0; t < tasks; ++t)
        for (index_t s = 0; s < n_sums; ++s) {
            const double* lane = &parts[(t * n_sums + s) * 4];
            sums[s] += (lane[0] + lane[1]) + (lane[2] + lane[3]);
        }
    return sums;
}

}  // namespace seedbed
