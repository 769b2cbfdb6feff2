#include "gdl/gates.hpp"

#include <algorithm>

namespace zermelo::gdl {

namespace {

// In the language of OR: an AND is the same with every literal (and constant) turned round.
constexpr Literal turned(Gate kind, Literal literal) { return kind == Gate::any ? literal : negate(literal); }

std::uint64_t hash_of(Gate kind, std::span<const Literal> inputs) {
    std::uint64_t hash = kind == Gate::all ? 0x9e3779b97f4a7c15u : 0xc2b2ae3d27d4eb4fu;
    for (const auto literal : inputs) hash = (hash ^ literal) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
    return hash;
}

}  // namespace

Gates::Gates(std::uint32_t fluents, std::span<const std::uint32_t> first_move)
    : first_move_node_(1 + fluents), first_gate_(1 + fluents + first_move.back()), first_move_(first_move.begin(), first_move.end()) {
    role_of_move_.resize(first_move.back());
    for (std::uint32_t role = 0; role + 1 < first_move.size(); ++role)
        for (auto move = first_move[role]; move < first_move[role + 1]; ++move) role_of_move_[move] = role;
}

Literal Gates::open(Gate kind) {
    const auto node = first_gate_ + static_cast<std::uint32_t>(gates_.size());
    gates_.push_back({kind, 0, 0});
    return 2 * node;
}

void Gates::close(Literal gate, std::span<const Literal> inputs) {
    auto& entry = gates_[node_of(gate) - first_gate_];
    entry.first = static_cast<std::uint32_t>(inputs_.size());
    entry.count = static_cast<std::uint32_t>(inputs.size());
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
}

Literal Gates::consed(Gate kind, std::span<const Literal> inputs) {
    const auto hash = hash_of(kind, inputs);
    for (auto [at, end] = known_.equal_range(hash); at != end; ++at)
        if (this->kind(at->second) == kind && std::ranges::equal(this->inputs(at->second), inputs)) return 2 * at->second;
    const auto gate = open(kind);
    close(gate, inputs);
    known_.emplace(hash, node_of(gate));
    return gate;
}

Literal Gates::make(Gate kind, std::span<const Literal> given) {
    const Literal neutral = kind == Gate::any ? kFalse : kTrue;
    std::vector<Literal> inputs(given.begin(), given.end());
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (std::size_t i = 0; i + 1 < inputs.size(); ++i)
        if (inputs[i] == negate(inputs[i + 1])) return negate(neutral);  // sorted: x and not x are neighbours
    if (std::ranges::binary_search(inputs, negate(neutral))) return negate(neutral);
    std::erase(inputs, neutral);
    if (apply_law_of_moves(kind, inputs)) return negate(neutral);
    if (inputs.empty()) return neutral;
    if (inputs.size() == 1) return inputs[0];
    return consed(kind, inputs);
}

// Says true where the law makes the gate constant: true for OR, false for AND.
bool Gates::apply_law_of_moves(Gate kind, std::vector<Literal>& inputs) {
    if (std::ranges::none_of(inputs, [&](Literal l) { return is_move(l); })) return false;
    std::vector<Literal> kept, moves;
    for (const auto literal : inputs) (is_move(literal) ? moves : kept).push_back(literal);
    const bool alone = kept.empty();
    // One role after the other; `moves` is sorted by node, so each role's stand together.
    for (std::size_t i = 0; i < moves.size();) {
        const auto role = role_of_move_[node_of(moves[i]) - first_move_node_];
        const auto low = first_move_node_ + first_move_[role], high = first_move_node_ + first_move_[role + 1];
        std::vector<std::uint32_t> held, barred;  // seen as OR: moves, and moves negated
        for (; i < moves.size() && node_of(moves[i]) < high; ++i)
            (negated(turned(kind, moves[i])) ? barred : held).push_back(node_of(moves[i]));
        if (barred.size() > 1) return true;  // not a or not b
        if (barred.size() == 1) {
            kept.push_back(turned(kind, 2 * barred[0] + 1));  // implied by every other move
            continue;
        }
        const auto all_moves = high - low;
        if (held.size() == all_moves) return true;
        const bool complement = 2 * held.size() > all_moves;
        std::vector<Literal> group;
        if (complement) {
            for (auto node = low, at = 0u; node < high; ++node) {
                if (at < held.size() && held[at] == node) ++at;
                else group.push_back(2 * node);
            }
        } else {
            for (const auto node : held) group.push_back(2 * node);
        }
        if (group.size() == 1) {
            kept.push_back(turned(kind, complement ? negate(group[0]) : group[0]));
        } else if (!complement && kind == Gate::any && (alone && moves.size() == held.size())) {
            kept.insert(kept.end(), group.begin(), group.end());  // this gate is that OR
        } else {
            const auto gate = consed(Gate::any, group);
            kept.push_back(turned(kind, complement ? negate(gate) : gate));
        }
    }
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (std::size_t i = 0; i + 1 < kept.size(); ++i)
        if (kept[i] == negate(kept[i + 1])) return true;
    inputs = std::move(kept);
    return false;
}

}  // namespace zermelo::gdl
