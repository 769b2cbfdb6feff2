#include "qbf/circuit/andgraph.hpp"

#include <algorithm>
#include <array>

namespace zermelo::qbf {

std::uint64_t AndGraph::hash(std::span<const Literal> literals) const {
    std::uint64_t h = literals.size();
    for (const auto literal : literals) {
        h = (h ^ literal) * 0x9E3779B97F4A7C15ull;
        h ^= h >> 29;
    }
    return h;
}

void AndGraph::grow() {
    std::vector<std::uint32_t> slots(slots_.size() * 2, 0);
    for (const auto node : slots_) {
        if (!node) continue;
        auto at = hash(inputs(node)) & (slots.size() - 1);
        while (slots[at]) at = (at + 1) & (slots.size() - 1);
        slots[at] = node;
    }
    slots_.swap(slots);
}

Literal AndGraph::conjunction(std::span<const Literal> literals) {
    auto& in = scratch_;
    in.assign(literals.begin(), literals.end());
    std::ranges::sort(in);
    in.erase(std::unique(in.begin(), in.end()), in.end());
    if (!in.empty() && in.front() == kFalse) return kFalse;
    if (!in.empty() && in.front() == kTrue) in.erase(in.begin());
    for (std::size_t i = 1; i < in.size(); ++i)
        if (in[i] == negate(in[i - 1])) return kFalse;
    if (in.empty()) return kTrue;
    if (in.size() == 1) return in.front();
    auto at = hash(in) & (slots_.size() - 1);
    for (; slots_[at]; at = (at + 1) & (slots_.size() - 1))
        if (std::ranges::equal(inputs(slots_[at]), in)) return 2 * slots_[at];
    const auto node = size();
    input_.insert(input_.end(), in.begin(), in.end());
    first_.push_back(input_.size());
    slots_[at] = node;
    if (++gates_ * 2 > slots_.size()) grow();
    return 2 * node;
}

Literal AndGraph::disjunction(std::span<const Literal> literals) {
    std::vector<Literal> in(literals.begin(), literals.end());
    for (auto& literal : in) literal = negate(literal);
    return negate(conjunction(in));
}

Literal AndGraph::exclusive(Literal a, Literal b) { return choice(a, negate(b), b); }

Literal AndGraph::choice(Literal condition, Literal then, Literal otherwise) {
    if (then == otherwise) return then;
    const std::array<Literal, 2> one{condition, then}, other{negate(condition), otherwise};
    const std::array<Literal, 2> both{negate(conjunction(one)), negate(conjunction(other))};
    return negate(conjunction(both));
}

Literal AndGraph::made(Kind kind, std::span<const Literal> inputs) {
    switch (kind) {
        case Kind::all: return conjunction(inputs);
        case Kind::any: return disjunction(inputs);
        case Kind::exclusive: return exclusive(inputs[0], inputs[1]);
        case Kind::choice: return choice(inputs[0], inputs[1], inputs[2]);
    }
    return kFalse;
}

Literal circuit_of(const Formula& formula, AndGraph& graph, Control& control) {
    graph = AndGraph(formula.variables());
    std::vector<Literal> image(formula.first_gate() + formula.gates.size());
    for (std::uint32_t n = 0; n < formula.first_gate(); ++n) image[n] = 2 * n;
    std::vector<Literal> inputs;
    for (std::uint32_t g = 0; g < formula.gates.size(); ++g) {
        if ((g & 0xFFFF) == 0xFFFF) control.check();
        inputs.clear();
        for (const auto input : formula.gates.inputs(g)) inputs.push_back(image[node_of(input)] ^ (input & 1));
        image[formula.first_gate() + g] = graph.made(formula.gates.kind[g], inputs);
    }
    return image[node_of(formula.output)] ^ (formula.output & 1);
}

}  // namespace zermelo::qbf
