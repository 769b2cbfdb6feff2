// The one thing a native test needs: count what fails, say where, and let main() return it.
#pragma once

#include <cstdio>

namespace zermelo::testing {

inline int failures = 0;

inline int outcome() {
    if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
    return failures ? 1 : 0;
}

}  // namespace zermelo::testing

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            ++zermelo::testing::failures;                                                  \
        }                                                                                  \
    } while (false)
