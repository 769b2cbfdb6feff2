#include "qbf/sat/clauses.hpp"

namespace zermelo::qbf {

void Clauses::load(std::uint32_t node) {
    stack_.assign(1, node);
    while (!stack_.empty()) {
        const auto n = stack_.back();
        if (variable_[n] != kNone) {
            stack_.pop_back();
            continue;
        }
        const auto before = stack_.size();
        for (const auto input : graph_.inputs(n))
            if (variable_[node_of(input)] == kNone) stack_.push_back(node_of(input));
        if (stack_.size() > before) continue;
        stack_.pop_back();
        const auto v = variable_[n] = sat_.variable(decide_gates_ || !graph_.gate(n));
        if (n == 0) sat_.add({2 * v + 1});
        if (!graph_.gate(n)) continue;
        clause_.assign(1, 2 * v);
        for (const auto input : graph_.inputs(n)) {
            const auto literal = 2 * variable_[node_of(input)] + (input & 1);
            sat_.add({2 * v + 1, literal});
            clause_.push_back(negate(literal));
        }
        sat_.add(clause_);
    }
}

}  // namespace zermelo::qbf
