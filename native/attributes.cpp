#include "attributes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "attribute_kernels.hpp"
#include "fixed_sum.hpp"
#include "pool.hpp"

namespace seedbed {
namespace {

index_t n_tasks(index_t n) { return (n + kTask - 1) / kTask; }

// Exact sums of a moment over all rows.
template <class T>
std::vector<int128_t> exact_sums(const Points<T>& p, const Moment& moment, int n_threads) {
    static_assert(kTask <= kMaxPending);
    const index_t tasks = n_tasks(p.n), d = p.d;
    std::vector<std::int64_t> high(tasks * d), low(tasks * d);
    parallel_for(tasks, n_threads, [&](index_t t, int) {
        exact<T>().attributes->add_moment(p, moment, t * kTask, std::min(p.n, (t + 1) * kTask), &high[t * d], &low[t * d]);
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

// Rows of values below 2^bits, at most 16, four to a word, without the lowest `shift` bits of each.
class Words {
public:
    Words(const std::uint16_t* rows, index_t d, int bits, int shift)
        : rows_(rows), d_(d), count_((d + 3) / 4), shift_(shift), width_(std::max(0, bits - shift)),
          mask_((0xffffull >> shift) * 0x0001000100010001ull), exact_(count_ * width_ <= 16) {}

    // Whether rows of the same hash are equal.
    bool exact() const { return exact_; }

    bool equal(index_t a, index_t b) const {
        for (index_t w = 0; w < count_; ++w)
            if (get(a, w) != get(b, w)) return false;
        return true;
    }

    std::uint64_t hash(index_t row) const {
        std::uint64_t h = 0;
        if (exact_) return mixed(mixed(packed(row)));
        for (index_t w = 0; w < count_; ++w) h = mixed(h ^ get(row, w));
        return h;
    }

private:
    // The last word of a row overlaps the one before where values are left over.
    std::uint64_t get(index_t row, index_t word) const {
        const std::uint16_t* values = rows_ + row * d_;
        std::uint64_t value = 0;
        if (d_ >= 4) std::memcpy(&value, values + std::min(4 * word, d_ - 4), sizeof value);
        else for (index_t j = 0; j < d_; ++j) value = value << 16 | values[j];
        return value >> shift_ & mask_;
    }

    // All values of a row in one word: those of each word next to those of the others, in its quarters.
    std::uint64_t packed(index_t row) const {
        std::uint64_t all = get(row, 0);
        for (index_t w = 1; w < count_; ++w) all = all << width_ | get(row, w);
        return all;
    }

    // Different numbers stay different.
    static std::uint64_t mixed(std::uint64_t h) {
        h = (h ^ 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
        return h ^ h >> 32;
    }

    const std::uint16_t* rows_;
    index_t d_, count_;
    int shift_, width_;
    std::uint64_t mask_;
    bool exact_;
};

// Groups found so far, in an open-addressed table that is never more than half full. A slot has part of
// the hash, so that mostly no other memory than the slot is looked at.
class Table {
public:
    Table() { resize(64); }

    void expect(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_]); }

    // The group of that hash for which is_group holds, or -1.
    std::int32_t find(std::uint64_t hash, const auto& is_group) const {
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const Slot slot = slots_[at];
            if (slot.group < 0 || (slot.tag == tag_of(hash) && hashes_[slot.group] == hash && is_group(slot.group))) return slot.group;
        }
    }

    void add(std::uint64_t hash) {
        hashes_.push_back(hash);
        if (2 * hashes_.size() <= mask_) return place(hashes_.size() - 1);
        resize(2 * (mask_ + 1));
        for (std::size_t group = 0; group < hashes_.size(); ++group) place(group);
    }

private:
    struct Slot {
        std::uint32_t tag;
        std::int32_t group;  // -1: none
    };

    void resize(std::size_t size) {
        slots_ = make_scratch<Slot>(size);
        std::fill_n(slots_.get(), size, Slot{0, -1});
        mask_ = size - 1;
    }

    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

    void place(std::size_t group) {
        std::size_t at = hashes_[group] & mask_;
        while (slots_[at].group >= 0) at = (at + 1) & mask_;
        slots_[at] = {tag_of(hashes_[group]), static_cast<std::int32_t>(group)};
    }

    std::vector<std::uint64_t> hashes_;  // per group
    Scratch<Slot> slots_;
    std::size_t mask_ = 0;  // their number, a power of two, less one
};

constexpr index_t kAhead = 32;  // rows whose place in a table is asked for before the first is looked at

void check_bits(int bits, int shift) {
    if (bits < 0 || bits > 16 || shift < 0 || shift > 16) throw std::invalid_argument("bits or shift out of range");
}

}  // namespace

template <class T>
std::vector<double> mean_of_attributes(const Dataset<T>& data, int n_threads) {
    const Points<T>& p = data.points;
    const Frame<T>& frame = data.frame;
    const std::vector<double> shift(frame.shift.begin(), frame.shift.end()), one(p.d, 1.0);
    const auto sums = exact_sums(p, Moment{shift.data(), one.data(), frame.grid.data(), false}, n_threads);
    std::vector<double> mean;
    for (index_t j = 0; j < p.d; ++j) mean.push_back(shift[j] + from_fixed(sums[j], frame.grid[j]) / frame.total_mass);
    return mean;
}

template <class T>
Attributes<T> describe_attributes(const Dataset<T>& data, int n_threads) {
    const Points<T>& p = data.points;
    const Frame<T>& frame = data.frame;
    Attributes<T> out{frame.least, frame.greatest, mean_of_attributes(data, n_threads), {}};
    std::vector<double> scale(p.d);
    for (index_t j = 0; j < p.d; ++j) scale[j] = scale_for(static_cast<double>(out.least[j]), static_cast<double>(out.greatest[j]));
    const std::vector<double> grid(p.d, frame.weight_grid);
    const auto sums = exact_sums(p, Moment{out.mean.data(), scale.data(), grid.data(), true}, n_threads);
    for (index_t j = 0; j < p.d; ++j) {
        const double square = from_fixed(sums[j], frame.weight_grid) / frame.total_mass;
        out.deviation.push_back(scale[j] > 0.0 ? std::sqrt(square) / scale[j] : 0.0);
    }
    return out;
}

template <class T>
Scratch<std::uint16_t> grid_positions(const Dataset<T>& data, const index_t* attributes, index_t count, const Grid& grid, int n_threads) {
    const Points<T>& p = data.points;
    if (std::any_of(attributes, attributes + count, [&](index_t j) { return j < 0 || j >= p.d; }))
        throw std::invalid_argument("attribute out of range");
    const index_t padded = (count + 3) / 4 * 4;
    std::vector<index_t> which(padded, 0);
    std::copy_n(attributes, count, which.begin());
    std::vector<double> low(padded), scale(padded), range(padded, 1.0);
    for (index_t c = 0; c < padded; ++c) {
        low[c] = static_cast<double>(data.frame.least[which[c]]);
        const double high = static_cast<double>(data.frame.greatest[which[c]]);
        scale[c] = scale_for(low[c], high);
        if (scale[c] > 0.0) range[c] = (high - low[c]) * scale[c];
    }
    const Ruler ruler{which.data(), low.data(), scale.data(), range.data(), count, grid.steps, grid.offset, grid.top};
    Scratch<std::uint16_t> out = make_scratch<std::uint16_t>(p.n * count);
    parallel_for(n_tasks(p.n), n_threads, [&](index_t t, int) {
        exact<T>().attributes->find_positions(p, ruler, t * kTask, std::min(p.n, (t + 1) * kTask), &out[t * kTask * count]);
    });
    return out;
}

Groups group_rows(const std::uint16_t* rows, index_t n, index_t d, int bits, int shift) {
    if (n > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many rows to number their groups");
    check_bits(bits, shift);
    const Words words(rows, d, bits, shift);
    Groups out{make_scratch<std::int32_t>(n), {}};
    Table table;
    std::uint64_t hashes[kAhead];
    for (index_t begin = 0; begin < n; begin += kAhead) {
        const index_t end = std::min(n, begin + kAhead);
        for (index_t i = begin; i < end; ++i) table.expect(hashes[i - begin] = words.hash(i));
        for (index_t i = begin; i < end; ++i) {
            const std::uint64_t hash = hashes[i - begin];
            std::int32_t group = table.find(hash, [&](std::int32_t g) { return words.exact() || words.equal(i, out.first[g]); });
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

index_t fewest_groups(const std::uint16_t* rows, index_t n, index_t d, int bits, int shift) {
    check_bits(bits, shift);
    const Words words(rows, d, bits, shift);
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(n) / 8 + 1);  // in words: at least eight bits per row
    const Scratch<std::uint64_t> seen = make_scratch<std::uint64_t>(size);
    std::fill_n(seen.get(), size, std::uint64_t{0});
    const auto word_of = [&](std::uint64_t hash) { return &seen[hash >> 6 & (size - 1)]; };
    index_t count = 0;
    std::uint64_t hashes[kAhead];
    for (index_t begin = 0; begin < n; begin += kAhead) {
        const index_t end = std::min(n, begin + kAhead);
        for (index_t i = begin; i < end; ++i) __builtin_prefetch(word_of(hashes[i - begin] = words.hash(i)), 1);
        for (index_t i = begin; i < end; ++i) {
            const std::uint64_t hash = hashes[i - begin], bit = std::uint64_t{1} << (hash & 63);
            count += (*word_of(hash) & bit) == 0;
            *word_of(hash) |= bit;
        }
    }
    return count;
}

#define SEEDBED_INSTANTIATE(T)                                             \
    template Attributes<T> describe_attributes<T>(const Dataset<T>&, int); \
    template std::vector<double> mean_of_attributes<T>(const Dataset<T>&, int); \
    template Scratch<std::uint16_t> grid_positions<T>(const Dataset<T>&, const index_t*, index_t, const Grid&, int);
SEEDBED_INSTANTIATE(float)
SEEDBED_INSTANTIATE(double)

}  // namespace seedbed
