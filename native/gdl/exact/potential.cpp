#include "gdl/exact/potential.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::gdl {

namespace {

constexpr int kDeepest = 6;

// Whether `fluent` implies the literal (holding = true) or the literal implies `fluent` (holding = false), as far as a
// look at the gates shows.
bool bound_to(const Circuit& circuit, Literal literal, std::uint32_t fluent, bool holding, int depth) {
    if (literal == 2 * circuit.fluent_node(fluent)) return true;
    if (literal == (holding ? kTrue : kFalse)) return true;
    if (node_of(literal) < circuit.first_gate() || depth == kDeepest) return false;
    const bool any = (circuit.gate[node_of(literal) - circuit.first_gate()] == Gate::any) != negated(literal);
    const auto inner = [&](Literal input) {
        return bound_to(circuit, input ^ (literal & 1), fluent, holding, depth + 1);
    };
    const auto inputs = circuit.inputs(node_of(literal));
    return any == holding ? std::ranges::any_of(inputs, inner) : std::ranges::all_of(inputs, inner);
}

// The fluent that alone makes this one true in the next state: the number before, where fluents count.
std::uint32_t before(const Circuit& circuit, std::uint32_t fluent) {
    const auto literal = circuit.next[fluent];
    const auto as_fluent = [&](Literal l) {
        return !negated(l) && node_of(l) > 0 && node_of(l) <= circuit.fluents ? node_of(l) - 1 : kNever;
    };
    if (as_fluent(literal) != kNever) return as_fluent(literal);
    if (negated(literal) || node_of(literal) < circuit.first_gate()) return kNever;
    if (circuit.gate[node_of(literal) - circuit.first_gate()] != Gate::all) return kNever;
    auto found = kNever;
    for (const auto input : circuit.inputs(node_of(literal))) {
        const auto candidate = as_fluent(input);
        if (candidate == kNever) continue;
        if (found != kNever) return kNever;
        found = candidate;
    }
    return found;
}

}  // namespace

Potential::Potential(const Circuit& circuit) : stays_true_(circuit.words()), stays_false_(circuit.words()) {
    std::vector<std::uint32_t> previous(circuit.fluents);
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
        const auto bit = std::uint64_t{1} << (f % 64);
        if (bound_to(circuit, circuit.next[f], f, true, 0)) stays_true_[f / 64] |= bit;
        if (bound_to(circuit, circuit.next[f], f, false, 0)) stays_false_[f / 64] |= bit;
        previous[f] = before(circuit, f);
    }
    // The place of a fluent in its chain; fluents on a cycle (whose turn it is) and short chains do not count.
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
        std::uint64_t steps = 0;
        auto at = f;
        for (; previous[at] != kNever && previous[at] != at && steps <= circuit.fluents; ++steps) at = previous[at];
        if (steps > 0 && steps <= circuit.fluents && previous[at] == kNever)
            counters_.push_back({f, steps * (std::uint64_t{circuit.fluents} + 1)});
    }
}

std::uint64_t Potential::operator()(std::span<const std::uint64_t> state) const {
    std::uint64_t total = 0;
    for (std::size_t w = 0; w < state.size(); ++w)
        total += static_cast<std::uint64_t>(std::popcount(state[w] & stays_true_[w]) +
                                            std::popcount(~state[w] & stays_false_[w]));
    for (const auto& [fluent, weight] : counters_)
        if (state[fluent / 64] >> (fluent % 64) & 1) total += weight;
    return total;
}

}  // namespace zermelo::gdl
