// What forall chooses for variables that were expanded away, where the formula is false.
//
// The search knows that no choice of exists satisfies all the copies, not which copy fails. If the variables after the
// expanded block can be quantified away in each copy with few gates, what is left says when it fails, and forall
// chooses the first copy that does.
//
// Else ask a SAT solver for a play that is not answered yet: choices of exists, with forall's own functions for the
// other variables. Some copy fails under it, and a few of its literals are enough for that. Where these hold, that copy
// fails. When no play is left these rules say enough. (Counterexample-guided, as Janota and Marques-Silva,
// "Abstraction-based algorithm for 2QBF", 2011, with cores as rules.)
#pragma once

#include <cstdint>
#include <span>

#include "qbf/circuit/formula.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

// Whether these are variables of forall, ascending, of one block after which he has no other, and few enough to try all
// values.
bool expandable(const Formula& formula, std::span<const std::uint32_t> variables);

// Adds the functions of the expanded variables to those of forall. To quantify away at most so many gates are made.
void answer_copies(const Formula& formula, std::span<const std::uint32_t> expanded, Functions& functions,
                   std::uint64_t most_gates, Control& control);

// The same, but only if they are found by quantifying; else it returns false and changes nothing.
bool answer_copies_briefly(const Formula& formula, std::span<const std::uint32_t> expanded, Functions& functions,
                           std::uint64_t most_gates, Control& control);

// What exists chooses in the last block, where it is his, from the formula alone: of each variable, quantified away in
// turn, that it is true where that is right. False, and nothing of use, if the block or the circuit is large or it
// takes more gates.
bool choose_last_block(const Formula& formula, std::uint64_t most_gates, Functions& functions, Control& control);

}  // namespace zermelo::qbf
