#include <memory>
#include <string>

#include "bindings.hpp"
#include "gaussian.hpp"
#include "overlap.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;
using Writable = nb::ndarray<double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct Shape {
    index_t k, d;
};

Shape shape_of(const Matrix<double>& means, const Cube<double>& covariances) {
    const size_t k = means.shape(0), d = means.shape(1);
    if (k == 0 || d == 0 || covariances.shape(0) != k || covariances.shape(1) != d || covariances.shape(2) != d)
        throw std::invalid_argument("means and covariances do not fit");
    return {static_cast<index_t>(k), static_cast<index_t>(d)};
}

void make_model(OverlapModel* self, const Matrix<double>& means, const Cube<double>& covariances) {
    const auto [k, d] = shape_of(means, covariances);
    nb::gil_scoped_release free;
    new (self) OverlapModel(means.data(), covariances.data(), k, d);
}

nb::object map_bound(const OverlapModel& self, const Vector<double>& weights, const Vector<double>& scale, bool limit) {
    const auto k = static_cast<size_t>(self.k());
    if (weights.shape(0) != k || scale.shape(0) != k) throw std::invalid_argument("one weight and scale per component");
    std::vector<double> out(k * k);
    {
        nb::gil_scoped_release free;
        self.map(weights.data(), scale.data(), limit, out.data());
    }
    return take(std::move(out), {k, k});
}

void normals_bound(Writable& uniforms) {
    const auto n = static_cast<index_t>(uniforms.shape(0) * uniforms.shape(1));
    double* u = uniforms.data();
    nb::gil_scoped_release free;
    normals(u, n);
}

nb::object draw_covariances_bound(const Cube<double>& points, double eccentricity) {
    const size_t k = points.shape(0), d = points.shape(2);
    if (k == 0 || d == 0 || points.shape(1) != d + 1) throw std::invalid_argument("give k x (d + 1) x d points");
    std::vector<double> out(k * d * d);
    {
        nb::gil_scoped_release free;
        draw_covariances(points.data(), static_cast<index_t>(k), static_cast<index_t>(d), eccentricity, out.data());
    }
    return take(std::move(out), {k, d, d});
}

void place_points_bound(Writable& points, const Vector<std::int32_t>& component, const Matrix<double>& means,
                        const Cube<double>& covariances) {
    const auto [k, d] = shape_of(means, covariances);
    const size_t n = points.shape(0);
    if (component.shape(0) != n || points.shape(1) != static_cast<size_t>(d))
        throw std::invalid_argument("points, components and means do not fit");
    for (size_t i = 0; i < n; ++i)
        if (component.data()[i] < 0 || component.data()[i] >= k) throw std::invalid_argument("no such component");
    double* z = points.data();
    nb::gil_scoped_release free;
    place_points(z, component.data(), means.data(), lower_factors(covariances.data(), k, d), static_cast<index_t>(n), d);
}

}  // namespace

void bind_overlap(nb::module_& m) {
    // The component at fault is the only argument of the Python exception.
    static PyObject* refused = nb::exception<NotPositiveDefinite>(m, "NotPositiveDefinite", PyExc_ValueError).ptr();
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const NotPositiveDefinite& error) {
            PyErr_SetObject(refused, nb::int_(error.component).ptr());
        }
    });
    nb::class_<OverlapModel>(m, "OverlapModel")
        .def("__init__", &make_model, "means"_a.noconvert(), "covariances"_a.noconvert())
        .def("map", &map_bound, "weights"_a.noconvert(), "scale"_a.noconvert(), "limit"_a);
    m.def("normals", &normals_bound, "uniforms"_a.noconvert());
    m.def("draw_covariances", &draw_covariances_bound, "points"_a.noconvert(), "eccentricity"_a);
    m.def("place_points", &place_points_bound, "points"_a.noconvert(), "component"_a.noconvert(), "means"_a.noconvert(),
          "covariances"_a.noconvert());
}

}  // namespace seedbed
