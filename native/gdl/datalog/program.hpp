// A rulesheet as the native side takes it: names, hash-consed terms, and rules that are plain conjunctions.
//
// The front end (gdl/lower.py) has read and validated the text, moved negation to atoms and spread disjunctions over
// several rules, so a body is a list of literals. Terms are nodes in one pool; a node's arguments have smaller
// numbers than the node. An atom is a term as well: (true (cell 1 ?x)) is the node `true` with one argument.
//
//     Program p;                                            // (<= (next ?f) (true ?f) (not (gone ?f)))
//     auto f = p.variable(0);
//     p.rules.push_back({p.term("next", {f}), {{Sign::holds, p.term("true", {f})}, {Sign::fails, p.term("gone", {f})}},
//     1});
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace zermelo::gdl {

using Term = std::uint32_t;

enum class Sign : std::uint8_t {
    holds,    // the atom
    fails,    // not the atom
    distinct  // the atom's two arguments are different terms
};

struct BodyLiteral {
    Sign sign;
    Term atom;
};

struct ProgramRule {
    Term head;
    std::vector<BodyLiteral> body;
    std::uint32_t variables;  // the rule's variables are 0..variables-1
};

struct TermNode {
    std::int32_t name;        // an index into names, or -1 - v for the variable v of the rule
    std::uint32_t first_arg;  // into args
    std::uint32_t arg_count;
};

struct Program {
    std::vector<std::string> names;
    std::vector<TermNode> nodes;
    std::vector<Term> args;
    std::vector<ProgramRule> rules;
};

}  // namespace zermelo::gdl
