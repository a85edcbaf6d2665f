#include "parts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "pool.hpp"
#include "prefetch.hpp"
#include "scratch.hpp"

namespace seedbed {
namespace {

using Label = std::uint16_t;
constexpr Label kNone = std::numeric_limits<Label>::max();

// The rows of every part in the order in which they lie in memory: that is how they are read fastest.
Scratch<index_t> ordered(const Parts& parts, index_t n) {
    if (parts.n >= kNone) throw std::invalid_argument("too many parts");
    const Scratch<Label> labels = make_scratch<Label>(n);
    std::fill_n(labels.get(), n, kNone);
    std::vector<index_t> next;  // place of the next row of each part
    index_t at = 0;
    for (index_t p = 0; p < parts.n; ++p) {
        next.push_back(at);
        for (; at < parts.ends[p]; ++at) {
            const index_t row = parts.order[at];
            if (row < 0 || row >= n || labels[row] != kNone) throw std::invalid_argument("no such row, or a row twice");
            labels[row] = static_cast<Label>(p);
        }
    }
    Scratch<index_t> rows = make_scratch<index_t>(at);
    for (index_t i = 0; i < n; ++i)
        if (labels[i] != kNone) rows[next[labels[i]]++] = i;
    return rows;
}

// A worker's room for a copy of some rows.
template <class T>
class Copy {
public:
    Copy(const Points<T>& points, index_t most)
        : all_(points), x_(make_scratch<T>(most * points.d)), weight_(points.weight ? make_scratch<double>(most) : Scratch<double>()) {}

    Points<T> of(const index_t* rows, index_t n) {
        const index_t d = all_.d;
        for (index_t r = 0; r < n; ++r) {
            if (r + kAhead < n) prefetch(all_.row(rows[r + kAhead]), all_.row(rows[r + kAhead]) + d);
            const T* x = all_.row(rows[r]);
            for (index_t j = 0; j < d; ++j) x_[r * d + j] = x[j];
            if (weight_) weight_[r] = all_.weight[rows[r]];
        }
        return {x_.get(), weight_.get(), n, d};
    }

private:
    static constexpr index_t kAhead = 16;  // rows asked for before they are copied

    Points<T> all_;
    Scratch<T> x_;
    Scratch<double> weight_;
};

template <class T>
std::vector<T> centers_of(Dataset<T>& data, const std::vector<T>& start, index_t k, Options options, const Watch& watch) {
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
    const Scratch<index_t> rows = ordered(parts, points.n);
    const auto begin = [&](index_t p) { return p > 0 ? parts.ends[p - 1] : 0; };
    index_t most = 0;
    for (index_t p = 0; p < parts.n; ++p) most = std::max(most, parts.ends[p] - begin(p));
    std::vector<Copy<T>> copies;
    n_threads = static_cast<int>(std::clamp<index_t>(n_threads, 1, parts.n));
    for (int w = 0; w < n_threads; ++w) copies.emplace_back(points, most);
    const Options options{.stop = Stop::sse, .tol = tol, .max_iter = max_iter, .history = false, .closing_sse = false, .pack_at_once = true};
    std::vector<T> out(parts.n * k * d);
    parallel_for(parts.n, n_threads, [&](index_t p, int w) {
        const Watch watch{w == 0 ? interrupted : std::function<bool()>(), {}};
        std::vector<T> start;
        for (const index_t* row = starts + p * k; row < starts + (p + 1) * k; ++row) start.insert(start.end(), points.row(*row), points.row(*row) + d);
        Dataset<T> part(copies[w].of(&rows[begin(p)], parts.ends[p] - begin(p)), data, &rows[begin(p)]);
        const std::vector<T> centers = centers_of(part, start, k, options, watch);
        std::copy(centers.begin(), centers.end(), &out[p * k * d]);
    });
    return out;
}

#define SEEDBED_INSTANTIATE(T) \
    template std::vector<T> cluster_parts<T>(const Dataset<T>&, const Parts&, const index_t*, index_t, double, int, int, const std::function<bool()>&);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
