// Stop signs inside long work that has no Control among its arguments.
//
// What builds a kernel is many small functions, few of which take long, and only in large games. Whoever calls them
// says once which Control counts, and their loops heed it: Stopped is thrown out of them as out of a search. Where
// nobody has said anything heed() does nothing.
//
//     const Heeding heeding(control);        // in this thread, as long as it lives
//     auto circuit = compile(rules);         // throws Stopped soon after control.stop()
#pragma once

#include <cstdint>
#include <utility>

#include "zermelo/control.hpp"

namespace zermelo {

namespace detail {

struct Heeded {
    Control* control = nullptr;
    std::uint32_t steps = 0;
};

inline Heeded& heeded() {
    thread_local Heeded own;
    return own;
}

inline constexpr std::uint32_t kHeedEvery = 64;

}  // namespace detail

class Heeding {
public:
    explicit Heeding(Control& control) : before_(std::exchange(detail::heeded().control, &control)) {}
    ~Heeding() { detail::heeded().control = before_; }
    Heeding(const Heeding&) = delete;
    Heeding& operator=(const Heeding&) = delete;

private:
    Control* before_;
};

// For steps of a microsecond or so: looks every now and then.
inline void heed() {
    auto& own = detail::heeded();
    if (own.control != nullptr && ++own.steps % detail::kHeedEvery == 0) own.control->check();
}

// For steps that take longer.
inline void heed_now() {
    if (auto* control = detail::heeded().control) control->check();
}

}  // namespace zermelo
