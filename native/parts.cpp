#include "parts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "pool.hpp"

namespace seedbed {
namespace {

using Label = std::uint16_t;
constexpr Label kNone = std::numeric_limits<Label>::max();

// In which part each row is; rows of a part are then found in the order in which they lie in memory.
std::vector<Label> labels_of(const Parts& parts, index_t n) {
    if (parts.n >= kNone) throw std::invalid_argument("too many parts");
    std::vector<Label> labels(n, kNone);
    index_t at = 0;
    for (index_t p = 0; p < parts.n; ++p)
        for (; at < parts.ends[p]; ++at) {
            const index_t row = parts.order[at];
            if (row < 0 || row >= n || labels[row] != kNone) throw std::invalid_argument("no such row, or a row twice");
            labels[row] = static_cast<Label>(p);
        }
    return labels;
}

// A copy of the rows of a part.
template <class T>
class Part {
public:
    Part(const Points<T>& points, const std::vector<Label>& labels, index_t part, index_t size) {
        std::vector<index_t> rows;
        rows.reserve(size);
        for (index_t i = 0; i < points.n; ++i)
            if (labels[i] == part) rows.push_back(i);
        const index_t d = points.d;
        x_.resize(size * d);
        for (index_t r = 0; r < size; ++r) {
            if (r + kAhead < size) ask_for(points, rows[r + kAhead]);
            std::copy_n(points.row(rows[r]), d, &x_[r * d]);
        }
        if (points.weight)
            for (const index_t row : rows) weight_.push_back(points.weight[row]);
        points_ = {x_.data(), points.weight ? weight_.data() : nullptr, size, d};
    }

    const Points<T>& points() const { return points_; }

private:
    static constexpr index_t kAhead = 16;  // rows asked for before they are copied

    static void ask_for(const Points<T>& points, index_t row) {
        for (index_t j = 0; j < points.d; j += 64 / static_cast<index_t>(sizeof(T))) __builtin_prefetch(points.row(row) + j);
        __builtin_prefetch(points.row(row) + points.d - 1);
    }

    std::vector<T> x_;
    std::vector<double> weight_;
    Points<T> points_;
};

template <class T>
std::vector<T> centers_of(const Points<T>& points, const std::vector<T>& start, index_t k, Options options, const Watch& watch) {
    Dataset<T> data(points, 1);
    try {
        return run_many(data, start.data(), 1, k, options, false, watch)[0].centers;
    } catch (const TooFewDistinct&) {
        options.empty = Empty::keep;
        return run_many(data, start.data(), 1, k, options, false, watch)[0].centers;
    }
}

}  // namespace

template <class T>
std::vector<T> cluster_parts(const Dataset<T>& data, const Parts& parts, const index_t* starts, index_t k, double tol, int max_iter,
                             int n_threads, const std::function<bool()>& interrupted) {
    const Points<T>& points = data.points;
    const index_t d = points.d;
    if (std::any_of(starts, starts + parts.n * k, [&](index_t row) { return row < 0 || row >= points.n; })) throw std::invalid_argument("no such row");
    const std::vector<Label> labels = labels_of(parts, points.n);
    const Options options{Algorithm::automatic, Stop::sse, tol, max_iter, Empty::relocate, 1, false};
    std::vector<T> out(parts.n * k * d);
    parallel_for(parts.n, n_threads, [&](index_t p, int w) {
        const Watch watch{w == 0 ? interrupted : std::function<bool()>(), {}};
        const Part<T> part(points, labels, p, parts.ends[p] - (p > 0 ? parts.ends[p - 1] : 0));
        std::vector<T> start;
        for (const index_t* row = starts + p * k; row < starts + (p + 1) * k; ++row) start.insert(start.end(), points.row(*row), points.row(*row) + d);
        const std::vector<T> centers = centers_of(part.points(), start, k, options, watch);
        std::copy(centers.begin(), centers.end(), &out[p * k * d]);
    });
    return out;
}

#define SEEDBED_INSTANTIATE(T) \
    template std::vector<T> cluster_parts<T>(const Dataset<T>&, const Parts&, const index_t*, index_t, double, int, int, const std::function<bool()>&);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
