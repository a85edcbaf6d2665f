#include "pyramid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

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

// Sorts by key, some bits at a time from the lowest; equal ones keep their order.
class RadixSort {
public:
    explicit RadixSort(index_t n) : other_(std::make_unique_for_overwrite<Entry[]>(n)) {}

    void operator()(Entry* begin, Entry* end, int width) {
        const int digits = (width + kDigit - 1) / kDigit;
        counts_.assign(digits * kValues, 0);
        for (const Entry* e = begin; e < end; ++e)
            for (int g = 0; g < digits; ++g) ++counts_[g * kValues + value(*e, g)];
        Entry *from = begin, *to = other_.get();
        const index_t n = end - begin;
        for (int g = 0; g < digits; ++g) {
            std::int32_t* count = &counts_[g * kValues];
            if (count[value(*from, g)] == n) continue;  // all are equal
            for (std::int32_t at = 0, v = 0; v < kValues; ++v) at += std::exchange(count[v], at);
            for (const Entry* e = from; e < from + n; ++e) to[count[value(*e, g)]++] = *e;
            std::swap(from, to);
        }
        if (from != begin) std::copy_n(from, n, begin);
    }

private:
    static constexpr int kDigit = 11, kValues = 1 << kDigit;
    static std::size_t value(const Entry& e, int digit) { return e.key >> digit * kDigit & (kValues - 1); }

    std::unique_ptr<Entry[]> other_;
    std::vector<std::int32_t> counts_;
};

// Rows in the order of their interleaved bits, of equal ones the first first.
class Order {
public:
    Order(const std::uint16_t* rows, index_t n, index_t d, int bits, const index_t* keys, index_t n_keys)
        : rows_(rows), d_(d), sort_(n), entries_(n) {
        const int most = static_cast<int>(std::clamp<index_t>(64 / n_keys, 1, Interleaver::kMostPlanes));
        for (int highest = bits; highest > 0; highest -= most) {
            const int lowest = std::max(0, highest - most);
            stages_.push_back({Interleaver(keys, n_keys, lowest, highest - lowest), (highest - lowest) * static_cast<int>(n_keys)});
        }
        for (index_t i = 0; i < n; ++i) entries_[i].row = static_cast<std::int32_t>(i);
        sort(entries_.data(), entries_.data() + n, 0);
    }

    const std::vector<Entry>& entries() const { return entries_; }

private:
    static constexpr index_t kFew = 2048;  // rows up to which comparing is quicker

    struct Stage {
        Interleaver key;
        int width;
    };

    // By the bits of a stage, then runs of equal ones by those of the next.
    void sort(Entry* begin, Entry* end, std::size_t stage) {
        const Interleaver& key = stages_[stage].key;
        for (Entry* e = begin; e < end; ++e) e->key = key(rows_ + e->row * d_);
        const auto less = [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; };
        if (end - begin <= kFew) std::sort(begin, end, less);
        else sort_(begin, end, stages_[stage].width);
        if (stage + 1 == stages_.size()) return;
        for (Entry *run = begin, *next = begin; run < end; run = next) {
            const std::uint64_t shared = run->key;
            while (next < end && next->key == shared) ++next;
            if (next - run > 1) sort(run, next, stage + 1);
        }
    }

    const std::uint16_t* rows_;
    index_t d_;
    RadixSort sort_;
    std::vector<Stage> stages_;
    std::vector<Entry> entries_;
};

// Neighbours that are equal become one cell, where all attributes are keys.
Cells merged(const std::vector<Entry>& order, const std::uint16_t* positions, index_t d, const index_t* keys, index_t n_keys, const double* weight) {
    Cells out;
    out.positions.reserve(order.size() * d);
    out.mass.reserve(order.size());
    out.joins.reserve(order.size());
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
    const Order order(positions, n, d, bits, keys, n_keys);
    return merged(order.entries(), positions, d, keys, n_keys, weight);
}

index_t make_picture(const std::uint16_t* positions, const double* mass, const std::uint8_t* joins, index_t n, index_t d, int level,
                     double* means, double* masses) {
    index_t count = 0;
    for (index_t i = 0; i < n;) {
        double* mean = means + count * d;
        const index_t first = i;
        for (++i; i < n && joins[i] <= level; ++i) {}
        double total = mass[first];
        for (index_t j = 0; j < d; ++j) mean[j] = positions[first * d + j];
        if (i > first + 1) {  // a cell alone lies where it lies
            for (index_t j = 0; j < d; ++j) mean[j] *= total;
            for (index_t c = first + 1; c < i; ++c) {
                total += mass[c];
                for (index_t j = 0; j < d; ++j) mean[j] += mass[c] * positions[c * d + j];
            }
            for (index_t j = 0; j < d; ++j) mean[j] /= total;
        }
        masses[count++] = total;
    }
    return count;
}

}  // namespace seedbed
