#include <stdexcept>

#include "bindings.hpp"
#include "criteria.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

nb::object take_all(std::vector<std::int64_t>&& values) {
    const size_t n = values.size();
    return take(std::move(values), {n});
}

template <class T>
nb::tuple contingency_bound(const Vector<T>& truth, const Vector<T>& predicted) {
    if (truth.shape(0) != predicted.shape(0)) throw std::invalid_argument("labellings of different lengths");
    Contingency table;
    {
        nb::gil_scoped_release free;
        table = contingency(truth.data(), predicted.data(), static_cast<index_t>(truth.shape(0)));
    }
    return nb::make_tuple(take_all(std::move(table.classes)), take_all(std::move(table.clusters)),
                          take_all(std::move(table.rows)), take_all(std::move(table.columns)),
                          take_all(std::move(table.counts)), take_all(std::move(table.row_margins)),
                          take_all(std::move(table.column_margins)));
}

nb::object pairs_bound(const Vector<std::int64_t>& counts) {
    uint128_t sum = 0;
    {
        nb::gil_scoped_release free;
        sum = pairs(counts.data(), static_cast<index_t>(counts.shape(0)));
    }
    const nb::int_ high(static_cast<std::uint64_t>(sum >> 64)), low(static_cast<std::uint64_t>(sum));
    return (high << nb::int_(64)) | low;
}

std::int64_t sum_of_largest_bound(const Vector<std::int64_t>& counts, const Vector<std::int64_t>& groups, index_t n_groups) {
    const size_t n = counts.shape(0);
    if (groups.shape(0) != n) throw std::invalid_argument("one group for each count");
    for (size_t i = 0; i < n; ++i)
        if (groups(i) < 0 || groups(i) >= n_groups) throw std::invalid_argument("no such group");
    return sum_of_largest(counts.data(), groups.data(), static_cast<index_t>(n), n_groups);
}

}  // namespace

void bind_criteria(nb::module_& m) {
    m.def("contingency", &contingency_bound<std::int32_t>, "truth"_a.noconvert(), "predicted"_a.noconvert());
    m.def("contingency", &contingency_bound<std::int64_t>, "truth"_a.noconvert(), "predicted"_a.noconvert());
    m.def("sum_of_largest", &sum_of_largest_bound, "counts"_a.noconvert(), "groups"_a.noconvert(), "n_groups"_a);
    m.def("pairs", &pairs_bound, "counts"_a.noconvert());
}

}  // namespace seedbed
