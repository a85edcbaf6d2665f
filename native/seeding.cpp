#include "seeding.hpp"
