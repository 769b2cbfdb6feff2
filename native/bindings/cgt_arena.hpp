// An arena of values as Python holds it: locked while one thread is at work in it, the interpreter free for the others.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "cgt/values/arena.hpp"
#include "cgt/values/thermograph.hpp"
#include "zermelo/control.hpp"

namespace zermelo {

struct SharedArena {
    explicit SharedArena(std::uint64_t memory) : arena(memory), thermographs(arena) {
        // Long work in the main thread must hear of Ctrl-C.
        arena.poll_with([] {
            const nanobind::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        });
    }

    cgt::Arena arena;
    cgt::Thermographs thermographs;
    std::mutex mutex;

    // Runs work with the interpreter's lock released and this arena's held; the control may be null.
    template <class Work>
    auto run(Control* control, Work work) {
        const nanobind::gil_scoped_release release;
        const std::lock_guard lock(mutex);
        const Watched watched(arena, control);
        return work();
    }

    // The thermographs, without those of earlier questions where these have become many.
    cgt::Thermographs& fresh_thermographs() {
        if (thermographs.bytes() > kThermographBytes) thermographs.forget();
        return thermographs;
    }

    cgt::Arena::Id checked(cgt::Arena::Id g) const {
        if (!arena.holds(g)) throw std::out_of_range("no such game in this arena");
        return g;
    }

private:
    static constexpr std::uint64_t kThermographBytes = std::uint64_t{64} << 20;

    class Watched {
    public:
        Watched(cgt::Arena& arena, Control* control) : arena_(arena) { arena_.watch(control); }
        ~Watched() { arena_.watch(nullptr); }
        Watched(const Watched&) = delete;
        Watched& operator=(const Watched&) = delete;

    private:
        cgt::Arena& arena_;
    };
};

}  // namespace zermelo
