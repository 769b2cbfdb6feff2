// Atoms that hold together in every state, because their rules are the same.
//
// The coarsest partition of the derived atoms in which those of one class have, class for class, the same bodies. What
// depends on a class depends on it in the same sense for each member, so classes are stratified like atoms, and the
// least fixpoint over the classes, stratum by stratum, is that over the atoms: the atoms of one class hold together.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/symmetry/connections.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

struct RuleClasses {
    std::uint32_t classes = 0;
    std::vector<std::uint32_t> of_atom;
    std::vector<std::vector<Literal>> bodies;  // in terms of classes; sorted, all different
    std::vector<std::uint32_t> body_of_rule;
};

// Atoms below `inputs` and from `opaque` on are classes of their own.
RuleClasses rule_classes(const RuleList& rules, std::uint32_t inputs, std::uint32_t opaque, Control& control);

}  // namespace zermelo::gdl
