// Games with stones of two colours: clobber, amazons, konane, nogo.
//
// Clobber needs to know only where stones are. The others tell four states of a cell apart with two planes: a cell in
// both is empty, in one it holds a stone of that side, in none it is blocked or out of play. Exchanging the planes
// exchanges the colours.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "cgt/boards/region.hpp"

namespace zermelo::cgt::boards {

// A stone captures a neighbouring one of the other side; in the cannibal game one of its own as well.
template <bool cannibal>
class Clobbering {
public:
    static constexpr std::size_t planes = 2;
    static constexpr Images images = Images::swapped;
    using Position = Cells<2>;

    explicit Clobbering(const Grid& board) : grid(board) {}

    static Position position(Mask, Mask left, Mask right) { return {left, right}; }

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        const Mask own = cells[left ? 0 : 1];
        const Mask prey = cannibal ? used(cells) : cells[left ? 1 : 0];
        for (Mask targets = prey & grid.around(own); targets != 0;) {
            const Mask target = take_lowest(targets);
            for (Mask movers = own & grid.around(target); movers != 0;) {
                const Mask mover = take_lowest(movers);
                const Mask mine = (own ^ mover) | target;
                const Mask theirs = cells[left ? 1 : 0] & ~target;
                emit(left ? Position{mine, theirs} : Position{theirs, mine});
            }
        }
    }
    // Stones only ever move onto stones, so groups never meet.
    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        Mask rest = used(cells);
        while (rest != 0) {
            const Mask group = grid.connected(rest & (~rest + 1), rest);
            rest ^= group;
            const Position part{cells[0] & group, cells[1] & group};
            if (cannibal ? std::popcount(group) > 1 : (part[0] != 0 && part[1] != 0)) emit(part);
        }
    }
    static std::optional<int> count(const Position&) { return std::nullopt; }
    // Where a stone has a neighbour of the other side, that one has it as a neighbour: either both sides can move, or
    // none can. Such games are infinitesimal (Winning Ways, chapter 8).
    static constexpr bool all_small = !cannibal;
    // Every capture takes a stone off.
    static std::array<int, 2> most(const Position& cells) {
        const int captures = std::popcount(used(cells)) - 1;
        return {cells[0] != 0 ? captures : 0, cells[1] != 0 ? captures : 0};
    }

    Grid grid;
};

using Clobber = Clobbering<false>;
using Cannibal = Clobbering<true>;

// What the games on four states share.
class FourStates {
public:
    static constexpr std::size_t planes = 2;
    static constexpr Images images = Images::swapped;
    using Position = Cells<2>;

    explicit FourStates(const Grid& board) : grid(board) {}

    static Position position(Mask empty, Mask left, Mask right) { return {left | empty, right | empty}; }
    static std::optional<int> count(const Position&) { return std::nullopt; }

    Grid grid;

protected:
    static Mask empty(const Position& cells) { return cells[0] & cells[1]; }
    static Mask stones(const Position& cells, bool left) { return cells[left ? 0 : 1] & ~cells[left ? 1 : 0]; }
    static Position within(const Position& cells, Mask region) { return {cells[0] & region, cells[1] & region}; }
};

// A queen moves, then shoots at a cell that it sees; that cell is blocked.
class Amazons : public FourStates {
public:
    using FourStates::FourStates;

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        const Mask room = empty(cells);
        for (Mask queens = stones(cells, left); queens != 0;) {
            const Mask from = take_lowest(queens);
            for (Mask targets = seen(from, room); targets != 0;) {
                const Mask to = take_lowest(targets);
                Position moved = cells;  // `from` becomes empty; `to` loses the other side's plane
                moved[0] |= from;
                moved[1] |= from;
                moved[left ? 1 : 0] &= ~to;
                for (Mask shots = seen(to, (room | from) & ~to); shots != 0;) {
                    const Mask shot = take_lowest(shots);
                    emit(Position{moved[0] & ~shot, moved[1] & ~shot});
                }
            }
        }
    }
    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        Mask rest = used(cells);
        while (rest != 0) {
            const Mask region = grid.connected_diagonally(rest & (~rest + 1), rest);
            rest ^= region;
            const Position part = within(cells, region);
            if (empty(part) != 0 && part[0] != part[1]) emit(part);
        }
    }
    // Every move blocks a cell.
    static std::array<int, 2> most(const Position& cells) {
        const int room = std::popcount(empty(cells));
        return {stones(cells, true) != 0 ? room : 0, stones(cells, false) != 0 ? room : 0};
    }

private:
    Mask seen(Mask from, Mask room) const {
        Mask all = 0;
        const auto ray = [&](auto step) {
            for (Mask at = step(from) & room; at != 0; at = step(at) & room) all |= at;
        };
        ray([&](Mask m) { return grid.east(m); });
        ray([&](Mask m) { return grid.west(m); });
        ray([&](Mask m) { return grid.south(m); });
        ray([&](Mask m) { return grid.north(m); });
        ray([&](Mask m) { return grid.south(grid.east(m)); });
        ray([&](Mask m) { return grid.south(grid.west(m)); });
        ray([&](Mask m) { return grid.north(grid.east(m)); });
        ray([&](Mask m) { return grid.north(grid.west(m)); });
        return all;
    }
};

// A stone jumps over a neighbouring one of the other side, which is taken, onto the empty cell behind; and on in that
// direction.
class Konane : public FourStates {
public:
    using FourStates::FourStates;

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        const Mask room = empty(cells), prey = stones(cells, !left);
        for (unsigned direction = 0; direction < 4; ++direction) {
            for (Mask movers = jumpers(stones(cells, left), prey, room, direction); movers != 0;) {
                const Mask from = take_lowest(movers);
                Mask opened = from;
                for (Mask at = from;;) {
                    const Mask over = step(at, direction) & prey, to = step(over, direction) & room;
                    if (to == 0) break;
                    opened |= over;
                    at = to;
                    Position after{cells[0] | opened, cells[1] | opened};
                    after[left ? 1 : 0] &= ~to;
                    emit(after);
                }
            }
        }
    }
    // Cells joined by jumps that might yet happen. Where stones and gaps might ever be is overestimated; a jump reads
    // and changes its own three cells only.
    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        std::array<Mask, 2> reach{stones(cells, true), stones(cells, false)};
        Mask gaps = empty(cells);
        std::array<Mask, 4> from{};  // where jumps in a direction might start
        for (bool grew = true; grew;) {
            grew = false;
            for (unsigned direction = 0; direction < 4; ++direction) {
                for (unsigned side = 0; side < 2; ++side) {
                    const Mask starts = jumpers(reach[side], reach[1 - side], gaps, direction);
                    const Mask over = step(starts, direction);
                    const Mask to = step(over, direction);
                    grew |=
                        (starts & ~from[direction]) != 0 || (to & ~reach[side]) != 0 || ((starts | over) & ~gaps) != 0;
                    from[direction] |= starts;
                    reach[side] |= to;
                    gaps |= starts | over;
                }
            }
        }
        Mask rest = from[0] | from[1] | from[2] | from[3];
        while (rest != 0) {
            const Mask region = joined(take_lowest(rest), from);
            rest &= ~region;
            emit(within(cells, region));
        }
    }
    // Every move takes a stone of the other side.
    static std::array<int, 2> most(const Position& cells) {
        return {std::popcount(stones(cells, false)), std::popcount(stones(cells, true))};
    }

private:
    Mask step(Mask m, unsigned direction) const {
        switch (direction) {
            case 0: return grid.east(m);
            case 1: return grid.west(m);
            case 2: return grid.south(m);
            default: return grid.north(m);
        }
    }
    Mask step_back(Mask m, unsigned direction) const { return step(m, direction ^ 1); }
    Mask jumpers(Mask own, Mask prey, Mask room, unsigned direction) const {
        return own & step_back(prey & step_back(room, direction), direction);
    }
    Mask joined(Mask region, const std::array<Mask, 4>& from) const {
        for (Mask grown = region;; region = grown) {
            for (unsigned direction = 0; direction < 4; ++direction) {
                const Mask one_back = step_back(grown, direction);
                const Mask starts = from[direction] & (grown | one_back | step_back(one_back, direction));
                const Mask over = step(starts, direction);
                grown |= starts | over | step(over, direction);
            }
            if (grown == region) return region;
        }
    }
};

// Each side puts down stones so that every block on the board keeps a liberty.
class NoGo : public FourStates {
public:
    using FourStates::FourStates;

    template <class Emit>
    void options(const Position& cells, bool left, Emit&& emit) const {
        for (Mask places = legal(cells)[left ? 0 : 1]; places != 0;) {
            const Mask place = take_lowest(places);
            Position after = cells;
            after[left ? 1 : 0] &= ~place;
            emit(after);
        }
    }
    // Empty cells with the blocks that have them as liberties: what may be done depends on liberties alone, so blocks
    // of different colours side by side say nothing to each other.
    template <class Emit>
    void split(const Position& cells, Emit&& emit) const {
        const Mask room = empty(cells), lefts = stones(cells, true), rights = stones(cells, false);
        Mask rest = room;
        while (rest != 0) {
            Mask region = take_lowest(rest);
            for (Mask grown = region;; region = grown) {
                const Mask near_room = grid.around(grown & room);
                grown |= (near_room | grid.around(grown)) & room;
                grown |= (near_room | grid.around(grown & lefts)) & lefts;
                grown |= (near_room | grid.around(grown & rights)) & rights;
                if (grown == region) break;
            }
            rest &= ~region;
            const Position part = within(cells, region);
            const auto moves = legal(part);
            if ((moves[0] | moves[1]) != 0) emit(part);
        }
    }
    // What is not legal now never will be: blocks gain no liberties but by a stone on their last one.
    std::array<int, 2> most(const Position& cells) const {
        const auto moves = legal(cells);
        return {std::popcount(moves[0]), std::popcount(moves[1])};
    }

private:
    // Where Left and where Right may play: not on the last liberty of a block of the other side, and only beside an
    // empty cell or a block of one's own that has another liberty.
    std::array<Mask, 2> legal(const Position& cells) const {
        const Mask room = empty(cells);
        std::array<Mask, 2> last{}, shared{};
        for (unsigned side = 0; side < 2; ++side) {
            for (Mask rest = stones(cells, side == 0); rest != 0;) {
                const Mask block = grid.connected(rest & (~rest + 1), rest);
                rest ^= block;
                const Mask liberties = grid.around(block) & room;
                (std::has_single_bit(liberties) ? last : shared)[side] |= liberties;
            }
        }
        const Mask beside_room = room & grid.around(room);
        return {(beside_room | shared[0]) & ~last[1], (beside_room | shared[1]) & ~last[0]};
    }
};

}  // namespace zermelo::cgt::boards
