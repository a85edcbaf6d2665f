#include "pyramid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "attributes.hpp"

namespace seedbed {
namespace {

struct Rows {
    const std::uint16_t* positions;  // n x d
    const double* weight;            // n, or null
    index_t n, d;

    const std::uint16_t* operator[](index_t i) const { return positions + i * d; }
};

// Some of the bits of a row's keys, interleaved: the highest of each key, then the next.
class Interleaver {
public:
    Interleaver(index_t n_keys, int lowest, int planes) : n_keys_(n_keys), lowest_(lowest), mask_((1 << planes) - 1) {
        for (int value = 0; value <= mask_; ++value)
            for (int bit = 0; bit < planes; ++bit)
                if (value >> bit & 1) spread_[value] |= std::uint32_t{1} << bit * n_keys;
    }

    std::uint32_t operator()(const std::uint16_t* row) const {
        std::uint32_t out = 0;
        for (index_t a = 0; a < n_keys_; ++a) out |= spread_[row[a] >> lowest_ & mask_] << (n_keys_ - 1 - a);
        return out;
    }

    static constexpr int kMostPlanes = 8;

private:
    index_t n_keys_;
    int lowest_, mask_;
    std::array<std::uint32_t, 1 << kMostPlanes> spread_{};
};

struct Entry {
    std::uint32_t key;
    std::int32_t row;
};

constexpr index_t kMostKeys = 32;  // a bit of each fits into a key

// Sorts by key, some bits at a time from the lowest; equal ones keep their order.
class RadixSort {
public:
    explicit RadixSort(index_t n) : other_(make_scratch<Entry>(n)) {}

    void operator()(Entry* begin, Entry* end, int width) {
        const int digits = (width + kMostBits - 1) / kMostBits, bits = (width + digits - 1) / digits, values = 1 << bits;
        const auto value = [=](const Entry& e, int digit) { return e.key >> digit * bits & static_cast<std::uint32_t>(values - 1); };
        counts_.assign(digits * values, 0);
        for (const Entry* e = begin; e < end; ++e)
            for (int g = 0; g < digits; ++g) ++counts_[g * values + value(*e, g)];
        Entry *from = begin, *to = other_.get();
        const index_t n = end - begin;
        for (int g = 0; g < digits; ++g) {
            std::int32_t* count = &counts_[g * values];
            if (count[value(*from, g)] == n) continue;  // all are equal
            for (std::int32_t at = 0, v = 0; v < values; ++v) at += std::exchange(count[v], at);
            for (const Entry* e = from; e < from + n; ++e) to[count[value(*e, g)]++] = *e;
            std::swap(from, to);
        }
        if (from != begin) std::copy_n(from, n, begin);
    }

private:
    static constexpr int kMostBits = 11;  // of a digit

    Scratch<Entry> other_;
    std::vector<std::int32_t> counts_;
};

// Rows in the order of the bits of their keys above the lowest `level`, interleaved; of equal ones the first first.
class Order {
public:
    Order(const Rows& keys, int bits, int level) : keys_(keys), sort_(keys.n), entries_(make_scratch<Entry>(keys.n)), joins_(keys.n) {
        for (index_t i = 0; i < keys.n; ++i) entries_[i].row = static_cast<std::int32_t>(i);
        if (keys.n > 0) joins_[0] = kNeverJoins;
        const int most = static_cast<int>(std::clamp<index_t>(kMostKeys / keys.d, 1, Interleaver::kMostPlanes));
        for (int highest = bits; highest > level; highest -= most) refine(highest, std::max(level, highest - most));
    }

    index_t row(index_t i) const { return entries_[i].row; }
    std::uint8_t join(index_t i) const { return joins_[i]; }  // as in `Cells`; 0 where no bit differs

private:
    static constexpr index_t kFew = 2048;  // rows up to which comparing is quicker

    // Sorts runs that are equal so far by the bits below `highest`.
    void refine(int highest, int lowest) {
        const int width = (highest - lowest) * static_cast<int>(keys_.d);
        const Interleaver key(keys_.d, lowest, highest - lowest);
        std::array<std::uint8_t, kMostKeys + 1> join{};  // by the highest bit in which two keys differ
        for (int bit = 0; bit < width; ++bit) join[bit + 1] = static_cast<std::uint8_t>(lowest + 1 + bit / static_cast<int>(keys_.d));
        for (index_t begin = 0, end = 0; begin < keys_.n; begin = end) {
            for (end = begin + 1; end < keys_.n && joins_[end] == 0; ++end) {}
            if (end - begin == 1) continue;
            for (index_t i = begin; i < end; ++i) entries_[i].key = key(keys_[entries_[i].row]);
            sort(&entries_[begin], &entries_[begin] + (end - begin), width);
            for (index_t i = begin + 1; i < end; ++i) joins_[i] = join[std::bit_width(entries_[i].key ^ entries_[i - 1].key)];
        }
    }

    void sort(Entry* begin, Entry* end, int width) {
        const auto less = [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; };
        if (end - begin <= kFew) std::sort(begin, end, less);
        else sort_(begin, end, width);
    }

    Rows keys_;
    RadixSort sort_;
    Scratch<Entry> entries_;
    std::vector<std::uint8_t> joins_;
};

std::vector<std::uint16_t> pick(const Rows& rows, const index_t* attributes, index_t count) {
    std::vector<std::uint16_t> out;
    out.reserve(rows.n * count);
    for (index_t i = 0; i < rows.n; ++i)
        for (index_t a = 0; a < count; ++a) out.push_back(rows[i][attributes[a]]);
    return out;
}

// Which level's cells are needed, and which rows they have.
class Search {
public:
    Search(const Rows& rows, const Rows& keys, int bits, const Wanted& wanted) : rows_(rows), keys_(keys), bits_(bits), wanted_(wanted) {
        level = likely_level();
        while (level > 0 && !surely_too_many(level - 1)) --level;
        groups = groups_of(level);
        for (; level < bits && static_cast<double>(groups.first.size()) > wanted_.most; ++level) {
            Groups coarser = groups_of(level + 1);
            if (static_cast<index_t>(coarser.first.size()) < wanted_.least) break;
            groups = std::move(coarser);
        }
        if (level > 0 && static_cast<index_t>(groups.first.size()) < wanted_.least) groups = groups_of(--level);
    }

    int level = 0;
    Groups groups{};

private:
    Groups groups_of(int at) const {
        const Rows& telling = at == 0 ? rows_ : keys_;
        return group_rows(telling.positions, telling.n, telling.d, bits_, at);
    }

    bool surely_too_many(int at) const {
        if (wanted_.most >= static_cast<double>(rows_.n)) return false;
        const index_t fewest = fewest_groups(keys_.positions, keys_.n, keys_.d, bits_, at);
        return static_cast<double>(fewest) > wanted_.most && fewest >= wanted_.least;
    }

    // The finest level that seems to have few enough cells, judged from some rows and from half of these. It is only where
    // the search begins.
    int likely_level() const {
        constexpr index_t kSome = 1 << 13;
        const index_t step = std::max<index_t>(1, rows_.n / kSome);
        const std::vector<std::uint16_t> some = every(step), half = every(2 * step);
        for (int at = 0; at < bits_; ++at) {
            const double cells = count(some, at), growth = cells / std::max(1.0, count(half, at));  // while rows are doubled
            if (cells * std::pow(growth, std::log2(static_cast<double>(step))) <= wanted_.most) return at;
        }
        return bits_;
    }

    std::vector<std::uint16_t> every(index_t step) const {
        std::vector<std::uint16_t> out;
        for (index_t i = 0; i < keys_.n; i += step) out.insert(out.end(), keys_[i], keys_[i] + keys_.d);
        return out;
    }

    double count(const std::vector<std::uint16_t>& rows, int at) const {
        return static_cast<double>(fewest_groups(rows.data(), static_cast<index_t>(rows.size()) / keys_.d, keys_.d, bits_, at));
    }

    Rows rows_, keys_;
    int bits_;
    Wanted wanted_;
};

// Sums of the rows of each group, and their weight after them: whole numbers, and exact, unless rows are weighted.
class GroupSums {
public:
    GroupSums(const Rows& rows, const Groups& groups) : width_(rows.d + 1), sums_(make_scratch<double>(groups.first.size() * width_)) {
        for (index_t i = 0, fresh = 0; i < rows.n; ++i) {
            if (i + kAhead < rows.n) ask_for(groups.labels[i + kAhead]);
            double* sum = &sums_[groups.labels[i] * width_];
            if (groups.labels[i] == fresh) {  // groups are numbered in order of appearance
                std::fill_n(sum, width_, 0.0);
                ++fresh;
            }
            const double weight = rows.weight ? rows.weight[i] : 1.0;
            const std::uint16_t* row = rows[i];
            for (index_t j = 0; j < rows.d; ++j) sum[j] += weight * row[j];
            sum[rows.d] += weight;
        }
    }

    const double* operator[](index_t group) const { return &sums_[group * width_]; }

    void ask_for(index_t group) const {
        __builtin_prefetch(&sums_[group * width_], 1);
        __builtin_prefetch(&sums_[(group + 1) * width_ - 1], 1);
    }

    static constexpr index_t kAhead = 16;  // groups asked for before the first is needed

private:
    index_t width_;
    Scratch<double> sums_;
};

}  // namespace

Cells sort_cells(const std::uint16_t* positions, index_t n, index_t d, int bits, const index_t* keys, index_t n_keys, const double* weight,
                 const Wanted& wanted) {
    if (n > std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many rows to number them");
    if (bits < 1 || bits > 16 || n_keys < 1 || n_keys > kMostKeys) throw std::invalid_argument("between 1 and 16 bits and between 1 and 32 keys, please");
    if (std::any_of(keys, keys + n_keys, [d](index_t a) { return a < 0 || a >= d; })) throw std::invalid_argument("attribute out of range");
    const Rows rows{positions, weight, n, d};
    std::vector<std::uint16_t> picked;
    if (n_keys < d) picked = pick(rows, keys, n_keys);
    const Rows keyed = n_keys < d ? Rows{picked.data(), nullptr, n, n_keys} : rows;
    const Search found(rows, keyed, bits, wanted);

    const index_t count = static_cast<index_t>(found.groups.first.size());
    std::vector<std::uint16_t> firsts;  // a row of each cell
    for (const index_t row : found.groups.first) firsts.insert(firsts.end(), keyed[row], keyed[row] + keyed.d);
    const Order order({firsts.data(), nullptr, count, keyed.d}, bits, found.level);
    Cells out{found.level, count, make_scratch<double>(count * d), make_scratch<double>(count), make_scratch<std::uint8_t>(count)};
    for (index_t c = 0; c < count; ++c) out.joins[c] = std::max(order.join(c), static_cast<std::uint8_t>(found.level + 1));
    const GroupSums sums(rows, found.groups);
    for (index_t c = 0; c < count; ++c) {
        if (c + GroupSums::kAhead < count) sums.ask_for(order.row(c + GroupSums::kAhead));
        const double* sum = sums[order.row(c)];
        out.mass[c] = sum[d];
        if (found.level > 0)
            for (index_t j = 0; j < d; ++j) out.means[c * d + j] = sum[j] / sum[d];
        else std::copy_n(rows[found.groups.first[order.row(c)]], d, &out.means[c * d]);  // equal rows lie where they lie
    }
    return out;
}

index_t make_picture(const double* cells, const double* mass, const std::uint8_t* joins, index_t n, index_t d, int level, double* means,
                     double* masses, std::uint8_t* left) {
    index_t count = 0;
    for (index_t i = 0; i < n;) {
        double* mean = means + count * d;
        const index_t first = i;
        for (++i; i < n && joins[i] <= level; ++i) {}
        double total = mass[first];
        std::copy_n(cells + first * d, d, mean);
        if (i > first + 1) {  // a cell alone lies where it lies
            for (index_t j = 0; j < d; ++j) mean[j] *= total;
            for (index_t c = first + 1; c < i; ++c) {
                total += mass[c];
                for (index_t j = 0; j < d; ++j) mean[j] += mass[c] * cells[c * d + j];
            }
            for (index_t j = 0; j < d; ++j) mean[j] /= total;
        }
        left[count] = joins[first];
        masses[count++] = total;
    }
    return count;
}

}  // namespace seedbed
