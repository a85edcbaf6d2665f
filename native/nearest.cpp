#include "nearest.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "centers.hpp"
#include "pool.hpp"
#include "scratch.hpp"

namespace seedbed {
namespace {

struct alignas(64) Line {
    float values[16];
};

// What one worker needs to label rows.
using Lines = std::vector<Line>;

// The nearest of some centres, and the square of the distance to it while rows are in cache.
template <class T>
class Labeller {
public:
    Labeller(const Dataset<T>& data, const T* centers, index_t k)
        : data_(data), prepared_(data, centers, k), scale_(data.frame.unit * data.frame.unit) {}

    index_t k() const { return prepared_.k(); }
    static Lines lines(index_t d) { return Lines(static_cast<std::size_t>(d * kBlock) / 16 + 1); }

    // OUT labels and squares of rows, which are some of the data set's or copies of them.
    void find(const Points<T>& rows, Lines& lines, std::int32_t* labels, double* squares) const {
        std::fill(labels, labels + rows.n, 0);
        if (k() > 1) {
            Step<T> step = data_.step();
            step.points = rows;
            step.centers = prepared_.now.data();
            step.screen = prepared_.screen();
            step.labels = labels;
            Worker worker{SumSheet{}, lines[0].values, nullptr, nullptr};
            kernels<T>().label(step, worker, 0, rows.n);
        }
        exact<T>().squares(rows, prepared_.now.data(), labels, data_.inverse_unit(), 0, rows.n, squares);
        for (index_t i = 0; i < rows.n; ++i) squares[i] *= scale_;
    }

private:
    const Dataset<T>& data_;
    Centers<T> prepared_;
    double scale_;
};

// Calls body(begin, end, worker) for tasks of rows.
template <class Body>
void in_tasks(index_t n, int n_threads, const Body& body) {
    parallel_for((n + kTask - 1) / kTask, n_threads, [&](index_t t, int w) { body(t * kTask, std::min(n, (t + 1) * kTask), w); });
}

// A row and how far it is from its centre, in units: numbers to sort, the farthest first. Squares too small for single
// precision are taken for equal, and for greater than they are.
constexpr float kLeast = std::numeric_limits<float>::min();
using Entry = std::uint64_t;
Entry entry_of(double square, index_t row) {
    const float rounded = std::max(kLeast, static_cast<float>(square));
    return static_cast<Entry>(~std::bit_cast<std::uint32_t>(rounded)) << 32 | static_cast<std::uint32_t>(row);
}
index_t row_of(Entry entry) { return static_cast<index_t>(entry & 0xffffffffu); }
double square_of(Entry entry) { return std::bit_cast<float>(~static_cast<std::uint32_t>(entry >> 32)); }

// A row whose nearest centre is a, at distance m, can be nearer to a new centre only if that is nearer to a than 2 m.
// Rows of each a are compared, the farthest first, with fewer and fewer of the new centres.
template <class T>
class Lowering {
public:
    Lowering(const Dataset<T>& data, const T* old, index_t k, const T* fresh, index_t m, int n_threads, std::int32_t* labels, double* squares)
        : data_(data), n_(data.points.n), d_(data.points.d), old_(old), fresh_(fresh), k_(k), m_(m), n_threads_(std::max(1, n_threads)),
          labels_(labels), squares_(squares), inverse_unit_(data.inverse_unit()), scale_(data.frame.unit * data.frame.unit) {
        for (int w = 0; w < n_threads_; ++w) rooms_.emplace_back(d_);
    }

    void lower() {
        const double scan = static_cast<double>(m_) * (static_cast<double>(d_) / 32 + 0.1);  // nanoseconds per row, about
        const bool numbered = n_ <= std::numeric_limits<std::int32_t>::max();
        if (numbered && scan > kSorting && share() * scan + kSorting < scan) scan_near();
        else scan_all();
    }

private:
    static constexpr index_t kTogether = 512;  // rows of like distance that are compared with the same new centres
    static constexpr double kSorting = 100.0;  // nanoseconds per row, about, to sort and gather
    static constexpr double kLess = 1 - 1e-6;  // more than the rounding of entries and of squares

    struct Room {
        explicit Room(index_t d) : lines(Labeller<T>::lines(d)), x(kTogether * d), labels(kTask), squares(kTask) {}
        Lines lines;
        std::vector<T> x, centers;
        std::vector<std::int32_t> labels;
        std::vector<double> squares, gaps;
        std::vector<std::int32_t> seen, compared;  // new centres in reach, and those that rows are compared with
    };

    double gap(index_t a, index_t c) const { return exact<T>().square(old_ + a * d_, fresh_ + c * d_, d_, inverse_unit_); }

    // Which share of the new centres rows would look at, from a thousand rows at equal steps.
    double share() const {
        const index_t rows = std::min<index_t>(n_, 1000);
        double seen = 0.0;
        for (index_t r = 0; r < rows; ++r) {
            const index_t i = r * n_ / rows;
            for (index_t c = 0; c < m_; ++c) seen += gap(labels_[i], c) * scale_ < 4 * squares_[i];
        }
        return seen / static_cast<double>(rows * m_);
    }

    void see(index_t row, std::int32_t c, double square) {
        if (square < squares_[row]) squares_[row] = square, labels_[row] = static_cast<std::int32_t>(k_) + c;
    }

    void scan_all() {
        const Labeller<T> near(data_, fresh_, m_);
        in_tasks(n_, n_threads_, [&](index_t begin, index_t end, int w) {
            Room& room = rooms_[w];
            near.find({data_.points.row(begin), nullptr, end - begin, d_}, room.lines, room.labels.data(), room.squares.data());
            for (index_t i = begin; i < end; ++i) see(i, room.labels[i - begin], room.squares[i - begin]);
        });
    }

    // Rows are listed centre by centre; one that coincides with its centre needs no look.
    void scan_near() {
        std::vector<index_t> ends(k_ + 1);
        for (index_t i = 0; i < n_; ++i) ends[labels_[i] + 1] += squares_[i] > 0.0;
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        const Scratch<Entry> entries = make_scratch<Entry>(static_cast<std::size_t>(n_));
        std::vector<index_t> places(ends.begin(), ends.end() - 1);
        for (index_t i = 0; i < n_; ++i)
            if (squares_[i] > 0.0) entries[places[labels_[i]]++] = entry_of(squares_[i] / scale_, i);
        parallel_for(k_, n_threads_, [&](index_t a, int w) {
            if (ends[a] < ends[a + 1]) scan_members(a, {entries.get() + ends[a], entries.get() + ends[a + 1]}, rooms_[w]);
        });
    }

    void scan_members(index_t a, std::span<Entry> rows, Room& room) {
        std::sort(rows.begin(), rows.end());
        room.gaps.resize(m_);
        for (index_t c = 0; c < m_; ++c) room.gaps[c] = gap(a, c) * kLess;
        room.seen.resize(m_);
        std::iota(room.seen.begin(), room.seen.end(), 0);
        std::optional<Labeller<T>> near;
        for (std::size_t begin = 0; begin < rows.size(); begin += kTogether) {
            const double limit = 4 * square_of(rows[begin]);
            std::erase_if(room.seen, [&](std::int32_t c) { return room.gaps[c] > limit; });
            if (room.seen.empty()) return;
            if (!near || static_cast<index_t>(room.seen.size()) < near->k() - near->k() / 8) {  // to compare with a few more does no harm
                room.compared = room.seen;
                room.centers.clear();
                for (const std::int32_t c : room.compared) room.centers.insert(room.centers.end(), fresh_ + c * d_, fresh_ + (c + 1) * d_);
                near.emplace(data_, room.centers.data(), static_cast<index_t>(room.compared.size()));
            }
            scan_some(*near, rows.subspan(begin, std::min<std::size_t>(kTogether, rows.size() - begin)), room);
        }
    }

    // Some rows, copied together, against some of the new centres.
    void scan_some(const Labeller<T>& near, std::span<const Entry> rows, Room& room) {
        constexpr std::size_t kAhead = 8;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const T* ahead = data_.points.row(row_of(rows[std::min(r + kAhead, rows.size() - 1)]));
            for (index_t j = 0; j < d_; j += 64 / static_cast<index_t>(sizeof(T))) __builtin_prefetch(ahead + j);
            std::copy_n(data_.points.row(row_of(rows[r])), d_, &room.x[static_cast<index_t>(r) * d_]);
        }
        near.find({room.x.data(), nullptr, static_cast<index_t>(rows.size()), d_}, room.lines, room.labels.data(), room.squares.data());
        for (std::size_t r = 0; r < rows.size(); ++r) see(row_of(rows[r]), room.compared[room.labels[r]], room.squares[r]);
    }

    const Dataset<T>& data_;
    index_t n_, d_;
    const T *old_, *fresh_;
    index_t k_, m_;
    int n_threads_;
    std::int32_t* labels_;
    double* squares_;
    double inverse_unit_, scale_;
    std::vector<Room> rooms_;
};

}  // namespace

template <class T>
void nearest(const Dataset<T>& data, const T* centers, index_t k, int n_threads, std::int32_t* labels, double* squares) {
    const Labeller<T> near(data, centers, k);
    const index_t d = data.points.d;
    n_threads = std::max(1, n_threads);
    std::vector<Lines> lines(n_threads, Labeller<T>::lines(d));
    in_tasks(data.points.n, n_threads, [&](index_t begin, index_t end, int w) {
        near.find({data.points.row(begin), nullptr, end - begin, d}, lines[w], labels + begin, squares + begin);
    });
}

template <class T>
void lower_nearest(const Dataset<T>& data, const T* old, index_t k, const T* fresh, index_t m, int n_threads, std::int32_t* labels,
                   double* squares) {
    Lowering<T>(data, old, k, fresh, m, n_threads, labels, squares).lower();
}

#define SEEDBED_INSTANTIATE(T)                                                                                            \
    template void nearest<T>(const Dataset<T>&, const T*, index_t, int, std::int32_t*, double*);                          \
    template void lower_nearest<T>(const Dataset<T>&, const T*, index_t, const T*, index_t, int, std::int32_t*, double*);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
