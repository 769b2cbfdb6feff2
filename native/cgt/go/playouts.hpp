// Who owns the points of a Go board in the end, by playing it out many times: a judgement, never a proof.
//
// Both sides move at random, but fill no eye of their own, capture the stone that was just played if it is in atari,
// and save chains that it put into atari where that gains liberties (the moves that Gelly, Wang, Munos and Teytaud,
// "Modification of UCT with patterns in Monte-Carlo Go", 2006, found to matter most). A line ends when both pass. What
// is counted is area: stones, and empty points beside stones of one side alone.
//
//     auto owned = ownership(9, stones, /*playouts*/ 1000, /*seed*/ 1, control);   // -1000 .. 1000 for each point
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "zermelo/control.hpp"

namespace zermelo::go {

inline constexpr std::uint32_t kLargestBoard = 19;

// Stones row by row: '.', 'x' and 'o'. Black and White begin by turns. For each point how often Black owned it less
// how often White did.
std::vector<std::int32_t> ownership(std::uint32_t size, std::string_view stones, std::uint32_t playouts,
                                    std::uint64_t seed, Control& control);

}  // namespace zermelo::go
