#include <stdexcept>

#include "attributes.hpp"
#include "bindings.hpp"
#include "pyramid.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

// An array of doubles to be written to.
template <class T, size_t Dimensions> using Room = nb::ndarray<T, nb::numpy, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

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
    m.def("mean_of_attributes", [](const Handle<T>& handle, int n_threads) {
        std::vector<double> mean;
        {
            nb::gil_scoped_release free;
            mean = mean_of_attributes(handle.data, n_threads);
        }
        const size_t d = mean.size();
        return take(std::move(mean), {d});
    }, "data"_a, "n_threads"_a);
    m.def("range_of_attributes", [](const Handle<T>& handle) {
        const Frame<T>& frame = handle.data.frame;
        const size_t d = frame.least.size();
        return nb::make_tuple(take(std::vector<T>(frame.least), {d}), take(std::vector<T>(frame.greatest), {d}));
    }, "data"_a);
    m.def("unit_of", [](const Handle<T>& handle) { return handle.data.frame.unit; }, "data"_a);
    m.def("largest_magnitude", [](const Handle<T>& handle) {
        const Frame<T>& frame = handle.data.frame;
        return static_cast<double>(std::max(*std::max_element(frame.greatest.begin(), frame.greatest.end()),
                                            -*std::min_element(frame.least.begin(), frame.least.end())));
    }, "data"_a);
    m.def("grid_positions", [](const Handle<T>& handle, const Vector<index_t>& attributes, double steps, double offset, std::uint16_t top,
                               int n_threads) {
        Scratch<std::uint16_t> positions;
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
            groups = group_rows(rows.data(), static_cast<index_t>(rows.shape(0)), static_cast<index_t>(rows.shape(1)), 16, shift);
        }
        const size_t n = rows.shape(0), count = groups.first.size();
        return nb::make_tuple(take(std::move(groups.labels), {n}), take(std::move(groups.first), {count}));
    }, "rows"_a.noconvert(), "shift"_a);
    m.def("fewest_groups", [](const Matrix<std::uint16_t>& rows, int shift) {
        nb::gil_scoped_release free;
        return fewest_groups(rows.data(), static_cast<index_t>(rows.shape(0)), static_cast<index_t>(rows.shape(1)), 16, shift);
    }, "rows"_a.noconvert(), "shift"_a);
    m.attr("NEVER_JOINS") = kNeverJoins;
    m.def("sort_cells", [](const Matrix<std::uint16_t>& positions, int bits, const Vector<index_t>& keys, const nb::object& weight,
                           index_t least, double most) {
        const size_t n = positions.shape(0), d = positions.shape(1);
        const double* mass = nullptr;
        if (!weight.is_none()) {
            const auto given = nb::cast<Vector<double>>(weight);
            if (given.shape(0) != n) throw std::invalid_argument("one weight per row is needed");
            mass = given.data();
        }
        Cells cells{};
        {
            nb::gil_scoped_release free;
            cells = sort_cells(positions.data(), static_cast<index_t>(n), static_cast<index_t>(d), bits, keys.data(),
                               static_cast<index_t>(keys.shape(0)), mass, {least, most});
        }
        const size_t count = static_cast<size_t>(cells.n);
        return nb::make_tuple(cells.level, take(std::move(cells.means), {count, d}), take(std::move(cells.mass), {count}), take(std::move(cells.joins), {count}));
    }, "positions"_a.noconvert(), "bits"_a, "keys"_a.noconvert(), "weight"_a.none(), nb::kw_only(), "least"_a, "most"_a);
    m.def("make_picture", [](const Matrix<double>& cells, const Vector<double>& mass, const Vector<std::uint8_t>& joins, int level, Room<double, 2> means,
                             Room<double, 1> masses, Room<std::uint8_t, 1> left) {
        const size_t n = cells.shape(0), d = cells.shape(1);
        size_t count = 0;
        for (size_t i = 0; i < std::min(n, joins.shape(0)); ++i) count += i == 0 || joins(i) > level;
        if (mass.shape(0) != n || joins.shape(0) != n || means.shape(0) != count || means.shape(1) != d || masses.shape(0) != count ||
            left.shape(0) != count)
            throw std::invalid_argument("cells and the room for their picture do not fit together");
        nb::gil_scoped_release free;
        make_picture(cells.data(), mass.data(), joins.data(), static_cast<index_t>(n), static_cast<index_t>(d), level, means.data(), masses.data(), left.data());
    }, "cells"_a.noconvert(), "mass"_a.noconvert(), "joins"_a.noconvert(), "level"_a, "means"_a.noconvert(), "masses"_a.noconvert(),
        "left"_a.noconvert());
}

}  // namespace seedbed
