// The ground rules as a coloured graph whose automorphisms are symmetries of the game.
//
// Nodes are the fluents, the moves, the derived atoms and the bodies of rules (Schiffel, "Symmetry detection in general
// game playing", 2010, does it with the rules as they are written; without variables there is nothing to rename but
// atoms). An edge joins a body to each atom it asks for, positively or negatively, and to each atom that follows from
// it, a fluent to what makes it true next, a move to what makes it legal. Colours keep apart what must not be
// exchanged: roles, endings, each goal value, and if wished the facts of the start.
//
// Rules can say the same in different ways, and a symmetry of the game need not be one of its rules. Three things are
// done about that: atoms that hold together are one node (gdl/symmetry/rule_classes.hpp), which also leaves no symmetry
// that moves derived atoms alone; connections have no direction (gdl/symmetry/connections.hpp); and goals are compared
// as functions if wished (gdl/symmetry/goal_functions.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/symmetry/goal_functions.hpp"
#include "gdl/ground/ground_rules.hpp"
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
    std::vector<std::uint32_t>
        first_arc;  // of node v: arcs[first_arc[v] .. first_arc[v + 1]), sorted; each edge from both ends
    std::vector<Arc> arcs;
    std::unique_ptr<GoalFunctions>
        goals;  // if they are compared as functions: then the graph knows only what they look at

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(colour.size()); }
    std::span<const Arc> arcs_of(std::uint32_t node) const {
        return std::span(arcs).subspan(first_arc[node], first_arc[node + 1] - first_arc[node]);
    }
};

struct GraphParams {
    bool keep_start = false;           // facts of the start are told from others
    bool goal_functions = false;       // where goals have rules of their own
    std::size_t most_nodes = 600'000;  // of the decision diagrams of goals; TooManyNodes is thrown beyond
};

RuleGraph rule_graph(const GroundRules& rules, const GraphParams& params, Control& control);

// Whether a permutation of the nodes keeps colours and arcs, arc by arc, and goals that are functions.
bool is_automorphism(const RuleGraph& graph, std::span<const std::uint32_t> image);

}  // namespace zermelo::gdl
