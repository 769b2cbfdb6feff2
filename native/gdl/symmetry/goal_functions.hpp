// Goals compared by what they say, not by how.
//
// Rules count in some order: the discs of a row from left to right, the rows from above. That order is no part of the
// game, but it is part of the rules, and breaks their symmetry. So the conditions of goals are also looked at as
// functions, of facts and of atoms that other rules need too; two functions are the same where their decision diagrams
// are.
//
//     GoalFunctions goals(rules, list, inner, node_of, most_nodes, control);   // throws TooManyNodes, also where goals
//     are recursive goals.influence(i);                                                      // what tells variables
//     apart, see gdl/symmetry/bdd.hpp goals.keep(image);                                                       //
//     whether renaming the variables changes no goal
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gdl/symmetry/bdd.hpp"
#include "gdl/symmetry/connections.hpp"
#include "gdl/ground/ground_rules.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

class GoalFunctions {
public:
    // Atoms that are `inner` are written out by their rules; all others are variables, named by the nodes of a graph.
    // Atoms of one node have to hold together.
    GoalFunctions(const GroundRules& rules, const RuleList& list, const std::vector<bool>& inner,
                  std::span<const std::uint32_t> node_of, std::size_t most_nodes, Control& control);

    std::size_t size() const { return functions_.size(); }
    // Pairs of a node and its influence on the i-th goal, where it has one.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> influence(std::size_t i) const;
    // Whether every goal stays the same when each variable is read as the image of its node. May throw TooManyNodes.
    bool keep(std::span<const std::uint32_t> image);

private:
    struct Inner {
        std::uint32_t atom;
        std::vector<std::vector<Literal>> bodies;  // sorted
    };
    void build(std::span<const std::uint32_t> variable_of_variable);
    Bdd::Function of(Literal literal);
    Bdd::Function any_of(std::span<const std::vector<Literal>> bodies, std::size_t depth);
    Bdd::Function united(std::vector<std::pair<Literal, Bdd::Function>> terms);

    Control& control_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> asked_;  // atoms that are variables, and their variables
    std::vector<std::uint32_t> node_of_variable_;
    std::vector<Inner> inner_;  // each after those it asks for
    std::vector<std::uint32_t> goal_atoms_;
    Bdd bdd_{0, 0};
    std::vector<Bdd::Function> value_;      // of each atom
    std::vector<Bdd::Function> functions_;  // of each goal
};

}  // namespace zermelo::gdl
