// Othello on a board of even sides, by default 8 x 8: place a disc so that it outflanks discs of the other colour,
// which are turned over; who cannot must pass; when neither can, the player with more discs wins.
//
// Cell r * columns + c, row 0 on top. Runs of discs are found by shifting whole boards (parallel prefix, after Kogge
// and Stone 1973). A pass is a move, and only possible when the other then has a placement: nothing repeats.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "games/permute.hpp"
#include "zermelo/game.hpp"
#include "zermelo/random.hpp"

namespace zermelo {

class Othello {
public:
    struct State {
        std::uint64_t black, white, turn;
        bool operator==(const State&) const = default;
    };
    static constexpr Move kPass = 64;

    Othello(unsigned rows, unsigned columns)
        : rows_(rows), columns_(columns), pairs_((std::max(rows, columns) - 3) / 2), symmetries_(rows * columns) {
        const auto cells = rows * columns;
        board_ = cells >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells) - 1;
        inner_ = board_;
        for (unsigned r = 0; r < rows; ++r) inner_ &= ~(bit(r * columns) | bit(r * columns + columns - 1));
        corners_ = bit(0) | bit(columns - 1) | bit(cells - columns) | bit(cells - 1);
        for (const auto& turn : Turn::all(rows == columns)) symmetries_.add(board_image(rows, columns, turn));
    }
    static bool fits(std::int64_t rows, std::int64_t columns) {
        return rows >= 4 && columns >= 4 && rows <= 16 && columns <= 16 && rows % 2 == 0 && columns % 2 == 0 &&
               rows * columns <= 64;
    }

    State start() const {
        const auto corner = (rows_ / 2 - 1) * columns_ + columns_ / 2 - 1;
        return {bit(corner + 1) | bit(corner + columns_), bit(corner) | bit(corner + columns_ + 1), 0};
    }
    int turn(const State& s) const { return static_cast<int>(s.turn); }
    Ending ending(const State& s) const {
        if (placements(s.black, s.white) || placements(s.white, s.black)) return {};
        return {true, sign(s)};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        const auto [own, other] = sides(s);
        const auto placeable = placements(own, other);
        for (auto rest = placeable; rest; rest &= rest - 1) out.push_back(static_cast<Move>(std::countr_zero(rest)));
        if (!placeable && placements(other, own)) out.push_back(kPass);
    }
    State play(State s, Move move) const {
        if (move != kPass) place(s, bit(move));
        s.turn ^= 1;
        return s;
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }

    State canon(const State& s) const {
        State least = s;
        for (std::size_t i = 0; i < symmetries_.count(); ++i) {
            const auto black = symmetries_.apply(i, s.black);
            if (black > least.black) continue;
            const auto white = symmetries_.apply(i, s.white);
            if (black < least.black || white < least.white) least.black = black, least.white = white;
        }
        return least;
    }

    std::string_view images() const { return "square"; }
    State least_image(const State& s) const { return canon(s); }

    // Corners cannot be turned over: first; then the moves that leave the other the fewest replies.
    void order(const State& s, std::span<Move> moves) const {
        std::array<int, 65> key{};
        for (const auto move : moves) {
            const auto next = play(s, move);
            const auto [own, other] = sides(next);
            const bool corner = move != kPass && (corners_ & bit(move));
            key[move] = std::popcount(placements(own, other)) - (corner ? 64 : 0);
        }
        std::sort(moves.begin(), moves.end(),
                  [&](Move a, Move b) { return std::pair(key[a], a) < std::pair(key[b], b); });
    }

    Move random_move(const State& s, Random& random) const {
        const auto [own, other] = sides(s);
        const auto cell = pick(placements(own, other), random);
        return cell ? static_cast<Move>(std::countr_zero(cell)) : kPass;
    }
    Score playout(State s, Random& random) const {
        for (bool passed = false;; s.turn ^= 1) {
            const auto [own, other] = sides(s);
            if (const auto cell = pick(placements(own, other), random)) {
                place(s, cell);
                passed = false;
            } else if (std::exchange(passed, true)) {
                return sign(s);
            }
        }
    }

private:
    static constexpr std::uint64_t bit(unsigned cell) { return std::uint64_t{1} << cell; }
    static Score sign(const State& s) {
        const auto black = std::popcount(s.black), white = std::popcount(s.white);
        return (black > white) - (black < white);
    }
    static std::pair<std::uint64_t, std::uint64_t> sides(const State& s) {
        return s.turn == 0 ? std::pair{s.black, s.white} : std::pair{s.white, s.black};
    }
    static std::uint64_t pick(std::uint64_t cells, Random& random) {
        return cells ? nth_bit(cells, random.below(static_cast<std::uint32_t>(std::popcount(cells)))) : 0;
    }

    // For each of the eight directions: visit(the discs of `other` in unbroken runs from `from`, those shifted once
    // more).
    template <class Visit>
    void runs(std::uint64_t from, std::uint64_t other, Visit visit) const {
        const auto sideways =
            other & inner_;  // a run that turns a corner of the board would pass through an edge column
        const auto both = [&](unsigned step, std::uint64_t through) {
            auto run = through & (from << step);
            run |= through & (run << step);
            const auto twice = through & (through << step);
            for (unsigned i = 0; i < pairs_; ++i) run |= twice & (run << 2 * step);
            visit(run, run << step);
            auto back = through & (from >> step);
            back |= through & (back >> step);
            const auto twice_back = twice >> step;
            for (unsigned i = 0; i < pairs_; ++i) back |= twice_back & (back >> 2 * step);
            visit(back, back >> step);
        };
        both(1, sideways);
        both(columns_ - 1, sideways);
        both(columns_, other);
        both(columns_ + 1, sideways);
    }
    std::uint64_t placements(std::uint64_t own, std::uint64_t other) const {
        std::uint64_t ends = 0;
        runs(own, other, [&](std::uint64_t, std::uint64_t beyond) { ends |= beyond; });
        return ends & board_ & ~(own | other);
    }
    void place(State& s, std::uint64_t cell) const {
        auto& own = s.turn == 0 ? s.black : s.white;
        auto& other = s.turn == 0 ? s.white : s.black;
        std::uint64_t turned = 0;
        runs(cell, other, [&](std::uint64_t run, std::uint64_t beyond) { turned |= beyond & own ? run : 0; });
        own |= cell | turned;
        other &= ~turned;
    }

    unsigned rows_, columns_, pairs_;  // pairs_: a run has at most 2 + 2 * pairs_ discs
    std::uint64_t board_ = 0, inner_ = 0, corners_ = 0;
    Permutations symmetries_;
};

}  // namespace zermelo
