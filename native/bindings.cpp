#include "bindings.hpp"

NB_MODULE(_native, m) {
    seedbed::bind_engine(m);
    seedbed::bind_seeding(m);
    seedbed::bind_partition(m);
    seedbed::bind_attributes(m);
    seedbed::bind_search(m);
    seedbed::bind_fast_ica(m);
    seedbed::bind_criteria(m);
    seedbed::bind_overlap(m);
    seedbed::bind_argsort(m);
}
