// Attributes one by one, many rows at a time: exact sums and positions on a grid (attribute_kernels.hpp).
#pragma once

#include "attribute_kernels.hpp"
#include "fixed_sum.hpp"
#include "simd.hpp"

namespace seedbed::SEEDBED_ISA {

typedef std::int32_t int4 __attribute__((vector_size(16)));
typedef std::uint16_t ushort4 __attribute__((vector_size(8)));

inline constexpr index_t kWideStrip = 64;  // columns that are summed together: attributes, or several rows of few

// Sums of some columns: each value is split into two integers (fixed_sum.hpp).
struct ColumnSums {
    double pivot[kWideStrip], scale[kWideStrip], grid[kWideStrip];
    std::int64_t high[kWideStrip] = {}, low[kWideStrip] = {};

    template <bool Squared, class T>
    [[gnu::always_inline]] void take(const T* x, index_t count, double mass) {
        for (index_t j = 0; j < count; ++j) {
            const double t = (static_cast<double>(x[j]) - pivot[j]) * scale[j];
            const double v = mass * (Squared ? t * t : t) * grid[j];
            const double whole = v + kMagic, rest = (v - (whole - kMagic)) * kLowScale + kMagic;
            high[j] += __builtin_bit_cast(std::int64_t, whole) - __builtin_bit_cast(std::int64_t, kMagic);
            low[j] += __builtin_bit_cast(std::int64_t, rest) - __builtin_bit_cast(std::int64_t, kMagic);
        }
    }
};

template <bool Squared, class T>
static inline void add_moment_as(const Points<T>& points, const Moment& moment, index_t begin, index_t end, std::int64_t* high,
                                 std::int64_t* low) {
    const index_t d = points.d, rows = d < kWideStrip && !points.weight ? kWideStrip / d : 1;
    for (index_t from = 0; from < d; from += kWideStrip) {
        const index_t strip = d - from < kWideStrip ? d - from : kWideStrip, width = rows * strip;
        ColumnSums sums;
        for (index_t j = 0; j < width; ++j) {
            const index_t a = from + j % strip;
            sums.pivot[j] = moment.pivot[a], sums.scale[j] = moment.scale[a], sums.grid[j] = moment.grid[a];
        }
        index_t i = begin;
        for (; i + rows <= end; i += rows) sums.take<Squared>(points.row(i) + from, width, points.mass(i));
        for (; i < end; ++i) sums.take<Squared>(points.row(i) + from, strip, points.mass(i));
        for (index_t j = 0; j < width; ++j) high[from + j % strip] += sums.high[j], low[from + j % strip] += sums.low[j];
    }
}

// Adds the two integers of each attribute's sum over rows [begin, end), kMaxPending at most; IN/OUT high, low: d.
template <class T>
static void add_moment(const Points<T>& points, const Moment& moment, index_t begin, index_t end, std::int64_t* high, std::int64_t* low) {
    if (moment.squared) add_moment_as<true>(points, moment, begin, end, high, low);
    else add_moment_as<false>(points, moment, begin, end, high, low);
}

// Positions of four values; IN low, scale, range: those of their attributes.
static inline ushort4 positions_of(double4 value, const double* low, const double* scale, const double* range, const Ruler& ruler) {
    const double4 most = 65535.0 - double4{};
    const int4 top = ruler.top - int4{};
    double4 at = (value - load<double4>(low)) * load<double4>(scale) * ruler.steps / load<double4>(range) + ruler.offset;
    at = at < most ? at : most;
    const int4 position = __builtin_convertvector(at, int4);
    return __builtin_convertvector(position < top ? position : top, ushort4);
}

// A ruler for all attributes of several rows that lie next to each other.
struct LongRuler {
    index_t rows, width;
    double low[kWideStrip], scale[kWideStrip], range[kWideStrip];

    explicit LongRuler(const Ruler& ruler) : rows(kWideStrip / (4 * ruler.count) * 4), width(rows * ruler.count) {
        for (index_t j = 0; j < width; ++j) {
            const index_t c = j % ruler.count;
            low[j] = ruler.low[c], scale[j] = ruler.scale[c], range[j] = ruler.range[c];
        }
    }
};

// OUT out: the positions of rows [begin, end), row by row, from the first of them on.
template <class T>
static void find_positions(const Points<T>& points, const Ruler& ruler, index_t begin, index_t end, std::uint16_t* out) {
    index_t i = begin;
    bool all = ruler.count == points.d;
    for (index_t c = 0; c < ruler.count; ++c) all = all && ruler.attributes[c] == c;
    if (all) {
        const LongRuler several(ruler);
        for (; several.rows > 0 && i + several.rows <= end; i += several.rows, out += several.width)
            for (index_t j = 0; j < several.width; j += 4)
                store(out + j, positions_of(four(points.row(i) + j), several.low + j, several.scale + j, several.range + j, ruler));
    }
    for (; i < end; ++i) {
        const T* x = points.row(i);
        for (index_t c = 0; c < ruler.count; c += 4) {
            const index_t* a = ruler.attributes + c;
            const double4 value = {static_cast<double>(x[a[0]]), static_cast<double>(x[a[1]]), static_cast<double>(x[a[2]]), static_cast<double>(x[a[3]])};
            const ushort4 found = positions_of(value, ruler.low + c, ruler.scale + c, ruler.range + c, ruler);
            if (ruler.count - c >= 4) {
                store(out, found);
                out += 4;
            } else {
                for (index_t l = 0; l < ruler.count - c; ++l) *out++ = found[l];
            }
        }
    }
}

}  // namespace seedbed::SEEDBED_ISA
