#include "criteria.hpp"
