// Domineering: Left puts dominoes upright, Right across. Cram: both either way.
#pragma once

#include <optional>

#include "cgt/boards/region.hpp"

namespace zermelo::cgt::boards {

class Dominoes {
public:
    static constexpr std::size_t planes = 1;
    using Position = Cells<1>;

    explicit Dominoes(const Grid& board) : grid(board) {}

    static Position position(Mask empty, Mask, Mask) { return {empty}; }

    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        Mask rest = cells[0] & grid.around(cells[0]);  // a lone cell is no room
        while (rest != 0) {
            const Mask region = grid.connected(rest & (~rest + 1), rest);
            rest ^= region;
            emit(Position{region});
        }
    }

    Grid grid;

protected:
    Mask upright(Mask free) const { return free & grid.north(free); }  // upper cells
    Mask across(Mask free) const { return free & grid.west(free); }    // left cells

    template <class Emit>
    void put(Mask free, Mask at, bool stands, Emit& emit) const {
        while (at != 0) {
            const Mask one = take_lowest(at);
            emit(Position{free ^ (one | (stands ? grid.south(one) : one << 1))});
        }
    }
};

class Domineering : public Dominoes {
public:
    static constexpr Images images = Images::turned_negated;
    using Dominoes::Dominoes;

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        put(cells[0], left ? upright(cells[0]) : across(cells[0]), left, emit);
    }
    // A region in which only one side can move is worth the number of dominoes that fit: half of each line, rounded down.
    std::optional<int> count(const Position& cells) const {
        const Mask tops = upright(cells[0]), lefts = across(cells[0]);
        if (lefts == 0) return fitting<true>(tops);
        if (tops == 0) return -fitting<false>(lefts);
        return std::nullopt;
    }

private:
    template <bool upright>
    int fitting(Mask places) const {
        int count = 0;
        while (places != 0) {  // the first place of each line is taken, the next is gone
            const Mask one = take_lowest(places);
            places &= ~(upright ? grid.south(one) : one << 1);
            ++count;
        }
        return count;
    }
};

class Cram : public Dominoes {
public:
    static constexpr Images images = Images::turned;
    using Dominoes::Dominoes;

    template <class Emit>
    void options(const Position& cells, bool, Emit&& emit) const {
        put(cells[0], upright(cells[0]), true, emit);
        put(cells[0], across(cells[0]), false, emit);
    }
    std::optional<int> count(const Position&) const { return std::nullopt; }
};

}  // namespace zermelo::cgt::boards
