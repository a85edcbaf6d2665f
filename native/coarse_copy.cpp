#include "coarse_copy.hpp"

#include <algorithm>
#include <cmath>

#include "dataset.hpp"
#include "kernels.hpp"
#include "pool.hpp"

namespace seedbed {
namespace {

index_t in_blocks(index_t n) { return (n + kBlock - 1) / kBlock * kBlock; }

}  // namespace

CoarseCopy::CoarseCopy(Packing packing, index_t n, index_t d, std::vector<double> from) : d(d), origin(std::move(from)) {
    origin.resize((d + 3) / 4 * 4);
    if (packing != Packing::blocks) rows = make_scratch<std::int32_t>(n * pairs() + 3);
    if (packing != Packing::rows) blocks = make_scratch<std::int32_t>(in_blocks(n) * pairs());
    if (packing == Packing::both) half = make_scratch<std::int32_t>(in_blocks(n));
    resize(n);
}

// The last words may belong to no row and are read all the same: they must not be left as the memory was.
void CoarseCopy::resize(index_t rows_now) {
    n = rows_now;
    const index_t last = std::max<index_t>(0, in_blocks(n) - kBlock);
    if (rows) std::fill_n(&rows[n * pairs()], 3, 0);
    if (blocks) std::fill(&blocks[last * pairs()], &blocks[in_blocks(n) * pairs()], 0);
    if (half) std::fill(&half[last], &half[in_blocks(n)], 0);
}

bool CoarseCopy::set_scale(double reach, double unit) {
    constexpr double aim = 26400.0;
    scale = reach > 0.0 ? aim / reach : 1.0 / unit;
    return std::isfinite(scale) && std::isfinite(1.0 / (scale * unit));
}

template <class T>
double CoarseCopy::pack(const Points<T>& points, index_t begin, index_t end) {
    std::vector<double> scales(origin.size());  // for every attribute, padded like the origin
    std::fill_n(scales.begin(), d, scale);
    return kernels<T>().pack_coarse(points, origin.data(), scales.data(), !rows, begin, end, rows ? rows.get() : blocks.get(), half.get());
}

void CoarseCopy::pick(const CoarseCopy& from, const index_t* listed, index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) std::copy_n(&from.rows[listed[i] * pairs()], pairs(), &rows[i * pairs()]);
    for (index_t i = begin; half && i < end; ++i) half[i] = from.half[listed[i]];
}

template <class T>
bool CoarseCopy::pack_all(const Points<T>& points, double reach, double unit, int n_threads) {
    const index_t tasks = (n + kTask - 1) / kTask;
    std::vector<double> greatest(tasks);
    for (double square = INFINITY; square > kMost; reach = std::sqrt(square) / scale) {
        if (!set_scale(reach, unit)) return false;
        parallel_for(tasks, n_threads, [&](index_t t, int) { greatest[t] = pack(points, t * kTask, std::min(n, (t + 1) * kTask)); });
        square = *std::max_element(greatest.begin(), greatest.end());
        if (!std::isfinite(square)) return false;
    }
    return true;
}

void CoarseCopy::add_blocks(int n_threads) {
    if (!rows || !blocks) return;
    parallel_for((n + kTask - 1) / kTask, n_threads, [&](index_t t, int) {
        std::vector<std::int32_t> scratch((pairs() + 3) * kBlock);
        kernels<float>().turn_rows(rows.get(), pairs(), t * kTask, std::min(n, (t + 1) * kTask), scratch.data(), blocks.get());
    });
}

#define SEEDBED_INSTANTIATE(T)                                                      \
    template double CoarseCopy::pack<T>(const Points<T>&, index_t, index_t);        \
    template bool CoarseCopy::pack_all<T>(const Points<T>&, double, double, int);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
