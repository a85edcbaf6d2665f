#include "parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "pool.hpp"
#include "prefetch.hpp"
#include "scratch.hpp"

namespace seedbed {
namespace {

// Throws unless the rows exist and those of a part increase.
void check_rows(const Parts& parts, index_t n) {
    for (index_t p = 0, at = 0; p < parts.n; ++p)
        for (index_t last = -1; at < parts.ends[p]; last = parts.rows[at++])
            if (parts.rows[at] <= last || parts.rows[at] >= n) throw std::invalid_argument("rows of a part must exist and increase");
}

// A worker's room for one part after another: copies of its rows, and their integers where they are wanted.
template <class T>
class Room {
public:
    Room(const Dataset<T>& whole, index_t most, bool coarse)
        : whole_(whole), x_(make_scratch<T>(most * whole.points.d)),
          weight_(whole.points.weight ? make_scratch<double>(most) : Scratch<double>()) {
        if (coarse) allot(most);
    }

    // The rows listed (IN, n, increasing) as a data set. A task's rows are measured and packed while they are in the cache.
    Dataset<T> take(const index_t* rows, index_t n) {
        const Points<T> part{x_.get(), weight_.get(), n, whole_.points.d};
        Moments moments(n, part.d);
        double greatest = 0.0;
        if (coarse_) coarse_->resize(n);
        for (index_t begin = 0; begin < n; begin += kTask) {
            const index_t end = std::min(n, begin + kTask);
            copy(rows, n, begin, end);
            take_moments(part, whole_.frame, begin / kTask, moments);
            if (!coarse_) continue;
            if (has_integers()) coarse_->pick(*whole_.coarse, rows, begin, end);
            else greatest = std::max(greatest, coarse_->pack(part, begin, end));
        }
        const bool fits = coarse_ && finish_packing(part, greatest);
        return Dataset<T>(part, whole_.frame, moments, fits ? std::move(coarse_) : std::nullopt);
    }

    // The integers' memory, for the next part.
    void give_back(Dataset<T>& part) {
        if (part.coarse) coarse_ = std::move(part.coarse);
    }

private:
    static constexpr index_t kAhead = 32;  // rows asked for before they are copied

    bool has_integers() const { return whole_.coarse && whole_.coarse->rows; }

    void allot(index_t most) {
        const index_t d = whole_.points.d;
        const bool both = has_integers() ? static_cast<bool>(whole_.coarse->half) : d >= kWorthBoth;
        coarse_.emplace(both ? Packing::both : Packing::rows, most, d, has_integers() ? whole_.coarse->origin : whole_.middle());
        if (has_integers()) coarse_->scale = whole_.coarse->scale;
        else if (!coarse_->set_scale(CoarseCopy::kRoom * whole_.reach_about(coarse_->origin), whole_.frame.unit)) coarse_.reset();
    }

    void copy(const index_t* rows, index_t n, index_t begin, index_t end) {
        const Points<T>& from = whole_.points;
        const index_t d = from.d;
        for (index_t i = begin; i < end; ++i) {
            if (i + kAhead < n) prefetch(from.row(rows[i + kAhead]), from.row(rows[i + kAhead]) + d);
            copy_row(from.row(rows[i]), d, &x_[i * d]);
        }
        for (index_t i = begin; weight_ && i < end; ++i) weight_[i] = from.weight[rows[i]];
    }

    // Four attributes at a time, the last four once more where they do not come out even.
    static void copy_row(const T* row, index_t d, T* out) {
        if (d < 4) {
            std::copy_n(row, d, out);
            return;
        }
        for (index_t j = 0; j + 4 < d; j += 4) std::memcpy(out + j, row + j, 4 * sizeof(T));
        std::memcpy(out + d - 4, row + d - 4, 4 * sizeof(T));
    }

    // False where the rows cannot be integers. One that lies farther out than was guessed makes the scale of all parts to come.
    bool finish_packing(const Points<T>& part, double greatest) {
        const double reach = std::sqrt(greatest) / coarse_->scale;
        if (greatest > CoarseCopy::kMost && !coarse_->pack_all(part, reach, whole_.frame.unit, 1)) return coarse_.reset(), false;
        coarse_->add_blocks(1);
        return true;
    }

    const Dataset<T>& whole_;
    Scratch<T> x_;
    Scratch<double> weight_;
    std::optional<CoarseCopy> coarse_;
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

void count_labels(const std::uint16_t* labels, index_t n, index_t n_labels, index_t* counts) {
    std::fill_n(counts, n_labels, 0);
    for (index_t i = 0; i < n; ++i) {
        if (labels[i] >= n_labels) throw std::invalid_argument("a label is out of range");
        ++counts[labels[i]];
    }
}

void deal_rows(const std::uint16_t* labels, index_t n, index_t n_parts, const Exceptions& exceptions, const index_t* ends, index_t* rows) {
    struct Part {
        index_t next, end;        // where its next row goes, and where there is no more room
        index_t until, at, last;  // rows of its label before the next exception, which exception that is, and where they end
    };
    std::vector<Part> parts(n_parts);
    for (index_t p = 0; p < n_parts; ++p) {
        Part& part = parts[p];
        part = {p > 0 ? ends[p - 1] : 0, ends[p], -1, p > 0 ? exceptions.ends[p - 1] : 0, exceptions.ends[p]};
        if (part.at < part.last) part.until = exceptions.number[part.at];
    }
    const auto place = [&](index_t p, index_t i) {
        if (p < 0 || p >= n_parts || parts[p].next >= parts[p].end) throw std::invalid_argument("labels, exceptions and sizes do not fit together");
        rows[parts[p].next++] = i;
    };
    for (index_t i = 0; i < n; ++i) {
        const index_t p = labels[i];
        if (p >= n_parts || parts[p].until-- != 0) {
            place(p, i);
            continue;
        }
        Part& own = parts[p];
        const index_t was = exceptions.number[own.at];
        place(exceptions.to[own.at], i);
        own.until = ++own.at < own.last ? exceptions.number[own.at] - was - 1 : -1;
    }
}

template <class T>
std::vector<T> cluster_parts(const Dataset<T>& data, const Parts& parts, const index_t* starts, index_t k, double tol, int max_iter,
                             int n_threads, const std::function<bool()>& interrupted) {
    const Points<T>& points = data.points;
    const index_t d = points.d;
    if (std::any_of(starts, starts + parts.n * k, [&](index_t row) { return row < 0 || row >= points.n; })) throw std::invalid_argument("no such row");
    check_rows(parts, points.n);
    const auto begin = [&](index_t p) { return p > 0 ? parts.ends[p - 1] : 0; };
    index_t most = 0;
    for (index_t p = 0; p < parts.n; ++p) most = std::max(most, parts.ends[p] - begin(p));
    const Options options{.stop = Stop::sse, .tol = tol, .max_iter = max_iter, .history = false, .closing_sse = false};
    std::vector<Room<T>> rooms;
    n_threads = static_cast<int>(std::clamp<index_t>(n_threads, 1, parts.n));
    for (int w = 0; w < n_threads; ++w) rooms.emplace_back(data, most, reads_coarse(options.algorithm, k, d));
    std::vector<T> out(parts.n * k * d);
    parallel_for(parts.n, n_threads, [&](index_t p, int w) {
        const Watch watch{w == 0 ? interrupted : std::function<bool()>(), {}};
        std::vector<T> start;
        for (const index_t* row = starts + p * k; row < starts + (p + 1) * k; ++row) start.insert(start.end(), points.row(*row), points.row(*row) + d);
        Dataset<T> part = rooms[w].take(parts.rows + begin(p), parts.ends[p] - begin(p));
        const std::vector<T> centers = centers_of(part, start, k, options, watch);
        rooms[w].give_back(part);
        std::copy(centers.begin(), centers.end(), &out[p * k * d]);
    });
    return out;
}

#define SEEDBED_INSTANTIATE(T) \
    template std::vector<T> cluster_parts<T>(const Dataset<T>&, const Parts&, const index_t*, index_t, double, int, int, const std::function<bool()>&);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
