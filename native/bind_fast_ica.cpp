#include <stdexcept>

#include "bindings.hpp"
#include "fast_ica.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;
using Data = Handle<double>;

Seen seen_from(const Data& data, const Vector<double>& origin) {
    if (static_cast<index_t>(origin.shape(0)) != data.data.points.d) throw std::invalid_argument("data and origin do not fit together");
    return {data.data.points, origin.data(), 1.0 / data.data.frame.total_mass};
}

index_t axes_of(const Data& data, const Matrix<double>& axes) {
    if (static_cast<index_t>(axes.shape(1)) != data.data.points.d) throw std::invalid_argument("data and axes do not fit together");
    return static_cast<index_t>(axes.shape(0));
}

nb::object second_moments_bound(const Data& data, const Vector<double>& origin, int n_threads) {
    const Seen rows = seen_from(data, origin);
    std::vector<double> sums;
    {
        nb::gil_scoped_release free;
        sums = second_moments(rows, n_threads);
    }
    const size_t count = sums.size();
    return take(std::move(sums), {count});
}

nb::object fourth_moments_bound(const Data& data, const Vector<double>& origin, const Matrix<double>& axes, int n_threads) {
    const Seen rows = seen_from(data, origin);
    const index_t r = axes_of(data, axes);
    std::vector<double> sums;
    {
        nb::gil_scoped_release free;
        sums = fourth_moments(rows, axes.data(), r, n_threads);
    }
    const size_t count = sums.size();
    return take(std::move(sums), {count});
}

nb::tuple whiten_bound(const Data& data, const Vector<double>& origin, const Matrix<double>& axes, int n_threads) {
    const Seen rows = seen_from(data, origin);
    const size_t r = static_cast<size_t>(axes_of(data, axes)), n = static_cast<size_t>((rows.points.n + kTileRows - 1) / kTileRows);
    std::vector<double> values(n * r * kTileRows), share(n * kTileRows);
    {
        nb::gil_scoped_release free;
        whiten(rows, axes.data(), static_cast<index_t>(r), n_threads, values.data(), share.data());
    }
    return nb::make_tuple(take(std::move(values), {n, r, size_t{kTileRows}}), take(std::move(share), {n, size_t{kTileRows}}));
}

nb::object contrast_bound(const Cube<double>& tiles, const Matrix<double>& share, const Matrix<double>& rotation, bool cube, int n_threads) {
    const size_t n = tiles.shape(0), r = tiles.shape(1);
    if (tiles.shape(2) != kTileRows || share.shape(0) != n || share.shape(1) != kTileRows || rotation.shape(0) != r || rotation.shape(1) != r)
        throw std::invalid_argument("tiles, shares and rotation do not fit together");
    std::vector<double> sums;
    {
        nb::gil_scoped_release free;
        sums = contrast({tiles.data(), share.data(), static_cast<index_t>(n), static_cast<index_t>(r)}, rotation.data(),
                        cube ? Curve::cube : Curve::tanh, n_threads);
    }
    return take(std::move(sums), {r, r + 1});
}

nb::list leading_rows_bound(const Data& data, const Vector<double>& origin, const Matrix<double>& axes, const Vector<double>& ceiling,
                            bool absolute, double tie, int n_threads) {
    const Seen rows = seen_from(data, origin);
    const index_t r = axes_of(data, axes);
    if (static_cast<index_t>(ceiling.shape(0)) != r) throw std::invalid_argument("a ceiling for each axis is needed");
    std::vector<Leading> found;
    {
        nb::gil_scoped_release free;
        found = leading_rows(rows, {axes.data(), r, ceiling.data(), absolute, tie}, n_threads);
    }
    nb::list out;
    for (Leading& leading : found) {
        const size_t count = leading.rows.size();
        out.append(nb::make_tuple(leading.cosine, take(std::move(leading.rows), {count})));
    }
    return out;
}

}  // namespace

void bind_fast_ica(nb::module_& m) {
    m.attr("TILE_ROWS") = kTileRows;
    m.def("second_moments", &second_moments_bound, "data"_a, "origin"_a.noconvert(), "n_threads"_a);
    m.def("fourth_moments", &fourth_moments_bound, "data"_a, "origin"_a.noconvert(), "axes"_a.noconvert(), "n_threads"_a);
    m.def("whiten", &whiten_bound, "data"_a, "origin"_a.noconvert(), "axes"_a.noconvert(), "n_threads"_a);
    m.def("contrast", &contrast_bound, "tiles"_a.noconvert(), "share"_a.noconvert(), "rotation"_a.noconvert(), nb::kw_only(), "cube"_a,
          "n_threads"_a);
    m.def("leading_rows", &leading_rows_bound, "data"_a, "origin"_a.noconvert(), "axes"_a.noconvert(), "ceiling"_a.noconvert(), nb::kw_only(),
          "absolute"_a, "tie"_a, "n_threads"_a);
}

}  // namespace seedbed
