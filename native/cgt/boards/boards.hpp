// The values of boards of at most 64 cells, by the name of the game.
//
//     Arena arena;
//     Control control(60.0);
//     const Board board{2, 2, /*empty*/ 0b1111, /*left*/ 0, /*right*/ 0};
//     value_of_boards("domineering", {{board}}, arena, control);       // {1|-1}
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cgt/arena.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::boards {

// Cell (row, column) is bit row * columns + column; a cell in no set is blocked.
struct Board {
    unsigned rows, columns;
    std::uint64_t empty, left, right;
};

struct Found {
    Arena::Id value;
    std::uint64_t regions;  // that were worked out
};

// Names of the games with native rules.
std::span<const std::string_view> native_games();

// The value of the sum of the boards. Throws Stopped and MemoryLimit at limits.
Found value_of_boards(std::string_view game, std::span<const Board> boards, Arena& arena, Control& control);

}  // namespace zermelo::cgt::boards
