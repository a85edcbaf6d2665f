#include "fast_ica.hpp"

#include <algorithm>
#include <limits>

#include "kernels.hpp"
#include "pool.hpp"
#include "tile_kernels.hpp"

namespace seedbed {
namespace {

constexpr index_t kTaskTiles = 128;  // tiles per task: fixed, so that sums have a fixed order
constexpr double kNone = -std::numeric_limits<double>::infinity();

const TileKernels& tile_kernels() { return *exact<double>().tiles; }

index_t tiles_of(index_t n) { return (n + kTileRows - 1) / kTileRows; }

// Calls body(task, first tile, last tile + 1) for tasks of `size` tiles.
template <class Body>
void in_tasks(index_t tiles, index_t size, int n_threads, const Body& body) {
    parallel_for((tiles + size - 1) / size, n_threads, [&](index_t t, int) { body(t, t * size, std::min(tiles, (t + 1) * size)); });
}

// Sums of tasks, four lanes each, added in order.
class LaneSums {
public:
    LaneSums(index_t tiles, index_t task_tiles, index_t count) : count_(count), parts_((tiles + task_tiles - 1) / task_tiles * count * 4) {}

    double* task(index_t t) { return parts_.data() + t * count_ * 4; }

    std::vector<double> total() const {
        std::vector<double> sums(count_);
        for (std::size_t at = 0; at < parts_.size(); at += 4)
            sums[static_cast<index_t>(at / 4) % count_] += (parts_[at] + parts_[at + 1]) + (parts_[at + 2] + parts_[at + 3]);
        return sums;
    }

private:
    index_t count_;
    std::vector<double> parts_;
};

// Calls body(task, tile number, rows in it, tile, share) for every tile of rows less their origin.
template <class Body>
void in_tiles(const Seen& rows, index_t task_tiles, int n_threads, const Body& body) {
    const index_t n = rows.points.n, d = rows.points.d;
    in_tasks(tiles_of(n), task_tiles, n_threads, [&](index_t task, index_t first, index_t last) {
        std::vector<double> tile(d * kTileRows);
        double share[kTileRows];
        for (index_t t = first; t < last; ++t) {
            const index_t count = std::min<index_t>(kTileRows, n - t * kTileRows);
            tile_kernels().center(rows, t * kTileRows, count, tile.data(), share);
            body(task, t, count, tile.data(), share);
        }
    });
}

}  // namespace

std::vector<double> second_moments(const Seen& rows, int n_threads) {
    const index_t d = rows.points.d, size = std::max(kTaskTiles, d);
    LaneSums sums(tiles_of(rows.points.n), size, d * (d + 1) / 2);
    in_tiles(rows, size, n_threads, [&](index_t task, index_t, index_t, const double* tile, const double* share) {
        tile_kernels().add_pairs(tile, share, d, sums.task(task));
    });
    return sums.total();
}

std::vector<double> fourth_moments(const Seen& rows, const double* axes, index_t r, int n_threads) {
    const index_t d = rows.points.d, n_pairs = r * (r + 1) / 2, count = r * (r + 1) * (r + 2) * (r + 3) / 24;
    const index_t size = std::max(kTaskTiles, count / 4);
    LaneSums sums(tiles_of(rows.points.n), size, count);
    in_tasks(tiles_of(rows.points.n), size, n_threads, [&](index_t task, index_t first, index_t last) {
        std::vector<double> tile(d * kTileRows), white(r * kTileRows), pairs(n_pairs * kTileRows);
        double share[kTileRows];
        for (index_t t = first; t < last; ++t) {
            const index_t begin = t * kTileRows;
            tile_kernels().center(rows, begin, std::min<index_t>(kTileRows, rows.points.n - begin), tile.data(), share);
            tile_kernels().rotate(tile.data(), d, axes, r, white.data());
            tile_kernels().add_quartics(white.data(), share, r, pairs.data(), sums.task(task));
        }
    });
    return sums.total();
}

void whiten(const Seen& rows, const double* axes, index_t r, int n_threads, double* values, double* share) {
    const index_t d = rows.points.d;
    in_tiles(rows, kTaskTiles, n_threads, [&](index_t, index_t t, index_t, const double* tile, const double* part) {
        tile_kernels().rotate(tile, d, axes, r, values + t * r * kTileRows);
        std::copy_n(part, kTileRows, share + t * kTileRows);
    });
}

std::vector<double> contrast(const Tiles& tiles, const double* rotation, Curve curve, int n_threads) {
    const index_t size = std::max(kTaskTiles, tiles.r);  // sums together need less room than the tiles
    LaneSums sums(tiles.n, size, tiles.r * (tiles.r + 1));
    const auto kernel = curve == Curve::cube ? tile_kernels().add_cubes : tile_kernels().add_contrast;
    in_tasks(tiles.n, size, n_threads, [&](index_t task, index_t first, index_t last) { kernel(tiles, rotation, first, last, sums.task(task)); });
    return sums.total();
}

std::vector<Leading> leading_rows(const Seen& rows, const Directions& directions, int n_threads) {
    const index_t d = rows.points.d, r = directions.r, tasks = (tiles_of(rows.points.n) + kTaskTiles - 1) / kTaskTiles;
    std::vector<double> greatest(tasks * r, kNone);
    // The second time around only tasks that have a leading row are looked at.
    const auto look = [&](index_t task, const auto& see) {
        std::vector<double> tile(d * kTileRows), cosines(r * kTileRows);
        double share[kTileRows];
        const index_t begin = task * kTaskTiles * kTileRows, end = std::min(rows.points.n, begin + kTaskTiles * kTileRows);
        for (index_t i = begin; i < end; i += kTileRows) {
            const index_t count = std::min<index_t>(kTileRows, end - i);
            tile_kernels().center(rows, i, count, tile.data(), share);
            tile_kernels().find_cosines(tile.data(), d, directions, count, cosines.data());
            see(i, count, cosines.data());
        }
    };
    parallel_for(tasks, n_threads, [&](index_t task, int) {
        look(task, [&](index_t, index_t count, const double* cosines) {
            for (index_t c = 0; c < r; ++c)
                for (index_t p = 0; p < count; ++p) greatest[task * r + c] = std::max(greatest[task * r + c], cosines[c * kTileRows + p]);
        });
    });
    std::vector<Leading> out(r, Leading{kNone, {}});
    for (index_t s = 0; s < tasks * r; ++s) out[s % r].cosine = std::max(out[s % r].cosine, greatest[s]);
    for (index_t task = 0; task < tasks; ++task) {
        const auto leads = [&](index_t c, double cosine) { return cosine > kNone && cosine >= out[c].cosine - directions.tie; };
        bool any = false;
        for (index_t c = 0; c < r; ++c) any = any || leads(c, greatest[task * r + c]);
        if (!any) continue;
        look(task, [&](index_t begin, index_t count, const double* cosines) {
            for (index_t c = 0; c < r; ++c)
                for (index_t p = 0; p < count; ++p)
                    if (leads(c, cosines[c * kTileRows + p])) out[c].rows.push_back(begin + p);
        });
    }
    return out;
}

}  // namespace seedbed
