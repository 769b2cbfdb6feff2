#include "gdl/lane/goals_now.hpp"

#include <algorithm>

namespace zermelo::gdl {

GoalsNow::GoalsNow(const Circuit& circuit) {
    // Which nodes goals rest on, from the last backwards. In a cycle any may rest on any.
    std::vector<bool> needed(circuit.nodes(), false);
    const auto ends = node_of(circuit.terminal);
    for (const auto& goal : circuit.goals) needed[node_of(goal.when)] = true;
    for (auto b = circuit.blocks.size(); b-- > 0;) {
        const auto& block = circuit.blocks[b];
        if (block.cyclic) return;  // goals by recursion through the board: not worth it
        for (auto node = block.last; node-- > block.first;)
            if (needed[node] && node != ends)
                for (const auto input : circuit.inputs(node)) needed[node_of(input)] = true;
    }
    std::vector<std::uint32_t> place(circuit.nodes(), 0);
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        if (needed[circuit.fluent_node(f)]) {
            fluent_.push_back(f);
            place[circuit.fluent_node(f)] = static_cast<std::uint32_t>(fluent_.size());
        }
    // The terminal literal is true whatever its node is: the node is false, or its negation is.
    const auto literal = [&](Literal l) {
        if (node_of(l) == ends) return l == circuit.terminal ? kTrue : kFalse;
        return 2 * place[node_of(l)] | (l & 1);
    };
    for (const auto& block : circuit.blocks)
        for (auto node = block.first; node < block.last; ++node) {
            if (!needed[node] || node == ends) continue;
            const auto first = static_cast<std::uint32_t>(input_.size());
            for (const auto input : circuit.inputs(node)) input_.push_back(literal(input));
            gate_.push_back({first, static_cast<std::uint32_t>(input_.size()),
                             circuit.gate[node - circuit.first_gate()] == zermelo::gdl::Gate::all});
            place[node] = static_cast<std::uint32_t>(fluent_.size() + gate_.size());
        }
    for (const auto& goal : circuit.goals)
        goals_.push_back(
            {goal.role, static_cast<double>(std::clamp<std::int64_t>(goal.value, 0, 100)) / 100, literal(goal.when)});
    value_.assign(1 + fluent_.size() + gate_.size(), 0);
    said_.assign(circuit.roles(), 0);
}

void GoalsNow::operator()(std::span<const std::uint64_t> state, std::span<double> rewards) {
    std::ranges::fill(rewards, 0.5);
    std::ranges::fill(said_, 0);
    for (std::size_t i = 0; i < fluent_.size(); ++i) value_[1 + i] = state[fluent_[i] / 64] >> (fluent_[i] % 64) & 1;
    const auto holds = [&](Literal l) { return value_[node_of(l)] != static_cast<std::uint8_t>(l & 1); };
    auto* out = value_.data() + 1 + fluent_.size();
    for (const auto& [first, last, all] : gate_) {
        auto i = first;
        while (i < last && holds(input_[i]) == all) ++i;
        *out++ = static_cast<std::uint8_t>((i == last) == all);
    }
    for (const auto& [role, reward, when] : goals_) {
        if (!holds(when)) continue;
        rewards[role] = said_[role] ? 0.5 : reward;
        said_[role] = 1;
    }
}

}  // namespace zermelo::gdl
