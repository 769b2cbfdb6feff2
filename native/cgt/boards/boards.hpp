// The values of boards of at most 64 cells, by the name of the game.
//
//     Arena arena;
//     Control control(60.0);
//     const auto domineering = boards_of("domineering", arena);
//     domineering->value({2, 2, /*empty*/ 0b1111, /*left*/ 0, /*right*/ 0}, control);       // {1|-1}
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "cgt/values/arena.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::boards {

// Cell (row, column) is bit row * columns + column; a cell in no set is blocked.
struct Board {
    unsigned rows, columns;
    std::uint64_t empty, left, right;
};

// One game; what is worked out is kept for the next question.
class Boards {
public:
    virtual ~Boards() = default;

    // Throws Stopped and MemoryLimit at limits, and may then be asked again.
    virtual Arena::Id value(const Board& board, Control& control) = 0;
    virtual std::uint64_t regions() const = 0;  // that have been worked out
    virtual std::uint64_t bytes() const = 0;    // besides those of the arena

    // A region as the rules hold it: planes of cells on boards with rows of so many bits.
    struct Region {
        unsigned stride;
        std::span<const std::uint64_t> planes;
    };
    using Visit = std::function<void(const Region&, Arena::Id value)>;
    virtual void each(const Visit& visit) = 0;
    // Takes the value of a region from elsewhere: it is not worked out again. False if that is no region of the game,
    // if the value is none that it can have, or another one is known.
    virtual bool put(const Region& region, Arena::Id value, Control& control) = 0;
    // Do the values of the regions follow from those of what moves lead to?
    virtual bool follow(Control& control) = 0;
};

// Names of the games with native rules. "gentoads" takes its four numbers behind its name: "gentoads 1,2,1,1".
std::span<const std::string_view> native_games();

// Null for other names. The arena must live as long.
std::unique_ptr<Boards> boards_of(std::string_view game, Arena& arena);

}  // namespace zermelo::cgt::boards
