#include "criteria.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace seedbed {
namespace {

using label_t = std::int64_t;

// Labels lie in least .. least + span. Unsigned, because the span of 64-bit labels may need all 64 bits.
struct Range {
    label_t least = 0;
    std::uint64_t span = 0;
};

template <class T>
Range range_of(const T* labels, index_t n) {
    if (n == 0) return {};
    T least = labels[0], greatest = labels[0];
    for (index_t i = 1; i < n; ++i) {
        least = std::min(least, labels[i]);
        greatest = std::max(greatest, labels[i]);
    }
    const label_t low = least, high = greatest;
    return {low, static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)};
}

std::uint64_t offset(label_t label, const Range& range) {
    return static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(range.least);
}

label_t label_at(index_t offset, const Range& range) {
    return static_cast<label_t>(static_cast<std::uint64_t>(range.least) + static_cast<std::uint64_t>(offset));
}

// Tables that cost no more to clear and to scan than the points cost to read.
std::uint64_t affordable(index_t n) { return std::max<std::uint64_t>(1 << 12, static_cast<std::uint64_t>(n)); }

bool fits_dense(const Range& a, const Range& b, index_t n) {
    const std::uint64_t cells = affordable(n);
    return a.span < cells && b.span < cells && a.span + 1 <= cells / (b.span + 1);
}

// ---- dense: one counter per possible pair of labels

template <class T>
std::vector<std::int64_t> count_cells(const T* a, const Range& ra, const T* b, const Range& rb, index_t n) {
    const std::uint64_t width = rb.span + 1, cells = (ra.span + 1) * width;
    const auto cell = [&](index_t i) { return offset(a[i], ra) * width + offset(b[i], rb); };
    std::vector<std::int64_t> count(cells, 0);
    index_t i = 0;
    // Small tables are counted in four copies: points next to each other are often in the same cell, and one addition to it
    // waits for the other.
    if (constexpr std::uint64_t small = 512; cells <= small) {
        std::int64_t copy[4][small] = {};
        for (; i + 4 <= n; i += 4)
            for (index_t c = 0; c < 4; ++c) ++copy[c][cell(i + c)];
        for (std::uint64_t c = 0; c < cells; ++c) count[c] = (copy[0][c] + copy[1][c]) + (copy[2][c] + copy[3][c]);
    }
    for (; i < n; ++i) ++count[cell(i)];
    return count;
}

// Drops the labels that never occur; returns where each of the others went.
std::vector<index_t> keep_occupied(const std::vector<std::int64_t>& sums, const Range& range,
                                   std::vector<label_t>& labels,          // OUT
                                   std::vector<std::int64_t>& margins) {  // OUT
    std::vector<index_t> place(sums.size(), -1);
    for (index_t i = 0; i < static_cast<index_t>(sums.size()); ++i) {
        if (sums[i] == 0) continue;
        place[i] = static_cast<index_t>(labels.size());
        labels.push_back(label_at(i, range));
        margins.push_back(sums[i]);
    }
    return place;
}

template <class T>
Contingency dense(const T* a, const Range& ra, const T* b, const Range& rb, index_t n) {
    const index_t height = static_cast<index_t>(ra.span) + 1, width = static_cast<index_t>(rb.span) + 1;
    const std::vector<std::int64_t> count = count_cells(a, ra, b, rb, n);
    std::vector<std::int64_t> row_sums(height, 0), column_sums(width, 0);
    for (index_t r = 0; r < height; ++r)
        for (index_t c = 0; c < width; ++c) {
            row_sums[r] += count[r * width + c];
            column_sums[c] += count[r * width + c];
        }
    Contingency out;
    const std::vector<index_t> row = keep_occupied(row_sums, ra, out.classes, out.row_margins);
    const std::vector<index_t> column = keep_occupied(column_sums, rb, out.clusters, out.column_margins);
    for (index_t r = 0; r < height; ++r)
        for (index_t c = 0; c < width; ++c) {
            if (count[r * width + c] == 0) continue;
            out.rows.push_back(row[r]);
            out.columns.push_back(column[c]);
            out.counts.push_back(count[r * width + c]);
        }
    return out;
}

// ---- compact: labels replaced by 0, 1, ... in ascending order of label

struct Coding {
    std::vector<label_t> labels;  // distinct, ascending
    std::vector<label_t> codes;   // n, positions in labels

    Range range() const { return {0, labels.size() - 1}; }
};

template <class T>
Coding compact_by_lookup(const T* given, const Range& range, index_t n) {
    std::vector<label_t> code(range.span + 1, -1);
    for (index_t i = 0; i < n; ++i) code[offset(given[i], range)] = 0;
    Coding out;
    for (index_t v = 0; v < static_cast<index_t>(code.size()); ++v) {
        if (code[v] < 0) continue;
        code[v] = static_cast<label_t>(out.labels.size());
        out.labels.push_back(label_at(v, range));
    }
    out.codes.resize(n);
    for (index_t i = 0; i < n; ++i) out.codes[i] = code[offset(given[i], range)];
    return out;
}

// Numbers labels in the order of their first appearance. Open addressing, at most half full.
class Numbering {
public:
    index_t number(label_t label) {
        const std::size_t s = find(label);
        if (slots_[s].number >= 0) return slots_[s].number;
        const index_t number = static_cast<index_t>(seen.size());
        slots_[s] = {label, number};
        seen.push_back(label);
        if (2 * seen.size() > slots_.size()) grow();
        return number;
    }

    std::vector<label_t> seen;

private:
    struct Slot {
        label_t label = 0;
        index_t number = -1;
    };
    std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two

    // The slot of this label, or the empty one where it belongs.
    std::size_t find(label_t label) const {
        std::uint64_t h = static_cast<std::uint64_t>(label);
        h = (h ^ (h >> 32)) * 0x9e3779b97f4a7c15u;  // regular steps between labels must not collide
        h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
        const std::size_t mask = slots_.size() - 1;
        std::size_t s = static_cast<std::size_t>(h >> 32) & mask;
        while (slots_[s].number >= 0 && slots_[s].label != label) s = (s + 1) & mask;
        return s;
    }

    void grow() {
        slots_.assign(2 * slots_.size(), Slot{});
        for (index_t i = 0; i < static_cast<index_t>(seen.size()); ++i) slots_[find(seen[i])] = {seen[i], i};
    }
};

template <class T>
Coding compact_by_hash(const T* given, index_t n) {
    Numbering numbering;
    Coding out;
    out.codes.resize(n);
    for (index_t i = 0; i < n; ++i) out.codes[i] = numbering.number(given[i]);
    const std::vector<label_t>& seen = numbering.seen;
    std::vector<index_t> order(seen.size()), rank(seen.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](index_t x, index_t y) { return seen[x] < seen[y]; });
    out.labels.resize(seen.size());
    for (index_t i = 0; i < static_cast<index_t>(order.size()); ++i) {
        out.labels[i] = seen[order[i]];
        rank[order[i]] = i;
    }
    for (label_t& code : out.codes) code = rank[code];
    return out;
}

template <class T>
Coding compact(const T* given, const Range& range, index_t n) {
    return range.span < affordable(n) ? compact_by_lookup(given, range, n) : compact_by_hash(given, n);
}

// ---- sparse: the points sorted by cluster, then by class, make the occupied cells neighbours

std::vector<std::int64_t> count_codes(const Coding& coding) {
    std::vector<std::int64_t> counts(coding.labels.size(), 0);
    for (const label_t code : coding.codes) ++counts[code];
    return counts;
}

// Counting sort; points of equal code stay in the order given.
std::vector<index_t> sort_by_code(const Coding& coding, const std::vector<std::int64_t>& counts,
                                  const std::vector<index_t>& given) {
    std::vector<index_t> next(counts.size(), 0);
    std::exclusive_scan(counts.begin(), counts.end(), next.begin(), index_t{0});
    std::vector<index_t> order(given.size());
    for (const index_t i : given) order[next[coding.codes[i]]++] = i;
    return order;
}

Contingency sparse(const Coding& a, const Coding& b) {
    Contingency out;
    out.row_margins = count_codes(a);
    out.column_margins = count_codes(b);
    std::vector<index_t> order(a.codes.size());
    std::iota(order.begin(), order.end(), 0);
    order = sort_by_code(a, out.row_margins, sort_by_code(b, out.column_margins, order));
    for (const index_t i : order) {
        if (out.counts.empty() || out.rows.back() != a.codes[i] || out.columns.back() != b.codes[i]) {
            out.rows.push_back(a.codes[i]);
            out.columns.push_back(b.codes[i]);
            out.counts.push_back(0);
        }
        ++out.counts.back();
    }
    return out;
}

}  // namespace

template <class T>
Contingency contingency(const T* truth, const T* predicted, index_t n) {
    if (n == 0) return {};
    const Range truth_range = range_of(truth, n), predicted_range = range_of(predicted, n);
    if (fits_dense(truth_range, predicted_range, n)) return dense(truth, truth_range, predicted, predicted_range, n);
    Coding a = compact(truth, truth_range, n), b = compact(predicted, predicted_range, n);
    Contingency out = fits_dense(a.range(), b.range(), n) ? dense(a.codes.data(), a.range(), b.codes.data(), b.range(), n)
                                                          : sparse(a, b);
    out.classes = std::move(a.labels);
    out.clusters = std::move(b.labels);
    return out;
}

template Contingency contingency<std::int32_t>(const std::int32_t*, const std::int32_t*, index_t);
template Contingency contingency<std::int64_t>(const std::int64_t*, const std::int64_t*, index_t);

std::int64_t sum_of_largest(const std::int64_t* counts, const std::int64_t* groups, index_t n, index_t n_groups) {
    std::vector<std::int64_t> largest(n_groups, 0);
    for (index_t i = 0; i < n; ++i) largest[groups[i]] = std::max(largest[groups[i]], counts[i]);
    return std::accumulate(largest.begin(), largest.end(), std::int64_t{0});
}

uint128_t pairs(const std::int64_t* counts, index_t n) {
    uint128_t sum = 0;
    for (index_t i = 0; i < n; ++i) {
        const auto count = static_cast<uint128_t>(counts[i]);
        sum += count * (count - (count > 0)) / 2;
    }
    return sum;
}

}  // namespace seedbed
