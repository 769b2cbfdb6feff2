// What forall chooses for variables that were expanded away, where the formula is false.
//
// The search knows that no choice of exists satisfies all the copies, not which copy fails. So ask a SAT solver for
// a play that is not answered yet: choices of exists, with forall's own functions for the other variables. Some copy fails under it,
// and a few of its literals are enough for that. Where these hold, forall chooses that copy's assignment. When no play is
// left the list of these rules is the function. (Counterexample-guided, as Janota and Marques-Silva, "Abstraction-based
// algorithm for 2QBF", 2011, with cores as rules.)
#pragma once

#include "qbf/formula.hpp"
#include "qbf/network.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

// Adds the functions of the expanded variables to those of forall.
void answer_copies(const Formula& formula, const Network& network, Functions& functions, Control& control);

}  // namespace zermelo::qbf
