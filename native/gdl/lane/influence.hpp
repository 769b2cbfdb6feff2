// What a step by given moves depends on, fluent by fluent: read off the circuit once and for all positions.
//
// With the moves of a step fixed, and some fluents known, most gates become constants or copies of others. What is left
// tells which fluents the next value of each fluent rests on, and which fluents stay as they are whatever the position:
// constant propagation and cones of influence (Clarke, Grumberg and Peled 1999).
#pragma once

#include <cstdint>
#include <span>

#include "bandit/lane.hpp"
#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl {

// `known` says which fluents have the values that `state` has.
bandit::Influence influence_of(const Circuit& circuit, std::span<const std::uint32_t> joint,
                               std::span<const std::uint64_t> known, std::span<const std::uint64_t> state);

}  // namespace zermelo::gdl
