// Toads and frogs in a row: toads go right, frogs go left; before an empty cell they slide, else they jump over what is
// in the way.
//
// Positions are three planes: toads, frogs and empty cells of one part of the row; its ends are walls. Cell 0 is the
// left one.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "cgt/boards/region.hpp"
#include "cgt/boards/strides.hpp"

namespace zermelo::cgt::boards {

class Toads {
public:
    static constexpr std::size_t planes = 3;
    static constexpr Images images = Images::turned_around;
    using Position = Cells<3>;

    explicit Toads(const Strides& strides) : grid(1, 64), strides_(strides) {}

    static Position position(Mask empty, Mask toads, Mask frogs) { return {toads, frogs, empty}; }

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        const unsigned side = left ? 0 : 1;
        const Mask empty = cells[2], over = strides_.over_friends ? cells[0] | cells[1] : cells[1 - side];
        const auto step = [left](Mask cell) { return left ? cell << 1 : cell >> 1; };
        const auto moved = [&](Mask from, Mask to) {
            Position after = cells;
            after[side] ^= from | to;
            after[2] ^= from | to;
            emit(after);
        };
        for (Mask movers = cells[side]; movers != 0;) {
            const Mask from = take_lowest(movers);
            Mask to = step(from);
            if ((to & empty) != 0) {
                for (unsigned length = 1; length <= strides_.longest_slide && (to & empty) != 0;
                     ++length, to = step(to))
                    if (length >= strides_.least_slide) moved(from, to);
            } else {
                for (unsigned jumped = 0; jumped < strides_.longest_jump && (to & over) != 0; ++jumped) to = step(to);
                if ((to & empty) != 0) moved(from, to);
            }
        }
    }

    // With j = longest jump + 1: a block that begins with j toads and ends with j frogs never moves again, for all in
    // it have j others before them, and nobody jumps over it. At the right end of a row, and before such a block, toads
    // are stuck, and so is a block that begins with j of them; at the left end frogs likewise. What is left parts where
    // frogs are on the left and toads on the right: everywhere if nobody jumps, else only where all of them are.
    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        const Mask all = used(cells);
        if (all == 0) return;
        const unsigned begin = static_cast<unsigned>(std::countr_zero(all)),
                       end = 64 - static_cast<unsigned>(std::countl_zero(all));
        const unsigned many = strides_.longest_jump + 1;
        unsigned piece = begin;
        for (unsigned at = begin; at < end;) {
            if ((cells[2] >> at & 1) != 0) {
                ++at;
                continue;
            }
            const unsigned run = at;
            while (at < end && (cells[2] >> at & 1) == 0) ++at;
            const unsigned first = first_row(cells[0], run, at, many), last = last_row(cells[1], run, at, many);
            if (first < at && last > run && first + many <= last - many) {
                trimmed(cells, piece, first, emit);
                piece = last;
            }
        }
        trimmed(cells, piece, end, emit);
    }

    // Animals of one side only: every step takes an animal past an empty cell, and no other move past fewer.
    std::optional<int> count(const Position& cells) const {
        if (strides_.least_slide != 1 || (cells[0] != 0 && cells[1] != 0)) return std::nullopt;
        int steps = 0;
        for (Mask toads = cells[0]; toads != 0;) {
            const Mask toad = take_lowest(toads);
            steps += std::popcount(cells[2] & ~(toad | (toad - 1)));
        }
        for (Mask frogs = cells[1]; frogs != 0;) steps -= std::popcount(cells[2] & (take_lowest(frogs) - 1));
        return steps;
    }

    // Every move takes an animal past an empty cell; those ahead of it never become more.
    static std::array<int, 2> most(const Position& cells) {
        std::array<int, 2> steps{};
        for (Mask toads = cells[0]; toads != 0;) {
            const Mask toad = take_lowest(toads);
            steps[0] += std::popcount(~cells[0] & used(cells) & ~(toad | (toad - 1)));
        }
        for (Mask frogs = cells[1]; frogs != 0;)
            steps[1] += std::popcount(~cells[1] & used(cells) & (take_lowest(frogs) - 1));
        return steps;
    }

    Grid grid;

private:
    // Where the first `many` cells of the set in a row begin, or `end`.
    static unsigned first_row(Mask set, unsigned begin, unsigned end, unsigned many) {
        unsigned found = 0;
        for (unsigned at = begin; at < end; ++at) {
            found = (set >> at & 1) != 0 ? found + 1 : 0;
            if (found == many) return at + 1 - many;
        }
        return end;
    }
    // Where the last ones end, or `begin`.
    static unsigned last_row(Mask set, unsigned begin, unsigned end, unsigned many) {
        unsigned found = 0;
        for (unsigned at = end; at > begin; --at) {
            found = (set >> (at - 1) & 1) != 0 ? found + 1 : 0;
            if (found == many) return at - 1 + many;
        }
        return begin;
    }
    static Mask between(unsigned begin, unsigned end) {
        const Mask below = end >= 64 ? ~Mask{0} : (Mask{1} << end) - 1;
        return begin >= 64 ? 0 : below & ~((Mask{1} << begin) - 1);
    }

    // A piece of the row without the toads and frogs that are stuck at its ends.
    template <class Emit>
    void trimmed(const Position& cells, unsigned begin, unsigned end, Emit& emit) const {
        const unsigned many = strides_.longest_jump + 1;
        unsigned run = begin;
        while (run < end && (cells[2] >> run & 1) == 0) ++run;
        if (run == end) return;
        const unsigned stuck = last_row(cells[1], begin, run, many);
        if (stuck > begin) {
            begin = stuck;
        } else {
            while ((cells[1] >> begin & 1) != 0) ++begin;
        }
        run = end;
        while ((cells[2] >> (run - 1) & 1) == 0) --run;
        const unsigned first = first_row(cells[0], run, end, many);
        if (first < end) {
            end = first;
        } else {
            while ((cells[0] >> (end - 1) & 1) != 0) --end;
        }
        parted(cells, begin, end, emit);
    }

    template <class Emit>
    void parted(const Position& cells, unsigned begin, unsigned end, Emit& emit) const {
        const Mask inside = between(begin, end);
        const Mask toads = cells[0] & inside, frogs = cells[1] & inside;
        if (toads != 0 && strides_.longest_jump == 0) {
            // A part ends behind a frog whose next animal is a toad, and that toad begins the next; nobody needs the
            // cells between.
            unsigned from = begin, behind_frog = begin;
            for (unsigned at = begin; at < end; ++at) {
                if ((frogs >> at & 1) != 0) behind_frog = at + 1;
                if ((toads >> at & 1) != 0 && behind_frog > from) {
                    part(cells, between(from, behind_frog), emit);
                    from = behind_frog = at;
                }
            }
            part(cells, between(from, end), emit);
            return;
        }
        const unsigned first_toad = toads == 0 ? end : static_cast<unsigned>(std::countr_zero(toads));
        const unsigned behind_frogs = frogs == 0 ? begin : 64u - static_cast<unsigned>(std::countl_zero(frogs));
        if (behind_frogs <= first_toad) {
            part(cells, between(begin, behind_frogs), emit);
            part(cells, between(first_toad, end), emit);
        } else {
            part(cells, inside, emit);
        }
    }

    template <class Emit>
    static void part(const Position& cells, Mask inside, Emit& emit) {
        const Position kept{cells[0] & inside, cells[1] & inside, cells[2] & inside};
        if (kept[2] != 0 && (kept[0] | kept[1]) != 0) emit(kept);
    }

    Strides strides_;
};

}  // namespace zermelo::cgt::boards
