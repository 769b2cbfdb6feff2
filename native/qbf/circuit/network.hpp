// A formula as the search kernel sees it: AND and OR gates over literals, in negation normal form.
//
// A gate and its negation are two nodes (opposite), each there only if the output needs it. Equal gates are one,
// constants are folded, gates of one input are gone, and an AND in an AND that nobody else uses is part of it. The
// variables of the innermost universal block may be expanded away: for each of their assignments there is one copy of
// the part that depends on them, with copies of the existential variables inside (Biere, "Resolve and Expand", 2005).
//
//     const Network network = lowered(formula, {.expansion_gates = 20000}, control);
//     if (network.root == Network::kNone) return network.constant;
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "qbf/circuit/andgraph.hpp"
#include "qbf/circuit/formula.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

enum class NodeKind : std::uint8_t { any = 0, all = 1, leaf = 2 };

// Variables of the network: those of the formula that matter, and copies of them.
struct NetworkVariable {
    std::uint32_t origin;   // the formula's variable, 1..
    std::uint32_t copy;     // number of the assignment of the expanded variables that this is a copy for, or kNone
    std::uint32_t level;    // the block of the origin
    std::uint32_t leaf[2];  // the node of the negative and of the positive literal, or kNone
    std::uint32_t source;   // its node in the graph
};

// Leaf i of the graph is node i + 1.
struct GraphLeaf {
    std::uint32_t origin, copy, level;
};

struct Network {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::vector<NodeKind> kind;
    std::vector<std::uint32_t> first_child{0}, child;
    std::vector<std::uint32_t> first_parent{0}, parent;
    std::vector<std::uint32_t> first_all;   // parents are in two groups, OR gates and from here on AND gates
    std::vector<std::uint32_t> opposite;    // the node of the negation, or kNone
    std::vector<std::uint32_t> literal;     // of a leaf: twice its variable, plus one where negated
    std::vector<NetworkVariable> variable;  // ordered by level
    std::vector<std::uint32_t> first_of_level{
        0};                    // variables of level b: first_of_level[b] .. first_of_level[b + 1] - 1
    std::vector<bool> exists;  // for each level
    std::vector<std::uint32_t>
        expanded;    // the formula's variables that were expanded; assignment i gives bit k to expanded[k]
    AndGraph graph;  // what the network was made from
    std::vector<GraphLeaf> graph_leaf;
    std::vector<Literal> source;  // of each node: its literal in the graph
    std::vector<Literal> copies;  // of each assignment of the expanded variables: its copy of the output
    std::uint32_t root = kNone;   // kNone: the formula is constant
    bool constant = false;

    std::uint32_t size() const { return static_cast<std::uint32_t>(kind.size()); }
    std::span<const std::uint32_t> children(std::uint32_t n) const {
        return std::span(child).subspan(first_child[n], first_child[n + 1] - first_child[n]);
    }
    std::span<const std::uint32_t> parents(std::uint32_t n) const {
        return std::span(parent).subspan(first_parent[n], first_parent[n + 1] - first_parent[n]);
    }
    // Its users of one kind.
    std::span<const std::uint32_t> parents(std::uint32_t n, NodeKind users) const {
        return users == NodeKind::any ? std::span(parent).subspan(first_parent[n], first_all[n] - first_parent[n])
                                      : std::span(parent).subspan(first_all[n], first_parent[n + 1] - first_all[n]);
    }
    std::uint64_t bytes() const;
};

struct Lowering {
    std::uint64_t expansion_gates = 0;  // most gates that an expansion may make; 0: none
    bool restructure = true;            // see restructure.hpp
};

Network lowered(const Formula& formula, const Lowering& how, Control& control);

}  // namespace zermelo::qbf
