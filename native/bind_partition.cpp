#include "bindings.hpp"
#include "partition.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

template <class Value>
nb::object column(const std::vector<Split>& splits, Value Split::*field) {
    std::vector<Value> values;
    for (const Split& s : splits) values.push_back(s.*field);
    return take(std::move(values), {splits.size()});
}

template <class T>
nb::dict as_dict(Partition<T>&& found, index_t d) {
    const size_t k = static_cast<size_t>(found.k), n_attributes = static_cast<size_t>(d);
    nb::dict out;
    out["centers"] = take(std::move(found.centers), {k, n_attributes});
    out["sizes"] = take(std::move(found.sizes), {k});
    out["errors"] = take(std::move(found.errors), {k});
    out["cluster"] = column(found.splits, &Split::cluster);
    out["attribute"] = column(found.splits, &Split::attribute);
    out["threshold"] = column(found.splits, &Split::threshold);
    out["sse"] = column(found.splits, &Split::sse);
    out["left"] = column(found.splits, &Split::left);
    out["right"] = column(found.splits, &Split::right);
    out["residual"] = column(found.splits, &Split::residual);
    const size_t n_axes = found.axes.size() / n_attributes;
    out["axes"] = take(std::move(found.axes), {n_axes, n_attributes});
    return out;
}

template <class T>
void bind_type(nb::module_& m) {
    m.def("partition", [](const Handle<T>& handle, index_t k, int axis, int threshold, int bins, int n_threads) {
        const PartitionOptions options{k, static_cast<Axis>(axis), static_cast<Threshold>(threshold), bins, n_threads, signalled};
        Partition<T> found;
        {
            nb::gil_scoped_release free;
            found = partition(handle.data.points, options, &handle.data.frame);
        }
        return as_dict(std::move(found), handle.data.points.d);
    }, "data"_a, nb::kw_only(), "k"_a, "axis"_a, "threshold"_a, "bins"_a, "n_threads"_a);
}

}  // namespace

void bind_partition(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace seedbed
