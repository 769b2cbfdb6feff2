// A rulesheet played straight from its rules, one state at a time, for games whose grounding would be too large.
//
// What does not depend on the state is worked out once. Asked about a state, it evaluates the relations needed for the
// answer, stratum by stratum and semi-naively, and keeps them until it is asked about another state.
//
//     Control control;
//     Interpreter game(program, control);
//     auto state = game.start();                               // sorted numbers of terms
//     while (!game.terminal(state, control)) {
//         std::vector<Interpreter::Id> moves;
//         for (const auto& legal : game.legal(state, control)) moves.push_back(legal.front());
//         state = game.next(state, moves, control);
//     }
//     game.goals(state, control);                              // for each role the values that hold
//     game.name(state.front()), game.term("(cell 1 1 b)");
//
// Throws TooLarge for terms that nest without bound, Stopped where a limit of the control is reached, and
// std::invalid_argument for what the validator should have refused. One interpreter serves one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/datalog/datalog.hpp"
#include "gdl/datalog/program.hpp"
#include "gdl/datalog/terms.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

class Interpreter {
public:
    using Id = TermPool::Id;
    using State = std::vector<Id>;  // sorted

    Interpreter(Program program, Control& control);
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    std::uint32_t roles() const { return static_cast<std::uint32_t>(roles_.size()); }
    const std::vector<std::string>& role_names() const { return role_names_; }
    const State& start() const { return start_; }

    bool terminal(const State& state, Control& control);
    // For each role; sorted by number of the term.
    std::vector<std::vector<Id>> legal(const State& state, Control& control);
    // For each role the values that hold: none, one or several; sorted.
    std::vector<std::vector<std::int64_t>> goals(const State& state, Control& control);
    // After one move of each role, which need not be legal.
    State next(const State& state, std::span<const Id> moves, Control& control);
    // What each role sees of that step.
    std::vector<std::vector<Id>> sees(const State& state, std::span<const Id> moves, Control& control);

    std::string name(Id term) const { return sheet_.kif(term); }
    // Throws std::invalid_argument for text that is not one ground term.
    Id term(std::string_view kif);

private:
    void load(const State& state);
    void load_moves(std::span<const Id> moves);
    void evaluate(std::uint32_t predicate, Control& control);
    std::vector<std::vector<Id>> by_role(std::uint32_t predicate);

    Program program_;
    Datalog sheet_;
    std::vector<Id> roles_;
    std::vector<std::string> role_names_;
    State start_;
    State state_;  // whose facts the relations hold
    bool loaded_ = false;
    std::vector<Id> moves_;
    std::vector<bool> done_;  // for each component
    std::vector<std::uint32_t> waiting_, needed_;
};

}  // namespace zermelo::gdl
