// Strategies that are stated as a rule for games of the library: what each plays, and why it is enough.
//
// On small boards a rule is played out against every reply. On larger ones a lemma is applied: conditions that are
// tested on this very board, and from which the claim follows (docs/why-certificates-hold.md has the proofs).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tables.hpp"

namespace checker {

// The sizes of heaps, or cells (0 free, 1 and 2 the stones of the roles), or how much is left.
using Things = std::vector<std::uint32_t>;

// A game as its target states it: `takes` are those of a subtraction game.
struct Stated {
    std::string game;
    std::vector<std::int64_t> sizes, takes;
};

class NamedRule {
public:
    virtual ~NamedRule() = default;
    // About how many positions times moves it takes to play the rule out.
    virtual double effort() const = 0;
    // What the lemma promises, and whether it promises it to a role here: Refuted if not.
    virtual Score promise() const { return 1; }
    virtual void need_lemma(int role) const = 0;
    // What the rule plays: a move as the game has it.
    virtual std::uint32_t move(const Things& things, int mover) const = 0;
};

// The rule of that name with its data; Refuted where they do not fit the game.
std::unique_ptr<NamedRule> named_rule(const Stated& stated, const Claim& claim);

// How many positions were met, if the rule was played out; `things` has what a position consists of.
template <class Game>
std::uint64_t check_named(const Game& game, const Stated& stated, const Claim& claim, int owner,
                          const typename Game::State& start,
                          const std::function<Things(const typename Game::State&)>& things) {
    constexpr double kPlayedOut = 200'000;
    if (owner < 0) throw Refuted(claim.role + " is not a role of the game");
    if (!(start == game.start())) throw Refuted("rules speak of play from the start");
    const auto rule = named_rule(stated, claim);
    if (rule->effort() <= kPlayedOut) {
        const auto choose = [&](const typename Game::State& state) {
            return rule->move(things(state), game.turn(state));
        };
        return TableCheck<Game>(game, claim, owner, choose).run(start);
    }
    if (Fraction(rule->promise()) < Fraction::of(claim.at_least)) throw Refuted("the rule promises less");
    rule->need_lemma(owner);
    return 1;
}

// nim, wythoff, subtraction, coins and treblecross. Positions are numbered as they are met.
class HeapGame {
public:
    struct State {
        std::uint64_t number;
        bool operator==(const State&) const = default;
    };
    using Layered = HeapGame;
    static constexpr bool kFromLibrary = false;
    explicit HeapGame(Stated stated);
    // Whether this is such a game, and its sizes are those that it may have.
    static bool knows(const std::string& game);
    const Layered& layered() const { return *this; }

    std::vector<std::string> roles() const { return {"first", "second"}; }
    Score endless(int) const { return 0; }
    State start() const { return {0}; }
    int turn(const State& state) const { return movers_[state.number]; }
    std::string starter(const State& state) const { return roles()[std::size_t(turn(state))]; }
    void moves(const State& state, std::vector<std::uint32_t>& out) const;
    State play(const State& state, std::uint32_t move) const;
    bool over(const State& state, Score& score) const;
    std::string key(const State& state) const;
    std::string text(const State& state, std::uint32_t move) const;
    std::string meant(const std::string& written) const { return written; }
    std::optional<std::uint32_t> move_in_full(const State&, const std::vector<std::uint32_t>&,
                                              const std::string&) const {
        return std::nullopt;
    }
    // What the digest is taken of.
    std::string statement() const;
    std::uint64_t check_rule(const Claim& claim, int owner, const State& start) const;

private:
    State numbered(Things things, int mover) const;
    std::string along_lines() const;
    bool has_run_of_three(const Things& row) const;
    Stated stated_;
    std::vector<std::uint32_t> alike_;  // coins on top of one value, by how many are left
    mutable std::vector<Things> things_;
    mutable std::vector<int> movers_;
    mutable std::unordered_map<std::string, std::uint64_t> numbers_;
};

// A board of mnk or connect that is too large for words of 64 bits: lemmas speak of it, tables and layers do not.
class LargeBoard {
public:
    struct State {
        std::uint64_t number;
        bool operator==(const State&) const = default;
    };
    using Layered = LargeBoard;
    static constexpr bool kFromLibrary = false;
    explicit LargeBoard(Stated stated) : stated_(std::move(stated)) {}
    const Layered& layered() const { return *this; }
    std::vector<std::string> roles() const { return {"x", "o"}; }
    Score endless(int) const { return 0; }
    State start() const { return {0}; }
    int turn(const State&) const { return 0; }
    std::string starter(const State&) const { return "x"; }
    void moves(const State&, std::vector<std::uint32_t>&) const { refuse(); }
    State play(const State&, std::uint32_t) const { refuse(); }
    bool over(const State&, Score&) const { return false; }
    std::string key(const State&) const { refuse(); }
    std::string text(const State&, std::uint32_t) const { refuse(); }
    std::string meant(const std::string& written) const { return written; }
    std::optional<std::uint32_t> move_in_full(const State&, const std::vector<std::uint32_t>&,
                                              const std::string&) const {
        refuse();
    }
    std::uint64_t check_rule(const Claim& claim, int owner, const State& start) const {
        return check_named(*this, stated_, claim, owner, start, [](const State&) -> Things { refuse(); });
    }

private:
    [[noreturn]] static void refuse() { throw BadInput("expected at most 64 cells, or a rule with a lemma"); }
    Stated stated_;
};

// The cells of a position of mnk or connect.
template <class Game>
Things cells_of(const Game& game, const Stones& s) {
    Things cells;
    for (unsigned cell = 0; cell < game.rows() * game.columns(); ++cell)
        cells.push_back(has(s.first, cell) ? 1 : has(s.second, cell) ? 2 : 0);
    return cells;
}

}  // namespace checker
