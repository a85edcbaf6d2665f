#include <stdexcept>

#include "bindings.hpp"
#include "fast_ica.hpp"

namespace seedbed {

using namespace nb::literals;

void bind_fast_ica(nb::module_& m) {
    m.attr("TILE_ROWS") = kTileRows;
    m.def("contrast", [](const Cube<double>& tiles, const Matrix<double>& share, const Matrix<double>& rotation, int n_threads) {
        const size_t n = tiles.shape(0), r = tiles.shape(1);
        if (tiles.shape(2) != kTileRows || share.shape(0) != n || share.shape(1) != kTileRows || rotation.shape(0) != r || rotation.shape(1) != r)
            throw std::invalid_argument("tiles, shares and rotation do not fit together");
        std::vector<double> sums;
        {
            nb::gil_scoped_release free;
            sums = contrast({tiles.data(), share.data(), static_cast<index_t>(n), static_cast<index_t>(r)}, rotation.data(), n_threads);
        }
        return take(std::move(sums), {r, r + 1});
    }, "tiles"_a.noconvert(), "share"_a.noconvert(), "rotation"_a.noconvert(), "n_threads"_a);
}

}  // namespace seedbed
