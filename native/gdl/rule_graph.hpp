// The ground rules as a coloured graph whose automorphisms are the symmetries of the game.
//
// Nodes are the fluents, the moves, the derived atoms and the bodies of rules (Schiffel, "Symmetry detection in general
// game playing", 2010, does it with the rules as they are written; without variables there is nothing to rename but
// atoms). An edge joins a body to each atom it asks for, positively or negatively, and to each atom that follows from it, a
// fluent to what makes it true next, a move to what makes it legal. Colours keep apart what must not be exchanged: roles,
// endings, each goal value, and if wished the facts of the start.
//
// Atoms that have the same rules are one node, and so are those that have the same rules but for such atoms: the coarsest
// partition of the derived atoms in which those of one class have, class for class, the same bodies. In every state they
// hold together. (What depends on a class depends on it in the same sense for each member, so the classes are
// stratified like the atoms, and the least fixpoint over the classes, stratum by stratum, is that over the atoms.) This
// leaves no symmetry that moves derived atoms alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/ground_rules.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

struct Arc {
    std::uint32_t node;
    std::uint32_t label;  // what joins them, seen from this end
    auto operator<=>(const Arc&) const = default;
};

struct RuleGraph {
    std::uint32_t fluents = 0, moves = 0;  // nodes 0..fluents-1 and the next `moves`
    std::vector<std::uint32_t> colour;     // of each node
    std::vector<std::uint32_t> first_arc;  // of node v: arcs[first_arc[v] .. first_arc[v + 1]), sorted; each edge from both ends
    std::vector<Arc> arcs;

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(colour.size()); }
    std::span<const Arc> arcs_of(std::uint32_t node) const {
        return std::span(arcs).subspan(first_arc[node], first_arc[node + 1] - first_arc[node]);
    }
};

// `keep_start`: facts of the start are told from others.
RuleGraph rule_graph(const GroundRules& rules, bool keep_start, Control& control);

// Whether a permutation of the nodes keeps colours and arcs: exactly, arc by arc.
bool is_automorphism(const RuleGraph& graph, std::span<const std::uint32_t> image);

}  // namespace zermelo::gdl
