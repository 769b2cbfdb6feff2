// A number that grows along every step of a game that makes progress: if it does, no position repeats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl {

class Potential {
public:
    explicit Potential(const Circuit& circuit);
    std::uint64_t operator()(std::span<const std::uint64_t> state) const;

private:
    struct Counter {
        std::uint32_t fluent;
        std::uint64_t weight;
    };
    std::vector<std::uint64_t> stays_true_, stays_false_;  // once there, for ever
    std::vector<Counter> counters_;
};

}  // namespace zermelo::gdl
