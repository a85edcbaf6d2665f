#include <stdexcept>

#include "bindings.hpp"
#include "hartigan.hpp"
#include "nearest.hpp"
#include "swap.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

template <class T>
index_t require_fit(const Handle<T>& handle, const Matrix<T>& centers) {
    if (static_cast<index_t>(centers.shape(1)) != handle.data.points.d || centers.shape(0) == 0)
        throw std::invalid_argument("centers must have as many columns as the data, and a row at least");
    return static_cast<index_t>(centers.shape(0));
}

template <class T>
nb::tuple refine(const Handle<T>& handle, const Matrix<T>& centers, const Vector<std::int32_t>& labels, index_t max_passes, int n_threads) {
    const index_t k = require_fit(handle, centers);
    if (static_cast<index_t>(labels.shape(0)) != handle.data.points.n) throw std::invalid_argument("labels and data differ in length");
    Refined<T> out;
    {
        nb::gil_scoped_release free;
        out = hartigan(handle.data, centers.data(), k, labels.data(), max_passes, n_threads, signalled);
    }
    std::vector<double> passes;
    for (const Pass& p : out.passes)
        for (const double v : {p.sse, static_cast<double>(p.moved), static_cast<double>(p.distances)}) passes.push_back(v);
    const size_t rows = out.passes.size(), n = out.labels.size();
    return nb::make_tuple(take(std::move(out.centers), {static_cast<size_t>(k), static_cast<size_t>(handle.data.points.d)}),
                          take(std::move(out.labels), {n}), take(std::move(passes), {rows, size_t{3}}));
}

template <class T>
nb::tuple nearest_bound(const Handle<T>& handle, const Matrix<T>& centers, int n_threads) {
    const index_t k = require_fit(handle, centers);
    const size_t n = static_cast<size_t>(handle.data.points.n);
    std::vector<std::int32_t> labels(n);
    std::vector<double> squares(n);
    {
        nb::gil_scoped_release free;
        nearest(handle.data, centers.data(), k, n_threads, labels.data(), squares.data());
    }
    return nb::make_tuple(take(std::move(labels), {n}), take(std::move(squares), {n}));
}

// Labels and squares are new arrays.
template <class T>
nb::tuple lower_nearest_bound(const Handle<T>& handle, const Matrix<T>& old, const Matrix<T>& fresh, const Vector<std::int32_t>& labels,
                              const Vector<double>& squares, int n_threads) {
    const index_t k = require_fit(handle, old), m = require_fit(handle, fresh);
    const size_t n = static_cast<size_t>(handle.data.points.n);
    if (labels.shape(0) != n || squares.shape(0) != n) throw std::invalid_argument("labels, squares and data differ in length");
    std::vector<std::int32_t> near(labels.data(), labels.data() + n);
    std::vector<double> least(squares.data(), squares.data() + n);
    if (std::any_of(near.begin(), near.end(), [k](std::int32_t c) { return c < 0 || c >= k; })) throw std::invalid_argument("label out of range");
    {
        nb::gil_scoped_release free;
        lower_nearest(handle.data, old.data(), k, fresh.data(), m, n_threads, near.data(), least.data());
    }
    return nb::make_tuple(take(std::move(near), {n}), take(std::move(least), {n}));
}

template <class T>
nb::tuple two_nearest_bound(const Handle<T>& handle, const Matrix<T>& centers, int n_threads) {
    const index_t k = require_fit(handle, centers);
    TwoNearest out;
    {
        nb::gil_scoped_release free;
        out = two_nearest(handle.data, centers.data(), k, n_threads);
    }
    const size_t n = out.first.size();
    return nb::make_tuple(take(std::move(out.first), {n}), take(std::move(out.square), {n}), take(std::move(out.second), {n}),
                          take(std::move(out.next_square), {n}));
}

template <class T>
nb::dict swap_search_bound(const Handle<T>& handle, const Matrix<T>& centers, const Matrix<double>& uniforms, int n_threads) {
    const index_t k = require_fit(handle, centers);
    Swapped<T> out;
    {
        nb::gil_scoped_release free;
        out = swap_search(handle.data, centers.data(), k, uniforms.data(), static_cast<index_t>(uniforms.shape(0)),
                          static_cast<index_t>(uniforms.shape(1)), n_threads, signalled);
    }
    const size_t steps = out.cost.size();
    nb::dict found;
    found["centers"] = take(std::move(out.centers), {static_cast<size_t>(k), static_cast<size_t>(handle.data.points.d)});
    found["rows"] = take(std::move(out.rows), {static_cast<size_t>(k)});
    found["cost"] = take(std::move(out.cost), {steps});
    found["distances"] = out.distances;
    return found;
}

template <class T>
nb::tuple best_mean_swap_bound(const Handle<T>& handle, const Matrix<T>& centers, index_t row, int n_threads) {
    const index_t k = require_fit(handle, centers), d = handle.data.points.d;
    if (row < 0 || row >= handle.data.points.n) throw std::invalid_argument("no such row");
    std::vector<T> means(centers.data(), centers.data() + k * d);
    index_t replaced = -1;
    {
        nb::gil_scoped_release free;
        replaced = best_mean_swap(handle.data, row, k, n_threads, means.data());
    }
    return nb::make_tuple(replaced, take(std::move(means), {static_cast<size_t>(k), static_cast<size_t>(d)}));
}

template <class T>
void bind_type(nb::module_& m) {
    m.def("hartigan", &refine<T>, "data"_a, "centers"_a.noconvert(), "labels"_a.noconvert(), "max_passes"_a, "n_threads"_a);
    m.def("nearest", &nearest_bound<T>, "data"_a, "centers"_a.noconvert(), "n_threads"_a);
    m.def("lower_nearest", &lower_nearest_bound<T>, "data"_a, "old"_a.noconvert(), "fresh"_a.noconvert(), "labels"_a.noconvert(),
          "squares"_a.noconvert(), "n_threads"_a);
    m.def("two_nearest", &two_nearest_bound<T>, "data"_a, "centers"_a.noconvert(), "n_threads"_a);
    m.def("swap_search", &swap_search_bound<T>, "data"_a, "centers"_a.noconvert(), "uniforms"_a.noconvert(), "n_threads"_a);
    m.def("best_mean_swap", &best_mean_swap_bound<T>, "data"_a, "centers"_a.noconvert(), "row"_a, "n_threads"_a);
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace seedbed
