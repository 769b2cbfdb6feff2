// What the grounder makes of a rulesheet: rules without variables, over numbered atoms.
//
// Atoms 0..F-1 are the fluents (facts that some reachable state may hold), F..F+M-1 the moves (`does` of a role),
// grouped by role; all others are derived and hold exactly where one of their rules does (least fixpoint, stratum by
// stratum). Atoms that hold always or never do not occur in bodies. A literal is 2 * atom, plus 1 where negated.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace zermelo::gdl {

using Literal = std::uint32_t;
inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();       // an atom that never holds
inline constexpr std::uint32_t kAlways = std::numeric_limits<std::uint32_t>::max() - 1;  // an atom that always holds

struct GroundGoal {
    std::uint32_t role;
    std::int64_t value;
    std::uint32_t atom;
};

struct GroundPercept {
    std::uint32_t role;
    std::uint32_t percept;  // an index into percept_names
    std::uint32_t atom;     // over a state and the moves done in it
};

struct GroundRules {
    std::vector<std::string> role_names;    // in the order of the rulesheet
    std::vector<std::string> fluent_names;  // as KIF, "(cell 1 1 b)"
    std::vector<std::string> move_names;    // those of role r are first_move[r] .. first_move[r + 1]
    std::vector<std::string> percept_names;
    std::vector<std::uint32_t> first_move;

    std::uint32_t atoms = 0;                      // fluents, moves and derived atoms
    std::vector<std::uint32_t> head;              // of each rule
    std::vector<std::uint32_t> first_literal{0};  // rule i: body[first_literal[i] .. first_literal[i + 1])
    std::vector<Literal> body;

    std::vector<bool> init;            // for each fluent
    std::vector<std::uint32_t> next;   // for each fluent, an atom, kNever or kAlways
    std::vector<std::uint32_t> legal;  // for each move, likewise
    std::uint32_t terminal = kNever;
    std::vector<GroundGoal> goals;    // by role, then by value; atom may be kAlways
    std::vector<GroundPercept> sees;  // by role

    std::uint32_t fluents() const { return static_cast<std::uint32_t>(fluent_names.size()); }
    std::uint32_t moves() const { return static_cast<std::uint32_t>(move_names.size()); }
};

}  // namespace zermelo::gdl
