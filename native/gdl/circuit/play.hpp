// The interface of the play kernels: SL plays one game at a time from any position, BP hundreds at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl {

inline constexpr std::int32_t kNoGoal = -1;  // no goal value, or several, hold for a role at the end

struct Playouts {
    std::uint64_t playouts = 0, steps = 0;
    std::uint64_t unfinished = 0;           // stopped at the bound on steps
    std::vector<double> goal_sum;           // for each role, over the playouts that gave it one goal
    std::vector<std::uint64_t> goal_count;  // how many those were
};

}  // namespace zermelo::gdl
