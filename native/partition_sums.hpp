// Exact sums over rows in the making, one for each worker: their total is the same however rows were dealt out.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "partition_kernels.hpp"

namespace seedbed {

// Kernels add to two doubles for each sum (moments.hpp), which are then moved to integers in 2^-80.
class Pending {
public:
    explicit Pending(index_t n) : totals(n), parts_(2 * n) {}

    double* high() { return parts_.data(); }
    double* low() { return parts_.data() + totals.size(); }

    // To be called before more than kExactRows rows were added.
    void fold() {
        for (std::size_t s = 0; s < totals.size(); ++s)
            totals[s] += static_cast<int128_t>(static_cast<std::int64_t>(high()[s] * 0x1p40)) * (int128_t{1} << 40) +
                         static_cast<std::int64_t>(low()[s] * 0x1p80);
        std::fill(parts_.begin(), parts_.end(), 0.0);
    }

    std::vector<int128_t> totals;

private:
    std::vector<double> parts_;
};

inline void add_to(std::vector<int128_t>& sums, const std::vector<int128_t>& others, int sign = 1) {
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += sign * others[s];
}

// Moments of rows and, where wanted, products.
template <class T>
class Tally {
public:
    Tally(index_t d, bool with_products)
        : moments_(2 * padded(d)), products_(with_products ? d * (d + 1) / 2 : 0), scratch_(with_products ? kProductRows * padded(d) : 0) {}

    void add(const RowList<T>& rows, const Lens& lens) {
        exact<T>().partition->add_moments(rows, lens, moments_.high(), moments_.low());
        if (!products_.empty()) exact<T>().partition->add_products(rows, lens, products_.data(), scratch_.data());
    }

    // To be called before more than kExactRows rows were added.
    void fold() { moments_.fold(); }

    // The sign says whether the other's rows are added or taken off.
    void include(const Tally& other, int sign = 1) {
        add_to(moments_.totals, other.moments_.totals, sign);
        add_to(products_, other.products_, sign);
    }

    std::vector<int128_t> take_moments() { return std::move(moments_.totals); }
    std::vector<int128_t> take_products() { return std::move(products_); }

private:
    Pending moments_;
    std::vector<int128_t> products_;
    std::vector<double> scratch_;
};

}  // namespace seedbed
