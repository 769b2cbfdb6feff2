// Domineering: Left puts dominoes upright, Right across. Cram: both either way.
#pragma once

#include <array>
#include <bitset>
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

    // `free` is one region. It stays one if the neighbours of the domino hang together next to it.
    template <bool stands, class Emit>
    void put(Mask free, Mask at, Emit& emit) const {
        const bool look = grid.turns() && (free & 0xFF80808080808080ull) == 0;
        while (at != 0) {
            const auto place = static_cast<int>(std::countr_zero(at));
            const Mask one = take_lowest(at);
            const Mask after = free ^ (one | (stands ? grid.south(one) : one << 1));
            emit(Position{after},
                 look && hangs_together<stands>(std::rotr(after, place - 9)) && (after & (after - 1)) != 0);
        }
    }

private:
    // The cells around a domino, whose upper left neighbour is bit 0, row by row: a rotation has brought them there,
    // and since the last row and column are free of cells, what lies beyond an edge of the board reads as taken.
    template <bool stands>
    static bool hangs_together(Mask ring) {
        static const auto answers = all_answers<stands>();
        constexpr unsigned width = stands ? 3 : 4, height = stands ? 4 : 3;
        unsigned cells = 0;
        for (unsigned row = 0; row < height; ++row)
            cells |= static_cast<unsigned>(ring >> 8 * row & ((1u << width) - 1)) << width * row;
        return answers[cells];
    }
    template <bool stands>
    static std::bitset<4096> all_answers() {
        constexpr unsigned width = stands ? 3 : 4, height = stands ? 4 : 3;
        const Grid grid(8, 8);
        const Mask domino = grid.cell(1, 1) | (stands ? grid.cell(2, 1) : grid.cell(1, 2));
        std::bitset<4096> answers;
        for (unsigned cells = 0; cells < 4096; ++cells) {
            Mask ring = 0;
            for (unsigned cell = 0; cell < 12; ++cell)
                if ((cells >> cell & 1) != 0) ring |= grid.cell(cell / width, cell % width);
            static_assert(width * height == 12);
            const Mask beside = grid.around(domino) & ring;
            if ((ring & domino) != 0 || beside == 0) continue;
            answers[cells] = (beside & ~grid.connected(beside & (~beside + 1), ring)) == 0;
        }
        return answers;
    }
};

class Domineering : public Dominoes {
public:
    static constexpr Images images = Images::turned_negated;
    using Dominoes::Dominoes;

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        if (left) put<true>(cells[0], upright(cells[0]), emit);
        else put<false>(cells[0], across(cells[0]), emit);
    }
    // A region in which only one side can move is worth the number of dominoes that fit: half of each line, rounded
    // down.
    std::optional<int> count(const Position& cells) const {
        const Mask tops = upright(cells[0]), lefts = across(cells[0]);
        if (lefts == 0) return fitting<true>(tops);
        if (tops == 0) return -fitting<false>(lefts);
        return std::nullopt;
    }
    // How many dominoes Left and Right can put down at most.
    std::array<int, 2> most(const Position& cells) const {
        return {fitting<true>(upright(cells[0])), fitting<false>(across(cells[0]))};
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
        put<true>(cells[0], upright(cells[0]), emit);
        put<false>(cells[0], across(cells[0]), emit);
    }
    std::optional<int> count(const Position&) const { return std::nullopt; }
};

}  // namespace zermelo::cgt::boards
