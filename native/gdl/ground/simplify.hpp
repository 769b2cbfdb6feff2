// The last step of grounding: settle what always or never holds, drop what nothing needs, number what is left.
#pragma once

#include "gdl/datalog/datalog.hpp"
#include "gdl/ground/ground_rules.hpp"
#include "gdl/ground/instantiate.hpp"
#include "gdl/datalog/meter.hpp"

namespace zermelo::gdl {

// Settles the fate of further atoms: an atom without rules never holds, a fluent that is neither true at the start nor
// ever next never holds, one that is true at the start and always next always holds, a move that is never legal is
// never done; atoms that support only each other never hold. `init` says which fluents are true at the start.
void settle_fates(RawRules& rules, const std::vector<bool>& init, Meter& meter);

// Names, order and numbers; rules from which no fluent, move, ending, goal or percept depends are left out.
GroundRules number_rules(Datalog& sheet, const RawRules& rules, const std::vector<bool>& init, Meter& meter);

}  // namespace zermelo::gdl
