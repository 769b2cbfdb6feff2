// Col and Snort: a cell is coloured; neighbours must differ in the one, agree in the other.
//
// The planes are the cells that Left may still colour and those that Right may.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "cgt/boards/region.hpp"

namespace zermelo::cgt::boards {

template <bool neighbours_differ>
class Colouring {
public:
    static constexpr std::size_t planes = 2;
    static constexpr Images images = Images::swapped;
    using Position = Cells<2>;

    explicit Colouring(const Grid& board) : grid(board) {}

    Position position(Mask empty, Mask left, Mask right) const {
        const Mask beside_left = grid.around(left), beside_right = grid.around(right);
        return {empty & ~(neighbours_differ ? beside_left : beside_right),
                empty & ~(neighbours_differ ? beside_right : beside_left)};
    }
    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        const unsigned side = left ? 0 : 1;
        for (Mask places = cells[side]; places != 0;) {
            const Mask place = take_lowest(places);
            Position after{cells[0] & ~place, cells[1] & ~place};
            after[harmed(side)] &= ~grid.around(place);
            emit(after);
        }
    }
    // Neighbours bear on each other as long as a colour of the one takes a colour from the other; that never comes
    // back.
    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        Mask rest = used(cells);
        while (rest != 0) {
            Mask region = take_lowest(rest);
            for (Mask grown = region;; region = grown) {
                for (unsigned side = 0; side < 2; ++side)
                    grown |= grid.around(grown & cells[side]) & cells[harmed(side)];
                if (grown == region) break;
            }
            rest &= ~region;
            emit(Position{cells[0] & region, cells[1] & region});
        }
    }
    // A cell of its own that one side may colour is a move for that side.
    std::optional<int> count(const Position& cells) const {
        const Mask all = used(cells);
        if ((all & (all - 1)) != 0 || cells[0] == cells[1]) return std::nullopt;
        return cells[0] != 0 ? 1 : -1;
    }

    static std::array<int, 2> most(const Position& cells) { return {std::popcount(cells[0]), std::popcount(cells[1])}; }

    Grid grid;

private:
    // Whose choice of neighbours a stone of that side takes away.
    static constexpr unsigned harmed(unsigned side) { return neighbours_differ ? side : 1 - side; }
};

using Col = Colouring<true>;
using Snort = Colouring<false>;

}  // namespace zermelo::cgt::boards
