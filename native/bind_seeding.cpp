#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace seedbed {

void bind_seeding(nanobind::module_&) {}

}  // namespace seedbed
