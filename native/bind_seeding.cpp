#include "bindings.hpp"
#include "seeding.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

template <class T>
void bind_type(nb::module_& m) {
    m.def("distinct_rows", [](const Handle<T>& handle, index_t limit) {
        std::vector<index_t> rows;
        {
            nb::gil_scoped_release free;
            rows = distinct_rows(handle.data.points, limit);
        }
        const size_t n = rows.size();
        return take(std::move(rows), {n});
    }, "data"_a, "limit"_a);
}

}  // namespace

void bind_seeding(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace seedbed
