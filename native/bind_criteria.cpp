#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace seedbed {

void bind_criteria(nanobind::module_&) {}

}  // namespace seedbed
