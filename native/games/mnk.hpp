// k in a row on a board of rows x columns: tic-tac-toe is 3, 3, 3; gomoku (free style) is n, n, 5.
//
// Rows are stored with one spare column, so that shifting a set of stones never wraps from one row into the next.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "zermelo/bits.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

template <std::size_t W>
class Mnk {
public:
    struct State {
        Bits<W> x, o;
        bool operator==(const State&) const = default;
    };

    Mnk(unsigned rows, unsigned columns, unsigned k) : rows_(rows), columns_(columns), k_(k), stride_(columns + 1) {
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned c = 0; c < columns; ++c) board_ = board_ | Bits<W>::cell(r * stride_ + c);
    }
    static bool fits(std::int64_t rows, std::int64_t columns) {
        return rows > 0 && columns > 0 && rows * (columns + 1) <= static_cast<std::int64_t>(64 * W);
    }

    State start() const { return {}; }
    int turn(const State& s) const { return s.x.count() == s.o.count() ? 0 : 1; }
    Ending ending(const State& s) const {
        if (turn(s) == 0 ? has_line(s.o) : has_line(s.x)) return {true, turn(s) == 0 ? -1 : 1};
        return {(s.x | s.o) == board_, 0};
    }
    void moves(const State& s, std::vector<Move>& out) const { empty(s).each([&](unsigned cell) { out.push_back(cell); }); }
    State play(State s, Move move) const {
        auto& own = turn(s) == 0 ? s.x : s.o;
        own = own | Bits<W>::cell(move);
        return s;
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }

    // Win at once if you can; else stop the other from winning at once.
    bool narrow(const State& s, std::vector<Move>& out) const {
        const auto& own = turn(s) == 0 ? s.x : s.o;
        const auto& other = turn(s) == 0 ? s.o : s.x;
        const auto free = empty(s);
        for (const auto* stones : {&own, &other}) {
            const auto wins = completions(*stones) & free;
            if (wins.any()) return out.push_back(wins.lowest()), true;
        }
        return false;
    }

private:
    Bits<W> empty(const State& s) const { return board_ & ~(s.x | s.o); }
    std::array<unsigned, 4> directions() const { return {1, stride_, stride_ + 1, stride_ - 1}; }

    // Doubling: after covering a run of length n, one shift covers any length up to 2n.
    bool has_line(const Bits<W>& stones) const {
        for (const auto d : directions()) {
            auto run = stones;
            unsigned length = 1;
            while (length < k_ && run.any()) {
                const auto step = std::min(length, k_ - length);
                run = run & (run >> (step * d));
                length += step;
            }
            if (run.any()) return true;
        }
        return false;
    }
    // Cells that would complete a line: those with a run of i stones before and k-1-i after.
    Bits<W> completions(const Bits<W>& stones) const {
        Bits<W> found;
        for (const auto d : directions()) {
            for (unsigned before = 0; before < k_; ++before) {
                Bits<W> good = board_;
                for (unsigned i = 1; i <= before; ++i) good = good & (stones << (i * d));
                for (unsigned i = 1; i < k_ - before; ++i) good = good & (stones >> (i * d));
                found = found | good;
            }
        }
        return found;
    }

    unsigned rows_, columns_, k_, stride_;
    Bits<W> board_;
};

}  // namespace zermelo
