#include "bindings.hpp"
#include "parts.hpp"
#include "pcg64.hpp"
#include "seeding.hpp"

namespace seedbed {
namespace {

using namespace nb::literals;

// In the order of seedbed._core._seeding.Drawn, and of Farthest.
nb::tuple as_tuple(Chosen&& chosen, std::vector<double>& along) {
    const size_t k = chosen.rows.size(), n = along.size();
    return nb::make_tuple(take(std::move(chosen.rows), {k}), take(std::move(along), {n}), chosen.distances);
}

nb::tuple as_drawn(Chosen&& chosen) { return as_tuple(std::move(chosen), chosen.potential); }

template <class T>
nb::list draw_starts_bound(const Handle<T>& handle, const double* uniforms, size_t starts, size_t rounds, size_t trials, int n_threads) {
    if (starts == 0) throw std::invalid_argument("one start at least");
    std::vector<Chosen> chosen;
    {
        nb::gil_scoped_release free;
        chosen = draw_starts(handle.data, static_cast<index_t>(rounds), uniforms, static_cast<index_t>(starts), static_cast<index_t>(trials),
                             n_threads, signalled);
    }
    nb::list out;
    for (Chosen& c : chosen) out.append(as_drawn(std::move(c)));
    return out;
}

// So many uniform numbers of each stream.
std::vector<double> uniforms_of(const Vector<std::uint64_t>& words, size_t each) {
    if (words.shape(0) % 4 != 0) throw std::invalid_argument("four words for each stream, please");
    std::vector<double> out;
    out.reserve(words.shape(0) / 4 * each);
    for (size_t s = 0; s < words.shape(0); s += 4) {
        Pcg64 random(words.data() + s);
        for (size_t i = 0; i < each; ++i) out.push_back(random.uniform());
    }
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
    m.def("count_distinct", [](const Handle<T>& handle, index_t limit) {
        nb::gil_scoped_release free;
        return static_cast<index_t>(distinct_rows(handle.data.points, limit).size());
    }, "data"_a, "limit"_a);
    m.def("distinct_among", [](const Handle<T>& handle, index_t limit, const Vector<index_t>& among) {
        std::vector<index_t> places;
        {
            nb::gil_scoped_release free;
            places = distinct_rows(handle.data.points, limit, among.data(), static_cast<index_t>(among.shape(0)));
        }
        const size_t n = places.size();
        return take(std::move(places), {n});
    }, "data"_a, "limit"_a, "among"_a.noconvert());
    m.def("cluster_parts", [](const Handle<T>& handle, const Vector<index_t>& rows, const Vector<index_t>& ends, const Matrix<index_t>& starts,
                              double tol, int max_iter, int n_threads) {
        const size_t parts = ends.shape(0), k = starts.shape(1);
        index_t before = 0;
        for (size_t p = 0; p < parts; ++p) {
            if (ends(p) <= before) throw std::invalid_argument("a part must have a row at least");
            before = ends(p);
        }
        if (before != static_cast<index_t>(rows.shape(0)) || starts.shape(0) != parts) throw std::invalid_argument("rows, ends and starts do not fit together");
        std::vector<T> centers;
        {
            nb::gil_scoped_release free;
            centers = cluster_parts(handle.data, {rows.data(), ends.data(), static_cast<index_t>(parts)}, starts.data(), static_cast<index_t>(k),
                                    tol, max_iter, n_threads, signalled);
        }
        return take(std::move(centers), {parts, k, static_cast<size_t>(handle.data.points.d)});
    }, "data"_a, "rows"_a.noconvert(), "ends"_a.noconvert(), "starts"_a.noconvert(), nb::kw_only(), "tol"_a, "max_iter"_a, "n_threads"_a);
    m.def("draw_seeds", [](const Handle<T>& handle, const Matrix<double>& uniforms, const Vector<index_t>& given, int n_threads) {
        const std::vector<index_t> first(given.data(), given.data() + given.shape(0));
        Chosen chosen;
        {
            nb::gil_scoped_release free;
            chosen = draw_seeds(handle.data, static_cast<index_t>(uniforms.shape(0)), uniforms.data(),
                                static_cast<index_t>(uniforms.shape(1)), n_threads, signalled, first);
        }
        return as_drawn(std::move(chosen));
    }, "data"_a, "uniforms"_a.noconvert(), "given"_a.noconvert(), "n_threads"_a);
    m.def("draw_starts", [](const Handle<T>& handle, const Cube<double>& uniforms, int n_threads) {
        return draw_starts_bound(handle, uniforms.data(), uniforms.shape(0), uniforms.shape(1), uniforms.shape(2), n_threads);
    }, "data"_a, "uniforms"_a.noconvert(), "n_threads"_a);
    m.def("draw_streams", [](const Handle<T>& handle, const Vector<std::uint64_t>& words, size_t n_rounds, size_t n_trials, int n_threads) {
        const std::vector<double> uniforms = uniforms_of(words, n_rounds * n_trials);
        return draw_starts_bound(handle, uniforms.data(), words.shape(0) / 4, n_rounds, n_trials, n_threads);
    }, "data"_a, "words"_a.noconvert(), "n_rounds"_a, "n_trials"_a, "n_threads"_a);
    m.def("farthest_seeds", [](const Handle<T>& handle, index_t n_clusters, index_t first, int n_threads) {
        Chosen chosen;
        {
            nb::gil_scoped_release free;
            chosen = farthest_seeds(handle.data, n_clusters, first, n_threads, signalled);
        }
        return as_tuple(std::move(chosen), chosen.distance);
    }, "data"_a, "n_clusters"_a, "first"_a, "n_threads"_a);
    m.def("spread_seeds", [](const Handle<T>& handle, const Vector<index_t>& rows) {
        Spread spread;
        {
            nb::gil_scoped_release free;
            spread = spread_seeds(handle.data, std::vector<index_t>(rows.data(), rows.data() + rows.shape(0)), signalled);
        }
        const size_t k = spread.rows.size();
        return nb::make_tuple(take(std::move(spread.rows), {k}), spread.replaced);
    }, "data"_a, "rows"_a.noconvert());
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
    m.def("count_labels", [](const Vector<std::uint16_t>& labels, index_t n_labels) {
        std::vector<index_t> counts(n_labels);
        {
            nb::gil_scoped_release free;
            count_labels(labels.data(), static_cast<index_t>(labels.shape(0)), n_labels, counts.data());
        }
        return take(std::move(counts), {static_cast<size_t>(n_labels)});
    }, "labels"_a.noconvert(), "n_labels"_a);
    m.def("deal_rows", [](const Vector<std::uint16_t>& labels, const Vector<index_t>& number, const Vector<index_t>& to,
                          const Vector<index_t>& exception_ends, const Vector<index_t>& ends) {
        const size_t n = labels.shape(0), parts = ends.shape(0);
        if (parts == 0 || ends(parts - 1) != static_cast<index_t>(n) || exception_ends.shape(0) != parts || number.shape(0) != to.shape(0) ||
            exception_ends(parts - 1) != static_cast<index_t>(to.shape(0)))
            throw std::invalid_argument("labels, exceptions and ends do not fit together");
        Scratch<index_t> rows = make_scratch<index_t>(n);
        {
            nb::gil_scoped_release free;
            deal_rows(labels.data(), static_cast<index_t>(n), static_cast<index_t>(parts), {number.data(), to.data(), exception_ends.data()}, ends.data(), rows.get());
        }
        return take(std::move(rows), {n});
    }, "labels"_a.noconvert(), "number"_a.noconvert(), "to"_a.noconvert(), "exception_ends"_a.noconvert(), "ends"_a.noconvert());
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace seedbed
