// The one macro of the native tests: says which condition failed and where, and ends the program with status 1.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (false)
