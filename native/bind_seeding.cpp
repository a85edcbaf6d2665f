#include "bindings.hpp"
#include "seeding.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

nb::dict as_dict(Chosen&& chosen) {
    const size_t k = chosen.rows.size(), potentials = chosen.potential.size(), steps = chosen.distance.size();
    nb::dict out;
    out["rows"] = take(std::move(chosen.rows), {k});
    out["potential"] = take(std::move(chosen.potential), {potentials});
    out["distance"] = take(std::move(chosen.distance), {steps});
    out["distances"] = chosen.distances;
    return out;
}

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
    m.def("draw_seeds", [](const Handle<T>& handle, const Matrix<double>& uniforms, const Vector<index_t>& given, int n_threads) {
        const std::vector<index_t> first(given.data(), given.data() + given.shape(0));
        Chosen chosen;
        {
            nb::gil_scoped_release free;
            chosen = draw_seeds(handle.data, static_cast<index_t>(uniforms.shape(0)), uniforms.data(),
                                static_cast<index_t>(uniforms.shape(1)), n_threads, signalled, first);
        }
        return as_dict(std::move(chosen));
    }, "data"_a, "uniforms"_a.noconvert(), "given"_a.noconvert(), "n_threads"_a);
    m.def("farthest_seeds", [](const Handle<T>& handle, index_t n_clusters, index_t first, int n_threads) {
        Chosen chosen;
        {
            nb::gil_scoped_release free;
            chosen = farthest_seeds(handle.data, n_clusters, first, n_threads, signalled);
        }
        return as_dict(std::move(chosen));
    }, "data"_a, "n_clusters"_a, "first"_a, "n_threads"_a);
    m.def("label_means", [](const Handle<T>& handle, const Vector<std::int32_t>& labels, index_t n_labels) {
        if (static_cast<index_t>(labels.shape(0)) != handle.data.points.n) throw std::invalid_argument("one label for each row, please");
        std::vector<T> means;
        {
            nb::gil_scoped_release free;
            means = label_means(handle.data, labels.data(), n_labels);
        }
        return take(std::move(means), {static_cast<size_t>(n_labels), static_cast<size_t>(handle.data.points.d)});
    }, "data"_a, "labels"_a.noconvert(), "n_labels"_a);
    m.def("longest_row", [](const Handle<T>& handle) {
        nb::gil_scoped_release free;
        return longest_row(handle.data);
    }, "data"_a);
}

}  // namespace

void bind_seeding(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace seedbed
