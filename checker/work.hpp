// How much a proof may ask of this program: a file that asks for more is refused, neither accepted nor refuted.
#pragma once

#include <cstdint>

#include "certificate.hpp"

namespace checker {

class Work {
public:
    void step(std::uint64_t steps = 1) {
        if ((steps_ += steps) > kSteps) throw BadInput("the proof takes too many steps for this program");
    }
    // Something of about a hundred bytes that stays.
    void keep(std::uint64_t things = 1) {
        if ((things_ += things) > kThings) throw BadInput("the proof takes too much memory for this program");
        step(things);
    }

private:
    static constexpr std::uint64_t kSteps = 1'000'000'000, kThings = 10'000'000;
    std::uint64_t steps_ = 0, things_ = 0;
};

}  // namespace checker
