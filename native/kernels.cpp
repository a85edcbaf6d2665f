// Compiled once per instruction set (CMakeLists.txt); dispatch.cpp picks one table at run time.
#include "kernels.hpp"

#include "assign.hpp"
#include "bounds.hpp"
#include "coarse.hpp"
#include "groups.hpp"
#include "pack.hpp"

namespace seedbed::SEEDBED_ISA {

template <class T>
inline constexpr index_t kFewAttributes = 256 / sizeof(T);

// Of few attributes whose number is a power of two, many rows at a time stay in registers. False when a value is not finite.
template <class T>
static bool range_of_few(const T* x, index_t n, index_t d, T* least, T* greatest) {
    // Of the processor's own width: GCC 12 compares wider vectors value by value, which took AVX2 twenty times as long.
    typedef T values __attribute__((vector_size(kLanes * sizeof(float))));
    constexpr index_t kEach = sizeof(values) / sizeof(T), kStep = kFewAttributes<T>;
    constexpr int kVectors = kStep / kEach;
    values low[kVectors], high[kVectors], odd[kVectors] = {};
    for (int v = 0; v < kVectors; ++v) low[v] = high[v] = load<values>(x + v * kEach);
    index_t i = 0;
    for (; i + kStep <= n * d; i += kStep) {
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            const values r = load<values>(x + i + v * kEach);
            low[v] = r < low[v] ? r : low[v];
            high[v] = r > high[v] ? r : high[v];
            odd[v] += r - r;
        }
    }
    bool finite = true;
    const auto see = [&](T value, T other, T strange, index_t j) {
        least[j] = value < least[j] ? value : least[j];
        greatest[j] = other > greatest[j] ? other : greatest[j];
        finite = finite && strange == 0;
    };
    for (index_t j = 0; j < d; ++j) least[j] = greatest[j] = x[j];
    for (index_t p = 0; p < kStep; ++p) see(low[p / kEach][p % kEach], high[p / kEach][p % kEach], odd[p / kEach][p % kEach], p % d);
    for (; i < n * d; ++i) see(x[i], x[i], x[i] - x[i], i % d);
    return finite;
}

// Rows are taken several at a time so that narrow matrices fill a vector too.
template <class T>
static bool column_range(const T* x, index_t n, index_t d, T* least, T* greatest) {
    if (kFewAttributes<T> % d == 0 && n * d >= kFewAttributes<T>) return range_of_few(x, n, d, least, greatest);
    constexpr index_t kWide = 64;
    T low[kWide], high[kWide], odd[kWide];  // odd stays 0 while every value is finite: x - x is NaN otherwise
    bool finite = true;
    for (index_t from = 0; from < d; from += kWide) {  // a strip of attributes, or several rows of few
        const index_t rows = d < kWide ? kWide / d : 1;
        const index_t strip = d - from < kWide ? d - from : kWide, width = rows * strip;
        for (index_t j = 0; j < width; ++j) low[j] = high[j] = x[from + j % strip], odd[j] = 0;
        const auto take = [&](const T* r, index_t count) {
            for (index_t j = 0; j < count; ++j) {
                low[j] = r[j] < low[j] ? r[j] : low[j];
                high[j] = r[j] > high[j] ? r[j] : high[j];
                odd[j] += r[j] - r[j];
            }
        };
        index_t i = 0;
        for (; i + rows <= n; i += rows) take(x + i * d + from, width);
        for (; i < n; ++i) take(x + i * d + from, strip);
        for (index_t j = 0; j < width; ++j) {
            const index_t a = from + j % strip;
            least[a] = j < strip || low[j] < least[a] ? low[j] : least[a];
            greatest[a] = j < strip || high[j] > greatest[a] ? high[j] : greatest[a];
            finite = finite && odd[j] == 0;
        }
    }
    return finite;
}

template <class T>
static void move_one(const Step<T>& step, const SumSheet& sums, index_t i, std::int32_t from, std::int32_t to) {
    move_row(step, sums, i, from, to);
}

static std::uint32_t scan_block(const float* block, const Screen& screen, int count, std::int32_t* slots) {
    Nearest near;
    scan(block, screen, near);
    for (int p = 0; p < count; ++p) slots[p] = near.label[p];
    return undecided(near, screen, count);
}

#define SEEDBED_KERNELS(T) \
    Kernels<T> { column_range<T>, pack_coarse<T>, turn_rows, lloyd<T>, scan_block, label<T>, hamerly_first<T>, hamerly<T>, tie_pde<T>, grouped_first<false, T>, \
                 grouped<false, T>, grouped_first<true, T>, grouped<true, T>, move_one<T>, add_rows<T> }
extern const Kernels<float> kernels_float = SEEDBED_KERNELS(float);
extern const Kernels<double> kernels_double = SEEDBED_KERNELS(double);

}  // namespace seedbed::SEEDBED_ISA
