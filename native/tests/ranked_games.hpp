// Small games that number their positions.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "zermelo/game.hpp"

namespace zermelo::testing {

// k in a row with ternary ranks, counted down from the empty board; `Scale` stretches the scores so that the
// table needs more than two bits; Ranks false hides the numbering.
template <bool Ranks>
struct Ternary {
    unsigned rows, columns, k;
    Score scale = 1;
    struct State {
        std::uint32_t x, o;
        bool operator==(const State&) const = default;
    };
    unsigned cells() const { return rows * columns; }
    State start() const { return {0, 0}; }
    int turn(const State& s) const { return std::popcount(s.x) == std::popcount(s.o) ? 0 : 1; }
    bool line(std::uint32_t stones) const {
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned c = 0; c < columns; ++c)
                for (const auto& [dr, dc] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1}, std::pair{1, -1}}) {
                    unsigned run = 0;
                    for (int y = static_cast<int>(r), x = static_cast<int>(c);
                         run < k && y < static_cast<int>(rows) && x >= 0 && x < static_cast<int>(columns) &&
                         (stones >> (static_cast<unsigned>(y) * columns + static_cast<unsigned>(x)) & 1);
                         y += dr, x += dc)
                        ++run;
                    if (run == k) return true;
                }
        return false;
    }
    Ending ending(const State& s) const {
        if (line(s.x)) return {true, scale};
        if (line(s.o)) return {true, -scale};
        return {static_cast<unsigned>(std::popcount(s.x | s.o)) == cells(), 0};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        for (unsigned cell = 0; cell < cells(); ++cell)
            if (!((s.x | s.o) >> cell & 1)) out.push_back(cell);
    }
    State play(State s, Move move) const {
        (turn(s) == 0 ? s.x : s.o) |= 1u << move;
        return s;
    }
    Score worst() const { return -scale; }
    Score best() const { return scale; }
    std::uint64_t ranks() const
        requires Ranks
    {
        std::uint64_t all = 1;
        for (unsigned i = 0; i < cells(); ++i) all *= 3;
        return all;
    }
    std::uint64_t rank(const State& s) const
        requires Ranks
    {
        std::uint64_t code = 0;
        for (unsigned cell = cells(); cell-- > 0;) code = code * 3 + (s.x >> cell & 1) + 2 * (s.o >> cell & 1);
        return ranks() - 1 - code;
    }
    Unranked<State> unrank(std::uint64_t r) const
        requires Ranks
    {
        State s{0, 0};
        auto code = ranks() - 1 - r;
        for (unsigned cell = 0; cell < cells(); ++cell, code /= 3) {
            if (code % 3 == 1) s.x |= 1u << cell;
            if (code % 3 == 2) s.o |= 1u << cell;
        }
        const auto more = std::popcount(s.x) - std::popcount(s.o);
        return {s, more == 0 || more == 1};
    }
};
static_assert(HasRank<Ternary<true>> && !HasRank<Ternary<false>>);

// Two heaps; whoever takes the last wins. Positions are few against their ranks only when the heaps are far apart.
struct TwoHeaps {
    struct State {
        std::uint32_t a, b, turn;
        bool operator==(const State&) const = default;
    };
    std::uint32_t a, b;
    State start() const { return {a, b, 0}; }
    int turn(const State& s) const { return static_cast<int>(s.turn); }
    Ending ending(const State& s) const { return s.a + s.b ? Ending{} : Ending{true, s.turn ? 1 : -1}; }
    void moves(const State& s, std::vector<Move>& out) const {
        for (Move m = 1; m <= s.a + s.b; ++m) out.push_back(m);
    }
    State play(const State& s, Move m) const {
        return m <= s.a ? State{s.a - m, s.b, 1 - s.turn} : State{s.a, s.b - (m - s.a), 1 - s.turn};
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }
    // The heaps' sum in front of all, so that any move lowers the rank whatever the turn.
    std::uint64_t ranks() const { return (std::uint64_t{a} + b + 1) * (a + 1) * 2; }
    std::uint64_t rank(const State& s) const { return ((std::uint64_t{s.a} + s.b) * (a + 1) + s.a) * 2 + s.turn; }
    Unranked<State> unrank(std::uint64_t r) const {
        const auto turn_ = static_cast<std::uint32_t>(r % 2), x = static_cast<std::uint32_t>(r / 2 % (a + 1));
        const auto sum = static_cast<std::uint32_t>(r / 2 / (a + 1));
        const bool legal = x <= sum && sum - x <= b;
        return {{x, legal ? sum - x : 0, turn_}, legal};
    }
};

}  // namespace zermelo::testing
