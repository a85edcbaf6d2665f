#include "partition.hpp"
