// Memory that one computation holds, charged to its Control while it runs and given back when it ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "zermelo/control.hpp"

namespace zermelo::gdl {

class Meter {
public:
    explicit Meter(Control& control) : control_(control) {}
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;
    ~Meter() { control_.charge(-held_); }

    Control& control() { return control_; }
    // Says how much is held now; throws Stopped where that is more than allowed.
    void holds(std::size_t bytes) {
        const auto now = static_cast<std::int64_t>(bytes);
        control_.charge(now - held_);
        held_ = now;
    }

private:
    Control& control_;
    std::int64_t held_ = 0;
};

}  // namespace zermelo::gdl
