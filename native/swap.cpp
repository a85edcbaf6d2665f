#include "swap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "centers.hpp"
#include "engine.hpp"
#include "pool.hpp"

namespace seedbed {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr index_t kChunks = 64;  // parts of the rows, whose sums are added in order: bounds the memory for large k

// Which centre is nearest and which next, the lowest index among equals.
struct Two {
    std::int32_t first = -1, second = -1;
    double square = kFar, next = kFar;

    void see(std::int32_t c, double s) {
        if (s < square) second = first, next = square, first = c, square = s;
        else if (s < next) second = c, next = s;
    }
};

template <class T>
class SwapSearch {
public:
    SwapSearch(const Dataset<T>& data, const T* centers, index_t k, index_t swaps, int n_threads)
        : points_(data.points), inverse_unit_(data.inverse_unit()), n_threads_(std::max(1, n_threads)), k_(k), slots_(k + swaps),
          size_(std::max(kTask, (points_.n + kChunks - 1) / kChunks)), chunks_((points_.n + size_ - 1) / size_),
          near_(points_.n), reach_(points_.n), centers_(slots_ * points_.d), rows_(slots_, -1), place_(slots_, -1), used_(slots_, 0), undo_(chunks_),
          cost_(chunks_), losses_(chunks_ * slots_), loss_(slots_), counts_(chunks_, 0) {
        weight_scale_ = points_.weight ? data.frame.weight_grid * 0x1p-50 : 1.0;
        std::copy_n(centers, k * points_.d, centers_.begin());
        for (index_t c = 0; c < k; ++c) place_[c] = c, used_[c] = 1;
        in_chunks([&](index_t chunk, index_t i) { set(i, two_of(chunk, i)); });
        measure();
    }

    double cost() const { return total_; }
    double weight_scale() const { return weight_scale_; }
    std::int64_t distances() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

    // Returns whether the centres changed.
    bool step(const double* uniforms, index_t swaps) {
        const double before = total_;
        const std::vector<double> costs = cost_;
        std::vector<index_t> drawn(swaps);
        for (index_t s = 0; s < swaps; ++s) drawn[s] = draw(uniforms[s]);
        std::vector<index_t> free = free_slots();
        for (index_t s = 0; s < swaps; ++s) add(free[s], drawn[s], k_ + s);
        std::vector<index_t> removed;
        for (index_t s = 0; s < swaps; ++s) {
            if (s > 0) remove(removed.back());
            measure();
            removed.push_back(least_loss());
        }
        const index_t last = removed.back();
        if (!(total_ + loss_[last] < before * (1 - 1e-12))) {
            take_back(free, removed);
            total_ = before;
            cost_ = costs;
            return false;
        }
        remove(last);
        measure();
        forget();
        rename(free, removed);
        return true;
    }

    void finish(Swapped<T>& out, index_t k) const {
        out.centers.resize(k * points_.d);
        out.rows.resize(k);
        for (index_t s = 0; s < slots_; ++s) {
            if (!used_[s]) continue;
            std::copy_n(&centers_[s * points_.d], points_.d, &out.centers[place_[s] * points_.d]);
            out.rows[place_[s]] = rows_[s];
        }
        out.distances = distances();
    }

private:
    struct Change {
        index_t row;
        Two before;
    };

    double mass(index_t i) const { return points_.mass(i) * weight_scale_; }
    double square(index_t i, index_t slot) const { return exact<T>().square(points_.row(i), &centers_[slot * points_.d], points_.d, inverse_unit_); }

    template <class Body>
    void in_chunks(const Body& body) {
        parallel_for(chunks_, n_threads_, [&](index_t chunk, int) {
            for (index_t i = chunk * size_; i < std::min(points_.n, (chunk + 1) * size_); ++i) body(chunk, i);
        });
    }

    void set(index_t i, const Two& two) {
        near_[i] = two;
        reach_[i] = std::sqrt(two.square) + std::sqrt(two.next);
    }

    void change(index_t chunk, index_t i, const Two& two) {
        undo_[chunk].push_back({i, near_[i]});
        set(i, two);
    }

    // The two nearest of all centres in use.
    Two two_of(index_t chunk, index_t i) {
        Two two;
        for (index_t s = 0; s < slots_; ++s)
            if (used_[s]) two.see(static_cast<std::int32_t>(s), square(i, s)), ++counts_[chunk];
        return two;
    }

    // Rows whose two nearest centres are together nearer than the new one is to the first cannot see it.
    void add(index_t slot, index_t row, index_t place) {
        std::copy_n(points_.row(row), points_.d, &centers_[slot * points_.d]);
        rows_[slot] = row;
        std::vector<double> gap(slots_, kFar);
        for (index_t s = 0; s < slots_; ++s)
            if (used_[s]) gap[s] = std::sqrt(square(row, s)) * (1 - 1e-9);
        used_[slot] = 1;
        place_[slot] = place;
        in_chunks([&](index_t chunk, index_t i) {
            if (reach_[i] < gap[near_[i].first]) return;
            const double s = square(i, slot);
            ++counts_[chunk];
            if (!(s < near_[i].next)) return;
            Two two = near_[i];
            two.see(static_cast<std::int32_t>(slot), s);
            change(chunk, i, two);
        });
    }

    void remove(index_t slot) {
        used_[slot] = 0;
        in_chunks([&](index_t chunk, index_t i) {
            if (near_[i].first == slot || near_[i].second == slot) change(chunk, i, two_of(chunk, i));
        });
    }

    // The cost, and by how much it rises without each centre.
    void measure() {
        parallel_for(chunks_, n_threads_, [&](index_t chunk, int) {
            double* losses = &losses_[chunk * slots_];
            std::fill_n(losses, slots_, 0.0);
            double sum = 0.0;
            for (index_t i = chunk * size_; i < std::min(points_.n, (chunk + 1) * size_); ++i) {
                sum += mass(i) * near_[i].square;
                losses[near_[i].first] += mass(i) * (near_[i].next - near_[i].square);
            }
            cost_[chunk] = sum;
        });
        total_ = 0.0;
        std::fill(loss_.begin(), loss_.end(), 0.0);
        for (index_t chunk = 0; chunk < chunks_; ++chunk) {
            total_ += cost_[chunk];
            for (index_t s = 0; s < slots_; ++s) loss_[s] += losses_[chunk * slots_ + s];
        }
    }

    // The first in order of place among equals.
    index_t least_loss() const {
        index_t best = -1;
        for (index_t s = 0; s < slots_; ++s)
            if (used_[s] && (best < 0 || loss_[s] < loss_[best] || (loss_[s] == loss_[best] && place_[s] < place_[best]))) best = s;
        return best;
    }

    std::vector<index_t> free_slots() const {
        std::vector<index_t> free;
        for (index_t s = 0; s < slots_; ++s)
            if (!used_[s]) free.push_back(s);
        return free;
    }

    // The first row at which the running sum of w d^2 exceeds u times its total: never one of no mass.
    index_t draw(double u) const {
        const double target = u * total_;
        double sum = 0.0;
        index_t last = 0;
        for (index_t chunk = 0; chunk < chunks_; ++chunk) {
            if (chunk + 1 < chunks_ && sum + cost_[chunk] <= target) {
                sum += cost_[chunk];
                continue;
            }
            for (index_t i = chunk * size_; i < std::min(points_.n, (chunk + 1) * size_); ++i) {
                const double share = mass(i) * near_[i].square;
                if (!(share > 0.0)) continue;
                last = i;
                sum += share;
                if (sum > target) return last;
            }
        }
        return last;
    }

    void forget() {
        for (auto& changes : undo_) changes.clear();
    }

    void take_back(const std::vector<index_t>& added, const std::vector<index_t>& removed) {
        parallel_for(chunks_, n_threads_, [&](index_t chunk, int) {
            for (auto c = undo_[chunk].rbegin(); c != undo_[chunk].rend(); ++c) set(c->row, c->before);
        });
        for (const index_t slot : removed) used_[slot] = 1;
        for (const index_t slot : added) used_[slot] = 0;
        forget();
    }

    // New centres take the places of those removed, in order.
    void rename(const std::vector<index_t>& added, const std::vector<index_t>& removed) {
        std::vector<index_t> places;
        for (const index_t slot : removed)
            if (place_[slot] < k_) places.push_back(place_[slot]);
        std::sort(places.begin(), places.end());
        std::size_t next = 0;
        for (const index_t slot : added)
            if (used_[slot]) place_[slot] = places[next++];
    }

    Points<T> points_;
    double inverse_unit_, weight_scale_ = 1.0;
    int n_threads_;
    index_t k_, slots_;     // centres; places for the centres and those added in a step
    index_t size_, chunks_; // of the rows
    std::vector<Two> near_;
    std::vector<double> reach_;  // distances to the two nearest, added
    std::vector<T> centers_;
    std::vector<index_t> rows_;   // per slot: the row that was put there, or -1
    std::vector<index_t> place_;  // per slot in use: which centre it is, from k on for those just drawn
    std::vector<char> used_;      // per slot
    std::vector<std::vector<Change>> undo_;
    std::vector<double> cost_, losses_;  // per chunk (and slot)
    std::vector<double> loss_;
    std::vector<std::int64_t> counts_;
    double total_ = 0.0;
};

// Sums of rows about the shift, in units, and how their means' part of the error changes.
template <class T>
struct Sums {
    const Dataset<T>& data;
    index_t d;
    double weight_scale, inverse_unit;
    std::vector<double> sum, mass;

    Sums(const Dataset<T>& of, index_t k)
        : data(of), d(of.points.d), weight_scale(of.points.weight ? of.frame.weight_grid * 0x1p-50 : 1.0), inverse_unit(of.inverse_unit()),
          sum(k * d, 0.0), mass(k, 0.0) {}

    void add(index_t c, index_t i) {
        const T *x = data.points.row(i), *shift = data.frame.shift.data();
        const double w = data.points.mass(i) * weight_scale, factor = w * inverse_unit;
        mass[c] += w;
        for (index_t j = 0; j < d; ++j) sum[c * d + j] += factor * (static_cast<double>(x[j]) - static_cast<double>(shift[j]));
    }

    // |sum|^2 / mass with what `more` adds: the error is a constant less these.
    double gain(index_t c, const Sums* more = nullptr) const {
        const double m = mass[c] + (more ? more->mass[c] : 0.0);
        if (!(m > 0.0)) return 0.0;
        double square = 0.0;
        for (index_t j = c * d; j < (c + 1) * d; ++j) {
            const double s = sum[j] + (more ? more->sum[j] : 0.0);
            square += s * s;
        }
        return square / m;
    }
};

}  // namespace

template <class T>
TwoNearest two_nearest(const Dataset<T>& data, const T* centers, index_t k, int n_threads) {
    const index_t n = data.points.n, d = data.points.d;
    const double scale = data.frame.unit * data.frame.unit;
    TwoNearest out{std::vector<std::int32_t>(n), std::vector<std::int32_t>(n), std::vector<double>(n), std::vector<double>(n)};
    parallel_for((n + kTask - 1) / kTask, n_threads, [&](index_t t, int) {
        for (index_t i = t * kTask; i < std::min(n, (t + 1) * kTask); ++i) {
            Two two;
            for (index_t c = 0; c < k; ++c)
                two.see(static_cast<std::int32_t>(c), exact<T>().square(data.points.row(i), centers + c * d, d, data.inverse_unit()));
            out.first[i] = two.first, out.second[i] = two.second;
            out.square[i] = two.square * scale, out.next_square[i] = two.next * scale;
        }
    });
    return out;
}

namespace {

struct alignas(64) Line {
    float values[16];
};

// What one worker needs to label rows.
using Lines = std::vector<Line>;

// The nearest centre of rows some at a time, and the square of the distance to it while they are in cache.
template <class T>
class Nearest {
public:
    Nearest(const Dataset<T>& data, const T* centers, index_t k)
        : data_(data), centers_(centers), k_(k), prepared_(data, centers, k), scale_(data.frame.unit * data.frame.unit) {}

    Lines scratch() const { return Lines(static_cast<std::size_t>(data_.points.d * kBlock) / 16 + 1); }

    // OUT labels and squares of rows [begin, end), from the first of them on.
    void find(index_t begin, index_t end, Lines& scratch, std::int32_t* labels, double* squares) const {
        std::fill(labels, labels + (end - begin), 0);
        if (k_ > 1) {
            Step<T> step = data_.step();
            step.points.x += begin * step.points.d;
            step.points.n = end - begin;
            step.centers = centers_;
            step.screen = prepared_.screen();
            step.labels = labels;
            Worker worker{SumSheet{}, scratch[0].values, nullptr, nullptr};
            kernels<T>().label(step, worker, 0, end - begin);
        }
        exact<T>().squares(data_.points, centers_, labels, data_.inverse_unit(), begin, end, squares);
        for (index_t i = 0; i < end - begin; ++i) squares[i] *= scale_;
    }

private:
    const Dataset<T>& data_;
    const T* centers_;
    index_t k_;
    Centers<T> prepared_;
    double scale_;
};

// Calls body(begin, end, worker) for tasks of rows.
template <class Body>
void in_tasks(index_t n, int n_threads, const Body& body) {
    parallel_for((n + kTask - 1) / kTask, n_threads, [&](index_t t, int w) { body(t * kTask, std::min(n, (t + 1) * kTask), w); });
}

}  // namespace

template <class T>
void nearest(const Dataset<T>& data, const T* centers, index_t k, int n_threads, std::int32_t* labels, double* squares) {
    const Nearest<T> near(data, centers, k);
    n_threads = std::max(1, n_threads);
    std::vector<Lines> scratch(n_threads, near.scratch());
    in_tasks(data.points.n, n_threads, [&](index_t begin, index_t end, int w) {
        near.find(begin, end, scratch[w], labels + begin, squares + begin);
    });
}

namespace {

// A row whose nearest centre is a, at distance m, can be nearer to a new centre only if that is nearer to a than 2 m.
// Rows of each a are compared, the farthest first, with fewer and fewer of the new centres.
template <class T>
class Lowering {
public:
    Lowering(const Dataset<T>& data, const T* old, index_t k, const T* fresh, index_t m, std::int32_t* labels, double* squares)
        : data_(data), old_(old), fresh_(fresh), k_(k), m_(m), labels_(labels), squares_(squares), inverse_unit_(data.inverse_unit()),
          scale_(data.frame.unit * data.frame.unit) {}

    // Which share of the new centres rows would look at, from a thousand rows at equal steps.
    double share() const {
        const index_t n = data_.points.n, rows = std::min<index_t>(n, 1000);
        double seen = 0.0;
        for (index_t r = 0; r < rows; ++r) {
            const index_t i = r * n / rows;
            const double limit = 4 * squares_[i];
            for (index_t c = 0; c < m_; ++c) seen += gap(labels_[i], c) * scale_ < limit;
        }
        return seen / static_cast<double>(rows * m_);
    }

    void scan_all(int n_threads) {
        const Nearest<T> near(data_, fresh_, m_);
        n_threads = std::max(1, n_threads);
        std::vector<Lines> scratch(n_threads, near.scratch());
        std::vector<std::int32_t> labels(n_threads * kTask);
        std::vector<double> squares(n_threads * kTask);
        in_tasks(data_.points.n, n_threads, [&](index_t begin, index_t end, int w) {
            std::int32_t* label = &labels[w * kTask];
            double* square = &squares[w * kTask];
            near.find(begin, end, scratch[w], label, square);
            for (index_t i = begin; i < end; ++i, ++label, ++square)
                if (*square < squares_[i]) squares_[i] = *square, labels_[i] = static_cast<std::int32_t>(k_ + *label);
        });
    }

    void scan_near(int n_threads) {
        std::vector<std::vector<index_t>> members(k_);
        for (index_t i = 0; i < data_.points.n; ++i)
            if (squares_[i] > 0.0) members[labels_[i]].push_back(i);
        parallel_for(k_, n_threads, [&](index_t a, int) {
            if (!members[a].empty()) scan_members(a, members[a]);
        });
    }

private:
    static constexpr index_t kTogether = 256;  // rows of like distance that are compared with the same new centres

    double gap(index_t a, index_t c) const { return exact<T>().square(old_ + a * data_.points.d, fresh_ + c * data_.points.d, data_.points.d, inverse_unit_); }

    void scan_members(index_t a, std::vector<index_t>& rows) {
        std::vector<double> gaps(m_);
        for (index_t c = 0; c < m_; ++c) gaps[c] = gap(a, c) * scale_ * (1 - 1e-9);
        std::sort(rows.begin(), rows.end(), [&](index_t i, index_t j) { return squares_[i] > squares_[j] || (squares_[i] == squares_[j] && i < j); });
        std::vector<std::int32_t> seen(m_);
        std::iota(seen.begin(), seen.end(), 0);
        for (std::size_t begin = 0; begin < rows.size(); begin += kTogether) {
            const double limit = 4 * squares_[rows[begin]];
            std::erase_if(seen, [&](std::int32_t c) { return gaps[c] > limit; });
            if (seen.empty()) return;
            scan_some({rows.begin() + begin, rows.begin() + std::min(rows.size(), begin + kTogether)}, seen);
        }
    }

    // Some rows against some of the new centres, in blocks.
    void scan_some(const std::vector<index_t>& rows, const std::vector<std::int32_t>& seen) {
        const index_t d = data_.points.d;
        std::vector<T> x, centers;
        for (const index_t i : rows) x.insert(x.end(), data_.points.row(i), data_.points.row(i) + d);
        for (const std::int32_t c : seen) centers.insert(centers.end(), fresh_ + c * d, fresh_ + (c + 1) * d);
        Points<T> some;
        some.x = x.data();
        some.n = static_cast<index_t>(rows.size());
        some.d = d;
        std::vector<std::int32_t> labels(rows.size());
        assign(Dataset<T>(some, 1), centers.data(), static_cast<index_t>(seen.size()), 1, labels.data());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::int32_t c = seen[labels[r]];
            const double s = exact<T>().square(some.row(static_cast<index_t>(r)), fresh_ + c * d, d, inverse_unit_) * scale_;
            if (s < squares_[rows[r]]) squares_[rows[r]] = s, labels_[rows[r]] = static_cast<std::int32_t>(k_ + c);
        }
    }

    const Dataset<T>& data_;
    const T *old_, *fresh_;
    index_t k_, m_;
    std::int32_t* labels_;
    double* squares_;
    double inverse_unit_, scale_;
};

}  // namespace

template <class T>
void lower_nearest(const Dataset<T>& data, const T* old, index_t k, const T* fresh, index_t m, int n_threads, std::int32_t* labels,
                   double* squares) {
    Lowering<T> lowering(data, old, k, fresh, m, labels, squares);
    // In nanoseconds per row, about: a scan of all new centres, against sorting and gathering rows for some of them.
    constexpr double kSorting = 150.0;
    const double scan = static_cast<double>(m) * (static_cast<double>(data.points.d) / 32 + 0.1);
    if (scan > kSorting && lowering.share() * scan + kSorting < scan) lowering.scan_near(n_threads);
    else lowering.scan_all(n_threads);
}

template <class T>
Swapped<T> swap_search(const Dataset<T>& data, const T* centers, index_t k, const double* uniforms, index_t steps, index_t swaps,
                       int n_threads, const std::function<bool()>& interrupted) {
    SwapSearch<T> search(data, centers, k, swaps, n_threads);
    const double scale = data.frame.unit * data.frame.unit / search.weight_scale();
    Swapped<T> out;
    out.cost.push_back(search.cost() * scale);
    for (index_t s = 0; s < steps; ++s) {
        if (interrupted && interrupted()) throw Interrupted();
        if (search.cost() > 0.0) search.step(uniforms + s * swaps, swaps);
        out.cost.push_back(search.cost() * scale);
    }
    search.finish(out, k);
    return out;
}

template <class T>
index_t best_mean_swap(const Dataset<T>& data, index_t row, index_t k, int n_threads, T* centers) {
    const index_t n = data.points.n, d = data.points.d;
    std::vector<T> all(centers, centers + k * d);
    all.insert(all.end(), data.points.row(row), data.points.row(row) + d);
    const TwoNearest near = two_nearest(data, all.data(), k + 1, n_threads);
    std::vector<std::vector<index_t>> members(k + 1);
    for (index_t i = 0; i < n; ++i) members[near.first[i]].push_back(i);
    Sums<T> base(data, k + 1);
    parallel_for(k + 1, n_threads, [&](index_t c, int) {
        for (const index_t i : members[c]) base.add(c, i);
    });
    // Without centre r its rows go to their second nearest.
    std::vector<double> gains(k + 1);
    const auto without = [&](index_t r) {
        Sums<T> moved(data, k + 1);
        for (const index_t i : members[r]) moved.add(near.second[i], i);
        return moved;
    };
    parallel_for(k + 1, n_threads, [&](index_t r, int) {
        const Sums<T> moved = without(r);
        for (index_t c = 0; c <= k; ++c)
            if (c != r) gains[r] += base.gain(c, &moved);
    });
    index_t out = k;  // no swap unless one is better
    for (index_t r = 0; r < k; ++r)
        if (gains[r] > gains[out]) out = r;
    const Sums<T> moved = without(out);
    for (index_t c = 0; c <= k; ++c) {
        const double m = base.mass[c] + moved.mass[c];
        const index_t place = c < k ? c : out;
        if (c == out) continue;
        for (index_t j = 0; j < d; ++j)
            centers[place * d + j] = m > 0.0 ? static_cast<T>(static_cast<double>(data.frame.shift[j]) +
                                                              (base.sum[c * d + j] + moved.sum[c * d + j]) / m * data.frame.unit)
                                             : all[c * d + j];
    }
    return out < k ? out : -1;
}

#define SEEDBED_INSTANTIATE(T)                                                                                                            \
    template TwoNearest two_nearest<T>(const Dataset<T>&, const T*, index_t, int);                                                        \
    template void lower_nearest<T>(const Dataset<T>&, const T*, index_t, const T*, index_t, int, std::int32_t*, double*);                 \
    template void nearest<T>(const Dataset<T>&, const T*, index_t, int, std::int32_t*, double*);                                          \
    template Swapped<T> swap_search<T>(const Dataset<T>&, const T*, index_t, const double*, index_t, index_t, int, const std::function<bool()>&); \
    template index_t best_mean_swap<T>(const Dataset<T>&, index_t, index_t, int, T*);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
