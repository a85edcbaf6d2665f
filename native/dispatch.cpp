// Picks the widest instruction set that this processor has, once. SEEDBED_ISA=baseline|avx2|avx512 in
// the environment asks for another (for tests: results are the same bits with each).
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "kernels.hpp"

namespace seedbed {

#define SEEDBED_DECLARE(isa)                    \
    namespace isa {                             \
    extern const Kernels<float> kernels_float;  \
    extern const Kernels<double> kernels_double; \
    extern const Exact<float> exact_float;      \
    extern const Exact<double> exact_double;    \
    }
SEEDBED_DECLARE(baseline)
#ifdef SEEDBED_HAS_avx2
SEEDBED_DECLARE(avx2)
#endif
#ifdef SEEDBED_HAS_avx512
SEEDBED_DECLARE(avx512)
#endif

namespace {

struct Table {
    const char* name;
    const Kernels<float>* kernels_float;
    const Kernels<double>* kernels_double;
    const Exact<float>* exact_float;
    const Exact<double>* exact_double;
    bool supported;
};

#define SEEDBED_TABLE(isa, supported) \
    Table { #isa, &isa::kernels_float, &isa::kernels_double, &isa::exact_float, &isa::exact_double, supported }

Table choose() {
    const char* wanted = std::getenv("SEEDBED_ISA");
    const Table tables[] = {  // widest first
#ifdef SEEDBED_HAS_avx512
        SEEDBED_TABLE(avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                                  __builtin_cpu_supports("fma")),
#endif
#ifdef SEEDBED_HAS_avx2
        SEEDBED_TABLE(avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")),
#endif
        SEEDBED_TABLE(baseline, true),
    };
    for (const Table& t : tables)
        if (t.supported && (!wanted || !*wanted || std::string(wanted) == t.name)) return t;
    throw std::invalid_argument("SEEDBED_ISA=" + std::string(wanted) +
                                " is not available here; use baseline, avx2 or avx512 as the processor allows, or unset it");
}

const Table& table() {
    static const Table chosen = choose();
    return chosen;
}

}  // namespace

template <> const Kernels<float>& kernels<float>() { return *table().kernels_float; }
template <> const Kernels<double>& kernels<double>() { return *table().kernels_double; }
template <> const Exact<float>& exact<float>() { return *table().exact_float; }
template <> const Exact<double>& exact<double>() { return *table().exact_double; }
const char* instruction_set() { return table().name; }

}  // namespace seedbed
