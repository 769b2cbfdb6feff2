// What has been worked out of a game's boards as bytes, for a file that a later run begins with.
//
// First come the games, options before what they are options of, then the regions, each with the place of its value
// among the games. Numbers take seven bits of a byte, the lowest first; the eighth says that more follow.
//
//     const auto [regions, bytes] = saved(*boards, arena, 16);     // those of at most 16 cells
//     load(bytes, *others, other_arena, control);      // how many regions there were
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cgt/boards/boards.hpp"
#include "cgt/values/arena.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::boards {

struct Saved {
    std::uint64_t regions;
    std::vector<std::uint8_t> bytes;
};

// Regions of at most so many cells: all that moves in them lead to is among them.
Saved saved(Boards& boards, Arena& arena, unsigned most_cells);

// Throws std::invalid_argument where the bytes are no regions of this game, or contradict what is known. Values are
// brought into canonical form anew; whether they are those of their regions is not worked out here (Boards::follow).
std::uint64_t load(std::span<const std::uint8_t> bytes, Boards& boards, Arena& arena, Control& control);

}  // namespace zermelo::cgt::boards
