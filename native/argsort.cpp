#include "argsort.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dataset.hpp"
#include "pool.hpp"
#include "scratch.hpp"

namespace seedbed {
namespace {

constexpr index_t kFew = 24;               // entries that are quickest sorted by inserting
constexpr index_t kMostBuckets = 1 << 11;  // more cannot be written to in turns without waiting for memory

struct Entry {
    double value;
    index_t row;
};

struct Range {
    double least, greatest;
};

// How many intervals to cut the range of n entries into: about two entries for each.
index_t intervals_for(index_t n) {
    return static_cast<index_t>(std::bit_floor(static_cast<std::uint64_t>(std::clamp<index_t>(n / 2, 2, kMostBuckets))));
}

// Two ways to cut a range into intervals, at most `count`. Either knows data that crowd into few of them: one number far from the
// others, and numbers on both sides of zero. So the two take turns. Images, integers in the order of the numbers, are what bounds
// their turns: each interval has at most a quarter of them.
class EqualWidths {
public:
    EqualWidths(const Range& range, index_t count)
        : least_(std::max(range.least, -kMost)),
          scale_(std::min(static_cast<double>(count) / std::clamp(range.greatest - least_, kLeast, kMost), kMost)),
          last_(static_cast<double>(count - 1)), count_(count) {}

    // A difference beyond all numbers is infinite, and belongs to the first or the last.
    index_t operator()(double value) const { return static_cast<index_t>(std::clamp((value - least_) * scale_, 0.0, last_)); }
    index_t count() const { return count_; }

private:
    static constexpr double kLeast = std::numeric_limits<double>::min(), kMost = std::numeric_limits<double>::max();
    double least_, scale_, last_;
    index_t count_;
};

class EqualImages {
public:
    EqualImages(const Range& range, index_t count) : least_(image_of(range.least)) {
        const std::uint64_t span = image_of(range.greatest) - least_;
        while (span >> shift_ >= static_cast<std::uint64_t>(count)) ++shift_;
        count_ = static_cast<index_t>(span >> shift_) + 1;
    }

    index_t operator()(double value) const { return static_cast<index_t>((image_of(value) - least_) >> shift_); }
    index_t count() const { return count_; }

private:
    // Consecutive integers for consecutive numbers; the same for both zeros.
    static std::uint64_t image_of(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value);
        constexpr std::uint64_t sign = std::uint64_t{1} << 63;
        return bits & sign ? ~bits : bits | sign;
    }

    std::uint64_t least_;
    int shift_ = 0;
    index_t count_;
};

// What is wanted of the order: everything.
template <class T>
class Everything {
public:
    Everything(index_t* rows, T* sorted) : rows_(rows), sorted_(sorted) {}

    bool wants(index_t begin, index_t end) const { return begin < end; }
    void take(const Entry* entries, index_t begin, index_t end) const {
        for (index_t place = begin; place < end; ++place) rows_[place] = entries[place - begin].row;
        for (index_t place = begin; place < end; ++place) sorted_[place] = static_cast<T>(entries[place - begin].value);
    }

private:
    index_t* rows_;
    T* sorted_;
};

// What is wanted of the order: the rows at some places.
class SomePlaces {
public:
    SomePlaces(const index_t* places, index_t count, index_t* rows) : rows_(rows) {
        for (index_t i = 0; i < count; ++i) wanted_.push_back({places[i], i});
        std::sort(wanted_.begin(), wanted_.end());
    }

    bool wants(index_t begin, index_t end) const {
        const auto next = from(begin);
        return next != wanted_.end() && next->first < end;
    }
    void take(const Entry* entries, index_t begin, index_t end) const {
        for (auto next = from(begin); next != wanted_.end() && next->first < end; ++next) rows_[next->second] = entries[next->first - begin].row;
    }

private:
    using Wanted = std::pair<index_t, index_t>;  // a place, and which of the rows that is
    std::vector<Wanted>::const_iterator from(index_t place) const { return std::lower_bound(wanted_.begin(), wanted_.end(), Wanted{place, 0}); }

    std::vector<Wanted> wanted_;
    index_t* rows_;
};

void insertion_sort(Entry* begin, Entry* end) {
    for (Entry* next = begin; next < end; ++next) {
        const Entry moving = *next;
        Entry* at = next;
        for (; at > begin && moving.value < at[-1].value; --at) *at = at[-1];
        *at = moving;
    }
}

// Sorts the entries (IN, overwritten) at places begin..end-1 of the order as far as is wanted, by cutting their range into intervals
// of one kind, and these into intervals of the other. spare (OUT) has room for as many.
template <class Intervals, class Others, class Sink>
void sort_entries(Entry* entries, Entry* spare, index_t begin, index_t end, const Sink& sink) {
    const index_t n = end - begin;
    if (n <= kFew) {
        insertion_sort(entries, entries + n);
        return sink.take(entries, begin, end);
    }
    Range range{entries->value, entries->value};
    for (const Entry* e = entries; e < entries + n; ++e) {
        range.least = std::min(range.least, e->value);
        range.greatest = std::max(range.greatest, e->value);
    }
    if (range.least == range.greatest) return sink.take(entries, begin, end);
    const Intervals interval(range, intervals_for(n));
    std::vector<index_t> ends(interval.count());
    for (const Entry* e = entries; e < entries + n; ++e) ++ends[interval(e->value)];
    for (index_t at = 0; index_t& next : ends) at += std::exchange(next, at);
    for (const Entry* e = entries; e < entries + n; ++e) spare[ends[interval(e->value)]++] = *e;
    for (index_t from = 0; const index_t to : ends) {
        if (sink.wants(begin + from, begin + to)) sort_entries<Others, Intervals>(spare + from, entries + from, begin + from, begin + to, sink);
        from = to;
    }
}

// The keys cut into intervals for the first time. Rows are counted and entries written by parts, each of which knows where its
// own begin, so that they keep the order of the rows whatever the threads.
template <class T>
class Buckets {
public:
    Buckets(const T* keys, index_t n, int n_threads)
        : keys_(keys), n_(n), n_threads_(n_threads), n_parts_(std::clamp<index_t>(n / kTask, 1, std::max(1, n_threads))),
          interval_(range(), intervals_for(n)), next_(n_parts_ * interval_.count()) {
        for_parts([&](index_t part, index_t begin, index_t end) {
            index_t* counts = next_of(part);
            for (index_t i = begin; i < end; ++i) ++counts[interval_(keys_[i])];
        });
    }

    template <class Sink>
    void sort(const Sink& sink) {
        const std::vector<Bucket> wanted = lay_out(sink);
        index_t total = 0, longest = 0;
        for (const Bucket& b : wanted) {
            total += b.end - b.begin;
            longest = std::max(longest, b.end - b.begin);
        }
        const auto entries = make_scratch<Entry>(total);
        gather(entries.get());
        std::vector<Scratch<Entry>> spare(std::max(1, n_threads_));
        parallel_for(static_cast<index_t>(wanted.size()), n_threads_, [&](index_t w, int worker) {
            if (!spare[worker]) spare[worker] = make_scratch<Entry>(longest);
            const Bucket& b = wanted[w];
            sort_entries<EqualImages, EqualWidths>(entries.get() + b.offset, spare[worker].get(), b.begin, b.end, sink);
        });
    }

private:
    static constexpr index_t kUnwanted = -1;

    struct Bucket {
        index_t begin, end;  // its places in the order
        index_t offset;      // of its entries among those of all that are wanted
    };

    // Calls body(part, begin, end) for every part of the rows.
    template <class Body>
    void for_parts(const Body& body) const {
        parallel_for(n_parts_, n_threads_, [&](index_t part, int) { body(part, part * n_ / n_parts_, (part + 1) * n_ / n_parts_); });
    }

    index_t* next_of(index_t part) { return &next_[part * interval_.count()]; }

    Range range() const {
        std::vector<Range> ranges(n_parts_);
        for_parts([&](index_t part, index_t begin, index_t end) {
            T least = keys_[begin], greatest = least;
            bool unordered = false;
            for (index_t i = begin; i < end; ++i) {
                least = std::min(least, keys_[i]);
                greatest = std::max(greatest, keys_[i]);
                unordered |= keys_[i] != keys_[i];
            }
            if (unordered) throw std::invalid_argument("keys to sort by hold NaN, which has no place in an order");
            ranges[part] = {least, greatest};
        });
        Range all = ranges[0];
        for (const Range& r : ranges) all = {std::min(all.least, r.least), std::max(all.greatest, r.greatest)};
        return all;
    }

    // The buckets wanted. Turns the counts into where the next entry of each part and bucket goes.
    template <class Sink>
    std::vector<Bucket> lay_out(const Sink& sink) {
        std::vector<Bucket> wanted;
        index_t begin = 0, offset = 0;
        for (index_t b = 0; b < interval_.count(); ++b) {
            index_t end = begin;
            for (index_t part = 0; part < n_parts_; ++part) end += next_of(part)[b];
            const bool keep = sink.wants(begin, end);
            if (keep) wanted.push_back({begin, end, offset});
            for (index_t part = 0; part < n_parts_; ++part) {
                index_t& next = next_of(part)[b];
                if (keep) offset += std::exchange(next, offset);
                else next = kUnwanted;
            }
            begin = end;
        }
        return wanted;
    }

    // Entries (OUT) of the buckets wanted, those of a bucket in the order of their rows.
    void gather(Entry* entries) {
        for_parts([&](index_t part, index_t begin, index_t end) {
            index_t* to = next_of(part);
            for (index_t i = begin; i < end; ++i) {
                const double value = keys_[i];
                index_t& next = to[interval_(value)];
                if (next != kUnwanted) entries[next++] = {value, i};
            }
        });
    }

    const T* keys_;
    index_t n_;
    int n_threads_;
    index_t n_parts_;
    EqualWidths interval_;
    std::vector<index_t> next_;  // parts x intervals: how many there are, then where the next goes
};

}  // namespace

template <class T>
void argsort(const T* keys, index_t n, index_t* rows, T* sorted, int n_threads) {
    if (n > 0) Buckets<T>(keys, n, n_threads).sort(Everything<T>(rows, sorted));
}

template <class T>
void select_rows(const T* keys, index_t n, const index_t* places, index_t count, index_t* rows, int n_threads) {
    if (std::any_of(places, places + count, [n](index_t place) { return place < 0 || place >= n; }))
        throw std::invalid_argument("a place in the order is out of range");
    if (count > 0) Buckets<T>(keys, n, n_threads).sort(SomePlaces(places, count, rows));
}

template void argsort(const float*, index_t, index_t*, float*, int);
template void argsort(const double*, index_t, index_t*, double*, int);
template void select_rows(const float*, index_t, const index_t*, index_t, index_t*, int);
template void select_rows(const double*, index_t, const index_t*, index_t, index_t*, int);

}  // namespace seedbed
