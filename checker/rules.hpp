// A game by its rules, with exact scores: what tables, expectations and equilibria of games from files ask of one.
//
// Positions are numbered as they are met, so that walks over them keep numbers only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "certificate.hpp"
#include "ending.hpp"
#include "json.hpp"
#include "rational.hpp"

namespace checker {

using Place = std::uint32_t;  // the number of a position
using Move = std::int64_t;
using Scores = std::vector<Rational>;

class Rules {
public:
    virtual ~Rules() = default;
    virtual std::vector<std::string> roles() const = 0;
    virtual Place start() = 0;
    // What each role gets where the game is over.
    virtual std::optional<Scores> result(Place place) = 0;
    // Whether it is over, though perhaps with no score of one.
    virtual bool over(Place place) { return result(place).has_value(); }
    virtual int turn(Place place) = 0;  // a role by number, or as in ending.hpp
    virtual std::vector<Move> moves(Place place) = 0;
    virtual std::vector<Rational> chances(Place place) = 0;  // of its moves, where chance makes them
    virtual Place play(Place place, Move move) = 0;
    // What play that never ends is worth to each role.
    virtual Scores endless() { return Scores(roles().size()); }
    virtual std::string text(Place place, Move move) = 0;
    virtual std::string key(Place place) = 0;
    // The legal moves of each role that moves, one role or several at once; nobody where chance moves.
    virtual std::vector<std::pair<int, std::vector<std::string>>> movers(Place place);
    // The position after one move of each mover, by its place among the legal ones.
    virtual Place joint(Place place, const std::vector<std::size_t>& places);
    // Whether a move may be written in other letters than the rules do, large or small.
    virtual bool any_case() const { return true; }
};

// Positions under numbers, by whatever tells one from the others.
template <class State>
class Numbered {
public:
    Place number(const std::string& name, const State& state) {
        const auto [at, is_new] = places_.try_emplace(name, static_cast<Place>(states_.size()));
        if (is_new) states_.push_back(state);
        if (states_.size() > kMost) throw BadInput("more positions than this program walks over");
        return at->second;
    }
    const State& operator[](Place place) const { return states_[place]; }

private:
    static constexpr std::size_t kMost = 50'000'000;
    std::unordered_map<std::string, Place> places_;
    std::vector<State> states_;
};

// What is found of a claim that holds: in how many positions or steps it was tested and, where ends were met, what the
// scores of all roles add up to there at the most.
struct Tested {
    std::uint64_t steps = 0;
    std::optional<Rational> most = {};
};

// Tests a claim that rests on a table, from a position on; Refuted if it does not hold.
Tested check_table(Rules& rules, Place start, const Claim& claim, int owner);

// The same of claims that weigh moves: what a role can expect, and what the roles get if nobody gains by changing
// alone.
Tested check_expectation(Rules& rules, Place start, const Claim& claim);
Tested check_equilibrium(Rules& rules, Place start, const Claim& claim);

// The legal move that is written so, letter for letter or, if none is, whatever the case of its letters.
std::optional<Move> move_written(Rules& rules, Place place, std::string_view written);

}  // namespace checker
