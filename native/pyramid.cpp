#include "pyramid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "attributes.hpp"

namespace seedbed {
namespace {

// Some of the bits of a row's keys, interleaved: the highest of each key, then the next.
class Interleaver {
public:
    Interleaver(const index_t* keys, index_t n_keys, int lowest, int planes) : keys_(keys), n_keys_(n_keys), lowest_(lowest), mask_((1 << planes) - 1) {
        for (int value = 0; value <= mask_; ++value)
            for (int bit = 0; bit < planes; ++bit)
                if (value >> bit & 1) spread_[value] |= std::uint64_t{1} << bit * n_keys;
    }

    std::uint64_t operator()(const std::uint16_t* row) const {
        std::uint64_t out = 0;
        for (index_t a = 0; a < n_keys_; ++a) out |= spread_[row[keys_[a]] >> lowest_ & mask_] << (n_keys_ - 1 - a);
        return out;
    }

    static constexpr int kMostPlanes = 8;

private:
    const index_t* keys_;
    index_t n_keys_;
    int lowest_, mask_;
    std::array<std::uint64_t, 1 << kMostPlanes> spread_{};
};

struct Entry {
    std::uint64_t key;
    std::int32_t row;
};

// Sorts by key, `digit` bits at a time from the lowest; equal ones keep their order.
class RadixSort {
public:
    explicit RadixSort(std::size_t n) : other_(n) {}

    void operator()(std::vector<Entry>& entries, int width) {
        for (int shift = 0; shift < width; shift += kDigit) {
            std::array<std::int64_t, (1 << kDigit) + 1> begins{};
            for (const Entry& e : entries) ++begins[(e.key >> shift & kMask) + 1];
            if (std::find(begins.begin(), begins.end(), static_cast<std::int64_t>(entries.size())) != begins.end()) continue;  // all equal
            std::partial_sum(begins.begin(), begins.end(), begins.begin());
            for (const Entry& e : entries) other_[begins[e.key >> shift & kMask]++] = e;
            entries.swap(other_);
        }
    }

private:
    static constexpr int kDigit = 11;
    static constexpr std::uint64_t kMask = (1 << kDigit) - 1;
    std::vector<Entry> other_;
};

// Rows in the order of their interleaved bits, of equal ones the first first.
std::vector<Entry> sorted(const std::uint16_t* rows, index_t n, index_t d, int bits, const index_t* keys, index_t n_keys) {
    std::vector<Entry> entries(n);
    for (index_t i = 0; i < n; ++i) entries[i].row = static_cast<std::int32_t>(i);
    RadixSort sort(entries.size());
    const int most = static_cast<int>(std::clamp<index_t>(64 / n_keys, 1, Interleaver::kMostPlanes));
    for (int lowest = 0; lowest < bits;) {
        const int planes = std::min(most, bits - lowest);
        const Interleaver key(keys, n_keys, lowest, planes);
        for (Entry& e : entries) e.key = key(rows + e.row * d);
        sort(entries, planes * static_cast<int>(n_keys));
        lowest += planes;
    }
    return entries;
}

}  // namespace

Cells sort_cells(const std::uint16_t* positions, index_t n, index_t d, int bits, const index_t* keys, index_t n_keys, const double* weight) {
    if (n > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many rows to number them");
    if (bits < 1 || bits > 16 || n_keys < 1 || n_keys > 64) throw std::invalid_argument("between 1 and 16 bits and between 1 and 64 keys, please");
    if (std::any_of(keys, keys + n_keys, [d](index_t a) { return a < 0 || a >= d; })) throw std::invalid_argument("attribute out of range");
    std::vector<std::uint16_t> distinct;
    std::vector<double> mass;
    if (n_keys < d) {  // rows with equal keys may differ: only distinct rows are sorted
        const Groups groups = group_rows(positions, n, d, 0);
        mass.resize(groups.first.size());
        for (index_t i = 0; i < n; ++i) mass[groups.labels[i]] += weight ? weight[i] : 1.0;
        for (const index_t row : groups.first) distinct.insert(distinct.end(), positions + row * d, positions + (row + 1) * d);
        positions = distinct.data(), weight = mass.data(), n = static_cast<index_t>(mass.size());
    }
    const std::vector<Entry> order = sorted(positions, n, d, bits, keys, n_keys);
    Cells out;
    out.positions.reserve(n * d);
    out.mass.reserve(n);
    out.joins.reserve(n);
    const std::uint16_t* before = nullptr;
    for (const Entry& e : order) {
        const std::uint16_t* row = positions + e.row * d;
        const double own = weight ? weight[e.row] : 1.0;
        unsigned differ = 0;
        if (before)
            for (index_t a = 0; a < n_keys; ++a) differ |= static_cast<unsigned>(row[keys[a]] ^ before[keys[a]]);
        if (before && differ == 0 && n_keys >= d) {
            out.mass.back() += own;
            continue;
        }
        out.positions.insert(out.positions.end(), row, row + d);
        out.mass.push_back(own);
        out.joins.push_back(before ? static_cast<std::uint8_t>(std::max(1, static_cast<int>(std::bit_width(differ)))) : kNeverJoins);
        before = row;
    }
    return out;
}

index_t make_picture(const std::uint16_t* positions, const double* mass, const std::uint8_t* joins, index_t n, index_t d, int level,
                     double* means, double* masses) {
    index_t count = 0;
    for (index_t i = 0; i < n;) {
        double *mean = means + count * d, total = mass[i];
        for (index_t j = 0; j < d; ++j) mean[j] = mass[i] * positions[i * d + j];
        for (++i; i < n && joins[i] <= level; ++i) {
            total += mass[i];
            for (index_t j = 0; j < d; ++j) mean[j] += mass[i] * positions[i * d + j];
        }
        for (index_t j = 0; j < d; ++j) mean[j] /= total;
        masses[count++] = total;
    }
    return count;
}

}  // namespace seedbed
