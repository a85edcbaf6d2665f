#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace seedbed {

void bind_partition(nanobind::module_&) {}

}  // namespace seedbed
