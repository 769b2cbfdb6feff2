// Circuits of AND gates and negation: what formulas are brought to before anything else.
//
// Node 0 is false, nodes 1..leaves are variables; a literal is 2 * node + negated, as in formula.hpp. Equal gates are
// one node, constants and contradictions are folded; inputs come before gates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qbf/circuit/formula.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

class AndGraph {
public:
    explicit AndGraph(std::uint32_t leaves = 0) : first_(leaves + 2, 0), leaves_(leaves), slots_(64, 0) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    std::uint32_t leaves() const { return leaves_; }
    bool gate(std::uint32_t node) const { return node > leaves_; }
    std::span<const Literal> inputs(std::uint32_t node) const {
        return std::span(input_).subspan(first_[node], first_[node + 1] - first_[node]);
    }

    Literal conjunction(std::span<const Literal> literals);
    Literal disjunction(std::span<const Literal> literals);
    Literal exclusive(Literal a, Literal b);
    Literal choice(Literal condition, Literal then, Literal otherwise);
    // A gate of a formula, its inputs being literals of this graph.
    Literal made(Kind kind, std::span<const Literal> inputs);

private:
    std::uint64_t hash(std::span<const Literal> literals) const;
    void grow();

    std::vector<std::uint64_t> first_;
    std::vector<Literal> input_;
    std::uint32_t leaves_;
    std::vector<std::uint32_t> slots_;  // nodes by the hash of their inputs; 0: free
    std::uint32_t gates_ = 0;
    std::vector<Literal> scratch_;
};

// The circuit of a formula, its variables as leaves; returns the output.
Literal circuit_of(const Formula& formula, AndGraph& graph, Control& control);

}  // namespace zermelo::qbf
