// Values of all positions of a game that numbers them, in a compact table and without an index.
//
// Every move lowers the rank, so sweeping r = 0, 1, 2, ... finds each position's successors done: one backward
// induction in rank order, two bits a position where there are at most three scores (win, draw, loss), one byte up
// to 255 scores, four bytes beyond. Positions above the rank asked for cannot be reached from it and are left
// alone; a later question may carry the sweep on. The table holds no distances.
//
// Positions that unrank calls legal must be closed under moves, reachable or not.
//
// A game may speed the sweep up by two optional members:
//   std::uint64_t next_legal(std::uint64_t r) const      the first legal rank at or above r (ranks() if none)
//   void ranks_after(const State&, std::uint64_t r, std::vector<std::uint64_t>& out) const
//                                                        the ranks that the moves lead to, r being the state's own
//
// What is in the table is read without knowing the game (RankTable), so that an engine compiled for opaque positions
// can use the sweep that was compiled for the game itself.
//
//     Ranked<G> table(game);
//     table.sweep(game.rank(root), control);
//     Score value = table.value(game.rank(root));
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

// Codes of 2, 8 or 32 bits in a row: 0 means no such position, else score - worst + 1.
template <unsigned Bits>
class Codes {
    static_assert(Bits == 2 || Bits == 8 || Bits == 32);

public:
    using Word = std::conditional_t<Bits == 32, std::uint32_t, std::uint8_t>;
    static constexpr std::uint64_t kPerWord = Bits == 2 ? 4 : 1;

    static std::uint64_t bytes_for(std::uint64_t count) { return (count + kPerWord - 1) / kPerWord * sizeof(Word); }
    void resize(std::uint64_t count) {
        const auto words = static_cast<std::size_t>((count + kPerWord - 1) / kPerWord);
        words_.reserve(words);  // else a second growth would take twice what is needed
        words_.resize(words);
    }
    std::uint64_t bytes() const { return words_.capacity() * sizeof(Word); }
    std::uint32_t get(std::uint64_t r) const {
        if constexpr (Bits == 2) return words_[static_cast<std::size_t>(r / 4)] >> (r % 4 * 2) & 3u;
        else return words_[static_cast<std::size_t>(r)];
    }
    void set(std::uint64_t r, std::uint32_t code) {  // once only, over a 0
        if constexpr (Bits == 2) words_[static_cast<std::size_t>(r / 4)] |= static_cast<Word>(code << (r % 4 * 2));
        else words_[static_cast<std::size_t>(r)] = static_cast<Word>(code);
    }

private:
    std::vector<Word> words_;
};

class RankTable {
public:
    virtual ~RankTable() = default;

    // What the table for ranks 0 .. top takes.
    std::uint64_t bytes_for(std::uint64_t top) const {
        if (spread_ <= 2) return Codes<2>::bytes_for(top + 1);
        return spread_ <= 254 ? Codes<8>::bytes_for(top + 1) : Codes<32>::bytes_for(top + 1);
    }

    // Makes value() known for every legal rank up to `top`. Throws Stopped at a limit; what was swept is kept.
    virtual void sweep(std::uint64_t top, Control& control) = 0;

    bool covers(std::uint64_t r) const { return r < done_; }
    Score value(std::uint64_t r) const {
        const auto code = spread_ <= 2 ? two_.get(r) : spread_ <= 254 ? eight_.get(r) : wide_.get(r);
        if (!code) throw std::logic_error("a legal position has a rank that the game calls illegal");
        return Score{code} - 1 + worst_;
    }
    std::uint64_t bytes() const { return two_.bytes() + eight_.bytes() + wide_.bytes(); }
    std::uint64_t labelled() const { return labelled_; }

protected:
    RankTable(Score worst, Score best) : worst_(worst), spread_(best - worst) {}

    Score worst_, spread_;
    Codes<2> two_;
    Codes<8> eight_;
    Codes<32> wide_;
    std::uint64_t done_ = 0;  // ranks below are known
    std::uint64_t labelled_ = 0;
};

template <class G>
class Ranked final : public RankTable {
    static_assert(SearchGame<G> && HasRank<G>);

public:
    using State = typename G::State;
    explicit Ranked(const G& game) : RankTable(game.worst(), game.best()), game_(game) {}

    void sweep(std::uint64_t top, Control& control) override {
        if (top < done_) return;
        if constexpr (requires { requires G::best() - G::worst() <= 2; }) {
            sweep(two_, top, control);  // a game that has three scores at most is compiled for no other table
        } else {
            if (spread_ >= 0xffffffffll) throw std::invalid_argument("a table holds scores of 32 bits");
            if (spread_ <= 2) sweep(two_, top, control);
            else if (spread_ <= 254) sweep(eight_, top, control);
            else sweep(wide_, top, control);
        }
    }

private:
    template <unsigned Bits>
    void sweep(Codes<Bits>& codes, std::uint64_t top, Control& control) {
        // The larger table is made beside the smaller one, which is given back afterwards.
        const auto before = static_cast<std::int64_t>(codes.bytes());
        control.charge(static_cast<std::int64_t>(Codes<Bits>::bytes_for(top + 1)));
        codes.resize(top + 1);
        control.charge(-before);
        const auto highest = static_cast<std::uint32_t>(spread_ + 1);
        auto& r = done_;
        for (; r <= top; ++r) {
            control.tick();
            if constexpr (requires {
                              { game_.next_legal(r) } -> std::same_as<std::uint64_t>;
                          }) {
                r = game_.next_legal(r);
                if (r > top) break;
            }
            const auto at = game_.unrank(r);
            if (!at.legal) continue;
            ++labelled_;
            const State& state = at.state;
            if (const auto end = game_.ending(state); end.over) {
                codes.set(r, static_cast<std::uint32_t>(end.score - worst_ + 1));
                continue;
            }
            codes.set(r, game_.turn(state) == 0
                             ? best_after(codes, state, r, highest, [](auto a, auto b) { return a > b; })
                             : best_after(codes, state, r, 1, [](auto a, auto b) { return a < b; }));
        }
        done_ = top + 1;
    }

    // The mover's best code; `ideal` ends the scan.
    template <unsigned Bits, class Better>
    std::uint32_t best_after(const Codes<Bits>& codes, const State& state, std::uint64_t r, std::uint32_t ideal,
                             Better better) {
        std::uint32_t best = 0;
        const auto look = [&](std::uint64_t next) {
            if (next >= r) throw std::logic_error("a move does not lower the rank");
            const auto code = codes.get(next);
            if (!code) throw std::logic_error("a move leads to a rank that the game calls illegal");
            if (!best || better(code, best)) best = code;
            return best == ideal;
        };
        if constexpr (requires { game_.ranks_after(state, r, after_); }) {
            after_.clear();
            game_.ranks_after(state, r, after_);
            for (const auto next : after_)
                if (look(next)) break;
        } else {
            moves_.clear();
            game_.moves(state, moves_);
            for (const auto move : moves_)
                if (look(game_.rank(game_.play(state, move)))) break;
        }
        if (!best) throw std::logic_error("a position that is not over has no moves");
        return best;
    }

    const G& game_;
    std::vector<Move> moves_;
    std::vector<std::uint64_t> after_;
};

}  // namespace zermelo
