// Means of clusters in double precision, for data so uneven that exact sums say too little: beside values, or weights, that
// are 2^70 times as large, all that a row says may be less than the last bit of their grid (fixed_sum.hpp).
#pragma once

#include <vector>

#include "dataset.hpp"

namespace seedbed {

// Rows are added in order, each as its difference from the first row of its cluster: the same bits whoever found the
// labels, and the very row where all rows of a cluster are equal.
template <class T>
class DirectMeans {
public:
    explicit DirectMeans(const Dataset<T>& data) : data_(data), d_(data.points.d) {}

    void take(const std::int32_t* labels, index_t k) {
        first_.assign(k, -1);
        mass_.assign(k, 0.0);
        sum_.assign(k * d_, 0.0);
        for (index_t i = 0; i < data_.points.n; ++i)
            if (data_.points.mass(i) > 0.0) add(i, labels[i]);
    }

    double mass(index_t c) const { return mass_[c]; }

    // Attribute j of the mean of cluster c, which has mass.
    T mean(index_t c, index_t j) const {
        return static_cast<T>(static_cast<double>(data_.points.row(first_[c])[j]) + sum_[c * d_ + j] / mass_[c] * data_.frame.unit);
    }

private:
    void add(index_t i, std::int32_t c) {
        if (first_[c] < 0) first_[c] = i;
        const double mass = data_.points.mass(i);
        const T *x = data_.points.row(i), *origin = data_.points.row(first_[c]);
        mass_[c] += mass;
        for (index_t j = 0; j < d_; ++j)
            sum_[c * d_ + j] += mass * ((static_cast<double>(x[j]) - static_cast<double>(origin[j])) * data_.inverse_unit());
    }

    const Dataset<T>& data_;
    index_t d_;
    std::vector<index_t> first_;  // k: the cluster's first row
    std::vector<double> mass_;    // k
    std::vector<double> sum_;     // k x d, in units
};

}  // namespace seedbed
