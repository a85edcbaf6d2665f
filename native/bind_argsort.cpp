#include "argsort.hpp"
#include "bindings.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

template <class T>
void bind_type(nb::module_& m) {
    m.def("argsort", [](const Vector<T>& keys, int n_threads) {
        const size_t n = keys.shape(0);
        std::vector<index_t> rows(n);
        std::vector<T> sorted(n);
        {
            nb::gil_scoped_release free;
            argsort(keys.data(), static_cast<index_t>(n), rows.data(), sorted.data(), n_threads);
        }
        return nb::make_tuple(take(std::move(rows), {n}), take(std::move(sorted), {n}));
    }, "keys"_a.noconvert(), "n_threads"_a);
    m.def("select_rows", [](const Vector<T>& keys, const Vector<index_t>& places, int n_threads) {
        const size_t count = places.shape(0);
        std::vector<index_t> rows(count);
        {
            nb::gil_scoped_release free;
            select_rows(keys.data(), static_cast<index_t>(keys.shape(0)), places.data(), static_cast<index_t>(count), rows.data(), n_threads);
        }
        return take(std::move(rows), {count});
    }, "keys"_a.noconvert(), "places"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_argsort(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace seedbed
