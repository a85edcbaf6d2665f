#include <stdexcept>

#include "attributes.hpp"
#include "bindings.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

template <class T>
void bind_type(nb::module_& m) {
    m.def("describe_attributes", [](const Handle<T>& handle, int n_threads) {
        Attributes<T> found;
        {
            nb::gil_scoped_release free;
            found = describe_attributes(handle.data, n_threads);
        }
        const size_t d = found.mean.size();
        nb::dict out;
        out["least"] = take(std::move(found.least), {d});
        out["greatest"] = take(std::move(found.greatest), {d});
        out["mean"] = take(std::move(found.mean), {d});
        out["deviation"] = take(std::move(found.deviation), {d});
        return out;
    }, "data"_a, "n_threads"_a);
    m.def("grid_positions", [](const Handle<T>& handle, const Vector<index_t>& attributes, double steps, double offset, std::uint16_t top,
                               int n_threads) {
        std::vector<std::uint16_t> positions;
        {
            nb::gil_scoped_release free;
            positions = grid_positions(handle.data, attributes.data(), static_cast<index_t>(attributes.shape(0)), {steps, offset, top}, n_threads);
        }
        return take(std::move(positions), {static_cast<size_t>(handle.data.points.n), attributes.shape(0)});
    }, "data"_a, "attributes"_a.noconvert(), nb::kw_only(), "steps"_a, "offset"_a, "top"_a, "n_threads"_a);
}

}  // namespace

void bind_attributes(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
    m.def("group_rows", [](const Matrix<std::uint16_t>& rows, int shift) {
        Groups groups;
        {
            nb::gil_scoped_release free;
            groups = group_rows(rows.data(), static_cast<index_t>(rows.shape(0)), static_cast<index_t>(rows.shape(1)), shift);
        }
        const size_t n = groups.labels.size(), count = groups.first.size();
        return nb::make_tuple(take(std::move(groups.labels), {n}), take(std::move(groups.first), {count}));
    }, "rows"_a.noconvert(), "shift"_a);
    m.def("group_sums", [](const Matrix<double>& rows, const Vector<std::int32_t>& labels, index_t count) {
        if (labels.shape(0) != rows.shape(0)) throw std::invalid_argument("one label per row is needed");
        std::vector<double> sums;
        {
            nb::gil_scoped_release free;
            sums = group_sums(rows.data(), static_cast<index_t>(rows.shape(0)), static_cast<index_t>(rows.shape(1)), labels.data(), count);
        }
        return take(std::move(sums), {static_cast<size_t>(count), rows.shape(1)});
    }, "rows"_a.noconvert(), "labels"_a.noconvert(), "count"_a);
}

}  // namespace seedbed
