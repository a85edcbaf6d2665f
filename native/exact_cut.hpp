// The cut along an axis that leaves the least squared error on both sides together, in linear time. Values
// are counted in equal buckets. What a cut inside a bucket could gain is bounded by what is known of
// the bucket, so that only the few buckets that may hold the best cut are looked into, in the same way.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "fixed_sum.hpp"
#include "threshold.hpp"

namespace seedbed {

class ExactCut {
public:
    explicit ExactCut(const Values& values) : values_(values), scale_(1.0 / values.range()) {}

    Cut find() {
        search(Whole{values_}, {}, values_.least, values_.greatest, std::numeric_limits<double>::quiet_NaN());
        // Of cuts that are equal but for rounding, the first; without any, one that leaves the least value alone.
        const Candidate* first = nullptr;
        for (const Candidate& c : candidates_)
            if (!exceeds(best_, c.gain) && (!first || c.last < first->last)) first = &c;
        if (!first) return threshold_detail::within(values_.least, values_.greatest, values_.least, values_.least);
        return threshold_detail::within(values_.least, values_.greatest, first->last / 2 + first->next / 2, first->last);
    }

private:
    using Item = std::pair<double, double>;  // a value and its mass

    struct Whole {  // all values, read where they are
        const Values& values;
        index_t size() const { return values.n; }
        Item operator[](index_t i) const { return {values.y[i], values.mass(i)}; }
    };

    static constexpr index_t kBuckets = 512;  // 64 KiB
    static constexpr index_t kFew = 2048;      // values that are rather sorted
    static constexpr double kSlack = 1e-9;     // covers the rounding of a bound

    // Exact sums over some values: of their masses, and of masses times positions in [0, 1].
    struct Sums {
        int128_t mass = 0, moment = 0;

        [[gnu::always_inline]] void add(const ExactCut& cut, double value, double weight) {
            if (!cut.values_.weight) {  // the same grid for masses, and 62 bits of positions, which is faster
                mass += int128_t{1} << (50 + kLowBits);
                moment += static_cast<int128_t>(static_cast<std::int64_t>(cut.position(value) * 0x1p62)) << (50 + kLowBits - 62);
                return;
            }
            mass += to_fixed(weight, threshold_detail::kGrid);
            moment += to_fixed(cut.position(value) * weight, threshold_detail::kGrid);
        }
        void add(const Sums& other) { mass += other.mass, moment += other.moment; }
    };

    struct Bucket {
        Sums sums;
        double first = std::numeric_limits<double>::infinity(), last = -first;  // its least and its greatest value
        Sums until;                // all up to its end
        double next = 0.0;         // the value that follows it
        bool worth = false;        // whether the best cut may be inside
        std::vector<Item> inside;  // its values, where that is so

        bool any() const { return first <= last; }
        Sums before() const { return {until.mass - sums.mass, until.moment - sums.moment}; }
    };

    struct Candidate {
        double last, next;  // the values beside the cut
        double gain;
    };

    double position(double value) const { return (value - values_.least) * scale_; }

    // By how much a cut lowers the squared error when m and s lie left of it, in units that do not matter:
    // the product of the masses and the square of the distance between the means. Convex in (m, s).
    static double gain_of(double m, double s, double mass, double moment) {
        const double rest = mass - m;
        if (!(m > 0.0 && rest > 0.0)) return 0.0;
        const double apart = (moment - s) / rest - s / m;
        return m * rest * apart * apart;
    }

    static double number(int128_t v) { return from_fixed(v, threshold_detail::kGrid); }

    void consider(const Sums& left, double last, double next) {
        if (!(next - last > kSame * values_.range())) return;  // equal but for rounding, or nothing follows
        const double m = number(left.mass), rest = number(total_.mass - left.mass);
        if (!(m > 0.0 && rest > 0.0)) return;
        const double apart = number(total_.moment - left.moment) / rest - number(left.moment) / m;
        const double gain = m * rest * apart * apart;
        if (exceeds(best_, gain)) return;
        if (exceeds(gain, best_)) candidates_.clear();
        best_ = std::max(best_, gain);
        candidates_.push_back({last, next, gain});
    }

    // The most that a cut inside a bucket can gain. Of its mass and moment, (m, s) lies left of such a cut:
    // s is at least m times the first position, at most m times the mean, and what is left over is at most
    // its mass times the last position. That is a triangle, and a convex function is greatest at a corner.
    double bound(const Bucket& b) const {
        const double mass = number(total_.mass), moment = number(total_.moment);
        const double m = number(b.sums.mass), s = number(b.sums.moment), first = position(b.first), last = position(b.last);
        const double corner = std::clamp((last * m - s) / (last - first), 0.0, m);
        const double m0 = number(b.before().mass), s0 = number(b.before().moment);
        return std::max({gain_of(m0, s0, mass, moment), gain_of(m0 + m, s0 + s, mass, moment),
                         gain_of(m0 + corner, s0 + corner * first, mass, moment)});
    }

    // Looks at all cuts after one of some values between `low` and `high`, with `before` left of them all and
    // `after` the value that follows them.
    template <class Items>
    void search(const Items& items, const Sums& before, double low, double high, double after) {
        const index_t n = static_cast<index_t>(items.size());
        if (n <= kFew) return sort_and_search(items, before, after);
        const double scale = static_cast<double>(kBuckets) / (high - low);
        const auto place = [&](double value) { return std::min(kBuckets - 1, static_cast<index_t>((value - low) * scale)); };
        std::vector<Bucket> buckets(kBuckets);
        for (index_t i = 0; i < n; ++i) {
            const auto [value, mass] = items[i];
            Bucket& b = buckets[place(value)];
            b.sums.add(*this, value, mass);
            b.first = std::min(b.first, value), b.last = std::max(b.last, value);
        }
        link(buckets, before, after);
        for (const Bucket& b : buckets)
            if (b.any()) consider(b.until, b.last, b.next);
        for (Bucket& b : buckets) b.worth = b.last - b.first > kSame * values_.range() && bound(b) * (1 + kSlack) >= best_;
        for (index_t i = 0; i < n; ++i) {
            const Item item = items[i];
            if (Bucket& b = buckets[place(item.first)]; b.worth) b.inside.push_back(item);
        }
        for (const Bucket& b : buckets)
            if (b.worth) search(b.inside, b.before(), b.first, b.last, b.next);
    }

    // Fills in what lies left of each bucket's end, and the value that follows it.
    void link(std::vector<Bucket>& buckets, const Sums& before, double after) {
        if (total_.mass == 0)  // all values are here
            for (const Bucket& b : buckets) total_.add(b.sums);
        Sums until = before;
        for (Bucket& b : buckets) until.add(b.sums), b.until = until;
        for (index_t b = kBuckets; b-- > 0; after = buckets[b].any() ? buckets[b].first : after) buckets[b].next = after;
    }

    template <class Items>
    void sort_and_search(const Items& items, Sums left, double after) {
        const index_t n = static_cast<index_t>(items.size());
        std::vector<Item> sorted(n);
        for (index_t i = 0; i < n; ++i) sorted[i] = items[i];
        std::sort(sorted.begin(), sorted.end());
        if (total_.mass == 0)  // all values are here
            for (const auto& [value, mass] : sorted) total_.add(*this, value, mass);
        for (index_t i = 0; i < n; ++i) {
            left.add(*this, sorted[i].first, sorted[i].second);
            consider(left, sorted[i].first, i + 1 < n ? sorted[i + 1].first : after);
        }
    }

    const Values& values_;
    double scale_;
    Sums total_;
    double best_ = 0.0;                  // the greatest gain so far
    std::vector<Candidate> candidates_;  // cuts that gain as much but for rounding
};

inline Cut exact_cut(const Values& v) { return ExactCut(v).find(); }

}  // namespace seedbed
