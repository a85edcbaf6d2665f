// Reference arithmetic: double precision, from differences, in a fixed order, never fused. Whatever the
// screening kernels cannot decide is decided here, so labels and errors are the same bits everywhere.
#include "columns.hpp"
#include "contrast.hpp"
#include "kernels.hpp"
#include "min_distance.hpp"
#include "moments.hpp"
#include "products.hpp"
#include "sifting.hpp"
#include "simd.hpp"
#include "sketch.hpp"

namespace seedbed::SEEDBED_ISA {

// Four interleaved partial sums (attribute j in lane j % 4) from attribute j on.
template <class T>
static inline double4 partial_sums(const T* a, const T* b, index_t j, index_t d, double inverse_unit, double4 sum) {
    for (; j + 4 <= d; j += 4) {
        const double4 t = (four(a + j) - four(b + j)) * inverse_unit;
        sum += t * t;
    }
    double tail[3] = {};
    for (int l = 0; j < d; ++j, ++l) {
        const double t = (static_cast<double>(a[j]) - static_cast<double>(b[j])) * inverse_unit;
        tail[l] = t * t;
    }
    return sum + double4{tail[0], tail[1], tail[2], 0.0};
}

// Then (0+1)+(2+3).
template <class T>
static inline double finish_square(const T* a, const T* b, index_t j, index_t d, double inverse_unit, double4 sum) {
    sum = partial_sums(a, b, j, d, inverse_unit, sum);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <class T>
static inline double square_of(const T* a, const T* b, index_t d, double inverse_unit) {
    return finish_square(a, b, 0, d, inverse_unit, double4{});
}

template <class T>
static double square(const T* a, const T* b, index_t d, double inverse_unit) {
    return square_of(a, b, d, inverse_unit);
}

template <class T>
static std::int32_t nearest(const T* x, const T* centers, index_t k, index_t d, double inverse_unit, double* least) {
    std::int32_t label = 0;
    double best = square_of(x, centers, d, inverse_unit);
    for (index_t c = 1; c < k; ++c) {
        const double s = square_of(x, centers + c * d, d, inverse_unit);
        if (s < best) best = s, label = static_cast<std::int32_t>(c);
    }
    *least = best;
    return label;
}

// The square, or anything above `limit` once a partial sum exceeds it: partial sums never fall.
template <class T>
static inline double square_up_to(const T* a, const T* b, index_t d, double inverse_unit, double limit) {
    constexpr index_t kStride = 16;  // attributes between two looks at the partial sum
    double4 sum = {};
    index_t j = 0;
    for (; j + kStride < d; j += kStride) {
        for (index_t l = 0; l < kStride; l += 4) {
            const double4 t = (four(a + j + l) - four(b + j + l)) * inverse_unit;
            sum += t * t;
        }
        const double partial = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        if (partial > limit) return partial;
    }
    return finish_square(a, b, j, d, inverse_unit, sum);
}

template <class T>
static std::int32_t nearest_pde(const T* x, const T* centers, const double* quarter_gaps, index_t k, index_t d, double inverse_unit,
                                std::int32_t start, std::int64_t* distances) {
    std::int32_t best = start;
    double least = square_of(x, centers + best * d, d, inverse_unit);
    std::int64_t begun = 1;
    for (index_t c = 0; c < k; ++c) {
        // The factor covers rounding: a centre is skipped only when certainly farther, never on a tie.
        if (c == best || c == start || quarter_gaps[best * k + c] * (1 - 1e-12) > least) continue;
        const double s = square_up_to(x, centers + c * d, d, inverse_unit, least);
        ++begun;
        if (s < least || (s == least && c < best)) least = s, best = static_cast<std::int32_t>(c);
    }
    *distances += begun;
    return best;
}

// Several rows of few attributes are taken at once, so that narrow matrices fill a vector too; the order
// of the additions is fixed by n and d alone.
template <class T>
static double moments(const Points<T>& points, const T* shift, double inverse_unit, index_t begin, index_t end, double* sums) {
    constexpr index_t kWide = 64;
    const index_t d = points.d;
    double first[kWide], second[kWide], offset[kWide], total = 0.0;
    for (index_t from = 0; from < d; from += kWide) {  // a strip of attributes, or several rows of few
        const index_t rows = d < kWide && !points.weight ? kWide / d : 1;
        const index_t strip = d - from < kWide ? d - from : kWide, width = rows * strip;
        for (index_t j = 0; j < width; ++j) first[j] = second[j] = 0.0, offset[j] = static_cast<double>(shift[from + j % strip]);
        const auto take = [&](const T* x, index_t count, double mass) {
            for (index_t j = 0; j < count; ++j) {
                const double t = (static_cast<double>(x[j]) - offset[j]) * inverse_unit;
                first[j] += mass * t;
                second[j] += mass * (t * t);
            }
        };
        index_t i = begin;
        for (; i + rows <= end; i += rows) take(points.row(i) + from, width, points.mass(i));
        for (; i < end; ++i) take(points.row(i) + from, strip, points.mass(i));
        for (index_t j = 0; j < strip; ++j) sums[from + j] = 0.0;
        for (index_t j = 0; j < width; ++j) sums[from + j % strip] += first[j], total += second[j];
    }
    return total;
}

template <class T>
static double sse(const Points<T>& points, const T* centers, const std::int32_t* labels, double inverse_unit, index_t begin, index_t end) {
    double sum = 0.0;
    index_t i = begin;
    for (; i + 4 <= end; i += 4) {  // four rows at once; added one after another all the same
        double4 partial[4];
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) partial[p] = partial_sums(points.row(i + p), centers + labels[i + p] * points.d, 0, points.d, inverse_unit, double4{});
        const double4 square = add_lanes(partial[0], partial[1], partial[2], partial[3]);
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) sum += points.mass(i + p) * square[p];
    }
    for (; i < end; ++i)
        sum += points.mass(i) * square_of(points.row(i), centers + labels[i] * points.d, points.d, inverse_unit);
    return sum;
}

template <class T>
static void squares(const Points<T>& points, const T* centers, const std::int32_t* labels, double inverse_unit, index_t begin, index_t end,
                    double* out) {
    for (index_t i = begin; i < end; ++i, ++labels, ++out) *out = square_of(points.row(i), centers + *labels * points.d, points.d, inverse_unit);
}

template <class T>
static constexpr SeedKernels<T> seed_kernels{list_reachable<T>, list_marked, weigh<T>, lower<T>, measure<T>, lower_all<T>, total<T>, greatest<T>, make_sketch<T>, compare,
                                                    first_spreading<T>};

template <class T>
static constexpr PartitionKernels<T> partition_kernels{row_range<T>, add_moments<T>, project<T>, add_image<T>, add_products<T>, sift};

template <class T>
static constexpr AttributeKernels<T> attribute_kernels{add_moment<T>, find_positions<T>};

static constexpr TileKernels tile_kernels{center, rotate, add_pairs, add_quartics, find_cosines, add_curve<Tanh>, add_curve<Cube>};

#define SEEDBED_EXACT(T) \
    Exact<T> { square<T>, nearest<T>, nearest_pde<T>, moments<T>, sse<T>, squares<T>, &seed_kernels<T>, &partition_kernels<T>, &attribute_kernels<T>, &tile_kernels }
extern const Exact<float> exact_float = SEEDBED_EXACT(float);
extern const Exact<double> exact_double = SEEDBED_EXACT(double);

}  // namespace seedbed::SEEDBED_ISA
