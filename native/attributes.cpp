#include "attributes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fixed_sum.hpp"
#include "pool.hpp"

namespace seedbed {
namespace {

index_t n_tasks(index_t n) { return (n + kTask - 1) / kTask; }

template <class T>
void find_ranges(const Points<T>& p, int n_threads, std::vector<T>& least, std::vector<T>& greatest) {
    const index_t tasks = n_tasks(p.n), d = p.d;
    std::vector<T> lows(tasks * d), highs(tasks * d);
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        kernels<T>().column_range(p.row(t * kTask), std::min(kTask, p.n - t * kTask), d, &lows[t * d], &highs[t * d]);
    });
    least.assign(lows.begin(), lows.begin() + d);
    greatest.assign(highs.begin(), highs.begin() + d);
    for (index_t t = 1; t < tasks; ++t)
        for (index_t j = 0; j < d; ++j) {
            least[j] = std::min(least[j], lows[t * d + j]);
            greatest[j] = std::max(greatest[j], highs[t * d + j]);
        }
}

// Exact sums over all rows of value(row, mass, attribute), which times grid[attribute] lies in [-2^50, 2^50].
template <class T, class Value>
std::vector<int128_t> exact_sums(const Points<T>& p, const double* grid, int n_threads, const Value& value) {
    static_assert(kTask <= kMaxPending);
    const index_t tasks = n_tasks(p.n), d = p.d;
    std::vector<std::int64_t> high(tasks * d), low(tasks * d);
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        std::int64_t *task_high = &high[t * d], *task_low = &low[t * d];
        for (index_t i = t * kTask; i < std::min(p.n, (t + 1) * kTask); ++i) {
            const T* x = p.row(i);
            const double mass = p.mass(i);
            for (index_t j = 0; j < d; ++j) {
                const double v = value(x, mass, j) * grid[j];
                const std::int64_t whole = rounded(v);
                task_high[j] += whole;
                task_low[j] += rounded((v - static_cast<double>(whole)) * kLowScale);
            }
        }
    });
    std::vector<int128_t> sums(d);
    for (index_t t = 0; t < tasks; ++t)
        for (index_t j = 0; j < d; ++j) sums[j] += (static_cast<int128_t>(high[t * d + j]) << kLowBits) + low[t * d + j];
    return sums;
}

// The power of two that takes differences within a range into [-1, 1]; zero where there is none.
double scale_for(double least, double greatest) {
    if (!(greatest > least)) return 0.0;
    return std::ldexp(1.0, std::clamp(-(std::ilogb(greatest / 2 - least / 2) + 2), -1000, 1000));
}

std::uint64_t hash_of(const std::uint16_t* row, index_t d, int shift) {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (index_t j = 0; j < d; ++j) h = (h ^ static_cast<std::uint64_t>(row[j] >> shift)) * 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

// Groups found so far, in an open-addressed table that is never more than half full. A slot has part of
// the hash, so that mostly no other memory than the slot is looked at.
class Table {
public:
    void expect(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

    // The group of that hash for which is_group holds, or -1.
    std::int32_t find(std::uint64_t hash, const auto& is_group) const {
        for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            const Slot slot = slots_[at];
            if (slot.group < 0 || (slot.tag == tag_of(hash) && is_group(slot.group))) return slot.group;
        }
    }

    void add(std::uint64_t hash) {
        hashes_.push_back(hash);
        if (2 * hashes_.size() <= slots_.size()) return place(hashes_.size() - 1);
        slots_.assign(4 * slots_.size(), Slot{});
        for (std::size_t group = 0; group < hashes_.size(); ++group) place(group);
    }

private:
    struct Slot {
        std::uint32_t tag = 0;
        std::int32_t group = -1;
    };

    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

    void place(std::size_t group) {
        std::size_t at = hashes_[group] & (slots_.size() - 1);
        while (slots_[at].group >= 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {tag_of(hashes_[group]), static_cast<std::int32_t>(group)};
    }

    std::vector<std::uint64_t> hashes_;  // per group
    std::vector<Slot> slots_ = std::vector<Slot>(64);
};

}  // namespace

template <class T>
Attributes<T> describe_attributes(const Dataset<T>& data, int n_threads) {
    const Points<T>& p = data.points;
    const Frame<T>& frame = data.frame;
    Attributes<T> out;
    find_ranges(p, n_threads, out.least, out.greatest);

    const auto first = exact_sums(p, frame.grid.data(), n_threads, [&](const T* x, double mass, index_t j) {
        return mass * (static_cast<double>(x[j]) - static_cast<double>(frame.shift[j]));
    });
    std::vector<double> scale(p.d);
    for (index_t j = 0; j < p.d; ++j) {
        out.mean.push_back(static_cast<double>(frame.shift[j]) + from_fixed(first[j], frame.grid[j]) / frame.total_mass);
        scale[j] = scale_for(static_cast<double>(out.least[j]), static_cast<double>(out.greatest[j]));
    }
    const std::vector<double> grid(p.d, frame.weight_grid);
    const auto second = exact_sums(p, grid.data(), n_threads, [&](const T* x, double mass, index_t j) {
        const double t = (static_cast<double>(x[j]) - out.mean[j]) * scale[j];
        return mass * (t * t);
    });
    for (index_t j = 0; j < p.d; ++j) {
        const double square = from_fixed(second[j], frame.weight_grid) / frame.total_mass;
        out.deviation.push_back(scale[j] > 0.0 ? std::sqrt(square) / scale[j] : 0.0);
    }
    return out;
}

template <class T>
std::vector<std::uint16_t> grid_positions(const Dataset<T>& data, const index_t* attributes, index_t count, const Grid& grid,
                                          int n_threads) {
    const Points<T>& p = data.points;
    if (std::any_of(attributes, attributes + count, [&](index_t j) { return j < 0 || j >= p.d; }))
        throw std::invalid_argument("attribute out of range");
    std::vector<T> least, greatest;
    find_ranges(p, n_threads, least, greatest);
    std::vector<double> low(count), scale(count), range(count);
    for (index_t c = 0; c < count; ++c) {
        low[c] = static_cast<double>(least[attributes[c]]);
        const double high = static_cast<double>(greatest[attributes[c]]);
        scale[c] = scale_for(low[c], high);
        range[c] = scale[c] > 0.0 ? (high - low[c]) * scale[c] : 1.0;
    }
    std::vector<std::uint16_t> out(p.n * count);
    parallel_for(n_tasks(p.n), n_threads, [&](index_t t, int) {
        for (index_t i = t * kTask; i < std::min(p.n, (t + 1) * kTask); ++i) {
            const T* x = p.row(i);
            for (index_t c = 0; c < count; ++c) {
                const double part = (static_cast<double>(x[attributes[c]]) - low[c]) * scale[c] * grid.steps / range[c];
                out[i * count + c] = std::min(static_cast<std::uint16_t>(std::min(part + grid.offset, 65535.0)), grid.top);
            }
        }
    });
    return out;
}

Groups group_rows(const std::uint16_t* rows, index_t n, index_t d, int shift) {
    if (n > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many rows to number their groups");
    if (shift < 0 || shift > 16) throw std::invalid_argument("shift out of range");
    constexpr index_t kAhead = 32;  // rows whose slots are asked for before the first is looked at
    Groups out;
    out.labels.resize(n);
    Table table;
    std::uint64_t hashes[kAhead];
    for (index_t begin = 0; begin < n; begin += kAhead) {
        const index_t end = std::min(n, begin + kAhead);
        for (index_t i = begin; i < end; ++i) table.expect(hashes[i - begin] = hash_of(rows + i * d, d, shift));
        for (index_t i = begin; i < end; ++i) {
            const std::uint16_t* row = rows + i * d;
            const std::uint64_t hash = hashes[i - begin];
            std::int32_t group = table.find(hash, [&](std::int32_t g) {
                return std::equal(row, row + d, rows + out.first[g] * d, [shift](int a, int b) { return a >> shift == b >> shift; });
            });
            if (group < 0) {
                group = static_cast<std::int32_t>(out.first.size());
                out.first.push_back(i);
                table.add(hash);
            }
            out.labels[i] = group;
        }
    }
    return out;
}

std::vector<double> group_sums(const double* rows, index_t n, index_t d, const std::int32_t* labels, index_t count) {
    if (std::any_of(labels, labels + n, [&](std::int32_t g) { return g < 0 || g >= count; }))
        throw std::invalid_argument("group out of range");
    std::vector<double> sums(count * d);
    for (index_t i = 0; i < n; ++i) {
        double* sum = &sums[labels[i] * d];
        for (index_t j = 0; j < d; ++j) sum[j] += rows[i * d + j];
    }
    return sums;
}

#define SEEDBED_INSTANTIATE(T)                                             \
    template Attributes<T> describe_attributes<T>(const Dataset<T>&, int); \
    template std::vector<std::uint16_t> grid_positions<T>(const Dataset<T>&, const index_t*, index_t, const Grid&, int);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
