// A search beside something more important: in a thread of its own, which gives way where cores are scarce.
//
// The thread makes the search, runs it and gives its memory back, and has nothing to do with whoever called. So no lock
// of the caller's (that of an interpreter, above all) is ever held by a thread that others push aside: to unmap a large
// table takes milliseconds, which on a busy machine become a second for a thread of low priority, and all who want the
// lock wait.
//
//     Outcome outcome = solve_aside(game, "alphabeta", params, control, /*nicer*/ 10);
#pragma once

#include <exception>
#include <string_view>
#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include "zermelo/control.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

// Where threads have no priority of their own, it is that of all others.
inline void give_way([[maybe_unused]] int nicer) {
#ifdef __linux__
    setpriority(PRIO_PROCESS, 0,
                getpriority(PRIO_PROCESS, 0) + nicer);  // 0 is the thread that asks; too much is the most there is
#endif
}

// Waits for the outcome. What the search throws is thrown here.
inline Outcome solve_aside(const AnyGame& game, std::string_view engine, const SearchParams& params, Control& control,
                           int nicer) {
    Outcome outcome;
    std::exception_ptr error;
    std::thread([&] {
        give_way(nicer);
        try {
            outcome = game.search(engine, params)->solve(control);
        } catch (...) {
            error = std::current_exception();
        }
    }).join();
    control.publish();
    if (error) std::rethrow_exception(error);
    return outcome;
}

}  // namespace zermelo
