// The one thing a native test needs: a check that says where it failed, and on which random case.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace zermelo::testing {

// Set by tests that draw random cases, so that a failure can be repeated.
inline std::optional<std::uint64_t> running_seed;

// Ends the test: what comes after a check may rely on it.
[[noreturn]] inline void fail(const char* file, int line, const char* condition) {
    std::fprintf(stderr, "%s:%d: %s does not hold", file, line, condition);
    if (running_seed) std::fprintf(stderr, " (seed %llu)", static_cast<unsigned long long>(*running_seed));
    std::fputc('\n', stderr);
    std::exit(1);
}

}  // namespace zermelo::testing

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) zermelo::testing::fail(__FILE__, __LINE__, #condition); \
    } while (false)
