// Fluents of which never two hold at once, such as the pieces that may stand on one square.
//
// Proved by induction: at most one holds at the start, and if at most one holds now, at most one is next. The step is
// shown for each pair by looking at the gates of the two: an OR excludes what all its inputs exclude, an AND what one
// of them does, two moves of one role exclude each other. What is not shown so is not claimed.
//
//     const auto group = find_exclusive(circuit);            // of each fluent, or kNoGroup
//     group[f] != kNoGroup && group[f] == group[g];          // f and g exclude each other wherever play gets from the
//     start
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl::bulk {

inline constexpr std::uint32_t kNoGroup = 0xffffffffu;

std::vector<std::uint32_t> find_exclusive(const Circuit& circuit);

}  // namespace zermelo::gdl::bulk
