// What the binding files share: array types (checked by nanobind) and the parts of the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <vector>

#include "dataset.hpp"
#include "scratch.hpp"

namespace seedbed {

namespace nb = nanobind;

template <class T> using Matrix = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T> using Vector = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T> using Cube = nb::ndarray<const T, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// A new numpy array that takes over the memory of a vector.
template <class T>
nb::object take(std::vector<T>&& values, std::initializer_list<size_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner).cast();
}

// The same for memory that was made for all rows.
template <class T>
nb::object take(Scratch<T>&& values, std::initializer_list<size_t> shape) {
    auto* owned = new Scratch<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Scratch<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(owned->get(), shape, owner).cast();
}

template <class T>
struct Handle {  // keeps the arrays alive that the data set points into
    Matrix<T> x;
    nb::object weight;
    Dataset<T> data;
};

// Whether Python has a signal (Ctrl-C) to raise; to be asked without the interpreter lock.
inline bool signalled() {
    nb::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
}

void bind_engine(nb::module_& m);
void bind_seeding(nb::module_& m);
void bind_partition(nb::module_& m);
void bind_attributes(nb::module_& m);
void bind_search(nb::module_& m);
void bind_fast_ica(nb::module_& m);
void bind_criteria(nb::module_& m);
void bind_overlap(nb::module_& m);
void bind_argsort(nb::module_& m);

}  // namespace seedbed
