#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings.hpp"
#include "engine.hpp"
#include "pool.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

template <class T>
Points<T> points_of(const Matrix<T>& x, const nb::object& weight) {
    Points<T> p;
    p.x = x.data();
    p.n = static_cast<index_t>(x.shape(0));
    p.d = static_cast<index_t>(x.shape(1));
    if (!weight.is_none()) p.weight = nb::cast<Vector<double>>(weight).data();
    return p;
}

// Centres of another width would be read past their end.
void require_width(size_t columns, index_t d) {
    if (static_cast<index_t>(columns) != d)
        throw std::invalid_argument("centers have " + std::to_string(columns) + " columns, the data " + std::to_string(d) + ": give both the same");
}

template <class T>
Dataset<T> make_dataset(const Points<T>& p, int n_threads) {
    nb::gil_scoped_release free;
    return Dataset<T>(p, n_threads);
}

// In the order of seedbed._core._engine.Run. The history is one table, a row per iteration: a small fit would
// spend more on making four arrays than on an iteration.
template <class T>
nb::tuple as_tuple(Run<T>&& run, index_t d) {
    std::vector<double> history;
    history.reserve(4 * run.history.size());
    for (const Iteration& it : run.history)
        for (const double v : {it.sse, static_cast<double>(it.changed), static_cast<double>(it.distances), static_cast<double>(it.relocated)})
            history.push_back(v);
    const size_t rows = run.history.size(), n = run.labels.size();
    return nb::make_tuple(take(std::move(run.centers), {static_cast<size_t>(run.k), static_cast<size_t>(d)}),
                          n > 0 ? take(std::move(run.labels), {n}) : nb::none(), run.initial_sse, run.sse, run.n_iter,
                          static_cast<int>(run.reason), static_cast<int>(run.algorithm), run.distances, run.relocated, run.cpu_seconds,
                          take(std::move(history), {rows, size_t{4}}));
}

template <class T>
nb::list run_many_bound(Handle<T>& handle, const Cube<T>& centers, int algorithm, int stop, double tol, int max_iter, int empty,
                        int n_threads, bool history, bool keep_labels, nb::object ended) {
    require_width(centers.shape(2), handle.data.points.d);
    Options options{static_cast<Algorithm>(algorithm), static_cast<Stop>(stop), tol, max_iter, static_cast<Empty>(empty), n_threads, history};
    Watch watch{signalled, {}};
    if (!ended.is_none())
        watch.ended = [&](int iteration, const Iteration& it, const void* now, index_t k) {
            nb::gil_scoped_acquire held;
            const auto* first = static_cast<const T*>(now);
            const index_t d = handle.data.points.d;
            return nb::cast<bool>(ended(iteration, it.sse * handle.data.frame.unit * handle.data.frame.unit, it.changed, it.distances,
                                        take(std::vector<T>(first, first + k * d), {static_cast<size_t>(k), static_cast<size_t>(d)})));
        };
    std::vector<Run<T>> runs;
    {
        nb::gil_scoped_release free;
        runs = run_many(handle.data, centers.data(), static_cast<index_t>(centers.shape(0)), static_cast<index_t>(centers.shape(1)),
                        options, keep_labels, watch);
    }
    nb::list out;
    for (Run<T>& r : runs) out.append(as_tuple(std::move(r), handle.data.points.d));
    return out;
}

// Distance of every row to every centre, from differences, n x k.
template <class T>
nb::object distances_bound(const Handle<T>& handle, const Matrix<T>& centers, int n_threads) {
    const Points<T>& p = handle.data.points;
    require_width(centers.shape(1), p.d);
    const double inverse = handle.data.inverse_unit(), unit = handle.data.frame.unit;
    const index_t k = static_cast<index_t>(centers.shape(0));
    std::vector<T> out(p.n * k);
    {
        nb::gil_scoped_release free;
        parallel_for((p.n + kTask - 1) / kTask, n_threads, [&](index_t t, int) {
            for (index_t i = t * kTask; i < std::min(p.n, (t + 1) * kTask); ++i)
                for (index_t c = 0; c < k; ++c)
                    out[i * k + c] = static_cast<T>(std::sqrt(exact<T>().square(p.row(i), centers.data() + c * p.d, p.d, inverse)) * unit);
        });
    }
    return take(std::move(out), {static_cast<size_t>(p.n), static_cast<size_t>(k)});
}

template <class T>
void bind_type(nb::module_& m, const char* name) {
    nb::class_<Handle<T>>(m, name)
        .def("__init__", [](Handle<T>* self, Matrix<T> x, nb::object weight, int n_threads) {
            const Points<T> p = points_of(x, weight);
            new (self) Handle<T>{x, weight, make_dataset(p, n_threads)};
        }, "x"_a.noconvert(), "weight"_a.none(), "n_threads"_a)
        .def("run_many", &run_many_bound<T>, "centers"_a.noconvert(), nb::kw_only(), "algorithm"_a, "stop"_a, "tol"_a, "max_iter"_a, "empty"_a,
             "n_threads"_a, "history"_a, "keep_labels"_a, "ended"_a.none())
        .def("assign", [](const Handle<T>& self, const Matrix<T>& centers, int n_threads) {
            require_width(centers.shape(1), self.data.points.d);
            std::vector<std::int32_t> labels(self.data.points.n);
            {
                nb::gil_scoped_release free;
                assign(self.data, centers.data(), static_cast<index_t>(centers.shape(0)), n_threads, labels.data());
            }
            const size_t n = labels.size();
            return take(std::move(labels), {n});
        }, "centers"_a.noconvert(), "n_threads"_a)
        .def("distances", &distances_bound<T>, "centers"_a.noconvert(), "n_threads"_a)
        .def("sse", [](const Handle<T>& self, const Matrix<T>& centers, const Vector<std::int32_t>& labels, int n_threads) {
            require_width(centers.shape(1), self.data.points.d);
            if (static_cast<index_t>(labels.shape(0)) != self.data.points.n) throw std::invalid_argument("labels and data differ in length");
            nb::gil_scoped_release free;
            return sum_of_squares(self.data, centers.data(), labels.data(), n_threads);
        }, "centers"_a.noconvert(), "labels"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_engine(nb::module_& m) {
    bind_type<float>(m, "DatasetFloat");
    bind_type<double>(m, "DatasetDouble");
    m.def("instruction_set", &instruction_set);
    nb::exception<EmptyCluster>(m, "EmptyCluster");
    static PyObject* too_few = nb::exception<TooFewDistinct>(m, "TooFewDistinct").ptr();
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const TooFewDistinct& e) {
            PyErr_SetObject(too_few, nb::int_(e.distinct).ptr());
        } catch (const Interrupted&) {
            if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
}

}  // namespace seedbed
