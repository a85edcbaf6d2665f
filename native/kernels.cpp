// Compiled once per instruction set (CMakeLists.txt); dispatch.cpp picks one table at run time.
#include "kernels.hpp"

#include "assign.hpp"
#include "bounds.hpp"
#include "pack.hpp"
#include "products.hpp"

namespace seedbed::SEEDBED_ISA {

// Rows are taken several at a time so that narrow matrices fill a vector too.
template <class T>
static bool column_range(const T* x, index_t n, index_t d, T* least, T* greatest) {
    constexpr index_t kWide = 64;
    const index_t rows = d >= kWide ? 1 : kWide / d;
    const index_t width = rows * d < kWide ? rows * d : (d >= kWide ? d : rows * d);
    for (index_t j = 0; j < d; ++j) least[j] = greatest[j] = x[j];
    T finite = 0;  // stays 0 while every value is finite: x - x is NaN otherwise
    if (d < kWide) {
        T low[kWide], high[kWide], nan[kWide] = {};
        for (index_t j = 0; j < width; ++j) low[j] = high[j] = x[j % d];
        index_t i = 0;
        for (; i + rows <= n; i += rows) {
            const T* r = x + i * d;
            for (index_t j = 0; j < width; ++j) {
                low[j] = r[j] < low[j] ? r[j] : low[j];
                high[j] = r[j] > high[j] ? r[j] : high[j];
                nan[j] += r[j] - r[j];
            }
        }
        for (index_t j = 0; j < width; ++j) {
            least[j % d] = low[j] < least[j % d] ? low[j] : least[j % d];
            greatest[j % d] = high[j] > greatest[j % d] ? high[j] : greatest[j % d];
            finite += nan[j];
        }
        x += i * d;
        n -= i;
    }
    for (index_t i = 0; i < n; ++i, x += d) {
        for (index_t j = 0; j < d; ++j) {
            least[j] = x[j] < least[j] ? x[j] : least[j];
            greatest[j] = x[j] > greatest[j] ? x[j] : greatest[j];
        }
        for (index_t j = 0; j < d; ++j) finite += x[j] - x[j];
    }
    return finite == 0;
}

template <class T>
static void pack(const Step<T>& step, index_t begin, index_t end, float* packed) {
    for (index_t b = begin; b < end; b += kBlock) pack_range(step, b, end, packed + (b / kBlock) * kBlock * step.points.d);
}

template <class T>
static void move_one(const Step<T>& step, const SumSheet& sums, index_t i, std::int32_t from, std::int32_t to) {
    move_row(step, sums, i, from, to);
}

#define SEEDBED_KERNELS(T) \
    Kernels<T> { column_range<T>, pack<T>, lloyd<T>, label<T>, hamerly_first<T>, hamerly<T>, move_one<T>, add_products<T> }
extern const Kernels<float> kernels_float = SEEDBED_KERNELS(float);
extern const Kernels<double> kernels_double = SEEDBED_KERNELS(double);

}  // namespace seedbed::SEEDBED_ISA
