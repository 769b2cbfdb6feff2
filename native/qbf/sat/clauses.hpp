// Circuits in a SAT solver: a variable and the clauses of Tseitin for each gate that is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "qbf/circuit/andgraph.hpp"
#include "qbf/sat/sat.hpp"

namespace zermelo::qbf {

class Clauses {
public:
    // Gates follow from the leaves; deciding them as well is worth it where questions are hard.
    Clauses(const AndGraph& graph, Sat& sat, bool decide_gates)
        : graph_(graph), sat_(sat), decide_gates_(decide_gates), variable_(graph.size(), kNone) {}

    // The solver's literal for a literal of the circuit.
    Literal operator[](Literal literal) {
        const auto node = node_of(literal);
        if (variable_[node] == kNone) load(node);
        return 2 * variable_[node] + (literal & 1);
    }

    bool loaded(std::uint32_t node) const { return variable_[node] != kNone; }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    void load(std::uint32_t node);

    const AndGraph& graph_;
    Sat& sat_;
    bool decide_gates_;
    std::vector<std::uint32_t> variable_;
    std::vector<std::uint32_t> stack_;
    std::vector<Literal> clause_;
};

}  // namespace zermelo::qbf
