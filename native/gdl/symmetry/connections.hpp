// Rules that say "these two sides are joined", seen without a direction.
//
// Such a rule begins at one side, goes on from place to place, and looks whether the other side is reached (hex, and
// every game of connection). Written so, it knows a first side and a last; what it means does not: if each step can be
// taken back under the same conditions, a chain of places joins the two sides from either end. Here the steps become
// links between places, and the two sides equals, so that a symmetry may exchange them.
//
//     linked(v) :- cell(v), side(v).     linked(v) :- cell(v), linked(u).     won :- linked(v), other_side(v).
//
// A recursive component counts as a connection if every rule asks for at most one of its atoms, positively, all its
// steps go both ways, and one atom outside, alone, asks for it.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/ground/ground_rules.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

struct RuleList {
    std::uint32_t atoms = 0;
    std::vector<std::uint32_t> head;
    std::vector<std::uint32_t> first_literal{0};
    std::vector<Literal> body;
};

// Places and links that hold in a state make a graph; the connection holds where it joins place 0 to place 1, its
// sides.
struct Connection {
    struct Link {
        std::uint32_t one, other;   // places, one <= other
        std::vector<Literal> when;  // sorted
        auto operator<=>(const Link&) const = default;
    };
    std::uint32_t atom = 0;                   // that it stands for, in the rules that are left
    std::vector<std::vector<Literal>> place;  // under which conditions each can be used; sides always can
    std::vector<Link> links;                  // sorted
};

struct ConnectedRules {
    RuleList rules;  // all others; atoms of connections come last
    std::vector<Connection> connections;
};

ConnectedRules find_connections(const GroundRules& rules, Control& control);

}  // namespace zermelo::gdl
