// What is known of a game's fluents at each phase of play, and the smaller circuits that this knowledge allows.
//
// Where control alternates, half the rules are idle at every step. A phase is a class of steps (every second one, say)
// for which some fluents have always the same value: found by abstract interpretation (Cousot and Cousot 1977) of the
// circuit in three-valued logic, from the start state on. Any state that agrees with what is known at a phase leads to
// states that agree with the next phase, so knowledge holds for positions of any origin once they are seen to agree.
//
//     Phases phases = find_phases(circuit);                     // one after the other, then round again
//     Special special = specialise(circuit, phases.known[p]);   // evaluates to the same where that is known
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl::bulk {

// Which values a fluent, move or gate may have.
enum Maybe : std::uint8_t { kUnreached = 0, kMaybeFalse = 1, kMaybeTrue = 2, kEither = 3 };
using Known = std::vector<std::uint8_t>;  // a Maybe for each fluent

bool agrees(const Known& known, std::span<const std::uint64_t> state);

struct Phases {
    std::vector<Known> known;
    std::vector<std::size_t> open;  // for each phase, how many inputs of gates are not known
    std::size_t back = 0;           // the phase that follows the last one; if there is none such, no play gets beyond
};

// Phases that come round every few steps, as few as there are roles or so; a single one where nothing alternates.
Phases find_phases(const Circuit& circuit);
// A phase for each step from the start on, until the game is over for sure or what is known comes round again. Empty
// if that takes too many steps.
Phases unroll(const Circuit& circuit, std::size_t most_steps);
// The phase that any state agrees with.
Phases no_phases(const Circuit& circuit);

// The circuit where `known` holds: same fluents, but only those moves that may be legal, and none for a role that has
// no choice. Gates may have a single input. Without percepts.
struct Special {
    Circuit circuit;
    std::vector<std::uint32_t> move;  // of each move the number in the original
    std::vector<Literal> does;        // of each original move
    std::vector<Literal> required;    // without one of these a role without choice has no move at all
};

Special specialise(const Circuit& circuit, const Known& known);

}  // namespace zermelo::gdl::bulk
